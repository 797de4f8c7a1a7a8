"""What `plan` shows: every partition on every pool of every kind of cluster.

In: an analysis. Out: views, with what a claim gives, what a node holds, and where on the torus
claim after claim lands. Clusters that are planned alike are one view. Formats nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from neuron_dra.api.pipeline import Analysis
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.plan.demand import claims_on
from neuron_dra.plan.drivers import neuron_driver
from neuron_dra.plan.empty_node import EmptyNode, EmptyNodes
from neuron_dra.plan.matching import Matching
from neuron_dra.plan.offer import Offer, offer_of
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.plan.promise import Numbering
from neuron_dra.plan.proof import Prover, Results, fill
from neuron_dra.plan.serving import why_not
from neuron_dra.plan.witness import Witness


@dataclass(frozen=True, slots=True, eq=False)
class EntryView:
    """An entry of a partition on a pool: the whole partition, or one of its alternatives.

    Attributes:
        witness: None where only a live node knows which devices a claim gets.
        live: the attributes that it depends on then.
    """

    shape: PlannedShape
    offer: Offer
    witness: Witness | None
    live: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PoolView:
    """A partition on a pool.

    Attributes:
        obstacle: why the pool does not serve it; then all else is empty.
        per_node: claims that a free node holds.
        places: by claim, the device ids that it takes on a free node, in the order of arrival.
    """

    pool: Pool
    obstacle: str = ""
    entries: tuple[EntryView, ...] = ()
    per_node: int = 0
    places: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class PartitionView:
    """A partition in a kind of cluster."""

    planned: PlannedPartition
    grants: tuple[str, ...]  # `tenant: namespace, namespace`, of all clusters of the view
    pools: tuple[PoolView, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterView:
    """Clusters that are planned alike."""

    names: tuple[str, ...]
    minor: str
    pools: tuple[Pool, ...]
    partitions: tuple[PartitionView, ...]


@dataclass(frozen=True, slots=True)
class Viewer:
    """Makes the views of an analysis."""

    analysis: Analysis

    def views(
        self, clusters: Collection[str], partitions: Collection[str]
    ) -> tuple[ClusterView, ...]:
        """Return the views of some clusters and partitions; none named: of all."""
        driver = neuron_driver(self.analysis.catalog)
        if driver is None:
            return ()
        painter = _Painter(Prover(EmptyNodes(self.analysis.catalog, driver)))
        alike: dict[object, list[ClusterPlan]] = {}
        for plan in self.analysis.fleet.clusters:
            if not clusters or plan.name in clusters:
                alike.setdefault(_likeness(plan), []).append(plan)
        return tuple(painter.cluster(plans, partitions) for plans in alike.values())


def _likeness(plan: ClusterPlan) -> object:
    """Return what is equal for clusters that are planned alike, whoever their tenants are."""
    return id(plan.profile), frozenset(map(id, _partitions(plan).values()))


def _partitions(plan: ClusterPlan) -> dict[str, PlannedPartition]:
    """Return what is granted in a cluster, by the partition's name."""
    granted = (each for tenant in plan.tenants for each in tenant.partitions)
    return {each.partition.metadata.name: each for each in granted}


@dataclass(frozen=True, slots=True)
class _Painter:
    prover: Prover

    def cluster(self, plans: list[ClusterPlan], partitions: Collection[str]) -> ClusterView:
        profile, planned = plans[0].profile, _partitions(plans[0])
        return ClusterView(
            tuple(plan.name for plan in plans),
            profile.minor,
            profile.pools,
            tuple(
                self._partition(planned[name], plans)
                for name in sorted(planned)
                if not partitions or name in partitions
            ),
        )

    def _partition(self, planned: PlannedPartition, plans: list[ClusterPlan]) -> PartitionView:
        profile = plans[0].profile
        grants = dict.fromkeys(
            f"{tenant.tenant.metadata.name}: {', '.join(tenant.tenant.spec.namespaces)}"
            for plan in plans
            for tenant in plan.tenants
            if planned in tenant.partitions
        )
        pools = tuple(self._pool(planned, pool, profile) for pool in profile.pools)
        return PartitionView(planned, tuple(grants), pools)

    def _pool(self, planned: PlannedPartition, pool: Pool, profile: Profile) -> PoolView:
        serving = [shape for shape in planned.shapes if pool.name in shape.pools]
        if not serving:
            return PoolView(pool, obstacle=why_not(planned.shapes[0], pool, profile))
        entries = tuple(self._entry(planned, shape, pool, profile) for shape in serving)
        node = self.prover.nodes.node(planned, serving[0], pool.type, profile)
        known = all(entry.witness for entry in entries)
        places = tuple(self._places(fill(planned, node), node)) if known else ()
        return PoolView(pool, "", entries, claims_on(planned, pool), places)

    def _entry(
        self, planned: PlannedPartition, shape: PlannedShape, pool: Pool, profile: Profile
    ) -> EntryView:
        witness = next(
            (
                each
                for each in planned.witnesses
                if each.entry == shape.entry and pool.name in each.pools
            ),
            None,
        )
        live = tuple(self.prover.live_reads(shape, profile))
        return EntryView(shape, offer_of(shape, pool.type), witness, live)

    def _places(self, allocations: Iterable[Results], node: EmptyNode) -> Iterator[tuple[int, ...]]:
        """Yield the device ids of claim after claim."""
        numbering = Numbering.of(self.prover.nodes.drivers)
        known = {each.id: each for each in Matching(node).devices}
        for results in allocations:
            holding = numbering.holding(known[each.device] for each in results)
            yield tuple(sorted(holding.devices))
