"""Attributes that devices must share, or must not, with the faults of each minor."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neuron_dra.allocator.features import Features
from neuron_dra.allocator.outcome import Cause, Fatal, Unsatisfiable
from neuron_dra.kube.claim import DeviceConstraint
from unit.allocator.small import (
    EVERYTHING,
    MINORS,
    allocate,
    chosen,
    claim,
    device,
    distinct,
    match,
    node_slice,
    request,
)

LISTS = replace(EVERYTHING, list_type_attributes=True)


def grouped(*values, name="x/g"):
    """Make devices `d0`, `d1` … with these values of an attribute; None: without it."""
    return [
        device(f"d{index}", {} if value is None else {name: value})
        for index, value in enumerate(values)
    ]


def pair(minor, members, *constraints, features=None):
    """Allocate two devices in one request."""
    return allocate(minor, claim(request("r", 2), *constraints), [node_slice(*members)], features)


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("values", "names"),
    [
        (("a", "b", "a"), ["d0", "d2"]),
        ((1, 2, 2), ["d1", "d2"]),
        ((True, False, False), ["d1", "d2"]),
        ((("version", "1.0.0"), ("version", "1.0.0+b"), ("version", "1.0.0")), ["d0", "d2"]),
        ((None, "a", "a"), ["d1", "d2"]),
    ],
)
def test_match(minor, values, names):
    """Devices match when they have the attribute, of one kind and with one value."""
    assert chosen(pair(minor, grouped(*values), match("x/g", "r"))) == names


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    "values", [("a", "b"), (None, "a"), (1, True), ("1.0.0", ("version", "1.0.0")), (1, "1")]
)
def test_no_match(minor, values):
    """Another value, another kind, or none at all does not match."""
    assert isinstance(pair(minor, grouped(*values), match("x/g", "r")), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_names_in_the_domain_of_the_driver(minor):
    """The driver's own attributes match with and without their domain."""
    members = [device("d0", {"g": 1}), device("d1", {"a.example/g": 1}), device("d2", {"g": 2})]

    assert chosen(pair(minor, members, match("a.example/g", "r"))) == ["d0", "d1"]
    assert isinstance(pair(minor, members, match("b.example/g", "r")), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_across_drivers(minor):
    """Devices of two drivers match on an attribute that both publish."""
    slices = [
        node_slice(*(device(f"n{index}", {"x/g": index // 2}) for index in range(4))),
        node_slice(device("e", {"x/g": 1}), driver="b.example"),
    ]
    parts = (request("n", 2, "a.example"), request("e", 1, "b.example"), match("x/g", "n", "e"))

    assert chosen(allocate(minor, claim(*parts), slices)) == ["n2", "n3", "e"]


@pytest.mark.parametrize("minor", MINORS)
def test_requests_of_a_constraint(minor):
    """A constraint concerns the requests that it names; without names, all."""
    members = grouped("a", "b")
    requests = (request("p"), request("q"))

    def outcome(*names):
        return allocate(minor, claim(*requests, match("x/g", *names)), [node_slice(*members)])

    assert chosen(outcome("p")) == ["d0", "d1"]
    assert isinstance(outcome("p", "q"), Unsatisfiable)
    assert isinstance(outcome(), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_claims_have_their_own_constraints(minor):
    """Nothing relates the devices of two claims."""
    claims = [claim(request("r"), match("x/g"), name=name) for name in ("c0", "c1")]

    assert chosen(allocate(minor, claims, [node_slice(*grouped("a", "b"))])) == [["d0"], ["d1"]]


@pytest.mark.parametrize("minor", MINORS)
def test_several_constraints(minor):
    """Every constraint must hold."""
    members = [
        device("d0", {"x/g": 1, "x/h": 1}),
        device("d1", {"x/g": 1, "x/h": 2}),
        device("d2", {"x/g": 2, "x/h": 1}),
        device("d3", {"x/g": 1, "x/h": 2}),
    ]

    assert chosen(pair(minor, members, match("x/g"), match("x/h"))) == ["d1", "d3"]


@pytest.mark.parametrize("minor", MINORS)
def test_a_constraint_of_no_kind(minor):
    """A constraint that says nothing is fatal."""
    outcome = pair(minor, grouped("a", "a"), DeviceConstraint(("r",), ""))

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.CONSTRAINT
    assert "constraint #0: empty constraint" in outcome.message


@pytest.mark.parametrize("minor", MINORS)
def test_match_wins_over_distinct(minor):
    """Of two attributes in one constraint the one to match counts."""
    both = DeviceConstraint(("r",), "x/g", "x/g")

    assert chosen(pair(minor, grouped("a", "b", "a"), both)) == ["d0", "d2"]


@pytest.mark.parametrize("minor", ["1.34", "1.35"])
def test_distinct_needs_the_experimental_allocator(minor):
    """Before 1.36 distinct attributes are known only where an alpha feature is on."""
    outcome = pair(minor, grouped("a", "b"), distinct("x/g"), features=Features(admin_access=True))

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.CONSTRAINT


@pytest.mark.parametrize("minor", MINORS[1:])
def test_distinct(minor):
    """Two devices of distinct values are found, and a device without the attribute is not."""
    assert chosen(pair(minor, grouped("a", None, "a", "b"), distinct("x/g"))) == ["d0", "d3"]
    assert isinstance(pair(minor, grouped("a", "a"), distinct("x/g")), Unsatisfiable)


def test_distinct_compares_objects_in_1_34():
    """1.34 finds two devices with the same value distinct."""
    features = replace(EVERYTHING, consumable_capacity=False)

    assert chosen(pair("1.34", grouped("a", "a"), distinct("x/g"), features=features)) == [
        *("d0", "d1")
    ]


@pytest.mark.parametrize(("minor", "names"), [("1.36", ["d0", "d1", "d2"]), ("1.37", None)])
def test_distinct_remembers_the_last_value_of_a_request(minor, names):
    """Up to 1.36 a request for three devices may get the values A, B, A."""
    parts = claim(request("r", 3), distinct("x/g", "r"))

    outcome = allocate(minor, parts, [node_slice(*grouped("a", "b", "a"))])

    assert chosen(outcome) == names if names else isinstance(outcome, Unsatisfiable)


@pytest.mark.parametrize("minor", ["1.35", "1.36", "1.37"])
def test_distinct_single_requests(minor):
    """Requests for one device each get pairwise distinct values on every minor."""
    parts = claim(request("p"), request("q"), request("r"), distinct("x/g"))

    outcome = allocate(minor, parts, [node_slice(*grouped("a", "a", "b", "a", "c"))])

    assert chosen(outcome) == ["d0", "d2", "d4"]


def test_distinct_forgets_after_going_back():
    """1.36 forgets the value of a request whose last device it has given back."""
    members = [device("p", {"x/g": "a"}), device("q", {"x/g": "b"}), device("r", {"x/g": "a"})]
    parts = claim(request("r", 2), request("s", 1), distinct("x/g", "r", "s"))
    slices = [node_slice(*members)]

    assert chosen(allocate("1.36", parts, slices)) == ["p", "q", "r"]
    assert isinstance(allocate("1.37", parts, slices), Unsatisfiable)


def strings(*values):
    return ("strings", values)


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_lists_share_a_value(minor):
    """With lists all devices must share at least one value, a scalar counting as a list of one."""
    members = grouped(strings("a", "b"), strings("b", "c"), strings("c", "a"), "b")
    parts = claim(request("r", 3), match("x/g"))

    outcome = allocate(minor, parts, [node_slice(*members)], LISTS)

    assert chosen(outcome) == ["d0", "d1", "d3"]


def test_lists_keep_narrowing_in_1_36():
    """1.36 does not widen again what devices share when it goes back; 1.37 does."""
    members = [
        device("d0", {"x/g": strings("a", "b"), "x/h": 1}),
        device("d1", {"x/g": strings("a"), "x/h": 2}),
        device("d2", {"x/g": strings("b"), "x/h": 1}),
    ]
    parts = claim(request("r", 2), match("x/g"), match("x/h"))
    slices = [node_slice(*members)]
    swapped = claim(request("r", 2), match("x/h"), match("x/g"))

    assert isinstance(allocate("1.36", parts, slices, LISTS), Unsatisfiable)
    assert chosen(allocate("1.36", swapped, slices, LISTS)) == ["d0", "d2"]
    assert chosen(allocate("1.37", parts, slices, LISTS)) == ["d0", "d2"]


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_lists_are_disjoint(minor):
    """Distinct lists have no value in common."""
    members = grouped(strings("a", "b"), strings("b"), strings("c"))

    assert chosen(pair(minor, members, distinct("x/g"), features=LISTS)) == ["d0", "d2"]


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_lists_without_the_feature(minor):
    """Without the feature a list matches nothing and is distinct from nothing."""
    members = grouped(strings("a"), strings("a"), strings("b"))

    assert isinstance(pair(minor, members, match("x/g")), Unsatisfiable)
    assert isinstance(pair(minor, members, distinct("x/g")), Unsatisfiable)
