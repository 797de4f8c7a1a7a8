"""Allocation of claims on one cluster node, as the scheduler's structured allocator does it.

In: device classes, resource slices, what is allocated already, and the environment in which
selectors are compiled; then a node and the claims of a pod. Out: an `Outcome`. Chooses no node,
writes no status, and reads no clock: where the scheduler would run into its deadline, counted steps
say so.

**Pools.** Slices that matter on the node are grouped by driver and pool. Only the newest generation
counts. A pool with missing slices is incomplete, one whose slices contradict each other is invalid;
both give nothing. From 1.36 on pools are ordered by name, slices in a pool by name, devices as they
stand in their slice, and pools with binding conditions come last. Before, any order is possible;
ours is that of the slices, so a device that is chosen there is one of those that may be chosen.

**Checks.** Then every request is looked at once: does its class exist, is what it asks for switched
on, how many devices does it take. A request for all devices gets the list of them now. A claim that
would take more than 32 devices, whichever of its alternatives it gets, ends here.

**Search.** Depth first, the first solution wins: claim by claim in the order of the pod, request by
request, device by device. For every device that is wanted the candidates are tried in order: not in
use, selected by class and request, large enough, counters left, taints tolerated, constraints
satisfied. The one chosen is marked, and the search goes on with the next device; when that fails,
the mark is taken back and the next candidate is tried. From 1.36 on a request takes its devices in
rising order, so every set of devices is tried once; before, in every order. A request with
subrequests tries them one after the other, and everything behind it with each. A request for all
devices has no choice: one that cannot be had fails it, and one that a constraint refuses is fatal.

**Failures.** What is wrong with the claim itself, such as a selector that reads a missing
attribute, is `Fatal`: the scheduler gives the pod up. What only fails here is `Unsatisfiable`: it
tries other nodes.

**Time.** The search can be very long, above all before 1.36, and the scheduler stops after ten
seconds. We do not search what is known to fail (`dead_ends`), but count the steps that the
scheduler takes there, and say `Timeout` where they are too many (`effort`). Where we cannot skip
and would search too long ourselves, the outcome is `Undecided`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from neuron_dra.allocator.effort import Effort, OutOfPatienceError, OutOfTimeError
from neuron_dra.allocator.features import Features, choose_variant
from neuron_dra.allocator.inventory import Inventory, take_inventory
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import (
    CANNOT_ALLOCATE,
    INVALID_POOLS,
    AbortError,
    Allocated,
    Outcome,
    Timeout,
    Undecided,
    Unsatisfiable,
)
from neuron_dra.allocator.pools import gather_pools
from neuron_dra.allocator.problem import Problem
from neuron_dra.allocator.results import make_result, take_alternatives
from neuron_dra.allocator.search import Search
from neuron_dra.allocator.selectors import Expressions, Selectors
from neuron_dra.allocator.validation import Validation
from neuron_dra.cel.environment import Environment
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ALLOCATION_RESULTS_MAX_SIZE, DeviceClass, ResourceClaim
from neuron_dra.kube.slice import ResourceSlice

NOTHING_ALLOCATED = AllocatedState()

_FRAMES_PER_DEVICE = 3  # of the search's recursion
_FRAMES_PER_REQUEST = 6


class Allocator:
    """An allocator for any number of nodes and claims.

    Args:
        features: what is switched on.
        minor: like `1.36`.
        classes: all device classes.
        slices: all resource slices.
        allocated: what claims hold already.
        environment: compiles selectors; the scheduler's knows all that its minor has.
        expressions: those that other allocators with the same environment compiled already.
    """

    def __init__(
        self,
        features: Features,
        minor: str,
        classes: Iterable[DeviceClass],
        slices: Sequence[ResourceSlice],
        allocated: AllocatedState,
        environment: Environment,
        expressions: Expressions | None = None,
    ) -> None:
        self.features = features
        self.variant = choose_variant(minor, features)
        self.classes = {each.name: each for each in classes}
        self.slices = slices
        self.allocated = allocated
        self._expressions = Expressions(environment) if expressions is None else expressions
        self._inventories: dict[tuple[str, frozenset[tuple[str, str]]], Inventory] = {}

    def allocate(
        self,
        node: Node,
        claims: Sequence[ResourceClaim],
        allocated: AllocatedState | None = None,
    ) -> Outcome:
        """Allocate devices for claims on a node, maybe beside other claims than at first."""
        state = self.allocated if allocated is None else allocated
        try:
            problem = self._state_problem(node, claims, state)
            return self._solve(problem, node)
        except AbortError as error:
            return error.outcome

    def inventory(self, node: Node) -> Inventory:
        """Return the devices that a node can reach."""
        key = node.name, frozenset(node.labels.items())
        if key not in self._inventories:
            pools = gather_pools(self.slices, node, self.features, self.variant)
            self._inventories[key] = take_inventory(pools, self.variant)
        return self._inventories[key]

    def _state_problem(
        self, node: Node, claims: Sequence[ResourceClaim], state: AllocatedState
    ) -> Problem:
        """Check claims, and return what is to be searched for."""
        inventory = self.inventory(node)
        selectors = Selectors(self._expressions, self.features, self.variant, node)
        validation = Validation(
            self.features, self.variant, self.classes, inventory, selectors, state
        )
        constraints = [validation.check_claim(index, claim) for index, claim in enumerate(claims)]
        selectors.forget()
        return Problem(
            self.features,
            self.variant,
            state,
            inventory,
            claims,
            validation.requests,
            constraints,
            selectors,
            Effort.for_devices(len(inventory.candidates)),
        )

    def _solve(self, problem: Problem, node: Node) -> Outcome:
        search, effort = Search(problem), problem.effort
        try:
            with _room_for(_depth(problem)):
                found = search.run()
        except OutOfTimeError:
            return Timeout(effort.steps)
        except OutOfPatienceError:
            return Timeout(effort.steps) if effort.is_beyond_limit else Undecided(effort.steps)
        if effort.is_beyond_limit:
            return Timeout(effort.steps)
        if found:
            return self._describe(search, node)
        invalid = problem.inventory.has_invalid_pools
        return Unsatisfiable(INVALID_POOLS if invalid else CANNOT_ALLOCATE, effort.steps)

    def _describe(self, search: Search, node: Node) -> Allocated:
        problem = search.problem
        results = []
        for index, claim in enumerate(problem.claims):
            taken = take_alternatives(index, claim.devices, problem.requests)
            choices = search.results[index]
            results.append(
                make_result(claim.devices, taken, choices, node, self.features, self.variant)
            )
        return Allocated(tuple(results), problem.effort.steps)


def _depth(problem: Problem) -> int:
    """Return how many calls deep a search may go."""
    devices: dict[tuple[int, int], int] = {}
    for key, data in problem.requests.items():
        place = key.claim, key.request
        count = min(data.num_devices, ALLOCATION_RESULTS_MAX_SIZE)  # more are not searched for
        devices[place] = max(devices.get(place, 0), count)
    levels = sum(count * _FRAMES_PER_DEVICE + _FRAMES_PER_REQUEST for count in devices.values())
    return levels + _FRAMES_PER_REQUEST * len(problem.claims)


@contextmanager
def _room_for(depth: int) -> Iterator[None]:
    """Let calls nest deep enough for a search."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
