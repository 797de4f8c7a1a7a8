"""Rooms: what is remembered is what the allocator says."""

from __future__ import annotations

import pytest

from neuron_dra.allocator import effort
from neuron_dra.plan.capacity.room import Room, UnknownError, list_bits
from unit.allocator.small import MINORS, NODE, allocator, device, node_slice
from unit.plan.capacity.small_rooms import (
    CHIP,
    EVEN,
    FOUR,
    FOUR_NET,
    ONE,
    ONE_NET,
    PAIR,
    PAIR_NET,
    THREE,
    TWO,
    ask,
    guest,
    make_room,
)

GUESTS = (ONE, TWO, THREE, PAIR, FOUR, EVEN, ONE_NET, PAIR_NET, FOUR_NET)


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("each", GUESTS, ids=lambda each: each.name)
def test_remembered(each, minor):
    """On every state, asked in a mixed order, a room answers as the allocator does there."""
    room = make_room(4, interfaces=True, minor=minor)

    for step in range(64):
        taken = step * 37 % 64
        assert room.place(each.claim, taken) == ask(room, each, taken)


def test_fill():
    """Claims that arrive take the next devices until none fits."""
    room = make_room(8)

    assert [list(list_bits(each)) for each in room.fill(THREE.claim)] == [[0, 1, 2], [3, 4, 5]]
    assert [list(list_bits(each)) for each in room.fill(PAIR.claim, 0b1)] == [
        [2, 3],
        [4, 5],
        [6, 7],
    ]
    assert room.count(ONE.claim, 0b101) == 6


def test_fatal():
    """A claim that the scheduler gives up has no places that could be told."""
    room = make_room(4)
    wrong = guest("wrong", where='device.attributes["y"].missing == 1')

    with pytest.raises(UnknownError, match="Fatal"):
        room.place(wrong.claim, 0)


def test_judge():
    """Where the scheduler would search too long, another allocator says whether there is anything.

    That there is something does not say what the scheduler gives before its deadline.
    """
    chips = [device(f"d{number}", {"x/a": number}) for number in range(16)]
    slices = [node_slice(*chips, driver=CHIP)]
    slow, fast = allocator("1.34", slices), allocator("1.36", slices)
    many = guest("many", 17)

    assert Room(NODE, slow, fast).place(many.claim, 0) == 0
    with pytest.raises(UnknownError, match="Timeout"):
        Room(NODE, slow).place(many.claim, 0)


def test_undecided(monkeypatch):
    """A search that is too long for us is not told."""
    monkeypatch.setattr(effort, "PATIENCE", 1)
    room = make_room(8)

    with pytest.raises(UnknownError, match="Undecided"):
        room.place(THREE.claim, 0)
