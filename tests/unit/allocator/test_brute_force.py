"""The allocator against all assignments of devices, on nodes with few devices."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from neuron_dra.allocator.outcome import Allocated, Unsatisfiable
from neuron_dra.kube.claim import DeviceRequest
from unit.allocator.small import (
    WITHOUT_CAPACITY,
    allocate,
    claim,
    device,
    exactly,
    first_available,
    match,
    node_slice,
    request,
)

LETTERS = ("p", "q", None)
SELECTORS = {
    "every": (),
    "has a": ('"a" in device.attributes["x"]',),
    "a is p": ('"a" in device.attributes["x"] && device.attributes["x"].a == "p"',),
    "b is not q": ('device.attributes["x"].?b.orValue("q") != "q"',),
}
JUDGES = {
    "every": lambda a, b: True,
    "has a": lambda a, b: a is not None,
    "a is p": lambda a, b: a == "p",
    "b is not q": lambda a, b: b not in ("q", None),
}

members = st.lists(st.tuples(st.sampled_from(LETTERS), st.sampled_from(LETTERS)), max_size=6)
wishes = st.tuples(st.integers(1, 3), st.sampled_from(sorted(SELECTORS)))
claims = st.lists(st.lists(wishes, min_size=1, max_size=2), min_size=1, max_size=3)
constraints = st.lists(st.tuples(st.sampled_from("ab"), st.sets(st.integers(0, 2))), max_size=2)


def build(wanted, limits):
    """Make a claim: each request is a list of alternatives, each a count with a selector."""
    requests = []
    for index, options in enumerate(wanted):
        made = [exactly(count, selectors=SELECTORS[name]) for count, name in options]
        alternatives = first_available(f"r{index}", *made)
        single = DeviceRequest(f"r{index}", made[0])
        requests.append(alternatives if len(made) > 1 else single)
    named = [
        match(f"x/{letter}", *(f"r{index}" for index in sorted(touched) if index < len(wanted)))
        for letter, touched in limits
    ]
    return claim(*requests, *named)


def sets_of(assignment, wanted):
    """Cut a sequence of devices into those of each request."""
    start = 0
    for count, _ in wanted:
        yield assignment[start : start + count]
        start += count


def holds(parts, wanted, limits, values):
    """Tell whether an assignment satisfies selectors and constraints, by definition."""
    for part, (_, name) in zip(parts, wanted, strict=True):
        if not all(JUDGES[name](*values[each]) for each in part):
            return False
    for letter, touched in limits:
        named = {index for index in touched if index < len(wanted)} or set(range(len(wanted)))
        found = {values[each]["ab".index(letter)] for index in named for each in parts[index]}
        if None in found or len(found) > 1:
            return False
    return True


def choices(wanted):
    """Return every choice of one alternative per request."""
    made = [[]]
    for options in wanted:
        made = [[*before, option] for before in made for option in options]
    return made


def is_feasible(values, wanted, limits):
    for picked in choices(wanted):
        total = sum(count for count, _ in picked)
        for assignment in permutations(range(len(values)), total):
            if holds(list(sets_of(assignment, picked)), picked, limits, values):
                return True
    return False


@settings(max_examples=150, deadline=None)
@given(members, claims, constraints, st.sampled_from(["1.35", "1.36", "1.37"]))
def test_feasible_or_not(values, wanted, limits, minor):
    """The allocator finds devices exactly when some assignment satisfies the claim."""
    devices = [
        device(
            f"d{index}", {f"x/{key}": value for key, value in zip("ab", pair, strict=True) if value}
        )
        for index, pair in enumerate(values)
    ]
    slices = [node_slice(*devices, name="s")]

    outcome = allocate(minor, build(wanted, limits), slices, WITHOUT_CAPACITY)

    assert isinstance(outcome, Allocated if is_feasible(values, wanted, limits) else Unsatisfiable)
    if isinstance(outcome, Allocated):
        assert is_sound(outcome, values, wanted, limits)


def is_sound(outcome, values, wanted, limits):
    """Tell whether the devices that were found satisfy the claim."""
    (result,) = outcome.results
    found = [(each.request, int(each.device.device[1:])) for each in result.results]
    picked, parts = [], []
    for index, options in enumerate(wanted):
        mine = [(name, number) for name, number in found if name.split("/")[0] == f"r{index}"]
        (name,) = {name for name, _ in mine}
        picked.append(options[int(name.rpartition("/s")[2])] if "/" in name else options[0])
        parts.append([number for _, number in mine])
    numbers = [number for part in parts for number in part]
    sizes = [len(part) for part in parts]
    return (
        len(set(numbers)) == len(numbers)
        and sizes == [count for count, _ in picked]
        and holds(parts, picked, limits, values)
    )


@settings(max_examples=60, deadline=None)
@given(members, claims, constraints, st.sampled_from(["1.36", "1.37"]))
def test_fewer_wishes_and_more_devices(values, wanted, limits, minor):
    """What can be had can still be had without a constraint, and with one more device."""
    devices = [
        device(
            f"d{index}", {f"x/{key}": value for key, value in zip("ab", pair, strict=True) if value}
        )
        for index, pair in enumerate(values)
    ]
    before = allocate(minor, build(wanted, limits), [node_slice(*devices, name="s")])
    if isinstance(before, Allocated):
        more = [node_slice(*devices, device("more"), name="s")]
        assert isinstance(allocate(minor, build(wanted, limits), more), Allocated)
        free = [node_slice(*devices, name="s")]
        assert isinstance(allocate(minor, build(wanted, limits[1:]), free), Allocated)


def test_an_allocation_is_deterministic():
    """Equal questions have equal answers, whatever the names of the slices."""
    wanted = claim(request("r", 2), match("x/a"))
    slices = [node_slice(*(device(f"d{index}", {"x/a": index % 2}) for index in range(5)))]
    renamed = [replace(each, name="z") for each in slices]

    assert allocate("1.36", wanted, slices) == allocate("1.36", wanted, renamed)
