"""`cel`: what is said of an expression and of each device, and the exit code of it."""

from __future__ import annotations

import io
import json
import sys

import pytest

from neuron_dra.cli import run
from neuron_dra.commands.cel_text import name_devices

A = 'device.attributes["neuron.aws.com"]'
E = 'device.attributes["dra.net"]'
DEAR = f"{A}.all(a, {A}.all(b, {A}.all(c, {A}.all(d, {A}.all(e, a == b)))))"
TYPE = ("--instance-type", "trn2.48xlarge")


@pytest.fixture
def ask(capsys):
    """Return a function that gives stdout and stderr of `cel`, which must exit with a code."""

    def call(*arguments, code=0):
        assert run(["cel", *arguments, "--color", "never"]) == code, capsys.readouterr()
        return capsys.readouterr()

    return call


@pytest.fixture
def ask_json(capsys):
    """Return a function that gives the JSON of `cel`."""

    def call(*arguments, code=0):
        assert run(["cel", *arguments, "--format", "json"]) == code
        out, err = capsys.readouterr()
        assert err == ""
        return json.loads(out)

    return call


def rows(text):
    """Return the lines about devices, without their indents."""
    return [line.strip() for line in text.partition(" devices as predicted")[2].splitlines()[1:]]


def test_type_and_cost(ask):
    """Without an instance type, the type and the cost are all that is said."""
    out, err = ask(f"{A}.deviceId == 1", "--kubernetes", "1.36")

    assert (out, err) == ("type  bool\ncost  at most 5, Kubernetes 1.36 allows 1000000\n", "")
    assert ask(f"{A}.healthy").out.startswith("type  any: must be a bool when it is evaluated\n")


def test_devices(ask):
    """Devices with equal verdicts share a line, their consecutive names a range."""
    out, err = ask(f"{A}.topology_x == 1", *TYPE)

    assert "trn2.48xlarge, devices as predicted (observed): 16 of neuron.aws.com\n" in out
    assert rows(out) == [
        "matches          4  neuron-device-4..7",
        "does not match  12  neuron-device-0..3, neuron-device-8..15",
    ]
    assert err == ""


def test_live_values(ask):
    """A verdict that only a live node can give is not given."""
    out, _ = ask(f'{A}.networkNodeLayer1 == "x" && {A}.topology_x < 2', *TYPE)

    assert rows(out) == [
        "does not match       8  neuron-device-8..15",
        "depends on the node  8  neuron-device-0..7",
        "only a live node knows neuron.aws.com/networkNodeLayer1",
    ]


def test_doubtful_attributes(ask):
    """Where nobody knows whether an attribute is published, that is what is said."""
    out, _ = ask(f"has({A}.topology4_id)", *TYPE)

    assert rows(out)[1] == "nobody knows whether neuron.aws.com/topology4_id is published"


def test_failure(ask):
    """The device on which it fails is told with the text of the scheduler."""
    out, err = ask(f"8 / {A}.deviceId > 1", *TYPE, code=1)

    assert rows(out)[-2:] == [
        "fails            1  neuron-device-0",
        "CEL runtime error: divide by zero",
    ]
    assert "the selector fails on `neuron-device-0`" in err


@pytest.mark.parametrize(
    ("expression", "code", "slugs"),
    [
        (f"{A}.deviceId = 1", 1, ["selector-invalid"]),
        (f"{A}.none == 1", 1, ["attribute-not-published"]),
        (f"{A}.topology4_id == 1", 1, ["attribute-not-published"]),
        (f'{A}.deviceId == "1"', 1, ["attribute-of-other-type"]),
        (f'{A}.draDriverVersion == "1.2.0"', 1, ["attribute-of-other-type"]),
        (DEAR, 1, ["selector-invalid"]),
        ('semver("1") == semver("1.0.0")', 1, ["selector-invalid"]),
        (f"{A}.deviceId == 16", 0, ["value-not-published"]),
        (f"{A}.deviceId == 1 && {A}.deviceId == 2", 0, ["selector-never-true"]),
        (f"{A}.deviceId < 16", 0, ["selector-always-true"]),
        (f"{A}.deviceId == 15", 0, []),
    ],
)
def test_findings(expression, code, slugs, ask_json):
    """Exit code 1 means that it cannot be evaluated; what is only of no use is a warning."""
    content = ask_json(expression, *TYPE, code=code)

    assert [each["slug"] for each in content["diagnostics"]] == slugs
    assert bool(content["summary"]["errors"]) is bool(code)


def test_place(ask):
    """A problem is shown at its place in the expression, also in the second line of it."""
    _, err = ask(f"true &&\n  {A}.deviceId == [1", code=1)

    assert err.startswith("error[ND3022 selector-invalid]: ")
    assert "\n --> <expression>:2:" in err


def test_json(ask_json):
    """Programs get every device by itself."""
    content = ask_json(f"{A}.deviceId == 3 || 1 / {A}.deviceId > 0", *TYPE, code=1)

    assert [content[key] for key in ("schemaVersion", "kubernetes", "type", "costLimit")] == [
        *(1, "1.37", "bool", 1000000)
    ]
    assert content["instanceType"] == "trn2.48xlarge"
    verdicts = [each["verdict"] for each in content["devices"]]
    assert verdicts == ["fails", "matches", "differs", "matches", *["differs"] * 12]
    assert content["devices"][0] == {
        "driver": "neuron.aws.com",
        "device": "neuron-device-0",
        "verdict": "fails",
        "reason": "divide by zero",
    }


def test_json_of_what_does_not_compile(ask_json):
    """Every key is there, also when nothing is known."""
    content = ask_json("1 +", code=1)

    assert [content[key] for key in ("type", "cost", "instanceType", "devices")] == [
        *(None, None, None, [])
    ]


@pytest.mark.parametrize(
    ("driver", "owners"),
    [
        ("neuron", {"neuron.aws.com"}),
        ("efa", {"dra.net"}),
        ("all", {"neuron.aws.com", "dra.net"}),
    ],
)
def test_driver(driver, owners, ask_json):
    """The devices of either driver can be asked, or of both."""
    content = ask_json('device.driver != ""', *TYPE, "--driver", driver)

    assert {each["driver"] for each in content["devices"]} == owners


def test_attribute_of_another_driver(ask):
    """A read that the devices of the other driver cannot answer is told with the guard for it."""
    _, err = ask(f"{E}.rdma", *TYPE, "--driver", "all", code=1)

    assert 'help: begin with `device.driver == "dra.net" && ...`' in err


def test_minor_and_gates(ask):
    """An expression is compiled as the minor does with its gates."""
    expression = "device.allowMultipleAllocations"

    assert ask(expression, "--kubernetes", "1.36").out.startswith("type  bool\n")
    gate = "DRAConsumableCapacity=false"
    ask(expression, "--kubernetes", "1.36", "--feature-gates", gate, code=1)


@pytest.mark.parametrize(("text", "code"), [(b"device.driver ==\n  'd'\n", 0), (b"\xff", 2)])
def test_standard_input(text, code, ask, monkeypatch):
    """The expression can come from standard input, without the last line end."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))

    ask("-", code=code)


def test_nothing_is_published(ask):
    """Where no device is known, type and cost are said, and that nothing else is known."""
    out, err = ask("true", "--instance-type", "inf2.xlarge", code=1)

    assert out.startswith("type  bool\n")
    assert err == "error: nothing is known to be published on `inf2.xlarge` by this driver\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["true", "--instance-type", "trn2.48xlrage"], "did you mean `trn2.48xlarge`?"),
        (["true", "--driver", "gpu"], "--driver"),
        (["true", "--kubernetes", "1.20"], "Kubernetes 1.20 is not known"),
        ([], "EXPR"),
    ],
)
def test_usage(arguments, problem, ask):
    """A mistake of usage exits 2 and prints nothing else."""
    out, err = ask(*arguments, code=2)

    assert out == ""
    assert problem in err


def test_broken_catalogue(ask, tmp_path):
    """Facts that are not sound are told, and nothing is said of devices."""
    folder = tmp_path / "instances"
    folder.mkdir()
    (folder / "x1.large.yaml").write_text("kind: InstanceType\n")

    _, err = ask("true", "--instance-type", "x1.large", "--catalog", str(tmp_path), code=1)

    assert "x1.large.yaml" in err


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["a-0", "a-1", "a-2"], ["a-0..2"]),
        (["a-0", "a-1"], ["a-0", "a-1"]),
        (["a-9", "a-10", "a-11", "b-12", "b-14"], ["a-9..11", "b-12", "b-14"]),
        (["gpu", "a-01", "a-02", "a-03"], ["gpu", "a-01", "a-02", "a-03"]),
        (["a-2", "a-1", "x", "a-2", "a-3", "a-4"], ["a-2", "a-1", "x", "a-2..4"]),
    ],
)
def test_names(names, expected):
    """Three or more names that count up become a range; a padded number is none."""
    assert list(name_devices(names)) == expected
