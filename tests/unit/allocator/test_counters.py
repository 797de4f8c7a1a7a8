"""Shared counters: devices that are parts of one another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neuron_dra.allocator.features import Features
from neuron_dra.allocator.outcome import Cause, Fatal, Unsatisfiable
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ALL
from neuron_dra.kube.slice import CounterSet
from unit.allocator.small import (
    DRIVER,
    EVERYTHING,
    MINORS,
    allocate,
    chosen,
    claim,
    counter_slice,
    device,
    ids,
    match,
    node_slice,
    request,
    tolerate,
)

WHOLE = device("whole", counters={"mem": "8Gi"})
HALVES = [device(f"half-{index}", counters={"mem": "4Gi"}) for index in range(2)]


def partitioned(minor, *members, mem="8Gi", **fields):
    """Make slices of devices that share an amount; 1.34 has both in one slice."""
    counters = {"mem": mem}
    if minor == "1.34":
        shared = (CounterSet("set", counters),)
        return [node_slice(*members, shared_counters=shared, **fields)]
    return [counter_slice(counters, slices=2, **fields), node_slice(*members, slices=2, **fields)]


@pytest.mark.parametrize("minor", MINORS)
def test_parts_or_the_whole(minor):
    """The whole and a part of it cannot be had together, both parts can."""
    slices = partitioned(minor, WHOLE, *HALVES)

    assert chosen(allocate(minor, claim(request("r")), slices)) == ["whole"]
    assert chosen(allocate(minor, claim(request("r", 2)), slices)) == ["half-0", "half-1"]
    assert isinstance(allocate(minor, claim(request("r", 3)), slices), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_held_devices_count(minor):
    """What others hold takes of the counters, also when it is more than there is."""
    slices = partitioned(minor, WHOLE, *HALVES)

    half = allocate(minor, claim(request("r")), slices, allocated=AllocatedState(ids("half-0")))
    none = allocate(minor, claim(request("r")), slices, allocated=AllocatedState(ids("whole")))

    assert chosen(half) == ["half-1"]
    assert isinstance(none, Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS[1:])
def test_devices_of_other_nodes_count(minor):
    """Devices that others hold on other nodes take of the counters of the pool."""
    slices = [
        counter_slice({"mem": "8Gi"}, slices=3),
        node_slice(HALVES[0], slices=3),
        node_slice(HALVES[1], device("third", counters={"mem": "4Gi"}), slices=3, node_name="b"),
    ]

    one = allocate(minor, claim(request("r")), slices, allocated=AllocatedState(ids("half-1")))
    held = AllocatedState(ids("half-1", "third"))

    assert chosen(one) == ["half-0"]
    assert isinstance(allocate(minor, claim(request("r")), slices, allocated=held), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_several_counters(minor):
    """Every counter that a device takes of must have enough left."""
    members = [
        device("p", counters={"mem": "4", "cores": "1"}),
        device("q", counters={"mem": "1", "cores": "2"}),
        device("r", counters={"mem": "4", "cores": "1"}),
    ]
    counters = {"mem": "8", "cores": "2"}
    slices = (
        [node_slice(*members, shared_counters=(CounterSet("set", counters),))]
        if minor == "1.34"
        else [counter_slice(counters, slices=2), node_slice(*members, slices=2)]
    )

    assert chosen(allocate(minor, claim(request("r", 2)), slices)) == ["p", "r"]


@pytest.mark.parametrize("minor", MINORS)
def test_without_the_feature(minor):
    """With the feature off, devices that take of counters are not allocated."""
    slices = [*partitioned(minor, WHOLE, pool="a"), node_slice(device("plain"), pool="b")]

    outcome = allocate(minor, claim(request("r")), slices, Features(admin_access=True))

    assert chosen(outcome) == ["plain"]


@pytest.mark.parametrize("minor", MINORS)
def test_all_devices_that_consume(minor):
    """All parts can be had; 1.35 crashes over it."""
    outcome = allocate(minor, claim(request("r", ALL)), partitioned(minor, *HALVES))

    if minor == "1.35":
        assert isinstance(outcome, Fatal)
        assert outcome.cause is Cause.CRASH
    else:
        assert chosen(outcome) == ["half-0", "half-1"]


@pytest.mark.parametrize(("minor", "is_had"), [("1.35", False), ("1.36", True), ("1.37", True)])
def test_refused_devices_give_their_counters_back(minor, is_had):
    """Up to 1.35 a device that a taint refuses keeps what it had reserved."""
    tainted = device("tainted", counters={"mem": "8Gi"}, taints=[("t", "", "NoSchedule")])
    slices = partitioned(minor, tainted, HALVES[0])

    outcome = allocate(minor, claim(request("r")), slices)

    assert (not isinstance(outcome, Unsatisfiable)) == is_had
    tolerant = request("r", tolerations=(tolerate(),))
    assert chosen(allocate(minor, claim(tolerant), slices)) == ["tainted"]


@pytest.mark.parametrize(("minor", "is_had"), [("1.35", False), ("1.36", True), ("1.37", True)])
def test_devices_that_do_not_match_give_their_counters_back(minor, is_had):
    """Up to 1.35 a device that a constraint refuses keeps what it had reserved."""
    members = [
        device("p", {"x/g": 1}, counters={"mem": "2Gi"}),
        device("q", {"x/g": 2}, counters={"mem": "6Gi"}),
        device("r", {"x/g": 1}, counters={"mem": "2Gi"}),
    ]

    outcome = allocate(minor, claim(request("r", 2), match("x/g")), partitioned(minor, *members))

    assert (not isinstance(outcome, Unsatisfiable)) == is_had


@pytest.mark.parametrize(("minor", "is_had"), [("1.35", False), ("1.36", False), ("1.37", True)])
def test_pools_of_one_name(minor, is_had):
    """Up to 1.36 two drivers whose pools have one name take of each other's counters."""
    slices = [
        *partitioned(minor, *HALVES, driver=DRIVER),
        *partitioned(minor, *HALVES, driver="b.example"),
    ]
    parts = claim(request("a", 2, DRIVER), request("b", 2, "b.example"))

    assert (not isinstance(allocate(minor, parts, slices), Unsatisfiable)) == is_had


@pytest.mark.parametrize(("minor", "is_had"), [("1.35", True), ("1.36", False), ("1.37", False)])
def test_shares_of_others_count(minor, is_had):
    """From 1.36 on a device that others hold in shares takes of its counters."""
    shared = replace(WHOLE, allow_multiple_allocations=True)
    held = AllocatedState(shared=ids("whole"), capacity={})

    outcome = allocate(
        minor,
        claim(request("r", selectors=("!device.allowMultipleAllocations",)))
        if minor != "1.35"
        else claim(request("r", 2)),
        partitioned(minor, shared, *HALVES),
        EVERYTHING,
        allocated=held,
    )

    assert (not isinstance(outcome, Unsatisfiable)) == is_had
