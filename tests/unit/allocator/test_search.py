"""Choosing devices: order, going back, several requests and claims, and the limit of a claim."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neuron_dra.allocator.outcome import CANNOT_ALLOCATE, Cause, Fatal, Unsatisfiable
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ALL, DeviceRequest
from unit.allocator.small import (
    DRIVER,
    MINORS,
    SORTED,
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
)

SIZES = [device("small", {"x/size": 1}), device("large", {"x/size": 2})]
LARGE = ('device.attributes["x"].size >= 2',)


@pytest.mark.parametrize("minor", MINORS)
def test_one_device(minor):
    """A request gets the first device that it may have, on this node only."""
    outcome = allocate(minor, claim(request("r")), [node_slice(*devices(2))])

    assert chosen(outcome) == ["d0"]
    (result,) = outcome.results
    assert result.results[0].device == (DRIVER, "pool", "d0")
    ((term,),) = (result.node_selector,)
    assert [(each.key, each.values) for each in term.match_fields] == [("metadata.name", ("node",))]


@pytest.mark.parametrize("minor", MINORS)
def test_no_claim_and_no_request(minor):
    """Nothing asked for is given at once, on any node."""
    assert allocate(minor, [], []).results == ()
    (result,) = allocate(minor, claim(), []).results
    assert (result.results, result.node_selector) == ((), None)


@pytest.mark.parametrize("minor", MINORS)
def test_devices_of_others_are_not_chosen(minor):
    """A device that a claim holds already is passed over."""
    held = AllocatedState(ids("d0", "d2"))

    outcome = allocate(minor, claim(request("r", 2)), [node_slice(*devices(4))], allocated=held)

    assert chosen(outcome) == ["d1", "d3"]


@pytest.mark.parametrize("minor", MINORS)
def test_not_enough(minor):
    """More devices than there are cannot be had on this node."""
    outcome = allocate(minor, claim(request("r", 3)), [node_slice(*devices(2))])

    assert isinstance(outcome, Unsatisfiable)
    assert outcome.reason == CANNOT_ALLOCATE


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("small_first", [True, False])
def test_goes_back_for_a_later_request(minor, small_first):
    """A request that can do with either device leaves the one that the other request needs."""
    either, large = request("either"), request("large", selectors=LARGE)
    members = SIZES if small_first else SIZES[::-1]

    outcome = allocate(minor, claim(either, large), [node_slice(*members)])

    assert chosen(outcome) == ["small", "large"]


@pytest.mark.parametrize("minor", MINORS)
def test_goes_back_for_a_later_claim(minor):
    """A claim gives up its first choice when a later claim of the pod needs that device."""
    claims = [claim(request("either")), claim(request("large", selectors=LARGE), name="second")]

    outcome = allocate(minor, claims, [node_slice(*SIZES[::-1])])

    assert chosen(outcome) == [["small"], ["large"]]


@pytest.mark.parametrize("minor", MINORS)
def test_a_claim_that_fails_fails_all(minor):
    """All claims of a pod are served or none."""
    claims = [claim(request("r")), claim(request("r", 2), name="second")]

    assert isinstance(allocate(minor, claims, [node_slice(*devices(2))]), Unsatisfiable)


@pytest.mark.parametrize("minor", SORTED)
def test_order_of_pools_slices_and_devices(minor):
    """Pools go by driver and name, slices by name, devices as they stand in their slice."""
    slices = [
        node_slice(device("e"), driver="b.example", name="a"),
        node_slice(device("d"), pool="q", name="b"),
        node_slice(device("c"), pool="p", slices=2, name="z"),
        node_slice(device("b"), device("a"), pool="p", slices=2, name="y"),
    ]

    outcome = allocate(minor, claim(request("r", 5)), slices)

    assert chosen(outcome) == ["b", "a", "c", "d", "e"]


@pytest.mark.parametrize("minor", SORTED)
def test_pools_with_binding_conditions_come_last(minor):
    """A pool in which any device has binding conditions is tried after all others."""
    binding = device("a", binding_conditions=("ready",), binding_failure_conditions=("failed",))
    slices = [node_slice(binding, pool="a"), node_slice(device("b"), pool="b")]

    outcome = allocate(minor, claim(request("r", 2)), slices)

    assert chosen(outcome) == ["b", "a"]
    assert outcome.results[0].results[1].binding_conditions == ("ready",)


@pytest.mark.parametrize(("minor", "steps"), [("1.35", 65), ("1.36", 16), ("1.37", 16)])
def test_combinations_and_permutations(minor, steps):
    """Sets of devices are tried in every order up to 1.35, and once each from 1.36 on."""
    outcome = allocate(minor, claim(request("r", 5)), [node_slice(*devices(4))])

    assert outcome == Unsatisfiable(CANNOT_ALLOCATE, steps)


@pytest.mark.parametrize("minor", MINORS)
def test_requests_start_over(minor):
    """A second request of a claim may have a device before that of the first."""
    second = request("second")
    first = request("first", selectors=LARGE)

    outcome = allocate(minor, claim(first, second), [node_slice(*SIZES)])

    assert chosen(outcome) == ["large", "small"]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("counts", [(33,), (30, 3), (32, 1)])
def test_too_many_devices(minor, counts):
    """A claim that would take more than 32 devices is given up, whatever the nodes have."""
    requests = [request(f"r{index}", number) for index, number in enumerate(counts)]

    outcome = allocate(minor, claim(*requests), [node_slice(*devices(40))])

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.LIMIT
    assert "exceeds the claim limit of 32" in outcome.message


@pytest.mark.parametrize("minor", MINORS)
def test_too_many_in_all(minor):
    """All of 33 devices are too many for a claim."""
    outcome = allocate(minor, claim(request("r", ALL)), [node_slice(*devices(33))])

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.LIMIT


@pytest.mark.parametrize("minor", MINORS)
def test_the_limit_counts_each_claim(minor):
    """Two claims of a pod may have 32 devices each."""
    claims = [claim(request("r", 32), name=name) for name in ("first", "second")]

    outcome = allocate(minor, claims, [node_slice(*devices(64))])

    assert [len(names) for names in chosen(outcome)] == [32, 32]


@pytest.mark.parametrize("minor", MINORS)
def test_a_smaller_alternative_keeps_within_the_limit(minor):
    """Alternatives that lead beyond 32 devices are passed over."""
    parts = (first_available("a", exactly(20), exactly(4)), request("b", 20))

    outcome = allocate(minor, claim(*parts), [node_slice(*devices(64))])

    assert served(outcome) == ["a/s1"] * 4 + ["b"] * 20


@pytest.mark.parametrize("minor", MINORS)
def test_many_claims_nest_deeply(minor):
    """A pod with many large claims is searched without running out of stack."""
    claims = [claim(request("r", 32), name=f"c{index}") for index in range(16)]

    outcome = allocate(minor, claims, [node_slice(*devices(16 * 32))])

    assert sum(map(len, chosen(outcome))) == 16 * 32


@pytest.mark.parametrize("minor", MINORS)
def test_unknown_class(minor):
    """A class that does not exist is fatal."""
    outcome = allocate(minor, claim(request("r", device_class="none")), [node_slice(*devices(1))])

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.CLASS


@pytest.mark.parametrize(
    "wanted",
    [
        DeviceRequest("r"),
        request("r", device_class=""),
        DeviceRequest("r", replace(exactly(), allocation_mode="Some")),
    ],
)
def test_requests_of_no_known_kind(wanted):
    """A request that the scheduler does not understand is fatal."""
    outcome = allocate("1.36", claim(wanted), [node_slice(*devices(1))])

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.REQUEST


@pytest.mark.parametrize("minor", MINORS)
def test_group_of_devices(minor):
    """Devices of one group are found although the first device belongs to a group too small."""
    groups = ("p", "q", "p", "q", "q")
    members = [device(f"d{index}", {"x/g": group}) for index, group in enumerate(groups)]

    outcome = allocate(minor, claim(request("r", 3), match("x/g", "r")), [node_slice(*members)])

    assert chosen(outcome) == ["d1", "d3", "d4"]
