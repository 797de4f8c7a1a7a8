"""Verdicts as text and as JSON."""

from __future__ import annotations

import json

from neuron_dra.kube.allocation import DeviceRequestAllocationResult
from neuron_dra.kube.slice import DeviceID
from neuron_dra.simulation.render import NOT_MODELLED, render_json, render_text
from neuron_dra.simulation.verdict import ClaimVerdict, Verdict

RESULTS = tuple(
    DeviceRequestAllocationResult(request, DeviceID("a.example", "p", device))
    for request, device in (("r/s", "d0"), ("r/s", "d1"), ("efa", "e0"))
)
ALLOCATED = ClaimVerdict("c", "ns", "", Verdict.ALLOCATED, "node-a", RESULTS)
REFUSED = ClaimVerdict(
    "p-c", "ns", "p", Verdict.UNSATISFIABLE, reason="why", conflict=("requests[0] r", "more")
)


def test_text():
    """A claim is a line with its devices by request; a conflict stands below it."""
    assert render_text([ALLOCATED, REFUSED], 2, "1.36") == (
        "ns/c: allocated on node-a: r/s = d0, d1; efa = e0\n"
        "ns/p-c of pod p: unsatisfiable: why\n"
        "  these cannot be had together:\n"
        "    requests[0] r\n"
        "    more\n"
        "2 claims on 2 nodes, Kubernetes 1.36: 1 allocated, 1 unsatisfiable\n"
        f"{NOT_MODELLED}\n"
    )


def test_text_without_claims():
    """Where nothing is asked for, the summary says so, and nothing of pods."""
    text = render_text([], 1, "1.37")

    assert text == "0 claims on 1 node, Kubernetes 1.37: nothing is asked for\n"


def test_json():
    """JSON has the same members for every claim, and the pod of those that have one."""
    data = json.loads(render_json([ALLOCATED, REFUSED]))

    assert data["schemaVersion"] == 1
    first, second = data["claims"]
    assert list(first) == ["name", "namespace", "verdict", "node", "devices", "reason", "conflict"]
    assert first["devices"][2] == {
        "request": "efa",
        "driver": "a.example",
        "pool": "p",
        "device": "e0",
    }
    assert second.pop("pod") == "p"
    assert list(second) == list(first)
    assert (second["verdict"], second["conflict"]) == ("unsatisfiable", ["requests[0] r", "more"])
