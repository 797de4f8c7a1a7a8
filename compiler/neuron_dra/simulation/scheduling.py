"""The claims of one pod on the nodes of a cluster, as its scheduler looks at them.

In: claims that hold nothing yet, nodes in the order in which they are tried, and what other claims
hold. Out: an `Answer`, or a conflict in words. Takes nothing: that is for the caller.

A class that is missing ends a pod before any node is tried. A fault of the claim itself, found on
any node, ends it as well, also where another node has devices; like the scheduler, the search stops
when enough nodes are known to do. Where no node does, one on which the scheduler runs out of time
makes the verdict `timeout`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from neuron_dra.allocator.conflict import minimal_conflict
from neuron_dra.allocator.outcome import (
    TIMED_OUT,
    Allocated,
    Fatal,
    Outcome,
    Timeout,
    Undecided,
    Unsatisfiable,
)
from neuron_dra.cel.environment import Compiled, environment
from neuron_dra.cel.reads import find_reads
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import DeviceClaim, DeviceClass, ResourceClaim
from neuron_dra.kube.node import ClusterNode
from neuron_dra.simulation.allocators import Allocators
from neuron_dra.simulation.conflict import describe_conflict
from neuron_dra.simulation.verdict import Answer, Verdict

# minFeasibleNodesToFind in k8s.io/kubernetes pkg/scheduler/schedule_one.go, read 2026-12-01.
FEASIBLE_NODES = 100
UNDECIDED = "the search is too long to tell whether the scheduler ends it in time"

Claims = Sequence[ResourceClaim]
Nodes = Sequence[ClusterNode]


@dataclass(frozen=True, slots=True)
class Scheduling:
    """Looks for a node.

    Attributes:
        unknown: attributes whose values are placeholders.
    """

    allocators: Allocators
    classes: Mapping[str, DeviceClass]
    unknown: frozenset[str] = frozenset()

    def ask(self, claims: Claims, nodes: Nodes, state: AllocatedState) -> Answer:
        """Say what the scheduler makes of claims."""
        fault = self._missing_class(claims) or self._unknown_reads(claims)
        if fault:
            return Answer(Verdict.ERROR, reason=fault)
        chosen: Answer | None = None
        feasible = 0
        failures: list[Outcome] = []
        for node in nodes:
            outcome = self.allocators.allocate(node, claims, state)
            if isinstance(outcome, Fatal):
                return Answer(Verdict.ERROR, reason=outcome.message)
            if not isinstance(outcome, Allocated):
                failures.append(outcome)
                continue
            chosen = chosen or _allocated(node, outcome)
            feasible += 1
            if feasible == FEASIBLE_NODES:
                break
        return chosen or _failed(failures)

    def explain(
        self, claim: ResourceClaim, others: Claims, nodes: Nodes, state: AllocatedState
    ) -> tuple[str, ...]:
        """Return a conflict of a claim that cannot be had, if need be beside others of its pod."""

        order = list(nodes)

        def fits_beside(beside: Claims, devices: DeviceClaim) -> bool:
            asked = [*beside, replace(claim, devices=devices)]
            for index, node in enumerate(order):
                if _may_fit(self.allocators.allocate(node, asked, state)):
                    order.insert(0, order.pop(index))  # likely to fit the next part, too
                    return True
            return False

        beside = () if not fits_beside((), claim.devices) else others
        part = minimal_conflict(claim.devices, lambda some: fits_beside(beside, some))
        return describe_conflict(claim.devices, part)

    def _missing_class(self, claims: Claims) -> str:
        """Return the words of the scheduler's PreFilter for a class that is not there."""
        for name, class_name in _classes(claims):
            if class_name not in self.classes:
                return f"request {name}: device class {class_name} does not exist"
        return ""

    def _unknown_reads(self, claims: Claims) -> str:
        names = sorted({name for claim in claims for name in self._reads(claim)} & self.unknown)
        if not names:
            return ""
        return f"only a live node knows `{'`, `'.join(names)}`: give a dump of the cluster"

    def _reads(self, claim: ResourceClaim) -> Iterator[str]:
        for constraint in claim.devices.constraints:
            yield constraint.match_attribute or constraint.distinct_attribute
        compiler = environment(self.allocators.minor, self.allocators.gates)
        for request in claim.devices.requests:
            for each in request.alternatives:
                for expression in each.selectors:
                    compiled = compiler.compile(expression)
                    if isinstance(compiled, Compiled):
                        for read in find_reads(compiled):
                            yield f"{read.domain}/{read.name}"


def _classes(claims: Claims) -> Iterator[tuple[str, str]]:
    """Yield each request or subrequest by its name, with its class."""
    for claim in claims:
        for request in claim.devices.requests:
            for each in request.alternatives:
                name = f"{request.name}/{each.name}" if request.first_available else request.name
                yield name, each.device_class_name


def _allocated(node: ClusterNode, outcome: Allocated) -> Answer:
    return Answer(Verdict.ALLOCATED, node.name, tuple(result.results for result in outcome.results))


def _failed(failures: Sequence[Outcome]) -> Answer:
    if any(isinstance(each, Undecided) for each in failures):
        return Answer(Verdict.ERROR, reason=UNDECIDED)
    if any(isinstance(each, Timeout) for each in failures):
        return Answer(Verdict.TIMEOUT, reason=TIMED_OUT)
    reasons = [each.reason for each in failures if isinstance(each, Unsatisfiable)]
    return Answer(Verdict.UNSATISFIABLE, reason=reasons[0] if reasons else "")


def _may_fit(outcome: Outcome) -> bool:
    """Tell whether an outcome proves nothing against a claim."""
    return not isinstance(outcome, Unsatisfiable | Timeout)
