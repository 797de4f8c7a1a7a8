"""Proof that a planned claim can be had, and that it keeps its promise however it is allocated.

In: a planned partition in its profile. Out: a `Proof`: for every entry of the partition on every
instance type a witness, or the reason why there is none; and how many claims a free node holds
where numbers cannot say. The devices are those that the drivers are predicted to publish; a
selector that reads what only a live node knows proves nothing, and then nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from neuron_dra.allocator.outcome import Allocated, Outcome, Undecided
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.cel.environment import Compiled, environment
from neuron_dra.cel.reads import find_reads
from neuron_dra.diagnostics import Diagnostic
from neuron_dra.kube.allocation import DeviceRequestAllocationResult
from neuron_dra.kube.claim import DeviceClaim, DeviceRequest
from neuron_dra.plan.check_witness import check_witness
from neuron_dra.plan.conflict import explain_break, explain_refusal
from neuron_dra.plan.empty_node import NOTHING_TAKEN, EmptyNode, EmptyNodes
from neuron_dra.plan.matching import Matching
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.profile import Profile
from neuron_dra.plan.promise import Numbering, Promise
from neuron_dra.plan.soundness import find_break
from neuron_dra.plan.witness import Witness, names_by_request

Results = tuple[DeviceRequestAllocationResult, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proved of a partition in a class of cluster.

    Attributes:
        witnesses: by entry and instance type, in the partition's order.
        held: by instance type, the claims that a free node holds, where numbers cannot say.
    """

    witnesses: tuple[Witness, ...] = ()
    held: Mapping[str, int] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class _Case:
    """An entry of a partition on an instance type."""

    planned: PlannedPartition
    index: int
    type: InstanceType
    node: EmptyNode

    @property
    def shape(self) -> PlannedShape:
        return self.planned.shapes[self.index]

    @property
    def claim(self) -> DeviceClaim:
        """The claim with this entry alone."""
        return only_alternative(self.planned.claim, self.index)


@dataclass(slots=True)
class Prover:
    """Proves planned claims; remembers nodes and what was allocated there."""

    nodes: EmptyNodes
    _outcomes: dict[object, Outcome] = field(default_factory=dict)
    _sound: set[object] = field(default_factory=set)
    _matching: dict[int, Matching] = field(default_factory=dict)

    def prove(self, planned: PlannedPartition, profile: Profile) -> Proof:
        """Allocate every entry of a partition on a free node of every type that should serve it."""
        witnesses: list[Witness] = []
        found: list[Diagnostic] = []
        for case in self._cases(planned, profile):
            if not self._reads_live(case.shape, profile):
                self._prove_case(case, witnesses, found)
        held = {} if found else self._count(planned, profile)
        return Proof(tuple(witnesses), held, tuple(found))

    def _cases(self, planned: PlannedPartition, profile: Profile) -> Iterator[_Case]:
        for index, shape in enumerate(planned.shapes):
            for kind in shape.types:
                node = self.nodes.node(planned, shape, kind, profile)
                yield _Case(planned, index, kind, node)

    def _prove_case(self, case: _Case, witnesses: list[Witness], found: list[Diagnostic]) -> None:
        outcome = self._allocate(case)
        if isinstance(outcome, Undecided):
            return
        if not isinstance(outcome, Allocated):
            found.append(explain_refusal(case.planned, case.shape, case.claim, case.node, outcome))
            return
        results = outcome.results[0].results
        flaw = check_witness(case.claim, results, self._match(case.node))
        assert not flaw, f"the allocation of {case.planned.name} is wrong: {flaw}"
        found += self._check_promise(case)
        entry = case.shape.entry
        pools = tuple(each.name for each in case.planned.pools if each.type is case.type)
        witnesses.append(Witness(case.type, entry, pools, names_by_request(results)))

    def _allocate(self, case: _Case) -> Outcome:
        key = (id(case.node), case.planned.name, case.claim.requests, case.claim.constraints)
        if key not in self._outcomes:
            self._outcomes[key] = case.node.allocate(case.planned.name, case.claim)
        return self._outcomes[key]

    def _match(self, node: EmptyNode) -> Matching:
        return self._matching.setdefault(id(node), Matching(node))

    def _check_promise(self, case: _Case) -> list[Diagnostic]:
        """Find an allocation of the whole claim that breaks what this entry promises."""
        claim, name = case.planned.claim, case.claim.requests[0].alternatives[0].name
        promise = Promise.of(case.shape.spec, case.shape.devices, case.type)
        key = (id(case.node), claim.requests, claim.constraints, name, promise)
        if promise.is_empty or key in self._sound:
            return []
        numbering = Numbering.of(self.nodes.drivers)
        broken = find_break(claim, {name: promise}, self._match(case.node), numbering)
        if broken is None:
            self._sound.add(key)
            return []
        return [explain_break(case.shape, case.type, broken)]

    def _count(self, planned: PlannedPartition, profile: Profile) -> dict[str, int]:
        """Return by instance type how many claims a node holds, where numbers cannot say.

        That is where selectors narrow the devices, or where each claim takes the first of several
        alternatives.
        """
        held = {}
        for case in self._cases(planned, profile):
            shapes = [each for each in planned.shapes if case.type in each.types]
            narrowed = len(shapes) > 1 or any(each.spec.selectors for each in shapes)
            live = any(self._reads_live(each, profile) for each in shapes)
            if case.type.name not in held and narrowed and not live:
                held[case.type.name] = sum(1 for _ in fill(planned, case.node))
        return held

    def _reads_live(self, shape: PlannedShape, profile: Profile) -> bool:
        """Tell whether a selector reads what only a live node knows, but for a pinned version."""
        return bool(self.live_reads(shape, profile))

    def live_reads(self, shape: PlannedShape, profile: Profile) -> list[str]:
        """Return the attributes that a selector reads and only a live node knows."""
        live = {
            name
            for driver in self.nodes.drivers
            if driver.attributes
            for name, attribute in driver.attributes.names.items()
            if attribute.live
        }
        if shape.spec.neuron_driver is not None:
            live.discard(self.nodes.driver_version)
        return sorted(live.intersection(_reads(shape, profile)))


def only_alternative(claim: DeviceClaim, index: int) -> DeviceClaim:
    """Return a claim that knows one of its alternatives only."""
    first, *rest = claim.requests
    if not first.first_available:
        return claim
    kept = first.first_available[index]
    gone = {f"{first.name}/{each.name}" for each in first.first_available if each is not kept}
    return replace(
        claim,
        requests=(DeviceRequest(first.name, first_available=(kept,)), *rest),
        constraints=tuple(each for each in claim.constraints if not gone & {*each.requests}),
        config=tuple(each for each in claim.config if not gone & {*each.requests}),
    )


def fill(planned: PlannedPartition, node: EmptyNode) -> Iterator[Results]:
    """Yield what claim after claim gets on a free node, until it is full."""
    state = NOTHING_TAKEN
    while isinstance(outcome := node.allocate(planned.name, planned.claim, state), Allocated):
        results = outcome.results[0].results
        yield results
        state = state.taking(results)


def _reads(shape: PlannedShape, profile: Profile) -> Iterator[str]:
    for expression in shape.spec.selectors:
        gates = profile.release.default_gates
        compiled = environment(profile.minor, gates).compile(expression)
        if isinstance(compiled, Compiled):
            for read in find_reads(compiled):
                yield f"{read.domain}/{read.name}"
