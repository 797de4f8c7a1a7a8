"""The worst case: the fewest claims of one partition that leave no room for another on a node.

In: a node, a small partition and a bigger one, and others that send claims there. Out: a
`Blockade`, with the devices that its claims hold and the arrivals and departures that lead there.
Claims arrive where the scheduler's first fit puts them, and depart in any order.

**What can be reached.** Claims of the small partition alone are always on a part of the placements
that fill the node, and every part can be had (see `room`). So the search goes through these parts,
fewest first, and asks the allocator of each whether the bigger partition still fits: the first
refusal is the least. States that are alike for the bigger partition are looked at once.

**Claims of others.** While they are there, first fit may put a claim where it would not have come
alone, and it stays when they are gone. `least_anywhere` therefore searches all placements that a
claim can ever have, reachable or not: no order of any arrivals can do with fewer. Where this bound
is lower than what was found, `steer` tries to lead claims there: it fills the node with claims of
another partition and lets those go that hold what the next claim shall get. What then is still
unknown is said: `bound` is lower than the number of placements.

**Too much to search.** A node whose devices are told apart one by one can have too many states.
Then `UnknownError` says so; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from neuron_dra.plan.capacity.likeness import Key, Likeness
from neuron_dra.plan.capacity.room import Guest, Room, UnknownError, list_bits
from neuron_dra.plan.capacity.steering import Event, steer

MOST_STATES = 20_000  # of one search; all parts of a node of 16 devices, no two alike, are 65,536
MOST_VARIANTS = 400  # placements that one state is searched for


@dataclass(frozen=True, slots=True)
class Blockade:
    """The fewest claims of one partition after which another does not fit on a node.

    Attributes:
        placements: the devices of each of these claims.
        in_order: how many claims leave no room when they only arrive; None: they never do.
        tolls: by number n, claims that are enough for at most n of the other to fit; for none it is
            the number of placements, while more than n may need fewer than this says.
        events: what leads there from an empty node.
        bound: no claims of the partition can do it with fewer, whoever else comes and goes; None:
            not known.
        steered_by: the partition whose claims lead these to their places; empty when none has to.
        helped_by: the partition whose claims lead these there one by one, so that no more of them
            are ever there; empty when none can, or has to.
    """

    placements: tuple[int, ...]
    in_order: int | None
    tolls: tuple[int, ...]
    events: tuple[Event, ...]
    bound: int | None = None
    steered_by: str = ""
    helped_by: str = ""

    @property
    def peak(self) -> int:
        """The most claims of the partition that are there at once on the way."""
        number = len(self.placements)
        alone = self.steered_by or self.helped_by or self.in_order == number
        return number if alone else max(self._present())

    def _present(self) -> Iterator[int]:
        present = 0
        for event in self.events:
            present += 1 if event.arrives else -1
            yield present

    @property
    def is_least(self) -> bool:
        """Whether nothing can do it with fewer claims of the partition."""
        return self.bound == len(self.placements)


class Alike(NamedTuple):
    """What is alike on a node: for each of two partitions, and for both."""

    for_small: Likeness
    for_big: Likeness
    for_both: Likeness


def find_blockade(
    room: Room, small: Guest, big: Guest, alike: Alike, others: Sequence[Guest] = ()
) -> Blockade | None:
    """Return the worst that claims of a small partition can do; None: the bigger one always fits.

    Raises:
        UnknownError: the search is too long.
    """
    found = _search_parts(room, small, big, alike.for_big)
    limit = len(found.placements) - 1 if found else len(room.devices)
    fixed = has_fixed_places(room, small, alike.for_small)
    try:
        fewer = None if fixed else least_anywhere(room, small, big, alike.for_both, limit)
    except UnknownError:
        if found is None:
            raise
        return _with_help(found, room, small, others)
    if fewer is not None:
        return _steer_by_one(room, small, fewer, others, found)
    return found and _with_help(replace(found, bound=len(found.placements)), room, small, others)


def _steer_by_one(
    room: Room,
    small: Guest,
    fewer: tuple[int, ...],
    others: Sequence[Guest],
    found: Blockade | None,
) -> Blockade:
    """Lead claims to placements that are fewer than what was found without help."""
    for other in others:
        events = steer(room, small, fewer, other)
        if events is not None:
            in_order, tolls = (found.in_order, found.tolls) if found else (None, (len(fewer),))
            tolls = tuple(min(each, len(fewer)) for each in tolls)
            return Blockade(fewer, in_order, tolls, events, len(fewer), other.name)
    if found is None:
        raise UnknownError("places that nobody is known to lead to")
    return _with_help(replace(found, bound=len(fewer)), room, small, others)


def _with_help(found: Blockade, room: Room, small: Guest, others: Sequence[Guest]) -> Blockade:
    """Name who leads the claims to their places one by one, where departures are needed else."""
    if found.in_order == len(found.placements):
        return found
    able = (each.name for each in others if steer(room, small, found.placements, each) is not None)
    return replace(found, helped_by=next(able, ""))


def _search_parts(room: Room, small: Guest, big: Guest, likeness: Likeness) -> Blockade | None:
    """Search the parts of the placements that fill a node."""
    packing = tuple(room.fill(small.claim))
    tolls: dict[int, int] = {}
    for chosen in _list_parts(packing, room.everything, likeness):
        taken = sum(packing[index] for index in list_bits(chosen))
        left = room.count(big.claim, taken)
        tolls.setdefault(left, chosen.bit_count())
        if not left:
            return Blockade(
                tuple(packing[index] for index in list_bits(chosen)),
                _count_in_order(room, packing, big),
                _fill_gaps(tolls),
                tuple(_arrive_and_depart(small.name, packing, chosen)),
            )
    return None


def _list_parts(packing: Sequence[int], everything: int, likeness: Likeness) -> Iterator[int]:
    """Yield parts of a packing as sets of its indices, fewest first; of those alike one."""
    layer, states = [0], 0
    while layer:
        yield from layer
        states += len(layer)
        if states > MOST_STATES:
            raise UnknownError("states")
        following: dict[Key, int] = {}
        for chosen in layer:
            for index in range(len(packing)):
                if not chosen >> index & 1:
                    more = chosen | 1 << index
                    key = _key_of_part(more, packing, everything, likeness)
                    following.setdefault(key, more)
        layer = list(following.values())


def _key_of_part(chosen: int, packing: Sequence[int], everything: int, likeness: Likeness) -> Key:
    remaining = [0 if chosen >> index & 1 else mask for index, mask in enumerate(packing)]
    return likeness.key(remaining, [everything & ~sum(packing)])


def _count_in_order(room: Room, packing: Sequence[int], big: Guest) -> int | None:
    taken = 0
    for number, placement in enumerate(packing, 1):
        taken |= placement
        if not room.place(big.claim, taken):
            return number
    return None


def _fill_gaps(tolls: dict[int, int]) -> tuple[int, ...]:
    """Return by number the fewest claims after which at most so many fit."""
    return tuple(
        min(claims for left, claims in tolls.items() if left <= number)
        for number in range(max(tolls) + 1)
    )


def _arrive_and_depart(name: str, packing: Sequence[int], chosen: int) -> Iterator[Event]:
    last = chosen.bit_length()
    yield from (Event(name, placement, arrives=True) for placement in packing[:last])
    for index, placement in enumerate(packing[:last]):
        if not chosen >> index & 1:
            yield Event(name, placement, arrives=False)


def has_fixed_places(room: Room, guest: Guest, likeness: Likeness) -> bool:
    """Tell whether no two placements that a claim can have on an empty node share a device."""
    try:
        variants = list(list_variants(room, guest, 0, likeness))
    except UnknownError:
        return False
    if all(placement.bit_count() == 1 for placement in variants):
        return True
    return len(variants) == 1 and _is_whole(variants[0], room, likeness)


def _is_whole(placement: int, room: Room, likeness: Likeness) -> bool:
    """Tell whether a placement is all that is like its devices in one group."""
    devices = list(list_bits(placement))
    return len({likeness.groups[device] for device in devices}) == 1 and all(
        not likeness.alike(device, room.everything) & ~placement for device in devices
    )


def least_anywhere(
    room: Room, small: Guest, big: Guest, likeness: Likeness, limit: int
) -> tuple[int, ...] | None:
    """Return the fewest placements, wherever they are, that leave no room, up to a limit."""
    layer: dict[Key, tuple[int, ...]] = {likeness.key((), [room.everything]): ()}
    states = 0
    for _ in range(limit):
        following: dict[Key, tuple[int, ...]] = {}
        for placements in layer.values():
            taken = sum(placements)
            for placement in list_variants(room, small, taken, likeness):
                free = room.everything & ~taken & ~placement
                key = likeness.key((), [free])
                if key not in following:
                    following[key] = (*placements, placement)
                    if not room.place(big.claim, taken | placement):
                        return following[key]
        states += len(following)
        if states > MOST_STATES:
            raise UnknownError("states")
        layer = following
    return None


def list_variants(room: Room, guest: Guest, taken: int, likeness: Likeness) -> Iterator[int]:
    """Yield the placements that a claim can ever have beside what is taken; of those alike one.

    The first is what first fit gives. Every other placement lacks some device of it, or takes
    fewer of a kind: so those devices are hidden, one kind after the other, and first fit is asked
    again.
    """
    free = room.everything & ~taken
    waiting, seen, told = [0], {likeness.key((), [free, 0])}, set()
    while waiting:
        hidden = waiting.pop()
        placement = room.place(guest.claim, taken | hidden)
        if not placement:
            continue
        key = likeness.key((), [free & ~placement, placement])
        if key not in told:
            told.add(key)
            yield placement
        for more in _hide(placement, free & ~hidden, likeness):
            key = likeness.key((), [free & ~hidden & ~more, hidden | more])
            if key not in seen:
                seen.add(key)
                waiting.append(hidden | more)
        if len(seen) > MOST_VARIANTS:
            raise UnknownError("variants")


def _hide(placement: int, free: int, likeness: Likeness) -> Iterator[int]:
    """Yield, for each kind of device in a placement, so many that it cannot be had again."""
    for device in list_bits(placement):
        alike = likeness.alike(device, free)
        held = placement & alike
        if held & -held != 1 << device:
            continue  # not the first of its kind
        surplus = alike.bit_count() - held.bit_count() + 1
        yield sum(1 << each for each, _ in zip(list_bits(alike), range(surplus), strict=False))
