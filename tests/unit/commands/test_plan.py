"""`plan`: what is shown is what is planned."""

from __future__ import annotations

import json

import pytest

from neuron_dra.catalog.locate import open_catalog
from neuron_dra.cli import run

HEAD = "apiVersion: neuron-dra.dev/v1alpha1\n"
CLUSTER = """kind: Cluster
metadata: {name: %s}
spec:
  kubernetes: 1.36
  drivers: {neuron: {chartVersion: 1.10.0}, efa: {chartVersion: 1.0.0}}
  nodePools: [%s]
"""
POOL = "{name: %s, instanceType: %s, sdk: 2.32.0%s}"
PARTITION = "kind: Partition\nmetadata: {name: %s}\nspec: %s\n"
TENANT = (
    "kind: Tenant\nmetadata: {name: t}\nspec: {clusters: %s, namespaces: [n], partitions: %s}\n"
)
ROW = "{instanceType: trn2.48xlarge, devices: 4, connected: true, efa: paired}"


@pytest.fixture
def show(tmp_path, capsys):
    def run_plan(*documents, code=0, options=()):
        path = tmp_path / "specs.yaml"
        path.write_text("---\n".join(HEAD + each for each in documents), encoding="utf-8")
        assert run(["plan", str(path), *options]) == code
        return capsys.readouterr()

    return run_plan


def one(pool, spec):
    """A cluster with one pool, and one partition."""
    return (
        CLUSTER % ("c", pool),
        PARTITION % ("p", spec),
        TENANT % ("[c]", "[p]"),
    )


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("", "4 claims on a free node; the pool does not say how many nodes it has"),
        (", nodes: 1", "4 claims on a free node, 4 in the pool"),
        (", nodes: {min: 2, max: 5}", "4 claims on a free node, 8 to 20 in the pool"),
    ],
)
def test_how_many_fit(show, number, words):
    """Claims are counted on a free node and, where its size is known, in the pool."""
    assert words in show(*one(POOL % ("a", "trn2.48xlarge", number), ROW)).out


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("", "nodes of trn2.48xlarge"),
        (", nodes: 1", "1 node of trn2.48xlarge"),
        (", nodes: {min: 2, max: 5}", "2 to 5 nodes of trn2.48xlarge"),
    ],
)
def test_size_of_a_pool(show, number, words):
    """The pool is described as far as the spec says its size."""
    out = show(*one(POOL % ("a", "trn2.48xlarge", number), ROW)).out

    assert f"pool a  {words}, 16 chips each" in out


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (
            ROW,
            (
                "4 chips that are linked, 32 NeuronCores as 16 logical ones (LNC 2), 384 GiB of "
                "HBM, 4 EFA interfaces with 800 Gbps together"
            ),
        ),
        (
            "{instanceType: trn2.48xlarge, devices: 1, logicalNeuronCore: 1}",
            "1 chip, 8 NeuronCores (LNC 1), 96 GiB of HBM, no EFA",
        ),
    ],
)
def test_what_a_claim_gives(show, spec, words):
    """Chips, cores, memory and interfaces are told in one sentence."""
    out = show(*one(POOL % ("a", "trn2.48xlarge", ""), spec)).out

    assert words in " ".join(out.split())


def test_a_torus_shows_claim_after_claim(show):
    """Each claim has its letter at the chips that it gets."""
    out = show(*one(POOL % ("a", "trn2.48xlarge", ""), ROW)).out
    grid = [line.strip() for line in out.splitlines() if "──" in line]

    assert grid == ["A──A──A──A", "B──B──B──B", "C──C──C──C", "D──D──D──D"]
    assert "basis" not in out


def test_chips_without_known_links_stand_in_a_row(show):
    """Where no torus is known none is drawn."""
    spec = "{instanceType: trn1.2xlarge, devices: 1}"
    lines = show(*one(POOL % ("a", "trn1.2xlarge", ""), spec)).out.splitlines()

    assert lines[-1].strip() == "A"
    assert "A is a claim; chip 0 is on the left" in lines[-2]


def test_a_prediction_is_called_one(show):
    """A node of an UltraServer is whole, and nobody has seen its slices."""
    out = show(
        *one(
            POOL % ("a", "trn2u.48xlarge", ", ultraServers: 1"),
            "{instanceType: trn2u.48xlarge, ultraServerNodes: 4}",
        )
    ).out

    assert "the whole node; chips are not claimed apart" in out
    assert "basis    predicted, not observed" in out


def test_every_alternative_is_shown(show):
    """Alternatives on one pool are numbered, and a pool shows those that it serves."""
    spec = (
        "{firstAvailable: [{instanceType: trn2.48xlarge, devices: 8, connected: true},"
        " {instanceType: trn2.48xlarge, devices: 4, connected: true},"
        " {instanceType: trn1.32xlarge, devices: 4, connected: true}]}"
    )
    pools = ", ".join((POOL % ("a", "trn2.48xlarge", ""), POOL % ("b", "trn1.32xlarge", "")))
    out = show(*one(pools, spec)).out

    assert out.index("choice 1 8 chips") < out.index("choice 2 4 chips")
    assert out.index("pool b") < out.index(
        "a claim  4 chips that are linked, 8 NeuronCores (LNC 1)"
    )


def test_what_only_a_live_node_knows_is_not_drawn(show):
    """A selector on a live value leaves the devices open, and says so."""
    live = 'device.attributes["neuron.aws.com"].networkNodeLayer1 == "nn-1"'
    spec = f"{{instanceType: trn2.48xlarge, devices: 1, selectors: ['{live}']}}"
    documents = one(POOL % ("a", "trn2.48xlarge", ""), spec)

    assert "depends on `neuron.aws.com/networkNodeLayer1`" in show(*documents).out
    shown = json.loads(show(*documents, options=["--format", "json"]).out)
    (pool,) = shown["clusters"][0]["partitions"][0]["pools"]
    assert (pool["perNode"], pool["inPool"], pool["places"]) == (None, None, [])
    assert pool["entries"][0]["witness"] is None
    assert pool["entries"][0]["dependsOn"] == ["neuron.aws.com/networkNodeLayer1"]


@pytest.mark.parametrize(
    ("pool", "reason"),
    [
        (POOL % ("b", "trn1.32xlarge", ""), "does not serve it: has `trn1.32xlarge`"),
        (
            POOL
            % (
                "b",
                "trn2.48xlarge",
                ", mechanism: {neuron: device-plugin}, nodeSelector: {pool: b}",
            ),
            "hands out Neuron devices by the device plugin",
        ),
        (
            POOL % ("b", "trn2.48xlarge", ", nodes: 0"),
            "has no nodes",
        ),
    ],
)
def test_pools_that_do_not_serve(show, pool, reason):
    """Every other pool of the cluster says why it does not serve the partition."""
    serving = POOL % ("a", "trn2.48xlarge", ", nodeSelector: {pool: a}")
    out = show(*one(f"{serving}, {pool}", ROW)).out

    assert reason in " ".join(out.split())


def test_a_chip_that_has_too_few_devices_says_so(show):
    """A pool of the right chip that cannot serve a claim says which number breaks."""
    pools = ", ".join((POOL % ("a", "trn2.48xlarge", ""), POOL % ("b", "trn2.3xlarge", "")))
    spec = "{chip: trainium2, devices: 4, connected: true}"
    out = show(*one(pools, spec)).out

    assert "the claim wants 4 devices, `trn2.3xlarge` has 1" in " ".join(out.split())


def test_another_driver_than_the_pinned_one(show):
    """A pin leaves out the pools that run another version."""
    pools = ", ".join(
        f"{{name: {name}, instanceType: trn2.48xlarge, neuronDrivers: [{version}],"
        f" nodeSelector: {{pool: {name}}}}}"
        for name, version in (("a", "2.27.4.0"), ("b", "2.28.0.0"))
    )
    spec = "{instanceType: trn2.48xlarge, devices: 1, neuronDriver: 2.27.4.0}"

    assert "pool b  does not serve it: runs 2.28.0.0" in show(*one(pools, spec)).out


def test_clusters_that_are_alike_are_told_once(show):
    """Clusters of one profile and the same grants share a section."""
    documents = [CLUSTER % (f"c{index}", POOL % ("a", "trn2.48xlarge", "")) for index in range(5)]
    documents += [PARTITION % ("p", ROW), TENANT % ("[c0, c1, c2, c3, c4]", "[p]")]

    out = show(*documents).out
    assert out.count("cluster c0, c1, c2 and 2 more like them, Kubernetes 1.36") == 1
    assert out.count("pool a") == 1
    assert show(*documents, options=["--cluster", "c4"]).out.startswith("cluster c4, Kubernetes")


def test_clusters_are_alike_whoever_their_tenants_are(show):
    """Tenants of clusters that are planned alike are listed, and counted beyond a few."""
    documents = [CLUSTER % (f"c{index}", POOL % ("a", "trn2.48xlarge", "")) for index in range(5)]
    documents += [PARTITION % ("p", ROW)]
    documents += [
        (TENANT % (f"[c{index}]", "[p]")).replace("name: t", f"name: t{index}")
        for index in range(5)
    ]
    out = show(*documents).out

    assert out.count("pool a") == 1
    assert [line.strip() for line in out.splitlines() if "granted" in line] == [
        f"granted to t{index}: n" for index in range(3)
    ]
    assert "  and to 2 more tenants\n" in out


def test_only_some_partitions(show):
    """A partition that is named is shown alone."""
    documents = (
        CLUSTER % ("c", POOL % ("a", "trn2.48xlarge", "")),
        PARTITION % ("p", ROW),
        PARTITION % ("q", ROW),
        TENANT % ("[c]", "[p, q]"),
    )
    shown = json.loads(show(*documents, options=["--partition", "q", "--format", "json"]).out)

    assert [each["name"] for each in shown["clusters"][0]["partitions"]] == ["q"]


@pytest.mark.parametrize("option", ["--cluster", "--partition"])
def test_a_name_that_is_not_there(show, option):
    """A name that the specs do not have is a mistake of usage."""
    documents = one(POOL % ("a", "trn2.48xlarge", ""), ROW)

    assert (
        f"for {option}: there is no `cp` in the specs"
        in show(*documents, code=2, options=[option, "cp"]).err
    )


def test_what_does_not_fit_is_told_and_named(show):
    """A partition with an error is a finding, and a note says that it is not shown."""
    spec = "{instanceType: trn2.48xlarge, devices: 5, connected: true}"
    documents = (
        CLUSTER % ("c", POOL % ("a", "trn2.48xlarge", "")),
        PARTITION % ("p", ROW),
        PARTITION % ("bad", spec),
        TENANT % ("[c]", "[p, bad]"),
    )
    shown = show(*documents, code=1)

    assert "error[ND" in shown.err
    assert "note: nowhere granted, or not sound: bad" in shown.err


def test_a_cluster_without_partitions(show):
    """A cluster in which nothing is granted says so."""
    out = show(CLUSTER % ("c", POOL % ("a", "trn2.48xlarge", ""))).out

    assert "no partition is granted here" in out


def test_colour_only_stresses(show):
    """With colours headings are bold, and the words are the same."""
    documents = one(POOL % ("a", "trn2.48xlarge", ""), ROW)
    plain, bold = (show(*documents, options=["--color", when]).out for when in ("never", "always"))

    assert bold != plain
    assert bold.replace("\x1b[1m", "").replace("\x1b[0m", "") == plain


def test_every_type_is_drawn(show):
    """No instance type of the catalogue breaks the picture."""
    for name in open_catalog().instance_type_names():
        documents = one(POOL % ("a", name, ""), f"{{instanceType: {name}, devices: 1}}")
        run_code = 0 if open_catalog().instance_type(name).serves_devices else 1
        shown = show(*documents, code=run_code)
        assert ("A" in shown.out) is (run_code == 0), name
