"""Tenants in clusters: which partitions their namespaces are granted.

In: tenants, clusters and a way to plan a partition. Out: planned partitions by cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass, field

from neuron_dra.diagnostics import Diagnostic, did_you_mean, has_errors
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.diagnostics.codes import spec as spec_codes
from neuron_dra.plan.classes import served_types
from neuron_dra.plan.lifecycle import frozen_partitions
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.profile import Profile
from neuron_dra.source import Span
from neuron_dra.spec.cluster import Cluster
from neuron_dra.spec.documents import Specs
from neuron_dra.spec.names import LabelSelector
from neuron_dra.spec.namespaces import check_namespaces
from neuron_dra.spec.tenant import Grant, Tenant

PlanPartition = Callable[[str, Profile, str], PlannedPartition | None]


@dataclass(frozen=True, slots=True)
class TenantPlanner:
    """Plans tenants against the clusters that are sound.

    Attributes:
        profiles: by name of each sound cluster.
        plan_partition: plans a partition by name in a profile; None where it cannot be.
        chart_namespaces: namespace of a driver's chart -> the driver's name.
        doubtful: namespaces of tenants with an error, of which nothing more is said.
    """

    specs: Specs
    profiles: Mapping[str, Profile]
    plan_partition: PlanPartition
    chart_namespaces: Mapping[str, str]
    found: list[Diagnostic]
    doubtful: set[str] = field(default_factory=set)

    def plan(self, tenant: Tenant) -> dict[str, tuple[PlannedPartition, ...]]:
        """Return what the tenant is granted in each of its sound clusters."""
        before = len(self.found)
        clusters = self._clusters(tenant)
        grants = self._grants(tenant, clusters)
        self._check_namespaces(tenant, clusters)
        if has_errors(self.found[before:]):
            self.doubtful.update(tenant.spec.namespaces)
        self._check_quota_hardware(tenant, clusters)
        return {
            cluster: tuple(
                made
                for name in sorted(grants[cluster])
                if (made := self.plan_partition(name, self.profiles[cluster], cluster)) is not None
            )
            for cluster in clusters
            if cluster in self.profiles
        }

    def _check_namespaces(self, tenant: Tenant, clusters: Iterable[str]) -> None:
        for name in clusters:
            if name in self.specs.clusters:
                cluster = self.specs.clusters[name]
                self.found.extend(check_namespaces(tenant, cluster, self.chart_namespaces))

    def _clusters(self, tenant: Tenant) -> list[str]:
        spec = tenant.spec
        if spec.cluster_selector is not None:
            where = spec.places.value("clusterSelector")
            return select_clusters(self.specs, spec.cluster_selector, where, self.found)
        return [
            name
            for index, name in enumerate(spec.clusters)
            if refers_to_cluster(self.specs, name, spec.places.item("clusters", index), self.found)
        ]

    def _grants(self, tenant: Tenant, clusters: list[str]) -> dict[str, set[str]]:
        grants: dict[str, set[str]] = {cluster: set() for cluster in clusters}
        frozen: dict[str, list[str]] = {}
        for name, origin in frozen_partitions(self.specs).items():
            frozen.setdefault(origin, []).append(name)
        for index, grant in enumerate(tenant.spec.partitions):
            where = tenant.spec.places.item("partitions", index)
            name = grant.name if isinstance(grant, Grant) else grant
            if not self._is_partition(name, where):
                continue
            for cluster in self._granted_in(grant, clusters, where):
                grants[cluster] |= {name, *frozen.get(name, ())}
        return grants

    def _granted_in(self, grant: str | Grant, clusters: list[str], where: Span) -> list[str]:
        if isinstance(grant, str):
            return clusters
        chosen = [
            cluster
            for cluster in clusters
            if grant.cluster_selector.matches(self.specs.cluster_documents[cluster].metadata.labels)
        ]
        if clusters and not chosen:
            self.found.append(
                codes.SELECTS_NOTHING.at(
                    grant.places.value("clusterSelector"),
                    "this selector matches no cluster of the tenant, which has "
                    f"{_count_clusters(clusters)}",
                )
            )
        return chosen

    def _is_partition(self, name: str, where: Span) -> bool:
        if name in self.specs.partitions:
            return True
        if self.specs.lacks("Partition", name):
            self.found.append(
                spec_codes.UNKNOWN_REFERENCE.at(
                    where,
                    f"there is no Partition `{name}`",
                    help=did_you_mean(name, self.specs.partitions),
                )
            )
        return False

    def _check_quota_hardware(self, tenant: Tenant, clusters: Iterable[str]) -> None:
        profiles = [self.profiles.get(cluster) for cluster in clusters]
        if not profiles or None in profiles:
            return
        known = {
            name
            for profile in profiles
            if profile is not None
            for kind in served_types(profile)
            for name in (kind.name, kind.chip.name)
        }
        for quota in tenant.spec.quota:
            hardware = quota.instance_type or quota.chip or ""
            if hardware not in known:
                self.found.append(
                    codes.QUOTA_UNUSED.at(
                        quota.places.value("instanceType" if quota.instance_type else "chip"),
                        f"no cluster of the tenant hands out `{hardware}` by DRA",
                        help=f"they hand out {', '.join(f'`{name}`' for name in sorted(known))}"
                        if known
                        else "",
                    )
                )


def select_clusters(
    specs: Specs, selector: LabelSelector, where: Span, found: list[Diagnostic]
) -> list[str]:
    """Return the clusters that a selector matches, sorted; none is an error."""
    documents: Mapping[str, Cluster] = specs.cluster_documents
    chosen = [name for name, each in documents.items() if selector.matches(each.metadata.labels)]
    told = specs.incomplete or any(name.startswith("Cluster/") for name in specs.broken)
    if not chosen and not told:
        found.append(
            codes.SELECTS_NOTHING.at(
                where,
                f"this selector matches no cluster; the specs have {_count_clusters(documents)}",
            )
        )
    return chosen


def _count_clusters(clusters: Sized) -> str:
    number = len(clusters)
    return "1 cluster" if number == 1 else f"{number or 'no'} clusters"


def refers_to_cluster(specs: Specs, name: str, where: Span, found: list[Diagnostic]) -> bool:
    """Tell whether a cluster exists; a name that does not is diagnosed."""
    if name in specs.cluster_documents:
        return True
    if specs.lacks("Cluster", name):
        found.append(
            spec_codes.UNKNOWN_REFERENCE.at(
                where,
                f"there is no Cluster `{name}`",
                help=did_you_mean(name, specs.cluster_documents),
            )
        )
    return False
