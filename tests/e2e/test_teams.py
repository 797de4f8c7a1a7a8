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
