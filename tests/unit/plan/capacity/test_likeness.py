"""Likeness: states that claims cannot tell apart have one key, others do not."""

from __future__ import annotations

from itertools import combinations

import pytest

from neuron_dra.plan.capacity.room import Room
from unit.allocator.small import NODE, allocator, device, node_slice
from unit.plan.capacity.small_rooms import (
    CHIP,
    EVEN,
    FOUR,
    FOUR_NET,
    ONE,
    ONE_NET,
    PAIR,
    TWO,
    compare,
    guest,
    make_room,
)


@pytest.mark.parametrize(
    ("guests", "keys"),
    [
        ((ONE,), 9),  # only how many are free
        ((EVEN,), 25),  # of 4 even and 4 odd ones
        ((FOUR,), 15),  # two numbers of up to 4, in no order
        ((PAIR,), 15),  # four numbers of up to 2, in no order
        ((PAIR, FOUR), 21),  # two fours of two pairs, each in no order
    ],
    ids=lambda value: "-".join(each.name for each in value) if isinstance(value, tuple) else "",
)
def test_keys(guests, keys):
    """There are as many keys as ways to be free that the claims can tell."""
    room = make_room(8)
    likeness = compare(room, *guests)

    assert len({likeness.key((), [free]) for free in range(256)}) == keys


@pytest.mark.parametrize("one", [ONE, TWO, EVEN, PAIR, FOUR, ONE_NET, FOUR_NET])
@pytest.mark.parametrize("other", [TWO, PAIR, FOUR])
def test_equal_keys_hold_as_many(one, other):
    """States of one key have room for as many claims of each partition."""
    room = make_room(4, interfaces=True)
    likeness = compare(room, one, other)
    counts = {}
    for free in range(64):
        taken = room.everything & ~free
        count = room.count(one.claim, taken), room.count(other.claim, taken)
        counts.setdefault(likeness.key((), [free]), set()).add(count)

    assert all(len(each) == 1 for each in counts.values())


def test_wholes():
    """Sets of devices inside a group are alike by their contents, across groups only by number."""
    likeness = compare(make_room(8), FOUR)
    within = [(0b11, 0b1100), (0b11, 0b110000), (0b1111, 0)]
    across = [(0b11000, 0), (0b100001, 0), (0, 0b11000)]

    keys = [likeness.key(each, [0]) for each in within]
    assert keys[0] != keys[1]
    assert keys[1] == likeness.key((0b110000, 0b1001), [0])
    crossing = [likeness.key(each, [0]) for each in across]
    assert crossing[0] == crossing[1] != crossing[2]


def test_alike():
    """Devices are alike in one group and of one kind."""
    room = make_room(8)

    assert compare(room, FOUR).alike(5, 0b10110110) == 0b10110000
    assert compare(room, EVEN).alike(0, 0b10110110) == 0b00010100


def make_odd_room(values):
    """Make a node of devices with values of the attributes `a` and `b`."""
    chips = [device(f"d{n}", {"x/a": a, "x/b": b}) for n, (a, b) in enumerate(values)]
    return Room(NODE, allocator("1.36", [node_slice(*chips, driver=CHIP)]))


def test_crossing_attributes_keep_names():
    """Where groups of two attributes cut across each other, their values keep their names."""
    room = make_odd_room([(0, 0), (0, 1), (1, 0), (1, 1)])
    likeness = compare(room, guest("a", 2, "a"), guest("b", 2, "b"))

    singles = [likeness.key((), [1 << bit]) for bit in range(4)]
    assert all(first != second for first, second in combinations(singles, 2))


def test_lists_keep_names():
    """Lists keep their values, since two of them may share one."""
    room = make_odd_room([(("ints", (1, 2)), 0), (("ints", (2, 3)), 0), (("ints", (4,)), 0)])
    likeness = compare(room, guest("a", 2, "a"))

    assert len({likeness.key((), [1 << bit]) for bit in range(3)}) == 3


def test_missing_attribute_is_another_kind():
    """A device without the attribute that is compared is not like one that has it."""
    chips = [device("d0", {"x/a": 1}), device("d1", {}), device("d2", {"x/a": 2})]
    room = Room(NODE, allocator("1.36", [node_slice(*chips, driver=CHIP)]))
    likeness = compare(room, guest("a", 1, "a"))

    keys = [likeness.key((), [1 << bit]) for bit in range(3)]
    assert keys[0] == keys[2] != keys[1]


def test_selector_without_value():
    """A selector that cannot be evaluated on a device makes it a kind of its own."""
    chips = [device("d0", {"x/a": 1}), device("d1", {})]
    room = Room(NODE, allocator("1.36", [node_slice(*chips, driver=CHIP)]))
    likeness = compare(room, guest("a", where='device.attributes["x"].a == 2'))

    assert likeness.kinds[0] != likeness.kinds[1]
