"""Requests for all devices."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.outcome import Cause, Fatal, Unsatisfiable
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ALL
from unit.allocator.small import (
    DRIVER,
    MINORS,
    allocate,
    chosen,
    claim,
    device,
    devices,
    exactly,
    first_available,
    ids,
    match,
    node_slice,
    request,
    served,
    tolerate,
)

EVERY = claim(request("r", ALL))


@pytest.mark.parametrize("minor", MINORS)
def test_all_of_several_pools(minor):
    """All means every matching device of every pool of the node."""
    slices = [
        node_slice(device("a"), pool="p"),
        node_slice(device("b"), device("c"), pool="q"),
        node_slice(device("d"), driver="b.example"),
    ]

    assert chosen(allocate(minor, claim(request("r", ALL, DRIVER)), slices)) == ["a", "b", "c"]
    assert chosen(allocate(minor, EVERY, slices)) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("minor", MINORS)
def test_all_of_those_selected(minor):
    """Devices that are not selected are not part of all."""
    members = [device("p", {"x/a": 1}), device("q", {"x/a": 2}), device("r", {"x/a": 1})]
    wanted = request("r", ALL, selectors=('device.attributes["x"].a == 1',))

    assert chosen(allocate(minor, claim(wanted), [node_slice(*members)])) == ["p", "r"]


@pytest.mark.parametrize("minor", MINORS)
def test_all_of_none(minor):
    """No matching device is no success."""
    assert isinstance(allocate(minor, EVERY, []), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_one_in_use(minor):
    """One device that is held makes the request fail here: there is no all that are free."""
    held = AllocatedState(ids("d1"))

    outcome = allocate(minor, EVERY, [node_slice(*devices(2))], allocated=held)

    assert isinstance(outcome, Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_one_taken_by_an_earlier_request(minor):
    """A request for all fails behind one that takes a device, and leaves nothing before one."""
    slices = [node_slice(*devices(2))]

    assert isinstance(
        allocate(minor, claim(request("one"), request("all", ALL)), slices), Unsatisfiable
    )
    assert isinstance(
        allocate(minor, claim(request("all", ALL), request("one")), slices), Unsatisfiable
    )


@pytest.mark.parametrize("minor", MINORS)
def test_a_constraint_that_refuses_one_is_fatal(minor):
    """All devices in one group is no wish but a contradiction, when there are two groups."""
    members = [device("p", {"x/g": "one"}), device("q", {"x/g": "two"})]

    outcome = allocate(minor, claim(request("r", ALL), match("x/g", "r")), [node_slice(*members)])

    assert outcome == Fatal(
        Cause.CONSTRAINT,
        "claim claim, request r: cannot add device a.example/pool/q because a claim constraint "
        "would not be satisfied",
    )


@pytest.mark.parametrize("minor", MINORS)
def test_a_constraint_that_all_satisfy(minor):
    """All devices of a node may have to be in one group, if they are."""
    members = [device(name, {"x/g": "one"}) for name in "pq"]

    outcome = allocate(minor, claim(request("r", ALL), match("x/g", "r")), [node_slice(*members)])

    assert chosen(outcome) == ["p", "q"]


@pytest.mark.parametrize("minor", MINORS)
def test_all_or_else(minor):
    """An alternative serves when one device of all is held."""
    parts = first_available("r", exactly(ALL), exactly(1))
    held = AllocatedState(ids("d0"))
    slices = [node_slice(*devices(3))]

    assert served(allocate(minor, claim(parts), slices)) == ["r/s0"] * 3
    assert served(allocate(minor, claim(parts), slices, allocated=held)) == ["r/s1"]


def test_all_in_a_later_subrequest_is_mixed_up():
    """Up to 1.35 a second subrequest for all goes on as the first one after its first device."""
    parts = claim(first_available("r", exactly(4), exactly(ALL)))
    slices = [node_slice(*devices(3))]

    assert isinstance(allocate("1.35", parts, slices), Unsatisfiable)
    assert served(allocate("1.36", parts, slices)) == ["r/s1"] * 3


def test_second_list_of_all_reuses_the_verdicts_of_the_first():
    """Up to 1.35 the second subrequest for all means the devices of the first one."""
    members = [device("p", {"x/a": 1}, taints=[("t", "", "NoSchedule")]), device("q", {"x/a": 2})]
    first = exactly(ALL, selectors=('device.attributes["x"].a == 1',))
    parts = claim(first_available("r", first, exactly(ALL, tolerations=(tolerate(),))))
    slices = [node_slice(*members)]

    assert chosen(allocate("1.35", parts, slices)) == ["p"]
    assert chosen(allocate("1.36", parts, slices)) == ["p", "q"]
