"""Long searches: what is skipped, the steps that are counted, and the scheduler's deadline."""

from __future__ import annotations

from dataclasses import replace
from math import factorial

import pytest

from neuron_dra.allocator import dead_ends
from neuron_dra.allocator.effort import MARGIN, Effort, OutOfTimeError, is_near_limit
from neuron_dra.allocator.outcome import Fatal, Timeout, Undecided, Unsatisfiable
from neuron_dra.kube.claim import ALL
from unit.allocator.small import (
    EVERYTHING,
    MINORS,
    WITHOUT_CAPACITY,
    allocate,
    chosen,
    claim,
    counter_slice,
    device,
    devices,
    distinct,
    exactly,
    first_available,
    match,
    node_slice,
    request,
)


def permutations(number):
    """Return how many beginnings of orders of some devices there are."""
    return sum(factorial(number) // factorial(number - length) for length in range(number + 1))


def grouped(count, groups):
    return [device(f"d{index}", {"x/g": index % groups}) for index in range(count)]


def without_memory(monkeypatch):
    monkeypatch.setattr(dead_ends, "_can_remember", lambda problem: False)


@pytest.mark.parametrize("minor", ["1.34", "1.35"])
@pytest.mark.parametrize("count", [5, 8, 9])
def test_one_too_many_in_every_order(minor, count):
    """Up to 1.35 a request for one device too many tries every order, as far as there is time."""
    outcome = allocate(
        minor, claim(request("r", count + 1)), [node_slice(*devices(count))], WITHOUT_CAPACITY
    )

    assert isinstance(outcome, Unsatisfiable)
    assert outcome.steps == permutations(count)


@pytest.mark.parametrize("minor", ["1.34", "1.35"])
def test_seventeen_of_sixteen_in_every_order(minor):
    """17 of 16 devices run into the deadline where every order is tried."""
    outcome = allocate(minor, claim(request("r", 17)), [node_slice(*devices(16))], WITHOUT_CAPACITY)

    assert isinstance(outcome, Timeout)
    assert not is_near_limit(outcome.steps, 16)


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_seventeen_of_sixteen_once_each(minor):
    """17 of 16 devices are refused at once where every set is tried once."""
    outcome = allocate(minor, claim(request("r", 17)), [node_slice(*devices(16))])

    assert isinstance(outcome, Unsatisfiable)
    assert outcome.steps == 2**16


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_too_many_sets(minor):
    """31 of 30 devices run into the deadline on every minor."""
    outcome = allocate(minor, claim(request("r", 31)), [node_slice(*devices(30))])

    assert isinstance(outcome, Timeout)


@pytest.mark.parametrize("minor", MINORS)
def test_a_solution_too_late(minor):
    """Devices that would be found after the deadline are not found."""
    members = [*grouped(20, 1), device("last", {"x/g": 2}), device("next", {"x/g": 2})]
    parts = (request("a", 16, selectors=('device.attributes["x"].g != 3',)), request("b", 2))
    constraint = match("x/g", "b")
    late = claim(*parts, constraint, request("c", 4, selectors=('device.attributes["x"].g == 1',)))

    outcome = allocate(minor, late, [node_slice(*members)], WITHOUT_CAPACITY)

    assert isinstance(outcome, Timeout)


CASES = {
    "groups": (claim(request("r", 4), match("x/g")), grouped(9, 3)),
    "two requests": (claim(request("a", 2), request("b", 2), match("x/g")), grouped(6, 2)),
    "alternatives": (
        claim(first_available("a", exactly(4), exactly(3)), request("b", 3), match("x/g", "b")),
        grouped(6, 3),
    ),
    "all behind": (claim(request("a", 3), request("b", ALL)), grouped(7, 1)),
    "two claims": ([claim(request("a", 3)), claim(request("b", 3), name="b")], grouped(5, 2)),
    "selectors": (
        claim(
            request("a", 2, selectors=('device.attributes["x"].g == 1',)),
            request("b", 5),
            match("x/g", "b"),
        ),
        grouped(7, 2),
    ),
    "tainted": (
        claim(request("a", 4)),
        [*grouped(4, 1)[:3], device("t", {"x/g": 1}, taints=[("t", "", "NoSchedule")])],
    ),
}


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("name", CASES)
def test_memory_changes_nothing(minor, name, monkeypatch):
    """Verdict and number of steps are those of a search that remembers nothing."""
    claims, members = CASES[name]
    slices = [node_slice(*members, name="s")]

    remembered = allocate(minor, claims, slices, WITHOUT_CAPACITY)
    without_memory(monkeypatch)

    assert remembered == allocate(minor, claims, slices, WITHOUT_CAPACITY)
    assert isinstance(remembered, Unsatisfiable)


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_memory_of_counters_and_shares(minor, monkeypatch):
    """The same holds where devices share counters and claims share devices."""
    members = [
        device(f"d{index}", {"x/g": index % 2}, counters={"m": str(1 + index % 2)})
        for index in range(8)
    ]
    shared = [
        device(f"s{index}", capacity={"x/m": "2"}, allow_multiple_allocations=True)
        for index in range(2)
    ]
    slices = [
        counter_slice({"m": "9"}, slices=2, name="a"),
        node_slice(*members, *shared, slices=2, name="b"),
    ]
    grouped_only = ('"g" in device.attributes["x"]',)
    wanted = claim(
        request("b", 2, capacity={"x/m": "1"}),
        request("c", 1, capacity={"x/m": "1"}),
        request("a", 3, selectors=grouped_only),
        request("d", 2, selectors=grouped_only),
        match("x/g", "a", "d"),
    )

    remembered = allocate(minor, wanted, slices, EVERYTHING)
    without_memory(monkeypatch)

    assert remembered == allocate(minor, wanted, slices, EVERYTHING)
    assert isinstance(remembered, Unsatisfiable)
    assert remembered.steps > 90


@pytest.mark.parametrize("constraint", [match("x/g", "a", "b"), distinct("x/g", "a", "b")])
def test_memory_of_lists_and_distinct_values(constraint, monkeypatch):
    """The same holds in 1.37 for lists and distinct values."""
    features = replace(EVERYTHING, list_type_attributes=True)
    lists = [("strings", ("p", "q")), ("strings", ("q", "r")), "p", "q", "r", ("strings", ("s",))]
    members = [device(f"d{index}", {"x/g": each}) for index, each in enumerate(lists)]
    wanted = claim(request("a", 3), request("b", 3), constraint)
    slices = [node_slice(*members, name="s")]

    remembered = allocate("1.37", wanted, slices, features)
    without_memory(monkeypatch)

    assert remembered == allocate("1.37", wanted, slices, features)
    assert isinstance(remembered, Unsatisfiable)


def test_memory_of_selectors_that_fail():
    """A selector that cannot be evaluated is fatal when its turn comes, and not before."""
    unguarded = ('device.attributes["x"].rare == 1',)
    members = [device(f"d{index}", {"x/g": index}) for index in range(6)]
    late = request("late", 1, selectors=unguarded)

    never = allocate("1.36", claim(request("a", 7), late), [node_slice(*members)])
    once = allocate("1.36", claim(request("a", 5), late), [node_slice(*members)])

    assert isinstance(never, Unsatisfiable)
    assert isinstance(once, Fatal)


def test_we_give_up_first(monkeypatch):
    """A search that cannot be shortened and is too long for us is left undecided."""
    without_memory(monkeypatch)
    monkeypatch.setattr("neuron_dra.allocator.effort.PATIENCE", 1000)

    outcome = allocate("1.36", claim(request("r", 17)), [node_slice(*devices(16))])

    assert outcome == Undecided(1001)


def test_steps_near_the_limit_are_counted_to_their_end():
    """A search ends for certain when it is beyond the limit by a margin."""
    effort = Effort(limit=10)
    effort.skip(10)
    assert not effort.is_beyond_limit

    effort.skip(1)
    assert effort.is_beyond_limit
    with pytest.raises(OutOfTimeError):
        effort.skip(10 * MARGIN)


def test_near_the_limit():
    """Searches that take about as long as there is time depend on the machine."""
    limit = Effort.for_devices(16).limit

    near = [is_near_limit(steps, 16) for steps in (1, limit // MARGIN, limit, limit * MARGIN + 1)]

    assert near == [False, False, True, False]


def test_cheap_searches_need_no_memory():
    """A search that seldom fails does not tell devices apart."""
    members = [device(f"d{index}", {"x/g": index // 4}) for index in range(16)]

    outcome = allocate("1.36", claim(request("r", 4), match("x/g")), [node_slice(*members)])

    assert chosen(outcome) == ["d0", "d1", "d2", "d3"]
    assert outcome.steps == 7
