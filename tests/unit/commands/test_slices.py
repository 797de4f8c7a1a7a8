"""`slices`: what is printed is a stream of ResourceSlices, and unknown is said."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neuron_dra.catalog.locate import open_catalog
from neuron_dra.cli import run
from neuron_dra.kube.read_slice import read_slice
from neuron_dra.kube.slice import RESOURCE_SLICE_MAX_DEVICES

ROOT = Path(__file__).resolve().parents[3]
CATALOG = open_catalog()
TYPES = CATALOG.instance_type_names()


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


@pytest.mark.parametrize("minor", CATALOG.minors())
def test_minor(minor, capsys):
    """Every known minor takes the same slices, so naming one changes nothing."""
    release = CATALOG.kubernetes(minor)

    assert release.limits.slice_devices == RESOURCE_SLICE_MAX_DEVICES
    assert (
        slices(capsys, "trn2.48xlarge", "--kubernetes", minor).out
        == slices(capsys, "trn2.48xlarge").out
    )


@pytest.fixture
def beta_catalog(tmp_path):
    """A catalogue with minors of its own: one serves an old version, the other no slices."""
    folder = tmp_path / "catalog/kubernetes"
    folder.mkdir(parents=True)
    text = (ROOT / "targets/kubernetes/1.37.yaml").read_text(encoding="utf-8")
    served = "ResourceSlice: [v1]"
    for minor, versions in (("1.90", "[v1beta1, v1beta2]"), ("1.91", "[]")):
        changed = text.replace('"1.37"', f'"{minor}"').replace(
            served, f"ResourceSlice: {versions}", 1
        )
        (folder / f"{minor}.yaml").write_text(changed, encoding="utf-8")
    return str(folder.parent)


def test_older_version(beta_catalog, capsys):
    """A minor that serves beta versions alone gets the newest of them."""
    arguments = ["trn1.2xlarge", "--catalog", beta_catalog, "--kubernetes"]

    (found,) = yaml.safe_load_all(slices(capsys, *arguments, "1.90").out)

    assert found["apiVersion"] == "resource.k8s.io/v1beta2"
    assert "serves no ResourceSlice" in slices(capsys, *arguments, "1.91", code=2).err


def test_output(tmp_path, capsys):
    """Each slice becomes a file that holds what is printed otherwise, and the files are named."""
    folder = tmp_path / "new/slices"
    printed = slices(capsys, "trn2.48xlarge").out

    out, err = slices(capsys, "trn2.48xlarge", "-o", str(folder))

    files = {str(path): path.read_text() for path in folder.iterdir()}
    assert out == ""
    assert err.splitlines() == [f"wrote {path}" for path in sorted(files, reverse=True)]
    assert sorted(files.values()) == sorted(printed.split("---\n"))


def test_long_node_name(capsys):
    """A node whose slices would have too long a name is a mistake of usage."""
    name = ".".join(["a" * 60] * 4)

    assert "at most 253" in slices(capsys, "trn2.48xlarge", "--node", name, code=2).err


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


def test_broken_catalogue(tmp_path, capsys):
    """Facts that are not sound are told, and no slice is printed."""
    folder = tmp_path / "instances"
    folder.mkdir()
    (folder / "x1.large.yaml").write_text("kind: InstanceType\n")

    out, err = slices(capsys, "x1.large", "--catalog", str(tmp_path), code=1)

    assert out == ""
    assert "x1.large.yaml" in err
