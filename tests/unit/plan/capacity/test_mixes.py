"""Mixes against every state that can be reached, and spreading claims over nodes."""

from __future__ import annotations

from itertools import product

import pytest

from neuron_dra.plan.capacity import mixes
from neuron_dra.plan.capacity.mixes import Mixer
from neuron_dra.plan.capacity.room import UnknownError
from neuron_dra.plan.capacity.spread import Demand, spread
from unit.allocator.small import claim, exactly, first_available
from unit.plan.capacity.small_rooms import (
    CHIP,
    EVEN,
    FOUR,
    ONE,
    ONE_NET,
    PAIR,
    PAIR_NET,
    THREE,
    TWO,
    Guest,
    compare,
    make_room,
    walk,
)


def make_mixer(*guests, devices=8, net=False):
    room = make_room(devices, interfaces=net)
    return Mixer(room, guests, compare(room, *guests))


def count(state, guests):
    return tuple(sum(index == each for each, _ in state) for index in range(len(guests)))


def covers(counts, others):
    return all(a >= b for a, b in zip(counts, others, strict=True))


@pytest.mark.parametrize(
    "guests",
    [(FOUR, ONE), (FOUR, PAIR, ONE), (THREE, TWO), (THREE, PAIR), (EVEN, ONE), (PAIR, EVEN)],
    ids=lambda guests: "-".join(each.name for each in guests),
)
def test_maximal(guests):
    """The maximal mixes are those of all states, where first fit with departures reaches all."""
    mixer = make_mixer(*guests)
    reached = {count(state, guests) for state in walk(mixer.room, guests)}
    best = {each for each in reached if not any(o != each and covers(o, each) for o in reached)}

    assert mixer.list_maximal() == sorted(best, reverse=True)


@pytest.mark.parametrize(
    "guests",
    [(THREE, EVEN), (PAIR, EVEN, TWO), (PAIR_NET, ONE_NET, ONE)],
    ids=lambda guests: "-".join(each.name for each in guests),
)
def test_arranged(guests):
    """An arrangement has every claim once, on devices of its own; what is reached has one."""
    mixer = make_mixer(*guests, devices=6, net=guests[0] is PAIR_NET)
    reached = {count(state, guests) for state in walk(mixer.room, guests)}

    for counts in product(range(5), repeat=len(guests)):
        found = mixer.arrange(counts)
        assert found is not None or counts not in reached
        if found is not None:
            assert count(found, guests) == counts
            taken = 0
            for _, placement in found:
                assert not taken & placement
                taken |= placement


def test_order():
    """The order as named is tried first; of the others the first that works is told."""
    mixer = make_mixer(ONE, EVEN)

    assert mixer.find_order((5, 3)) == (1, 0)
    assert mixer.find_order((2, 2)) == (0, 1)
    assert mixer.find_order((6, 3)) is None
    assert len(mixer.fill((5, 4), (0, 1))) == 6


def test_alternatives_are_not_weighed():
    """A claim with alternatives of different size is tried, not counted."""
    either = first_available("chips", exactly(6, CHIP), exactly(1, CHIP))
    mixer = make_mixer(Guest("either", claim(either).devices))

    assert len(mixer.arrange((8,))) == 8
    assert mixer.arrange((9,)) is None


@pytest.mark.parametrize(
    ("limit", "value"), [("MOST_PARTITIONS", 1), ("MOST_MIXES", 1), ("MOST_STATES", 0)]
)
def test_too_many(limit, value, monkeypatch):
    """What is too much to list or to search is not guessed."""
    monkeypatch.setattr(mixes, limit, value)

    with pytest.raises(UnknownError):
        make_mixer(PAIR, EVEN).list_maximal()


@pytest.mark.parametrize(
    ("demands", "left", "used"),
    [
        ([(FOUR, 3), (ONE, 4)], (0, 0), (2,)),
        ([(FOUR, 5)], (1,), (2,)),
        ([(ONE, 5), (FOUR, 2)], (0, 0), (2,)),
        ([(ONE, 5), (FOUR, 3)], (0, 1), (2,)),
        ([(TWO, 0)], (0,), (0,)),
    ],
)
def test_spread(demands, left, used):
    """Claims fill started nodes before new ones, and what finds no place is counted."""
    room = make_room(8)

    found = spread([(room, 2)], [Demand(each, number, (0,)) for each, number in demands])

    assert (found.left_over, found.used) == (left, used)


def test_spread_over_pools():
    """A claim goes only to the pools that serve it, the first first."""
    rooms = [(make_room(4), 1), (make_room(8), 1)]

    found = spread(rooms, [Demand(FOUR, 2, (0, 1)), Demand(FOUR, 1, (0,)), Demand(ONE, 9, (1,))])

    assert found.left_over == (0, 1, 5)
    assert found.used == (1, 1)
