"""Mixes: how many claims of each of several partitions fit on one node together.

In: a node and partitions in an order, best the largest first. Out: whether counts fit and where, in
which order of arrival first fit finds that, and the maximal mixes: counts that fit while one more
claim of any of the partitions does not. Exact: where first fit fails, every placement is tried,
up to likeness. `UnknownError` says where that is too much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from neuron_dra.plan.capacity.likeness import Key, Likeness
from neuron_dra.plan.capacity.room import Guest, Room, UnknownError
from neuron_dra.plan.capacity.worst import list_variants

Counts = tuple[int, ...]  # by partition, claims on a node
MOST_PARTITIONS = 6  # whose mixes are listed
MOST_MIXES = 2_000  # that are tried for a list
MOST_STATES = 5_000  # of one search
_ORDERS = 720  # of the arrival of partitions


@dataclass(slots=True)
class Mixer:
    """Fits claims of several partitions on one node; remembers what does not fit."""

    room: Room
    guests: Sequence[Guest]
    likeness: Likeness  # for the claims of all of them
    _hopeless: set[tuple[Counts, Key]] = field(default_factory=set)
    _weights: list[dict[str, int]] = field(default_factory=list)

    def arrange(self, counts: Counts) -> tuple[tuple[int, int], ...] | None:
        """Return a partition's index and a placement for every claim; None: they do not fit."""
        return self._search(counts, 0)

    def list_maximal(self) -> list[Counts]:
        """Return the maximal mixes, those with more of the first partitions first."""
        if len(self.guests) > MOST_PARTITIONS:
            raise UnknownError("partitions")
        tried = []
        for counts in self._list_mixes(()):
            tried.append(counts)
            if len(tried) > MOST_MIXES:
                raise UnknownError("mixes")
        kept = [
            counts
            for counts in tried
            if not any(other != counts and _covers(other, counts) for other in tried)
        ]
        return sorted(kept, reverse=True)

    def find_order(self, counts: Counts) -> tuple[int, ...] | None:
        """Return the first order of partitions in which their claims, as they arrive, all fit."""
        orders = permutations(range(len(counts)))
        for _, order in zip(range(_ORDERS), orders, strict=False):
            if len(self.fill(counts, order)) == sum(counts):
                return order
        return None

    def fill(self, counts: Counts, order: Sequence[int]) -> tuple[int, ...]:
        """Return the placements of claims that arrive, partition by partition, while they fit."""
        taken, placements = 0, []
        for index in order:
            for _ in range(counts[index]):
                placement = self.room.place(self.guests[index].claim, taken)
                if placement:
                    taken |= placement
                    placements.append(placement)
        return tuple(placements)

    def _list_mixes(self, before: Counts) -> Iterator[Counts]:
        """Yield counts that fit, with as many of the last partition as fit beside the others."""
        missing = (0,) * (len(self.guests) - len(before) - 1)
        number = 0
        while self.arrange((*before, number, *missing)) is not None:
            if missing:
                yield from self._list_mixes((*before, number))
            number += 1
        if not missing and number:
            yield (*before, number - 1)

    def _search(self, counts: Counts, taken: int) -> tuple[tuple[int, int], ...] | None:
        if not any(counts):
            return ()
        free = self.room.everything & ~taken
        key = counts, self.likeness.key((), [free])
        if key in self._hopeless or self._is_too_much(counts, free):
            return None
        index = next(index for index, count in enumerate(counts) if count)
        fewer = tuple(count - (each == index) for each, count in enumerate(counts))
        for placement in list_variants(self.room, self.guests[index], taken, self.likeness):
            rest = self._search(fewer, taken | placement)
            if rest is not None:
                return ((index, placement), *rest)
        self._hopeless.add(key)
        if len(self._hopeless) > MOST_STATES:
            raise UnknownError("states")
        return None

    def _is_too_much(self, counts: Counts, free: int) -> bool:
        """Tell whether claims need more devices of a driver than are free."""
        if not self._weights:
            self._weights = [self._weigh(guest) for guest in self.guests]
        available = self._count_by_driver(free)
        return any(
            sum(count * weight[driver] for count, weight in zip(counts, self._weights, strict=True))
            > available[driver]
            for driver in available
        )

    def _weigh(self, guest: Guest) -> dict[str, int]:
        """Return by driver how many devices every claim takes; none where it has alternatives."""
        varies = any(request.first_available for request in guest.claim.requests)
        return self._count_by_driver(0 if varies else self.room.place(guest.claim, 0))

    def _count_by_driver(self, devices: int) -> dict[str, int]:
        counted = dict.fromkeys((each.id.driver for each in self.room.devices), 0)
        for each in self.room.devices:
            counted[each.id.driver] += devices >> each.index & 1
        return counted


def _covers(counts: Counts, others: Counts) -> bool:
    return all(count >= other for count, other in zip(counts, others, strict=True))
