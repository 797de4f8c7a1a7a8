"""The worst case against every state that can be reached on small nodes."""

from __future__ import annotations

from itertools import permutations

import pytest

from neuron_dra.plan.capacity import worst
from neuron_dra.plan.capacity.room import UnknownError, list_bits
from neuron_dra.plan.capacity.steering import steer
from neuron_dra.plan.capacity.worst import (
    find_blockade,
    has_fixed_places,
    least_anywhere,
    list_variants,
)
from unit.plan.capacity.small_rooms import (
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
    compare,
    compare_pair,
    guest,
    least_blocking,
    make_room,
    replay,
    walk,
)

PLAIN = (ONE, TWO, THREE, PAIR, FOUR, EVEN)
NETTED = (ONE, ONE_NET, PAIR_NET, FOUR_NET)
PAIRS = [
    *((8, False, small, big) for small, big in permutations(PLAIN, 2)),
    *((8, True, small, big) for small, big in permutations(NETTED, 2)),
    *((6, False, small, big) for small, big in permutations((TWO, THREE, PAIR), 2)),
]
IDS = [f"{count}-{small.name}-{big.name}-{net}" for count, net, small, big in PAIRS]


@pytest.mark.parametrize(("devices", "net", "small", "big"), PAIRS, ids=IDS)
def test_alone(devices, net, small, big):
    """Without others it is the fewest claims of all states that can be reached."""
    room = make_room(devices, interfaces=net)
    expected = least_blocking(room, small, big)

    try:
        found = find_blockade(room, small, big, compare_pair(room, small, big))
    except UnknownError:
        assert expected is None
        return

    assert (found and len(found.placements)) == expected
    if found is not None:
        assert found.bound is None or found.bound <= expected
        assert not ask(room, big, sum(found.placements))


@pytest.mark.parametrize(
    ("small", "big", "others"),
    [
        (TWO, FOUR, (ONE,)),
        (TWO, FOUR, (FOUR,)),
        (TWO, FOUR, (THREE,)),
        (THREE, FOUR, (ONE, FOUR)),
        (ONE, FOUR, (TWO,)),
        (PAIR, FOUR, (ONE,)),
        (TWO, PAIR, (ONE,)),
        (THREE, PAIR, (ONE,)),
        (ONE, TWO, (EVEN,)),
    ],
    ids=lambda value: value.name if hasattr(value, "name") else "",
)
def test_beside_others(small, big, others):
    """What others can help to is found, or the number is said to be no bound."""
    room = make_room(8)
    expected = least_blocking(room, small, big, others)

    found = find_blockade(room, small, big, compare_pair(room, small, big), others)

    assert found.bound <= expected <= len(found.placements)
    if found.is_least:
        assert len(found.placements) == expected
    if found.steered_by:
        alone = least_blocking(room, small, big)
        assert alone is None or len(found.placements) < alone


def test_others_lead_to_fewer():
    """Two scattered pairs lie across two fours only where single devices led them there."""
    room = make_room(8)
    alike = compare_pair(room, TWO, FOUR)

    alone = find_blockade(room, TWO, FOUR, alike)
    led = find_blockade(room, TWO, FOUR, alike, [FOUR, ONE])

    assert (len(alone.placements), alone.bound) == (2, 1)
    assert (len(led.placements), led.steered_by, led.is_least, led.peak) == (1, "one", True, 1)


@pytest.mark.parametrize(("devices", "net", "small", "big"), PAIRS, ids=IDS)
def test_proof(devices, net, small, big):
    """The events lead from an empty node to the placements, which leave no room."""
    room = make_room(devices, interfaces=net)
    others = [each for each in (ONE, big) if each is not small]
    try:
        found = find_blockade(room, small, big, compare_pair(room, small, big), others)
    except UnknownError:
        return
    if found is None:
        return

    left = replay(room, [small, *others], found.events)

    assert sorted(left) == sorted((small.name, each) for each in found.placements)
    assert not ask(room, big, sum(found.placements))


def test_in_order():
    """When claims only arrive, more are needed than in the worst order."""
    room = make_room(8)

    found = find_blockade(room, ONE, FOUR, compare_pair(room, ONE, FOUR), [FOUR])

    assert [list(list_bits(each)) for each in found.placements] == [[0], [4]]
    assert found.in_order == 5
    assert found.tolls == (2, 1, 0)
    assert (found.helped_by, found.peak) == ("four", 2)


def test_peak_without_help():
    """With nobody to help, all that arrived before were there at once."""
    room = make_room(8)

    found = find_blockade(room, ONE, FOUR, compare_pair(room, ONE, FOUR))

    assert (len(found.placements), found.helped_by, found.peak) == (2, "", 5)


def test_tolls():
    """A toll is enough: after so many claims, where they lie worst, no more of the other fit."""
    room = make_room(8)
    states = walk(room, [ONE])

    found = find_blockade(room, ONE, PAIR, compare_pair(room, ONE, PAIR))

    for left, toll in enumerate(found.tolls):
        reached = [s for s in states if len(s) == toll]
        assert min(room.count(PAIR.claim, sum(p for _, p in s)) for s in reached) <= left


def test_never():
    """Claims that can only be on even devices always leave room for a single one."""
    room = make_room(8)

    assert find_blockade(room, EVEN, ONE, compare_pair(room, EVEN, ONE)) is None


@pytest.mark.parametrize("one", [ONE, TWO, THREE, PAIR, FOUR, EVEN], ids=lambda each: each.name)
@pytest.mark.parametrize("taken", [0, 0b1, 0b100110, 0b11110000])
def test_variants(one, taken):
    """The variants stand for exactly the placements that are possible, whoever is around."""
    room = make_room(8)
    likeness = compare(room, one)
    free = room.everything & ~taken
    possible = {ask(room, one, taken | hidden) for hidden in range(256) if not hidden & taken}

    variants = list(list_variants(room, one, taken, likeness))

    def key(placement):
        return likeness.key((), [free & ~placement, placement])

    assert {key(each) for each in variants} == {key(each) for each in possible - {0}}
    assert len({key(each) for each in variants}) == len(variants)


@pytest.mark.parametrize(
    ("one", "fixed"),
    [(ONE, True), (PAIR, True), (FOUR, True), (EVEN, True), (TWO, False), (THREE, False)],
    ids=lambda value: getattr(value, "name", value),
)
def test_fixed_places(one, fixed):
    """Places are fixed where no two placements share a device."""
    room = make_room(8)

    assert has_fixed_places(room, one, compare(room, one)) == fixed


def test_shared_interface():
    """Two devices beside one interface share their places."""
    room = make_room(8, interfaces=True)

    assert not has_fixed_places(room, ONE_NET, compare(room, ONE_NET))
    assert has_fixed_places(room, PAIR_NET, compare(room, PAIR_NET))


def test_unsteered():
    """A partition that never holds the devices in between leads nobody past them."""
    room = make_room(8)

    assert steer(room, TWO, [0b11000], FOUR) is None
    assert steer(room, TWO, [0b11000], ONE) is not None


def test_too_many_states(monkeypatch):
    """A search through too many states is given up, never guessed."""
    monkeypatch.setattr(worst, "MOST_STATES", 0)
    room = make_room(8)

    with pytest.raises(UnknownError):
        least_anywhere(room, ONE, FOUR, compare(room, ONE, FOUR), 3)
    with pytest.raises(UnknownError):
        find_blockade(room, ONE, FOUR, compare_pair(room, ONE, FOUR))


def test_too_many_variants(monkeypatch):
    """Where the placements are too many to try, what claims do alone is told without a bound."""
    monkeypatch.setattr(worst, "MOST_VARIANTS", 0)
    room = make_room(8)

    found = find_blockade(room, TWO, FOUR, compare_pair(room, TWO, FOUR))

    assert (len(found.placements), found.bound) == (2, None)


def test_nothing_found_and_too_long(monkeypatch):
    """Where claims alone leave room and the rest is too long to search, nothing is said."""
    monkeypatch.setattr(worst, "MOST_VARIANTS", 0)
    room = make_room(8)
    far = guest("far", 2, where='device.attributes["x"].number % 4 == 1')

    with pytest.raises(UnknownError):
        find_blockade(room, far, TWO, compare_pair(room, far, TWO))
