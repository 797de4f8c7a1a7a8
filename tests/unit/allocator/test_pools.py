"""Pools: which slices count on a node, generations, missing slices, slices that contradict."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.features import Variant
from neuron_dra.allocator.outcome import INVALID_POOLS, Cause, Fatal, Unsatisfiable
from neuron_dra.allocator.pools import gather_pools
from neuron_dra.kube.claim import ALL
from neuron_dra.kube.slice import (
    CounterConsumption,
    NodeSelectorRequirement,
    NodeSelectorTerm,
)
from unit.allocator.small import (
    EVERYTHING,
    MINORS,
    NODE,
    allocate,
    chosen,
    claim,
    counter_slice,
    device,
    node_slice,
    request,
)

HERE = (NodeSelectorTerm((NodeSelectorRequirement("zone", "In", ("here",)),)),)
THERE = (NodeSelectorTerm((NodeSelectorRequirement("zone", "In", ("there",)),)),)
INCUBATING = Variant("incubating", 36)


def gather(*slices, features=EVERYTHING, variant=INCUBATING):
    return gather_pools(slices, NODE, features, variant)


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("fields", "counts"),
    [
        ({"node_name": "node"}, True),
        ({"node_name": "other"}, False),
        ({"all_nodes": True}, True),
        ({"node_selector": HERE}, True),
        ({"node_selector": THERE}, False),
        ({"node_selector": ()}, False),
        ({"node_name": ""}, False),
    ],
)
def test_slices_for_the_node(minor, fields, counts):
    """A slice counts when it names the node, selects it, or is for all."""
    outcome = allocate(minor, claim(request("r")), [node_slice(device("d"), **fields)])

    assert isinstance(outcome, Unsatisfiable) != counts


@pytest.mark.parametrize("minor", MINORS)
def test_nodes_of_each_device(minor):
    """With node selection per device, only devices for the node are chosen."""
    members = [
        device("other", node_name="other"),
        device("there", node_selector=THERE),
        device("named", node_name="node"),
        device("selected", node_selector=HERE),
        device("everywhere", all_nodes=True),
    ]
    slices = [node_slice(*members, per_device_node_selection=True)]

    assert chosen(allocate(minor, claim(request("r", 3)), slices)) == [
        *("named", "selected", "everywhere")
    ]
    off = allocate(minor, claim(request("r")), slices, EVERYTHING.__class__())
    assert isinstance(off, Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_newest_generation(minor):
    """Slices of an older generation are ignored, in whatever order they come."""
    old = node_slice(device("old"), generation=1)
    new = node_slice(device("new"), generation=2)

    for slices in ([old, new], [new, old]):
        assert chosen(allocate(minor, claim(request("r")), slices)) == ["new"]


@pytest.mark.parametrize("minor", MINORS[1:])
def test_newer_generation_on_another_node(minor):
    """A pool of which a newer generation exists elsewhere gives nothing, not even an error."""
    slices = [
        node_slice(device("old"), slices=2, generation=1),
        node_slice(device("new"), generation=2, node_name="other"),
    ]

    assert isinstance(allocate(minor, claim(request("r")), slices), Unsatisfiable)
    assert isinstance(allocate(minor, claim(request("r", ALL)), slices), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_incomplete_pool(minor):
    """Devices of a pool with missing slices are not allocated from 1.35 on."""
    slices = [node_slice(device("d"), slices=2)]

    one = allocate(minor, claim(request("r")), slices)
    every = allocate(minor, claim(request("r", ALL)), slices)

    assert isinstance(one, Unsatisfiable) == (minor != "1.34")
    assert isinstance(every, Fatal)
    assert every.cause is Cause.POOL
    assert "resource pool a.example/pool is currently being updated" in every.message


@pytest.mark.parametrize("minor", MINORS[1:])
def test_slices_of_other_nodes_complete_a_pool(minor):
    """A pool whose other slices are for other nodes is complete, and gives what is here."""
    slices = [
        node_slice(device("here"), slices=2),
        node_slice(device("there"), slices=2, node_name="other"),
    ]

    assert chosen(allocate(minor, claim(request("r", ALL)), slices)) == ["here"]


@pytest.mark.parametrize("minor", MINORS)
def test_duplicate_device(minor):
    """A pool with two devices of one name is invalid, which is told when nothing else is left."""
    slices = [
        node_slice(device("d"), slices=2),
        node_slice(device("d"), slices=2),
    ]

    one = allocate(minor, claim(request("r")), slices)
    every = allocate(minor, claim(request("r", ALL)), slices)

    if minor == "1.34":
        assert one == Fatal(Cause.POOL, "pool pool is invalid: duplicate device name d")
    else:
        assert isinstance(one, Unsatisfiable)
        assert one.reason == INVALID_POOLS
    assert isinstance(every, Fatal)
    assert "resource pool a.example/pool is currently invalid" in every.message


@pytest.mark.parametrize("minor", MINORS)
def test_other_pools_serve_beside_an_invalid_one(minor):
    """An invalid pool does not keep others from serving, if they are tried first in 1.34."""
    slices = [
        node_slice(device("good"), pool="a"),
        node_slice(device("d"), device("d"), pool="b"),
    ]

    assert chosen(allocate(minor, claim(request("r")), slices)) == ["good"]


def test_an_invalid_pool_between_others():
    """1.34 fails at an invalid pool as soon as the pools before it do not suffice."""
    slices = [
        node_slice(device("a"), pool="a"),
        node_slice(device("d"), device("d"), pool="b"),
        node_slice(device("c"), pool="c"),
    ]

    outcome = allocate("1.34", claim(request("r", 2)), slices)

    assert outcome == Fatal(Cause.POOL, "pool b is invalid: duplicate device name d")
    assert chosen(allocate("1.35", claim(request("r", 2)), slices)) == ["a", "c"]


@pytest.mark.parametrize(
    ("slices", "reason"),
    [
        (
            [counter_slice({"m": "1"}, slices=2), counter_slice({"m": "1"}, slices=2)],
            "duplicate counter set name set",
        ),
        ([node_slice(device("d", counters={"m": "1"}))], "counter set set not found"),
        (
            [
                counter_slice({"m": "1"}, slices=2),
                node_slice(device("d", counters={"n": "1"}), slices=2),
            ],
            "counter n not found in counter set set",
        ),
    ],
)
def test_counters_that_contradict(slices, reason):
    """Counters that are defined twice or not at all make a pool invalid."""
    (pool,) = gather(*slices)

    assert pool.invalid_reason == reason


def test_counter_slices_of_other_nodes():
    """Shared counters count on every node in 1.36, and are fetched where needed in 1.37."""
    slices = [
        counter_slice({"m": "1"}, slices=2, node_name="other"),
        node_slice(device("d", counters={"m": "1"}), slices=2),
    ]

    for minor in (36, 37):
        (pool,) = gather(*slices, variant=Variant("incubating", minor))
        assert (pool.invalid_reason, list(pool.counter_sets)) == ("", ["set"])


def test_compatibility_groups_are_ignored():
    """1.37 takes a slice with compatibility groups for missing, so its pool is incomplete."""
    consumed = CounterConsumption("set", {"m": "1"}, ("group",))
    member = device("d", {}).__class__("d", {}, {}, (consumed,))
    slices = [counter_slice({"m": "1"}, slices=2), node_slice(member, slices=2)]

    (pool,) = gather(*slices, variant=Variant("incubating", 37))

    assert pool.is_incomplete


def test_a_node_selector_that_cannot_be_parsed():
    """A node selector that makes no sense is fatal."""
    wrong = (NodeSelectorTerm((NodeSelectorRequirement("zone", "Is", ("here",)),)),)

    outcome = allocate("1.36", claim(request("r")), [node_slice(device("d"), node_selector=wrong)])

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.NODE_SELECTOR


@pytest.mark.parametrize("first", ["p", "q"])
def test_pools_stand_in_the_order_of_their_slices(first):
    """Where pools have no order of their own, a slice that comes late in one does not move it."""
    bound = {"binding_conditions": ("x.example/ready",)}
    slices = {
        "p": [
            node_slice(device("a"), pool="p", name="1", slices=2),
            node_slice(device("b", **bound), pool="p", name="2", slices=2),
        ],
        "q": [node_slice(device("c", **bound), pool="q")],
    }
    second = "q" if first == "p" else "p"
    pools = gather(*slices[first], *slices[second], variant=Variant("experimental", 34))

    assert [each.id.pool for each in pools] == [first, second]
