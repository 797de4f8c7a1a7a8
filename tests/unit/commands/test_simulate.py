"""`simulate`: captured and planned clusters, what is said of bad input, and usage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neuron_dra.cli import run
from unit.simulation.small import (
    claim,
    device_class,
    node_slice,
    pod,
    request,
    template,
    text_of,
)

CAPTURE = Path(__file__).resolve().parents[2] / "data/captures/trn1.32xlarge"
SLICES = [str(CAPTURE / f"{name}-resourceslice.yaml") for name in ("neuron", "efa")]
NEURON, EFA, DRIVER = "neuron.aws.com", "efa-rdma", "neuron.aws.com"
CLASSES = [
    device_class(NEURON, f'device.driver == "{DRIVER}"'),
    device_class(EFA, 'device.driver == "dra.net" && device.attributes["dra.net"].rdma'),
]
UNGUARDED = f'device.attributes["{DRIVER}"].capacityBlockId == "cb"'
GUARDED = f'has(device.attributes["{DRIVER}"].capacityBlockId) && {UNGUARDED}'
MINORS = ("1.34", "1.35", "1.36", "1.37")


def wish(name, neurons, efa=0, group=None, **fields):
    """A claim of Neuron devices and EFA interfaces of one device group."""
    requests = [request(neurons, "neurons", NEURON, **fields)]
    requests += [request(efa, "efa", EFA)] if efa else []
    made = claim(name, *requests)
    if neurons == "All":
        exactly = made["spec"]["devices"]["requests"][0]["exactly"]
        del exactly["count"]
        exactly["allocationMode"] = "All"
    if group:
        attribute = f"resource.aws.com/devicegroup{group}_id"
        made["spec"]["devices"]["constraints"] = [{"matchAttribute": attribute}]
    return made


def selectors(expression):
    return [{"cel": {"expression": expression}}]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write files into an empty folder, the current one."""
    monkeypatch.chdir(tmp_path)

    def write(**texts):
        for name, objects in texts.items():
            text = objects if isinstance(objects, str) else text_of(*objects)
            Path(f"{name}.yaml").write_text(text, encoding="utf-8")

    return write


def simulate(capsys, *arguments, code=1):
    assert run(["simulate", *arguments]) == code
    return capsys.readouterr()


def on_capture(capsys, minor, code=1):
    out = simulate(
        capsys,
        *("--dump", *SLICES, "--claims", "claims.yaml"),
        *("--kubernetes", minor, "--format", "json"),
        code=code,
    ).out
    return json.loads(out)["claims"]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("asked", "verdict", "devices", "reason"),
    [
        (
            wish("row", 4, 2, 4),
            "allocated",
            [
                *(f"neuron-device-{number}" for number in (6, 7, 4, 5)),
                *("pci-0000-20-19-0", "pci-0000-90-19-0"),
            ],
            "",
        ),
        (wish("efa", 4, 4, 4), "unsatisfiable", [], "cannot allocate all claims"),
        (wish("five", 5, 0, 4), "unsatisfiable", [], "cannot allocate all claims"),
        (wish("node", 16), "allocated", 16, ""),
        (wish("node-efa", 16, 8, 16), "allocated", 24, ""),
        (wish("many", 17), None, [], ""),
        (wish("all", "All", 0, 4), "error", [], "a claim constraint would not be satisfied"),
        (
            wish("unguarded", 1, selectors=selectors(UNGUARDED)),
            "error",
            [],
            "no such key: capacityBlockId",
        ),
        (wish("guarded", 1, selectors=selectors(GUARDED)), "unsatisfiable", [], ""),
    ],
    ids=lambda value: value["metadata"]["name"] if isinstance(value, dict) else "",
)
def test_captured_node(files, capsys, minor, asked, verdict, devices, reason):
    """Claims on a captured node get what the scheduler's own allocator gave them."""
    files(claims=[*CLASSES, asked])
    verdict = verdict or ("timeout" if minor in ("1.34", "1.35") else "unsatisfiable")

    (found,) = on_capture(capsys, minor, code=int(verdict != "allocated"))

    assert found["verdict"] == verdict
    assert reason in found["reason"]
    names = [each["device"] for each in found["devices"]]
    assert (len(names) if isinstance(devices, int) else names) == devices
    assert bool(found["conflict"]) == (verdict in ("unsatisfiable", "timeout"))


def test_dump_with_allocated_claims(files, capsys):
    """A node whose devices are all held has none, unless it is taken as free."""
    files(claims=[*CLASSES, wish("row", 4, 2, 4)])
    dump = ["--dump", *SLICES, str(CAPTURE / "allocated-claims.yaml"), "--claims", "claims.yaml"]

    assert "default/row: unsatisfiable" in simulate(capsys, *dump).out
    assert "default/row: allocated" in simulate(capsys, *dump, "--free", code=0).out


def test_planned_cluster(files, capsys, root):
    """Without a dump the cluster is the one of the specs, with its templates."""
    files(pods=[pod("p", "template:trn2-row", tolerations=[{"operator": "Exists"}])])
    text = (
        Path("pods.yaml").read_text().replace('"name": "p"', '"name": "p", "namespace": "research"')
    )
    Path("pods.yaml").write_text(text)

    out = simulate(capsys, "--specs", str(root / "specs/small"), "--pods", "pods.yaml", code=0).out

    assert out.startswith("research/p-c0 of pod p: allocated on trn2-0: neurons = ")
    assert "1 claim on 2 nodes, Kubernetes 1.36: 1 allocated\n" in out


def test_what_only_a_live_node_knows(files, capsys, root):
    """On predicted slices nothing is said of a claim that reads a placeholder."""
    expression = f'device.attributes["{DRIVER}"].networkNodeLayer1 == "nn-1"'
    files(claims=[*CLASSES, wish("x", 1, selectors=selectors(expression))])

    out = simulate(capsys, "--specs", str(root / "specs/small"), "--claims", "claims.yaml").out

    assert out.startswith(
        "default/x: error: only a live node knows `neuron.aws.com/networkNodeLayer1`"
    )


def test_classes_of_specs_beside_a_dump(files, capsys, root):
    """With specs beside a dump their classes are known, and their minor is the default."""
    files(dump=[node_slice("node-a", 2)], claims=[claim("x", request(1, "r", "neuron-efa"))])
    specs = ["--specs", str(root / "specs/small")]

    out = simulate(capsys, "--dump", "dump.yaml", "--claims", "claims.yaml", *specs).out

    assert out.startswith("default/x: unsatisfiable: ")
    assert "1 claim on 1 node, Kubernetes 1.36: 1 unsatisfiable" in out


def test_gates(files, capsys):
    """A feature gate changes what the scheduler makes of a claim."""
    wanted = {"name": "r", "firstAvailable": [{"name": "s", "deviceClassName": "any"}]}
    files(dump=[node_slice("node-a", 2), device_class()], claims=[claim("x", wanted)])
    asked = ["--dump", "dump.yaml", "--claims", "claims.yaml", "--kubernetes", "1.35"]

    assert "allocated" in simulate(capsys, *asked, code=0).out
    out = simulate(capsys, *asked, "--feature-gates", "DRAPrioritizedList=false").out
    assert "the DRAPrioritizedList feature is disabled" in out


@pytest.mark.parametrize(
    ("dump", "claims", "code"),
    [
        ("", [claim("x", request())], "ND7007"),
        ([device_class()], [claim("x", request())], "ND7007"),
        ("kind: List\nitems:\n- {a: [", [claim("x", request())], "ND1002"),
        ([node_slice("n", 1)], "", "ND7007"),
        ([node_slice("n", 1)], [claim("x", request(), request())], "ND7008"),
        ([node_slice("n", 1), node_slice("n", 2)], [claim("x", request())], "ND7004"),
    ],
)
def test_bad_input(files, capsys, dump, claims, code):
    """What cannot be read is told on stderr with its place, and nothing is simulated."""
    files(dump=dump, claims=claims)

    done = simulate(capsys, "--dump", "dump.yaml", "--claims", "claims.yaml")

    assert done.out == ""
    assert done.err.startswith(f"error[{code} ")
    assert ".yaml" in done.err


def test_bad_specs(files, capsys):
    """Specs with errors are told, and nothing is simulated."""
    files(specs="kind: Nothing\n", claims=[claim("x", request())])

    done = simulate(capsys, "--specs", "specs.yaml", "--claims", "claims.yaml")

    assert (done.out, done.err.startswith("error[ND")) == ("", True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--dump d", "give either `--claims` or `--pods`"),
        ("--dump d --claims c --pods p", "give either `--claims` or `--pods`"),
        ("--claims c", "give the cluster: `--dump`, or `--specs` for a predicted one"),
        ("--dump - --claims -", "standard input can be read once only"),
        ("--dump d --claims c --kubernetes 1.2", "Kubernetes 1.2 is not known"),
        ("--specs specs/fleet --claims c", "the specs have"),
        ("--specs specs/small --cluster deu --claims c", "did you mean `dev`"),
        ("--dump none.yaml --claims c", "cannot read none.yaml"),
        ("--dump specs --claims c", "cannot read specs: Is a directory"),
    ],
)
def test_usage(capsys, monkeypatch, root, arguments, message):
    """A mistake in the arguments is one line, and exits 2."""
    monkeypatch.chdir(root)

    err = simulate(capsys, *arguments.split(), code=2).err

    assert message in err
    assert len(err.splitlines()) <= 2


def test_template_alone(files, capsys):
    """A template is asked for as the claim that is made of it."""
    files(dump=[node_slice("n", 1), device_class()], claims=[template("t", request())])

    out = simulate(capsys, "--dump", "dump.yaml", "--claims", "claims.yaml", code=0).out

    assert out.startswith("default/t: allocated on n: r = d0\n")
