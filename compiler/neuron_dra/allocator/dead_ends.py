"""Parts of a search that are known to fail, so that they are not searched again.

In: places in the search, as they fail. Out: how a like place ends, and how many steps the scheduler
takes there. The scheduler itself remembers nothing: it takes those steps one by one, and its
deadline comes or not. Counting them is how hopeless claims are decided at once: of 17 devices among
16 there are about 5e13 orders, but only 17 places, since all devices are alike.

Two devices are alike when no request, constraint, taint or counter of this allocation can tell them
apart; one that can be shared, or that a request for all devices takes, is like no other. Two places
are alike when the same device is wanted, as many devices of each kind are held and are still to be
tried, and constraints, counters and shares are in the same state. Whether a place fails then does
not depend on which devices are held, nor does the number of steps.

Nothing is remembered where a search that goes back leaves traces (see `Variant.leaks` and
`Constraint.forgets`), or where a claim has admin access.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from neuron_dra.allocator.constraints import lookup_attribute
from neuron_dra.allocator.counters import consumption
from neuron_dra.allocator.outcome import AbortError

if TYPE_CHECKING:
    from neuron_dra.allocator.inventory import Candidate
    from neuron_dra.allocator.problem import Problem
    from neuron_dra.allocator.requests import RequestData
    from neuron_dra.allocator.search import End, Search, Wanted

# Most searches fail less often than this, and need no memory.
_FAILURES_FORGOTTEN = 8


class DeadEnds:
    """What is known of one search."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._is_on = _can_remember(search.problem)
        self._failures = 0
        self._known: dict[Hashable, tuple[End, int]] = {}
        self._kinds: list[int] = []  # by candidate; empty until they are needed
        self._held: list[int] = []  # by kind, how many devices are held

    def place(self, wanted: Wanted, start: int) -> Hashable:
        """Return what a place is like, or None when it is not remembered."""
        if not self._kinds:
            return None
        search = self._search
        problem = search.problem
        return (
            wanted,
            len(search.results[wanted.claim]),
            tuple(self._held),
            self._untried(start) if problem.variant.combines else None,
            tuple(each.state() for each in problem.constraints[wanted.claim]),
            search.counters.state(),
            search.sharing.state(),
        )

    def find(self, place: Hashable) -> End | None:
        """Return how a place ends, if that is known, and count the steps to its end."""
        known = self._known.get(place) if place is not None else None
        if known is None:
            return None
        self._search.problem.effort.skip(known[1])
        return known[0]

    def remember(self, place: Hashable, end: End, steps: int) -> None:
        """Remember how a place ended."""
        if place is not None:
            self._known[place] = end, steps
            return
        self._failures += 1
        if self._is_on and not self._kinds and self._failures > _FAILURES_FORGOTTEN:
            self._tell_apart()

    def note(self, candidate: Candidate, was_held: bool, is_held: bool) -> None:
        """Note that a device is held or given back."""
        if self._kinds:
            self._held[self._kinds[candidate.index]] += is_held - was_held

    def _untried(self, start: int) -> tuple[int, ...]:
        """Return, by kind, how many free devices are at or after a place in the order."""
        search = self._search
        counts = [0] * len(self._held)
        for index in range(start, len(self._kinds)):
            if not search.held_by[index]:
                counts[self._kinds[index]] += 1
        return tuple(counts)

    def _tell_apart(self) -> None:
        """Give devices that are alike the same kind."""
        search = self._search
        numbers: dict[Hashable, int] = {}
        self._kinds = [
            numbers.setdefault(self._likeness(candidate), len(numbers))
            for candidate in search.candidates
        ]
        self._held = [0] * len(numbers)
        for kind, held_by in zip(self._kinds, search.held_by, strict=True):
            self._held[kind] += held_by != 0

    def _likeness(self, candidate: Candidate) -> Hashable:
        """Return what this allocation can tell of a device."""
        search = self._search
        problem = search.problem
        attributes = (
            lookup_attribute(candidate, each.attribute)
            for constraints in problem.constraints
            for each in constraints
        )
        likeness: tuple[Hashable, ...] = (
            search.allocated[candidate.index],
            tuple(self._verdict(data, candidate) for data in problem.requests.values()),
            tuple(attribute and attribute[:2] for attribute in attributes),
        )
        if search.sharing.is_share(candidate):
            return candidate.index  # like no other: what is taken of it is counted device by device
        if candidate.device.consumes_counters:
            owner = candidate.slice.name, candidate.pool.id
            likeness += (owner, tuple(sorted(consumption(candidate.device))))
        return likeness

    def _verdict(self, data: RequestData, candidate: Candidate) -> Hashable:
        """Return whether a request can have a device, None when asking is fatal."""
        search = self._search
        if data.takes_all:  # one after the other, and the first that cannot be had ends it
            return candidate.index if candidate in data.all_devices else None
        try:
            selectable = search.is_selectable(data, candidate)
            fits = search.sharing.fits(data.request.capacity, candidate)
        except AbortError:
            return None
        return selectable and fits and not search.is_tainted(data, candidate)


def _can_remember(problem: Problem) -> bool:
    """Tell whether a search that goes back leaves no trace, and a device has one holder."""
    if any(data.request.admin_access for data in problem.requests.values()):
        return False
    if not all(each.forgets for constraints in problem.constraints for each in constraints):
        return False
    candidates = problem.inventory.candidates
    return not problem.variant.leaks or not (
        problem.features.consumable_capacity
        or any(candidate.device.consumes_counters for candidate in candidates)
    )
