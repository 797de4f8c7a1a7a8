"""What the outcomes on several nodes come to."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.outcome import (
    TIMED_OUT,
    Outcome,
    Timeout,
    Undecided,
    Unsatisfiable,
)
from neuron_dra.kube.node import ClusterNode, Pod, Toleration
from neuron_dra.simulation import scheduling
from neuron_dra.simulation.placement import eligible_nodes
from neuron_dra.simulation.scheduling import UNDECIDED, _failed
from neuron_dra.simulation.verdict import Verdict
from unit.simulation.small import claim, device, device_class, node_slice, request, serve

NO: Outcome = Unsatisfiable("no")


@pytest.mark.parametrize(
    ("failures", "verdict", "reason"),
    [
        ([], Verdict.UNSATISFIABLE, ""),
        ([NO, NO], Verdict.UNSATISFIABLE, "no"),
        ([NO, Timeout(1)], Verdict.TIMEOUT, TIMED_OUT),
        ([Timeout(1), Undecided(1), NO], Verdict.ERROR, UNDECIDED),
    ],
)
def test_failures(failures, verdict, reason):
    """Where no node does, not knowing is told before running out of time, and that before no."""
    answer = _failed(failures)

    assert (answer.verdict, answer.reason) == (verdict, reason)


def test_enough_nodes(monkeypatch):
    """As in the scheduler, nodes behind enough that do are not looked at, whatever their faults."""
    selector = 'device.attributes["a.example"].kind == 1'
    asked = claim("x", request(selectors=[{"cel": {"expression": selector}}]))
    good = [node_slice(f"node-{index}", device("d", kind=1)) for index in range(2)]
    dumped = [*good, node_slice("node-2", device("d")), device_class()]

    (all_of_them,) = serve(dumped, [asked])
    monkeypatch.setattr(scheduling, "FEASIBLE_NODES", 2)
    (enough,) = serve(dumped, [asked])

    assert all_of_them.verdict is Verdict.ERROR
    assert (enough.verdict, enough.node) == (Verdict.ALLOCATED, "node-0")


def test_selector_that_is_none():
    """A selector that does not compile is an error in the scheduler's words."""
    asked = claim("x", request(selectors=[{"cel": {"expression": "device."}}]))

    (verdict,) = serve([node_slice("node-a", 1), device_class()], [asked])

    assert verdict.verdict is Verdict.ERROR
    assert "CEL compile error" in verdict.reason


def test_node_with_a_matching_label():
    """A pod goes to a node that has all its labels, and every taint tolerated."""
    node = ClusterNode("n", {"a": "1", "b": "2"})
    pod = Pod(
        "p", node_selector={"a": "1", "b": "2"}, tolerations=(Toleration("", "Exists", "", ""),)
    )

    assert eligible_nodes(pod, [node]) == (node,)
    assert eligible_nodes(None, [node]) == (node,)
