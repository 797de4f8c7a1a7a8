"""`slices`: what is printed is a stream of ResourceSlices, and unknown is said."""

from __future__ import annotations

import pytest
import yaml

from neuron_dra.catalog.locate import open_catalog
from neuron_dra.cli import run
from neuron_dra.kube.read_slice import read_slice

TYPES = open_catalog().instance_type_names()


def slices(capsys, *arguments, code=0):
    assert run(["slices", *arguments]) == code
    return capsys.readouterr()


@pytest.mark.parametrize("name", TYPES)
def test_every_type(name, capsys):
    """Each type gives slices that are read back as such, or says that nothing is known."""
    code = run(["slices", name, "--node", "node-a"])
    out, err = capsys.readouterr()

    if code:
        assert (code, out) == (1, "")
        assert err.startswith(f"error: no driver is known to publish anything on `{name}`: ")
        return
    found = [read_slice(each) for each in yaml.safe_load_all(out)]
    assert found
    for each, problems in found:
        assert problems == []
        assert each.devices
        assert each.node_name == each.pool.name == "node-a"


@pytest.mark.parametrize(
    ("driver", "names"),
    [
        ("neuron", ["neuron.aws.com"]),
        ("efa", ["dra.net"]),
        ("all", ["neuron.aws.com", "dra.net"]),
    ],
)
def test_driver(driver, names, capsys):
    """The slices of one driver can be had alone."""
    out = slices(capsys, "trn2.48xlarge", "--driver", driver).out

    assert [each["spec"]["driver"] for each in yaml.safe_load_all(out)] == names


def test_basis(capsys):
    """What was never observed says so."""
    assert "(observed)" in slices(capsys, "trn2.48xlarge").out
    assert "(documented)" in slices(capsys, "trn2u.48xlarge").out


def test_unknown_type(capsys):
    """A misspelt type is told with the one that was meant."""
    assert "did you mean `trn2.48xlarge`?" in slices(capsys, "trn2.48xlrage", code=1).err


@pytest.mark.parametrize("arguments", [["--node", "A B"], ["--driver", "gpu"]])
def test_bad_option(arguments, capsys):
    """A value that cannot be one exits 2 and prints nothing else."""
    assert slices(capsys, "trn2.48xlarge", *arguments, code=2).out == ""
