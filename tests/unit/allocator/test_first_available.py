"""Alternatives in order of preference."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.features import Features
from neuron_dra.allocator.outcome import Cause, Fatal, Unsatisfiable
from unit.allocator.small import (
    EVERYTHING,
    MINORS,
    allocate,
    chosen,
    claim,
    device,
    devices,
    exactly,
    first_available,
    match,
    node_slice,
    request,
    served,
)

GROUPED = [device(f"d{index}", {"x/g": index // 2}) for index in range(4)]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("counts", "taken"), [((4, 2, 1), "s0"), ((5, 2, 1), "s1"), ((6, 5, 1), "s2")]
)
def test_first_that_fits(minor, counts, taken):
    """The first alternative that can be had is taken."""
    parts = first_available("r", *map(exactly, counts))

    outcome = allocate(minor, claim(parts), [node_slice(*devices(4))])

    assert set(served(outcome)) == {f"r/{taken}"}


@pytest.mark.parametrize("minor", MINORS)
def test_a_count_that_is_beyond_all_counting(minor):
    """An alternative may ask for as many devices as a number can say, and is passed over."""
    parts = first_available("r", exactly(2**63 - 1), exactly(1))

    outcome = allocate(minor, claim(request("q", 1), parts), [node_slice(*devices(2))])

    assert served(outcome) == ["q", "r/s1"]


@pytest.mark.parametrize("minor", MINORS)
def test_none_fits(minor):
    """When no alternative can be had, the claim cannot."""
    outcome = allocate(
        minor, claim(first_available("r", exactly(5), exactly(6))), [node_slice(*devices(4))]
    )

    assert isinstance(outcome, Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_a_later_request_decides(minor):
    """An alternative that leaves too little for a later request is given up."""
    parts = (first_available("a", exactly(3), exactly(2)), request("b", 2))

    outcome = allocate(minor, claim(*parts), [node_slice(*devices(4))])

    assert served(outcome) == ["a/s1", "a/s1", "b", "b"]


@pytest.mark.parametrize("minor", MINORS)
def test_earlier_requests_keep_their_preference(minor):
    """Everything behind a request is tried with its first alternative before its second."""
    parts = (
        first_available("a", exactly(2), exactly(1)),
        first_available("b", exactly(3), exactly(2)),
    )

    outcome = allocate(minor, claim(*parts), [node_slice(*devices(4))])

    assert served(outcome) == ["a/s0", "a/s0", "b/s1", "b/s1"]


@pytest.mark.parametrize("minor", MINORS)
def test_constraints_on_alternatives(minor):
    """A constraint may name a request with all its alternatives, or one of them."""
    parts = first_available("r", exactly(3), exactly(2))
    slices = [node_slice(*GROUPED)]

    on_all = allocate(minor, claim(parts, match("x/g", "r")), slices)
    on_first = allocate(minor, claim(parts, match("x/g", "r/s0")), slices)
    on_second = allocate(minor, claim(parts, match("x/g", "r/s1")), slices)

    assert (served(on_all), chosen(on_all)) == (["r/s1"] * 2, ["d0", "d1"])
    assert (served(on_first), chosen(on_first)) == (["r/s1"] * 2, ["d0", "d1"])
    assert served(on_second) == ["r/s0"] * 3


@pytest.mark.parametrize("minor", MINORS)
def test_alternatives_without_the_feature(minor):
    """With the feature off, alternatives are fatal."""
    outcome = allocate(
        minor,
        claim(first_available("r", exactly(1))),
        [node_slice(*devices(1))],
        Features(admin_access=True),
    )

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.FEATURE
    assert "DRAPrioritizedList" in outcome.message


@pytest.mark.parametrize("minor", MINORS)
def test_every_alternative_is_checked(minor):
    """A class that is missing in an alternative that would never be taken is still fatal."""
    parts = first_available("r", exactly(1), exactly(1, "none"))

    outcome = allocate(minor, claim(parts), [node_slice(*devices(1))], EVERYTHING)

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.CLASS
