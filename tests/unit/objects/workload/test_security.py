"""The Pod Security Standard of the namespaces that a tenant creates."""

from __future__ import annotations

import pytest

SPEC = """
controller: Job
template:
  spec:
    containers:
    - name: train
      image: example.com/train:1
      securityContext: {capabilities: {add: [CHOWN, IPC_LOCK]}}
    volumes: [{name: shm, hostPath: {path: /dev/shm}}]
    hostIPC: true
"""


def enforce(fleet, level):
    fleet.replace(
        "namespaces: [research],",
        "namespaces: [research], createNamespaces: true, "
        f"namespaceLabels: {{pod-security.kubernetes.io/enforce: {level}}},",
    )


@pytest.mark.parametrize("level", ["baseline", "restricted"])
def test_refused(fleet, level):
    """Each breach of the standard is told at its place."""
    enforce(fleet, level)
    _, diagnostics = fleet.render(SPEC)

    assert {each.code.slug for each in diagnostics} == {"pod-security-refuses"}
    assert [fleet.marked(each) for each in diagnostics] == ["true", "{path: /dev/shm}", "IPC_LOCK"]
    assert "the capability `IPC_LOCK`" in diagnostics[2].message
    assert level in diagnostics[2].message


@pytest.mark.parametrize("level", ["privileged", ""])
def test_allowed(fleet, level):
    """Nothing is refused where nothing is enforced."""
    if level:
        enforce(fleet, level)

    assert fleet.codes(SPEC) == []


def test_privileged(fleet):
    """A privileged container is refused by the standard, and unwise beside it."""
    enforce(fleet, "baseline")
    spec = """
    controller: Job
    template:
      spec:
        containers:
        - {name: train, image: example.com/train:1, securityContext: {privileged: true}}
    """

    assert sorted(fleet.codes(spec)) == ["pod-security-refuses", "privileged-container"]
