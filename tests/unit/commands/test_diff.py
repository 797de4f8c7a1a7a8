"""`diff`: sides of every sort, formats, and the exit code."""

from __future__ import annotations

import json

import pytest

from neuron_dra.cli import run

SPEC = """apiVersion: neuron-dra.dev/v1alpha1
kind: Cluster
metadata: {{name: east}}
spec:
  kubernetes: 1.36
  drivers: {{neuron: {{chartVersion: 1.10.0}}}}
  gitops: none
  nodePools: [{{name: trn2, instanceType: trn2.48xlarge}}]
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {{name: row}}
spec:
  description: Some devices.
  instanceType: trn2.48xlarge
  devices: {devices}
  connected: true
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Tenant
metadata: {{name: research}}
spec: {{clusters: [east], namespaces: [research], partitions: [row]}}
"""
SUMMARY = "0 added, 0 changed, 1 replaced, 0 removed in 1 cluster\n"


@pytest.fixture
def sides(tmp_path, monkeypatch):
    """Stand in a folder with two trees of specs, and the output tree of the first."""
    monkeypatch.chdir(tmp_path)
    for name, devices in (("old", 4), ("new", 8)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "fleet.yaml").write_text(SPEC.format(devices=devices))
    assert run(["compile", "old", "-o", "out", "-q"]) == 0
    return tmp_path


@pytest.mark.usefixtures("sides")
def test_specs(capsys):
    """Two trees of specs are compared by what they compile to."""
    assert run(["diff", "old", "new"]) == 0

    out, err = capsys.readouterr()
    assert out.startswith(SUMMARY)
    assert "    ~ spec.spec.devices.requests[neurons].exactly.count: 4 → 8\n" in out
    assert err == ""


@pytest.mark.usefixtures("sides")
@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("old", "new", 1), ("out", "new", 1), ("new", "out", 1), ("out", "old", 0), ("out", "out", 0)],
)
def test_exit_code(capsys, old, new, code):
    """A side is specs or an output tree; with `--exit-code` a difference exits 1."""
    assert run(["diff", old, new, "--exit-code"]) == code
    assert capsys.readouterr().out.startswith(SUMMARY if code else "no changes\n")


@pytest.mark.usefixtures("sides")
def test_files(capsys):
    """A side may be one file of specs."""
    assert run(["diff", "old/fleet.yaml", "new/fleet.yaml"]) == 0
    assert capsys.readouterr().out.startswith(SUMMARY)


@pytest.mark.usefixtures("sides")
def test_formats(capsys):
    """Every format is a result, whole on stdout."""
    assert run(["diff", "old", "new", "--format", "json", "--stat"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["counts"]["replaced"] == {"changes": 1, "objects": 1}

    assert run(["diff", "old", "new", "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith(f"### neuron-dra: {SUMMARY}")


@pytest.mark.usefixtures("sides")
def test_color(capsys):
    """Colours can be forced into a pipe."""
    assert run(["diff", "old", "new", "--color", "always"]) == 0
    assert "\x1b[1;31m± " in capsys.readouterr().out


@pytest.mark.parametrize("name", ["nothing", "empty"])
def test_no_old_side(sides, capsys, name):
    """Before the first compile there is nothing, which is said."""
    (sides / "empty").mkdir()

    assert run(["diff", name, "out", "--exit-code"]) == 1
    out, err = capsys.readouterr()
    assert "+ cluster east added with " in out
    assert err == f"note: {name} is missing or empty, so everything counts as added\n"


@pytest.mark.usefixtures("sides")
def test_no_new_side(capsys):
    """A missing new side is a mistake in the arguments."""
    assert run(["diff", "out", "nothing"]) == 2
    assert "`nothing`" in capsys.readouterr().err


def test_errors(sides, capsys):
    """A side with errors exits 1, and the rest is compared."""
    (sides / "new" / "more.yaml").write_text(SPEC.format(devices=99).replace("east", "west"))
    (sides / "new" / "broken.yaml").write_text("a: [")

    assert run(["diff", "old", "new"]) == 1
    out, err = capsys.readouterr()
    assert "\nincomplete: " in out
    assert "error[ND1002 invalid-yaml]" in err


def test_a_broken_output_tree(sides, capsys):
    """A broken file of an output tree is told at its place, and is not taken for removed."""
    (path,) = sides.glob("out/clusters/east/manifests/**/row.yaml")
    path.write_text("kind: [")

    assert run(["diff", "old", "out"]) == 1
    out, err = capsys.readouterr()
    assert out == "no changes\nincomplete: 1 error; what is broken may show as removed or added\n"
    assert f" --> {path.relative_to(sides)}:1:8\n" in err


def test_warnings_are_for_check(sides, capsys):
    """A warning about the specs does not make a comparison incomplete, so it is not told."""
    text = SPEC.format(devices=8).replace("1.10.0}", "1.99.0, like: 1.10.0}")
    (sides / "new" / "fleet.yaml").write_text(text)

    assert run(["check", "new"]) == 0
    assert "warning[ND4051" in capsys.readouterr().err
    assert run(["diff", "old", "new"]) == 0
    assert capsys.readouterr().err == ""
