"""Which partitions a difference breaks: those that fit on a node less often than they should.

In: the real and the predicted slices of a node, and the partitions of its pool. Out: how often each
fits, where that is less. What claims hold at the moment does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_dra.allocator.outcome import Allocated
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ResourceClaim
from neuron_dra.kube.node import ClusterNode
from neuron_dra.kube.slice import ResourceSlice
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.profile import Pool
from neuron_dra.simulation.allocators import Allocators
from neuron_dra.simulation.drift.difference import BrokenPartition


def broken_partitions(
    plan: ClusterPlan,
    pool: Pool,
    node: ClusterNode,
    real: Sequence[ResourceSlice],
    predicted: Sequence[ResourceSlice],
) -> Iterator[BrokenPartition]:
    """Yield the partitions of a pool that fit less often on the real node."""
    gates = plan.profile.release.default_gates
    there, expected = (
        Allocators(plan.profile.minor, gates, plan.classes, slices) for slices in (real, predicted)
    )
    for planned in _partitions(plan, pool):
        most, least = _fill(expected, node, planned), _fill(there, node, planned)
        if least < most:
            yield BrokenPartition(planned.partition.metadata.name, most, least)


def _partitions(plan: ClusterPlan, pool: Pool) -> list[PlannedPartition]:
    """Return the partitions that a pool serves, by name."""
    found = {
        planned.partition.metadata.name: planned
        for tenant in plan.tenants
        for planned in tenant.partitions
        if any(each.name == pool.name for each in planned.pools)
    }
    return [found[name] for name in sorted(found)]


def _fill(allocators: Allocators, node: ClusterNode, planned: PlannedPartition) -> int:
    """Return how many claims of a partition an empty node holds."""
    number, state = 0, AllocatedState()
    claim = ResourceClaim(planned.name, planned.claim)
    while isinstance(outcome := allocators.allocate(node, [claim], state), Allocated):
        number, state = number + 1, state.taking(outcome.results[0].results)
    return number
