"""`capacity`: tables, sentences and pictures, and the same as JSON."""

from __future__ import annotations

import json

import pytest

from neuron_dra.cli import run
from unit.plan.small_fleets import HEAD, PARTITION, TENANT

CLUSTER = """kind: Cluster
metadata: {name: %s}
spec:
  kubernetes: 1.36
  drivers: {neuron: {chartVersion: 1.10.0}, efa: {chartVersion: 1.0.0}}
  nodePools: [%s]
"""
SHAPES = {
    "row": "devices: 4, connected: true",
    "two": "devices: 2",
    "one": "devices: 1",
    "even": "devices: 1, selectors: ['device.attributes[\"neuron.aws.com\"].topology_y == 0']",
    "efa-two": "devices: 2, efa: paired",
    "four": "devices: 4, efa: all",
}
POOL = "{name: main, instanceType: trn2.48xlarge, sdk: 2.32.0, nodes: 2}"


@pytest.fixture
def write_specs(tmp_path):
    """Write a fleet with a pool and partitions; return its path."""

    def write(*names, pools=POOL, clusters=("c",), kind="trn2.48xlarge", shapes=SHAPES):
        spec = (
            f"{{clusters: [{', '.join(clusters)}], namespaces: [t], "
            f"partitions: [{', '.join(names)}]}}"
        )
        documents = [
            *(CLUSTER % (cluster, pools) for cluster in clusters),
            *(PARTITION % (name, f"{{instanceType: {kind}, {shapes[name]}}}") for name in names),
            TENANT % ("t", spec),
        ]
        path = tmp_path / "fleet.yaml"
        path.write_text("---\n".join(HEAD + each for each in documents), encoding="utf-8")
        return str(path)

    return write


def capacity(capsys, *arguments, code=0):
    assert run(["capacity", *arguments]) == code
    return capsys.readouterr()


def test_text(write_specs, capsys):
    """A pool is a table, the mixes, and the worst case with its picture."""
    out = capacity(capsys, write_specs("row", "one")).out

    assert (
        out
        == """\
Cluster c

  Pool main: 2 nodes of trn2.48xlarge
  A node has 16 chips in 4 rows of 4. Each is linked to its neighbours, and the ends of every row
  and column are linked too.

    PARTITION  CHIPS  EFA  ON A NODE  IN THE POOL
    row            4    0          4            8
    one            1    0         16           32

  What fits together on a node, so that nothing more does:
    4 row
    3 row + 4 one
    2 row + 8 one
    1 row + 12 one
    16 one

  Worst case for row: 4 claims of one leave no room for it, though 12 chips are free. These are left
  of 13 that arrived. While claims of row come and go, no more than 4 need arrive. Without
  departures it takes 13. On all 2 nodes it takes 8. No order of any claims does it with fewer of
  one.

    A──·──·──·   A to D  each letter is one claim of one
    │  │  │  │   ·       a free chip
    B──·──·──·
    │  │  │  │
    C──·──·──·
    │  │  │  │
    D──·──·──·
"""
    )


def test_json(write_specs, capsys):
    """JSON has the same numbers, and every device and event of the proof."""
    out = capacity(capsys, write_specs("row", "one"), "--format", "json").out
    content = json.loads(out)

    assert content["schemaVersion"] == 1
    ((pool,),) = [each["pools"] for each in content["clusters"]]
    assert content["clusters"][0]["names"] == ["c"]
    assert (pool["chips"], pool["torus"], pool["nodes"]) == (16, [4, 4], {"min": 2, "max": 2})
    assert [(each["name"], each["perNode"], each["inPool"]) for each in pool["partitions"]] == [
        ("row", 4, {"min": 8, "max": 8}),
        ("one", 16, {"min": 32, "max": 32}),
    ]
    assert {"row": 3, "one": 4} in pool["mixes"]
    (worst,) = pool["worstCases"]
    assert (worst["claimsOf"], worst["noRoomFor"], worst["claims"]) == ("one", "row", 4)
    assert (worst["inPool"], worst["noFewerThan"], worst["inOrderOfArrival"]) == (8, 4, 13)
    assert (worst["helpedBy"], worst["atOnce"]) == ("row", 4)
    assert [each["chips"] for each in worst["placements"]] == [[0], [4], [8], [12]]
    assert worst["placements"][0]["devices"] == ["neuron.aws.com/neuron-device-0"]
    assert len(worst["events"]) == 13 + 9
    assert pool["mix"] is None


def test_led_by_others(write_specs, capsys):
    """Where other claims lead small ones to worse places, the text says whose."""
    path = write_specs("row", "two", "one")

    out = " ".join(capacity(capsys, path).out.split())
    assert "2 claims of two leave no room for it, though 12 chips are free. Claims of one" in out
    assert "Of one it takes 4 claims to leave no room for it." in out
    assert "A to B each letter is one claim of two" in out
    content = json.loads(capacity(capsys, path, "--format", "json").out)
    first = content["clusters"][0]["pools"][0]["worstCases"][0]
    assert (first["ledBy"], first["helpedBy"], first["atOnce"]) == ("one", None, 2)


def test_always_room(write_specs, capsys):
    """A partition that cannot be blocked is said to have room; one that can by all of it too."""
    shapes = {
        **SHAPES,
        "one": "devices: 2, selectors: ['device.attributes[\"neuron.aws.com\"].topology_y != 0']",
    }
    out = capacity(capsys, write_specs("even", "one", shapes=shapes)).out

    assert "Claims of even always leave room for one." in out


def test_bound_not_known(write_specs, capsys):
    """Where the placements are too many to try, what others can help to is not known."""
    out = " ".join(capacity(capsys, write_specs("row", "efa-two")).out.split())

    assert "Whether other claims can help fewer of efa-two to do it is not known." in out


def test_unreached_bound(write_specs, capsys):
    """A bound that nobody is known to lead to is told as a question."""
    out = " ".join(capacity(capsys, write_specs("row", "two")).out.split())

    assert "Whether 2 of two can be led to such places is not known." in out


def test_not_known(write_specs, capsys):
    """A search that is too long is said to be, in text and as null."""
    path = write_specs("four", "efa-two")

    out = " ".join(capacity(capsys, path).out.split())
    assert "What claims of efa-two can do to four is not known: the search is too long." in out
    content = json.loads(capacity(capsys, path, "--format", "json").out)
    (worst,) = content["clusters"][0]["pools"][0]["worstCases"]
    assert worst == {"claimsOf": "efa-two", "noRoomFor": "four", "known": False, "claims": None}


@pytest.mark.parametrize(
    ("mix", "said"),
    [
        ("one=6,row=2", "it fits on one node when one, then row arrive, as named."),
        ("row=1", "it fits on one node. Spread out, it takes 1 node of the pool."),
        ("row=4,one=1", "it does not fit on one node, in no order. Spread out, it takes 2 nodes"),
        ("row=9", "Spread out, it does not fit in the pool of 2 nodes."),
        ("row=4,one=0", "Then there is room for nothing more."),
        ("one=6,row=2", "Then there is still room for 2 one."),
    ],
)
def test_mix(mix, said, write_specs, capsys):
    """A mix is answered for one node and for the pool, with what is left."""
    out = capacity(capsys, write_specs("row", "one"), "--mix", mix).out

    assert said in " ".join(out.split())


def test_mix_in_another_order(write_specs, capsys):
    """Where the order as named does not work, the one that does is told."""
    path = write_specs("one", "even")

    out = " ".join(capacity(capsys, path, "--mix", "one=12,even=4").out.split())
    assert "when even, then one arrive; in the order as named it does not." in out
    content = json.loads(capacity(capsys, path, "--mix", "one=12,even=4", "--format=json").out)
    mix = content["clusters"][0]["pools"][0]["mix"]
    assert mix["orderOfArrival"] == ["even", "one"]
    assert mix["fitsOnOneNode"] is True
    assert len(mix["placements"]) == 16


@pytest.mark.parametrize("mix", ["one", "one=", "one=x", "one=1,one=2", "=1"])
def test_wrong_mix(mix, write_specs, capsys):
    """A mix that cannot be read is an error of usage."""
    assert "--mix" in capacity(capsys, write_specs("one"), "--mix", mix, code=2).err


@pytest.mark.parametrize("option", [["--partition", "rows"], ["--mix", "rows=1"]])
def test_unknown_partition(option, write_specs, capsys):
    """A partition that is not in the specs is told, with one that was meant."""
    err = capacity(capsys, write_specs("row"), *option, code=2).err

    assert "there is no Partition `rows` in the specs, did you mean `row`?" in err


def test_errors(write_specs, capsys):
    """Where something is wrong, that is told and nothing is measured."""
    path = write_specs("row", shapes={"row": "devices: 17"})

    done = capacity(capsys, path, code=1)
    assert done.out == ""
    assert "ND3001" in done.err


def test_equal_clusters(write_specs, capsys):
    """Equal clusters are told once, some of them by name."""
    out = capacity(capsys, write_specs("row", clusters="abcde")).out

    assert out.splitlines()[0] == "Equal clusters a, b, c and 2 more"
    assert out.count("Pool main") == 1
    only = capacity(capsys, write_specs("row", clusters="abc"), "--cluster", "b").out
    assert only.splitlines()[0] == "Cluster b"


@pytest.mark.parametrize(
    ("nodes", "said", "counts"),
    [
        ("nodes: 1", "1 node of", "4            4"),
        ("nodes: {min: 2, max: 5}", "2 to 5 nodes of", "8 to 20"),
        ("zones: []", "an unknown number of nodes of", "4            ?"),
    ],
)
def test_numbers_of_nodes(nodes, said, counts, write_specs, capsys):
    """A pool says how many nodes it may have, or that nobody has said."""
    pool = f"{{name: main, instanceType: trn2.48xlarge, sdk: 2.32.0, {nodes}}}"

    out = capacity(capsys, write_specs("row", pools=pool)).out
    assert f"Pool main: {said} trn2.48xlarge" in out
    assert counts in out


def test_ultra_servers(write_specs, capsys):
    """Nodes of UltraServers are counted in whole sets, and have no worst case."""
    pool = "{name: u, instanceType: trn2u.48xlarge, sdk: 2.32.0, ultraServers: 3}"
    shapes = {"whole": "ultraServerNodes: 4", "half": "ultraServerNodes: 2"}
    path = write_specs("whole", "half", pools=pool, kind="trn2u.48xlarge", shapes=shapes)

    out = " ".join(capacity(capsys, path).out.split())
    assert "Pool u: 12 nodes, 3 UltraServers of 4, of trn2u.48xlarge" in out
    assert "whole uses 4 nodes together, of one UltraServer: the pool has 3 such sets." in out
    assert "half uses 2 nodes together, of one UltraServer: the pool has 6 such sets." in out
    assert "predicted, not observed" in out
    assert "Worst case" not in out


def test_ultra_server_of_unknown_size(write_specs, capsys):
    """Where a pool does not say its nodes, its sets are not known."""
    pool = "{name: u, instanceType: trn2u.48xlarge, sdk: 2.32.0}"
    path = write_specs(
        "whole", pools=pool, kind="trn2u.48xlarge", shapes={"whole": "ultraServerNodes: 4"}
    )

    out = " ".join(capacity(capsys, path).out.split())
    assert "whole uses 4 nodes together; how many sets there are is not known." in out


def test_single_chip(write_specs, capsys):
    """A node of one chip has no torus to draw."""
    pool = "{name: s, instanceType: trn1.2xlarge, sdk: 2.32.0, nodes: 2}"

    out = capacity(capsys, write_specs("one", pools=pool, kind="trn1.2xlarge")).out
    assert "A node has 1 chip.\n" in out


def test_no_grants(capsys, tmp_path):
    """A cluster in which nothing is granted says so."""
    path = tmp_path / "empty.yaml"
    path.write_text(HEAD + CLUSTER % ("c", POOL), encoding="utf-8")

    assert "No partition is granted here." in capacity(capsys, str(path)).out


def test_many_mixes_and_drivers(write_specs, capsys):
    """Mixes beyond the first are counted, and a pinned driver is named."""
    shapes = {**SHAPES, "one": "devices: 1, neuronDriver: 2.26.5.0"}
    pool = POOL.replace("sdk: 2.32.0", "neuronDrivers: [2.26.5.0]")

    out = capacity(capsys, write_specs("row", "two", "one", pools=pool, shapes=shapes)).out
    assert "2 nodes of trn2.48xlarge with the Neuron driver 2.26.5.0" in out
    assert "and 17 mixes more" in out


def test_live_selector(write_specs, capsys):
    """Of a partition whose selector reads a live value nothing is said but that."""
    shapes = {
        "row": SHAPES["row"],
        "live": "devices: 1, selectors: "
        '[\'device.attributes["neuron.aws.com"].?networkNodeLayer1.orValue("") == "a"\']',
    }

    out = capacity(capsys, write_specs("row", "live", shapes=shapes)).out
    assert "Of live nothing is said: a selector reads what only a live node knows." in out


def test_too_many_mixes(write_specs, capsys):
    """Mixes of many partitions are asked for one by one."""
    shapes = {f"p{number}": f"devices: {number}" for number in range(1, 8)}

    out = capacity(capsys, write_specs(*shapes, shapes=shapes)).out
    assert "There are too many mixes to list; ask for one with --mix." in out
