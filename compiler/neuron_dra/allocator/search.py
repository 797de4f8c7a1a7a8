"""The search for devices: claim by claim, request by request, device by device.

In: checked requests, constraints and candidates. Out: whether all requests can be served, with the
devices in `results`. The idea stands in the docstring of `allocator`; the functions carry the names
of the scheduler's, so that the two can be read side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from neuron_dra.allocator.counters import Counters
from neuron_dra.allocator.dead_ends import DeadEnds
from neuron_dra.allocator.inventory import Candidate
from neuron_dra.allocator.outcome import AbortError, Cause
from neuron_dra.allocator.problem import Problem
from neuron_dra.allocator.requests import RequestData, RequestKey
from neuron_dra.allocator.sharing import Sharing
from neuron_dra.allocator.taints import taint_prevents_allocation
from neuron_dra.kube.claim import ALLOCATION_RESULTS_MAX_SIZE


class End(Enum):
    """How a part of the search ended."""

    FOUND = "found"
    FAILED = "failed"
    TOO_MANY = "too many"  # no choice of devices stays within what a claim may have


class Wanted(NamedTuple):
    """A device to find: the number of its claim, request, subrequest, and its own."""

    claim: int
    request: int = 0
    subrequest: int = 0
    device: int = 0

    @property
    def key(self) -> RequestKey:
        return RequestKey(self.claim, self.request, self.subrequest)


@dataclass(slots=True, eq=False)
class Choice:
    """A device that is chosen for a request, and what has to be undone to give it back."""

    data: RequestData
    candidate: Candidate
    counters: bool = False
    constraints: int = 0
    held: bool = False
    consumed: dict[str, int] | None = None  # of a share
    was_shared: bool = False


class Search:
    """One search.

    Attributes:
        results: by claim, the devices chosen so far.
        held_by: by candidate, the claims that hold it as a whole, as bits.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.candidates = problem.inventory.candidates
        self.results: list[list[Choice]] = [[] for _ in problem.claims]
        self.held_by = [0] * len(self.candidates)
        self.counters = Counters(problem.state, problem.variant)
        self.sharing = Sharing(problem.features, problem.variant, problem.state)
        devices = problem.state.devices
        self.allocated = [candidate.id in devices for candidate in self.candidates]
        self.dead_ends = DeadEnds(self)

    def run(self) -> bool:
        """Search; tell whether all claims are served."""
        end = self.allocate_one(Wanted(0), is_subrequest=False, start=0)
        if end is End.TOO_MANY:
            raise AbortError(Cause.LIMIT, "allocation max size exceeded")
        return end is End.FOUND

    def allocate_one(self, wanted: Wanted, *, is_subrequest: bool, start: int) -> End:
        """Find a device and everything after it."""
        problem = self.problem
        problem.effort.step()
        if wanted.claim >= len(problem.claims):
            return End.FOUND
        if wanted.request >= len(problem.claims[wanted.claim].devices.requests):
            end = self.allocate_one(Wanted(wanted.claim + 1), is_subrequest=False, start=0)
            return End.FAILED if end is End.TOO_MANY else end
        data = problem.requests[wanted.key]
        if data.parent and not is_subrequest:
            return self._allocate_first_available(wanted, data)
        if data.takes_all and not data.all_devices:
            return End.FAILED
        if wanted.device >= data.num_devices:
            following = Wanted(wanted.claim, wanted.request + 1)
            return self.allocate_one(following, is_subrequest=False, start=0)
        remaining = data.num_devices - wanted.device
        if remaining + len(self.results[wanted.claim]) > ALLOCATION_RESULTS_MAX_SIZE:
            return End.TOO_MANY
        if data.takes_all:
            return self._allocate_all(wanted, data)
        return self._allocate_exact_count(wanted, data, start)

    def _allocate_first_available(self, wanted: Wanted, first: RequestData) -> End:
        """Try the subrequests in order; all that follows is tried with each."""
        too_many = True
        subrequest = wanted
        while subrequest.key in self.problem.requests:
            end = self.allocate_one(subrequest, is_subrequest=True, start=0)
            if end is End.FOUND:
                first.selected = subrequest.subrequest
                return end
            too_many = too_many and end is End.TOO_MANY
            subrequest = subrequest._replace(subrequest=subrequest.subrequest + 1)
        return End.TOO_MANY if too_many else End.FAILED

    def _allocate_all(self, wanted: Wanted, data: RequestData) -> End:
        """Take the next of the devices that are all wanted; there is no other choice."""
        choice = self.allocate_device(wanted, data, data.all_devices[wanted.device], must=True)
        if choice is None:
            return End.FAILED
        following = wanted._replace(device=wanted.device + 1)
        if self.problem.variant.mixes_up_subrequests:
            following = following._replace(subrequest=0)
        end = self.allocate_one(following, is_subrequest=bool(data.parent), start=0)
        if end is not End.FOUND:
            self.deallocate_device(wanted, choice)
        return end

    def _allocate_exact_count(self, wanted: Wanted, data: RequestData, start: int) -> End:
        """Try every candidate from a start on, unless it is known that none will do."""
        place = self.dead_ends.place(wanted, start)
        known = self.dead_ends.find(place)
        if known is not None:
            return known
        before = self.problem.effort.steps
        end = self._try_candidates(wanted, data, start)
        if end is not End.FOUND:
            self.dead_ends.remember(place, end, self.problem.effort.steps - before)
        return end

    def _try_candidates(self, wanted: Wanted, data: RequestData, start: int) -> End:
        combines = self.problem.variant.combines
        barrier, pool = self.problem.inventory.invalid or (-1, None)
        for candidate in self.candidates[start if combines else 0 :]:
            if candidate.index == barrier:
                break
            choice = self._choose(wanted, data, candidate)
            if choice is None:
                continue
            end = self.allocate_one(
                wanted._replace(device=wanted.device + 1),
                is_subrequest=bool(data.parent),
                start=candidate.index + 1,
            )
            if end is End.FOUND:
                return end
            self.deallocate_device(wanted, choice)
            if end is End.TOO_MANY:
                return end
        if pool is not None:
            reason = f"pool {pool.id.pool} is invalid: {pool.invalid_reason}"
            raise AbortError(Cause.POOL, reason)
        return End.FAILED

    def _choose(self, wanted: Wanted, data: RequestData, candidate: Candidate) -> Choice | None:
        """Choose a candidate, if it is free, selectable, large enough and allowed."""
        if self._is_in_use(wanted, data, candidate) or not self.is_selectable(data, candidate):
            return None
        if not self.sharing.fits(data.request.capacity, candidate):
            return None
        return self.allocate_device(wanted, data, candidate, must=False)

    def _is_in_use(self, wanted: Wanted, data: RequestData, candidate: Candidate) -> bool:
        if data.request.admin_access:
            return bool(self.held_by[candidate.index] >> wanted.claim & 1)
        return self.device_in_use(candidate)

    def device_in_use(self, candidate: Candidate) -> bool:
        """Tell whether any claim holds a device as a whole."""
        return self.allocated[candidate.index] or self.held_by[candidate.index] != 0

    def is_selectable(self, data: RequestData, candidate: Candidate) -> bool:
        """Tell whether a device is what a request asks for."""
        claim = self.problem.claims[data.key.claim]
        return self.problem.selectors.is_selectable(data.key, data, candidate, claim)

    def allocate_device(
        self, wanted: Wanted, data: RequestData, candidate: Candidate, *, must: bool
    ) -> Choice | None:
        """Choose a device that is selectable, if nothing forbids it.

        With `must`, a constraint that forbids it is fatal: then no other device would do.
        """
        is_share = self.sharing.is_share(candidate)
        in_use = self._is_in_use(wanted, data, candidate)
        if in_use and not (is_share and data.request.admin_access):
            return None
        choice = Choice(data, candidate)
        if not self._reserve_counters(choice, is_share):
            return None
        if self._is_refused(wanted, choice, must):
            self._give_back(wanted, choice, keep_counters=self.problem.variant.leaks)
            return None
        if not is_share:
            self._hold(wanted, candidate, held=True)
            choice.held = True
        if not self.sharing.still_fits(data.request.capacity, candidate, wanted.device):
            if not self.problem.variant.leaks:
                self._give_back(wanted, choice)
            return None
        if is_share:
            choice.consumed, choice.was_shared = self.sharing.take(data.request.capacity, candidate)
        self.results[wanted.claim].append(choice)
        return choice

    def _reserve_counters(self, choice: Choice, is_share: bool) -> bool:
        candidate = choice.candidate
        if not candidate.device.consumes_counters:
            return True
        if not self.problem.features.partitionable_devices:
            return False
        skips = is_share and self.problem.variant.skips_counters_of_shares
        if skips and self.sharing.is_shared(candidate):
            return True
        if choice.data.takes_all and self.problem.variant.crashes_at_counters_of_all:
            raise AbortError(Cause.CRASH, "invalid memory address or nil pointer dereference")
        choice.counters = self.counters.check_available_counters(candidate)
        return choice.counters

    def _is_refused(self, wanted: Wanted, choice: Choice, must: bool) -> bool:
        """Tell whether a taint or a constraint refuses a device."""
        data, candidate = choice.data, choice.candidate
        if self.is_tainted(data, candidate):
            return True
        for constraint in self.problem.constraints[wanted.claim]:
            if not constraint.add(data, candidate):
                if must:
                    raise self._must_not_fail(wanted, choice)
                return True
            choice.constraints += 1
        return False

    def is_tainted(self, data: RequestData, candidate: Candidate) -> bool:
        """Tell whether a device has a taint that a request does not tolerate."""
        if not candidate.device.taints or not self.problem.features.device_taints:
            return False
        any_effect = self.problem.variant.fails_on_any_taint
        tolerations = data.request.tolerations
        return taint_prevents_allocation(candidate.device, tolerations, any_effect=any_effect)

    def _must_not_fail(self, wanted: Wanted, choice: Choice) -> AbortError:
        claim = self.problem.claims[wanted.claim]
        return AbortError(
            Cause.CONSTRAINT,
            f"claim {claim}, request {choice.data.name}: cannot add device "
            f"{choice.candidate.id} because a claim constraint would not be satisfied",
        )

    def deallocate_device(self, wanted: Wanted, choice: Choice) -> None:
        """Undo the choice that was made last."""
        self.results[wanted.claim].pop()
        keeps = choice.consumed is not None and self.problem.variant.leaks
        self._give_back(wanted, choice, keep_counters=keeps)

    def _give_back(self, wanted: Wanted, choice: Choice, *, keep_counters: bool = False) -> None:
        if choice.consumed is not None:
            self.sharing.give_back(choice.candidate, choice.consumed, choice.was_shared)
        if choice.held:
            self._hold(wanted, choice.candidate, held=False)
        for constraint in self.problem.constraints[wanted.claim][: choice.constraints]:
            constraint.remove(choice.data)
        if choice.counters and not keep_counters:
            self.counters.deallocate_counters_for_device(choice.candidate)

    def _hold(self, wanted: Wanted, candidate: Candidate, *, held: bool) -> None:
        bit = 1 << wanted.claim
        before = self.held_by[candidate.index]
        self.held_by[candidate.index] = before | bit if held else before & ~bit
        self.dead_ends.note(candidate, before != 0, self.held_by[candidate.index] != 0)
