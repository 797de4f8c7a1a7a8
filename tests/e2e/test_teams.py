"""What a team settles for itself, by the command."""

from __future__ import annotations

import json

import pytest

SPEC = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: ClusterDefaults
metadata: {name: staging}
spec: {owner: platform}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Cluster
metadata: {name: prod}
spec: {kubernetes: 1.36}
"""
ALLOWED = SPEC.replace(
    "staging}", "staging} # neuron-dra: allow unused-defaults -- for the cluster of May"
)


@pytest.mark.parametrize("verb", ["plan", "capacity"])
def test_other_commands(run_cli, verb):
    """A comment counts for every command that tells warnings."""
    told = run_cli(verb, "-", "--fail-on", "warning", stdin=SPEC, code=1)
    done = run_cli(verb, "-", "--fail-on", "warning", stdin=ALLOWED)

    assert "ND2018" in told.stderr
    assert "ND2018" not in done.stderr


@pytest.mark.parametrize("verb", [("check",), ("compile", "-o", "out")])
def test_suppression(run_cli, verb):
    """A comment takes a warning back for every command that reports, and -v counts it."""
    told = run_cli(*verb, "-", "--fail-on", "warning", stdin=SPEC, code=1)
    done = run_cli(*verb, "-", "--fail-on", "warning", "-v", stdin=ALLOWED)

    assert "ND2018" in told.stderr
    assert "ND2018" not in done.stderr
    assert "1 finding is allowed by comments in the specs\n" in done.stderr


def test_suppressed_error(run_cli):
    """No comment helps against an error."""
    spec = SPEC.replace("1.36}", "1.20} # neuron-dra: allow unknown-kubernetes-minor -- soon")
    done = run_cli("check", "-", "--format", "json", stdin=spec, code=1)

    codes = [each["code"] for each in json.loads(done.stdout)["diagnostics"]]
    assert {"ND3025", "ND2071"} <= set(codes)


def test_settings(run_cli, tmp_path):
    """Settings above the specs choose severities for every command, and the options of `check`."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/a.yaml").write_text(SPEC)
    settings = tmp_path / "neuron-dra.toml"

    settings.write_text('[check]\nfail-on = "warning"\n')
    assert "warning[ND2018" in run_cli("check", code=1).stderr
    run_cli("check", "--fail-on", "error")
    settings.write_text('[severity]\nunused-defaults = "error"\n')
    assert "error[ND2018" in run_cli("compile", "-o", "out", code=1).stderr
    settings.write_text('[severity]\nunused-defaults = "off"\n')
    assert "1 finding is off by neuron-dra.toml\n" in run_cli("check", "-v").stderr
    settings.write_text('[severity]\nunknown-key = "off"\n')
    assert "\n --> neuron-dra.toml:2:1\n" in run_cli("check", code=1).stderr


def test_baseline(run_cli, tmp_path):
    """A baseline is written, takes its warnings back, and is told when it is stale."""
    spec = tmp_path / "a.yaml"
    spec.write_text(SPEC)
    check = ("check", "a.yaml", "--fail-on", "warning", "--baseline", "known/b.json")

    assert "cannot read" in run_cli(*check, code=2).stderr
    run_cli(*check, "--update-baseline")
    first = (tmp_path / "known/b.json").read_bytes()
    assert "1 finding is known to the baseline\n" in run_cli(*check, "-v").stderr
    spec.write_text(f"# moved\n\n{SPEC}")
    run_cli(*check, "--update-baseline")
    assert (tmp_path / "known/b.json").read_bytes() == first
    spec.write_text(SPEC.replace("1.36", "1.36, defaults: staging"))
    assert "ND2078" in run_cli(*check, code=1).stderr
    spec.write_text(SPEC.replace("1.36", "1.20"))
    assert "is not written" in run_cli(*check, "--update-baseline", code=1).stderr
    assert (tmp_path / "known/b.json").read_bytes() == first
    assert (
        "needs `--baseline FILE`" in run_cli("check", "a.yaml", "--update-baseline", code=2).stderr
    )


def test_max_findings(run_cli):
    """The worst findings are shown and the rest is counted; the exit code counts all."""
    spec = SPEC + "---\n" + SPEC.replace("staging", "dev").replace("prod", "test")
    arguments = ("check", "-", "--fail-on", "warning", "--max-findings", "1")
    done = run_cli(*arguments, stdin=spec, code=1)
    in_json = run_cli(*arguments, "--format", "json", stdin=spec, code=1)

    assert done.stderr.endswith("\nfound 1 warning\nnot shown: 1 warning\n")
    assert len(json.loads(in_json.stdout)["diagnostics"]) == 1
    assert in_json.stderr == "not shown: 1 warning\n"


MISSPELT = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: Cluster # the first one
metadata: {name: prod}
spec:
  kubernetes: 1.36   # as everywhere
  regoin:  us-west-2
  gitops: {argocd: {prune: yes}}
"""
REPAIRED = MISSPELT.replace("regoin", "region")


def test_fix(run_cli, tmp_path):
    """Sure repairs are shown as a diff, or written; everything else of the file stays."""
    spec = tmp_path / "a.yaml"
    spec.write_text(MISSPELT)
    shown = run_cli("check", "a.yaml", "--fix", "--diff", code=1).stdout
    assert "\n-  regoin:  us-west-2\n+  region:  us-west-2\n" in shown
    assert spec.read_text() == MISSPELT

    done = run_cli("check", "a.yaml", "--fix", code=1)

    assert done.stderr.startswith("repaired ")
    assert "regoin" not in done.stderr
    assert "region:  us-west-2\n" in spec.read_text()
    assert "kind: Cluster # the first one\n" in spec.read_text()
    assert "1.36   # as everywhere\n" in spec.read_text()


def test_fix_of_nothing(run_cli):
    """Standard input is read only, and a diff has standard output for itself."""
    done = run_cli("check", "-", "--fix", stdin=MISSPELT, code=1)

    assert "repaired" not in done.stderr
    assert run_cli("check", "-", "--diff", stdin=MISSPELT, code=1).stdout == ""
    assert "both write" in run_cli("check", "-", "--diff", "--format", "json", code=2).stderr
