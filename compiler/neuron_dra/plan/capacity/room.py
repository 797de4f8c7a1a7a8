"""One cluster node as room for claims: where the scheduler's first fit puts the next one.

In: an allocator, and the devices of an empty node. Out: placements, as sets of devices in the bits
of a number: bit d is device d. Knows no pools and no counts.

**The least placement.** The allocator takes the first solution of a search whose order is fixed: by
request, alternative and device. So it gives a claim the least, in that order, of all placements
that the claim can ever have and that lie in free devices. Two things follow, and all of this folder
rests on them:

- What it gives on one state it gives on every fuller state that leaves those devices free, and a
  claim that a state refuses is refused by every fuller one. `Room` asks the allocator only where
  neither says the answer.
- Let claims of one partition fill a node: p1, p2, ... pn. After any departures the next arrival
  gets the first of them that is free: everything less than it meets an earlier placement, which
  is still there. So claims of one partition, in whatever order they come and go, are always on a
  part of these n placements, and every part can be had: let all n arrive, then let the others go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from neuron_dra.allocator.allocator import Allocator
from neuron_dra.allocator.inventory import Candidate
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import Allocated, Outcome, Timeout, Unsatisfiable
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import DeviceClaim, ResourceClaim


class UnknownError(Exception):
    """What is asked cannot be told: a search is too long; never leaves this folder."""


@dataclass(frozen=True, slots=True, eq=False)
class Guest:
    """A partition as one that sends claims to a node."""

    name: str
    claim: DeviceClaim


@dataclass(slots=True)
class Room:
    """A node of one kind; remembers what it was asked.

    Attributes:
        judge: an allocator that tells where the first would search beyond its deadline whether
            there is anything to find; None: nobody tells.
    """

    node: Node
    allocator: Allocator
    judge: Allocator | None = None
    _known: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    _claims: dict[int, DeviceClaim] = field(default_factory=dict)  # keeps their ids alive

    @property
    def devices(self) -> tuple[Candidate, ...]:
        """The devices of the node, by bit."""
        return self.allocator.inventory(self.node).candidates

    @property
    def everything(self) -> int:
        """The set of all devices."""
        return (1 << len(self.devices)) - 1

    def place(self, claim: DeviceClaim, taken: int) -> int:
        """Return what the next claim gets beside what is taken, or 0 when it gets nothing."""
        self._claims[id(claim)] = claim
        known = self._known.setdefault(id(claim), [])
        for before, placement in known:
            if not before & ~taken and not placement & taken:
                return placement
        placement = self._allocate(claim, taken)
        known.append((taken, placement))
        return placement

    def fill(self, claim: DeviceClaim, taken: int = 0) -> Iterator[int]:
        """Yield the placements of claims that arrive until none fits any more."""
        while placement := self.place(claim, taken):
            yield placement
            taken |= placement

    def count(self, claim: DeviceClaim, taken: int = 0) -> int:
        """Return how many claims still fit as they arrive."""
        return sum(1 for _ in self.fill(claim, taken))

    def _allocate(self, claim: DeviceClaim, taken: int) -> int:
        outcome = self._ask(self.allocator, claim, taken)
        if isinstance(outcome, Allocated):
            got = {each.device for each in outcome.results[0].results}
            return sum(1 << each.index for each in self.devices if each.id in got)
        if isinstance(outcome, Timeout) and self.judge is not None:
            outcome = self._ask(self.judge, claim, taken)
        if not isinstance(outcome, Unsatisfiable):
            raise UnknownError(type(outcome).__name__)
        return 0

    def _ask(self, allocator: Allocator, claim: DeviceClaim, taken: int) -> Outcome:
        held = AllocatedState(frozenset(self.devices[bit].id for bit in list_bits(taken)))
        return allocator.allocate(self.node, [ResourceClaim("claim", claim)], held)


def list_bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, rising."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
