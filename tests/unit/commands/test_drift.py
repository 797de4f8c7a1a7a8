"""`drift`: exit codes, formats and usage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neuron_dra.cli import run
from unit.simulation.small import device_class, node, text_of

LABEL = "node.kubernetes.io/instance-type"


@pytest.fixture
def specs(root):
    return str(root / "specs/small")


def drift(capsys, *arguments, code):
    assert run(["drift", *arguments]) == code
    return capsys.readouterr()


def write(folder, *objects):
    path = folder / "dump.yaml"
    path.write_text(text_of(*objects))
    return str(path)


def predicted(capsys, folder):
    """The slices of a node as they should be, with the values that only it knows."""
    assert run(["slices", "trn2.48xlarge", "--node", "node-a"]) == 0
    path = folder / "dump.yaml"
    live = "live:neuron.aws.com/neuronDriverVersion"
    path.write_text(capsys.readouterr().out.replace(live, "2.30.2.0"))
    return str(path)


def test_no_difference(capsys, tmp_path, specs):
    """Where nothing differs it says what was compared, and exits 0."""
    out = drift(capsys, "--dump", predicted(capsys, tmp_path), "--specs", specs, code=0).out

    assert out == "no difference: compared the slices of 1 node and 32 devices with cluster dev\n"


def test_difference(capsys, tmp_path, specs):
    """A difference exits 1, in both formats."""
    path = predicted(capsys, tmp_path)
    Path(path).write_text(Path(path).read_text().replace("2.30.2.0", "2.0.0.0"))

    text = drift(capsys, "--dump", path, "--specs", specs, code=1).out
    data = drift(capsys, "--dump", path, "--specs", specs, "--format", "json", code=1).out

    assert "driver-version: Neuron driver 2.0.0.0, the specs say 2.30.2.0" in text
    assert json.loads(data)["differences"] == 1


def test_nodes_alone(capsys, tmp_path, specs):
    """A dump of Nodes alone is compared, and says which drivers publish nothing."""
    path = write(tmp_path, node("node-a", {LABEL: "trn2.48xlarge"}))

    out = drift(capsys, "--dump", path, "--specs", specs, code=1).out

    assert out.count("driver-missing") == 2


def test_bad_input(capsys, tmp_path, specs):
    """A dump without slices and nodes, and specs with errors, are told."""
    path = write(tmp_path, device_class())
    bad = tmp_path / "bad.yaml"
    bad.write_text("kind: Nothing\n")

    assert "ND7007" in drift(capsys, "--dump", path, "--specs", specs, code=1).err
    done = drift(capsys, "--dump", path, "--specs", str(bad), code=1)
    assert done.out == ""


@pytest.mark.parametrize("arguments", [["--dump", "x"], ["--specs", "x"], []])
def test_usage(capsys, arguments):
    """Both a dump and specs are needed."""
    err = drift(capsys, *arguments, code=2).err

    assert "give both `--dump` and `--specs`" in err
