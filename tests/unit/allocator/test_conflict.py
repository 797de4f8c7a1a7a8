"""The smallest part of a claim that cannot be had."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.allocator.allocator import Allocator
from neuron_dra.allocator.conflict import minimal_conflict, without_request
from neuron_dra.allocator.outcome import Allocated
from neuron_dra.kube.claim import ALL, DeviceClaim, OpaqueConfig, ResourceClaim
from unit.allocator.small import (
    DRIVER,
    NODE,
    allocator,
    claim,
    device,
    distinct,
    exactly,
    first_available,
    match,
    node_slice,
    request,
)

# Two rows of two devices, and one device of another kind in each row.
SLICES = [
    node_slice(
        *(device(f"d{n}", {"row": n // 2, "kind": "chip", "even": n % 2 == 0}) for n in range(4)),
        *(device(f"e{n}", {"row": n, "kind": "wire"}) for n in range(2)),
    )
]
CHIP = f'device.attributes["{DRIVER}"].kind == "chip"'
WIRE = f'device.attributes["{DRIVER}"].kind == "wire"'
EVEN = f'device.attributes["{DRIVER}"].?even.orValue(false)'
ROW = f"{DRIVER}/row"
KIND = f"{DRIVER}/kind"


def fits_on(some_allocator: Allocator):
    def fits(devices: DeviceClaim) -> bool:
        asked = ResourceClaim("claim", devices)
        return isinstance(some_allocator.allocate(NODE, [asked]), Allocated)

    return fits


FITS = fits_on(allocator("1.37", SLICES))


def conflict(*parts, config=()):
    return minimal_conflict(claim(*parts, config=config).devices, FITS)


def test_request_that_is_too_large():
    """A count is lowered to the first one that is too much, and the rest goes."""
    found = conflict(
        request("chips", 6, selectors=(CHIP,)),
        request("wires", 1, selectors=(WIRE,)),
        config=[OpaqueConfig((), DRIVER, {})],
    )

    assert found == DeviceClaim((request("chips", 5, selectors=(CHIP,)),))


def test_constraint_is_part_of_it():
    """Three of a row cannot be had because of the constraint; a constraint that holds goes."""
    found = conflict(
        request("chips", 3, selectors=(CHIP,)), match(KIND, "chips"), match(ROW, "chips")
    )

    assert found == DeviceClaim((request("chips", 3, selectors=(CHIP,)),), (match(ROW, "chips"),))


def test_requests_that_only_conflict_together():
    """Requests that can be had alone stay together with the constraint that ties them."""
    found = conflict(
        request("other", 1),
        request("chips", 1, selectors=(CHIP,)),
        request("wires", 1, selectors=(WIRE,)),
        match(KIND, "chips", "wires"),
        match(ROW, "chips", "wires"),
    )

    assert found == DeviceClaim(
        (request("chips", selectors=(CHIP,)), request("wires", selectors=(WIRE,))),
        (match(KIND, "chips", "wires"),),
    )


def test_selectors_that_contradict_each_other():
    """Of three selectors the two stay that no device satisfies."""
    found = conflict(request("chips", 2, selectors=(EVEN, WIRE, CHIP)))

    assert found == DeviceClaim((request("chips", 1, selectors=(WIRE, CHIP)),))


def test_equal_selectors_are_told_apart():
    """Of two equal selectors one is enough."""
    found = conflict(request("wires", 3, selectors=(WIRE, WIRE)))

    assert found == DeviceClaim((request("wires", 3, selectors=(WIRE,)),))


def test_alternatives_all_stay():
    """Each alternative is a reason of its own, and each is made as small as it can be."""
    found = conflict(
        first_available("any", exactly(9), exactly(3, selectors=(CHIP, WIRE))), request("more", 1)
    )

    assert found.requests == (first_available("any", exactly(7), exactly(3, selectors=(WIRE,))),)


def test_all_devices_have_no_count():
    """A request for all devices is not lowered."""
    found = conflict(request("chips", ALL, selectors=(CHIP,)), match(ROW, "chips"))

    assert found == DeviceClaim((request("chips", ALL),), (match(ROW, "chips"),))


def test_amounts_are_left_out():
    """An amount that is not the reason goes, one that is stays."""
    too_many = conflict(request("chips", 7, capacity={"memory": "1Gi"}))
    too_much = conflict(request("chips", 2, capacity={"memory": "1Gi"}))

    assert too_many == DeviceClaim((request("chips", 7),))
    assert too_much == DeviceClaim((request("chips", 1, capacity={"memory": "1Gi"}),))


def test_mentions_of_a_request_go_with_it():
    """A constraint or parameter that named only the request goes; one that names none stays."""
    devices = claim(
        request("a"),
        first_available("b", exactly(1)),
        match(ROW, "b/s0"),
        match(KIND, "a", "b"),
        distinct(ROW),
        config=[OpaqueConfig(("b",), DRIVER, {}), OpaqueConfig((), DRIVER, {"all": 1})],
    ).devices

    left = without_request(devices, "b")

    assert left == DeviceClaim(
        (request("a"),),
        (match(KIND, "a"), distinct(ROW)),
        (OpaqueConfig((), DRIVER, {"all": 1}),),
    )


REQUESTS = st.lists(
    st.tuples(
        st.integers(1, 5),
        st.lists(st.sampled_from((CHIP, WIRE, EVEN)), max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=3,
)
CONSTRAINTS = st.lists(
    st.tuples(st.sampled_from((ROW, KIND)), st.sampled_from(((), ("r0",), ("r0", "r1")))),
    max_size=2,
)


def parts_left_out(devices: DeviceClaim):
    """Yield the claim with one part less, in every way."""
    for each in devices.requests:
        yield without_request(devices, each.name)
    for left in combinations(devices.constraints, max(len(devices.constraints) - 1, 0)):
        if len(left) < len(devices.constraints):
            yield DeviceClaim(devices.requests, left)


@given(REQUESTS, CONSTRAINTS)
def test_nothing_can_be_left_out(asked, tied):
    """What is left does not fit, and fits without any one of its parts."""
    requests = [
        request(f"r{index}", count, selectors=selectors)
        for index, (count, selectors) in enumerate(asked)
    ]
    names = {each.name for each in requests}
    constraints = [match(name, *(one for one in some if one in names)) for name, some in tied]
    devices = claim(*requests, *constraints).devices
    if FITS(devices):
        return

    found = minimal_conflict(devices, FITS)

    assert not FITS(found)
    assert all(FITS(smaller) for smaller in parts_left_out(found))
    assert minimal_conflict(found, FITS) == found
