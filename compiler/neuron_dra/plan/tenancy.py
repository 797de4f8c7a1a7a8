"""Tenants in clusters: which partitions their namespaces are granted, and their quota.

In: tenants, clusters and a way to plan a partition. Out: `TenantPlan`s by cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic, Related, did_you_mean
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.diagnostics.codes import spec as spec_codes
from neuron_dra.plan.classes import served_types, used_chips
from neuron_dra.plan.cluster import TenantPlan
from neuron_dra.plan.names import chip_class_name, device_class_name
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.profile import Profile
from neuron_dra.source import Span
from neuron_dra.spec.cluster import Cluster
from neuron_dra.spec.documents import Specs
from neuron_dra.spec.names import LabelSelector
from neuron_dra.spec.tenant import Grant, Quota, Tenant

PlanPartition = Callable[[str, Profile, str], PlannedPartition | None]


@dataclass(frozen=True, slots=True)
class TenantPlanner:
    """Plans tenants against the clusters that are sound.

    Attributes:
        profiles: by name of each sound cluster.
        plan_partition: plans a partition by name in a profile; None where it cannot be.
        vended_class: the class of the Neuron chart, which a quota must close.
    """

    specs: Specs
    profiles: Mapping[str, Profile]
    plan_partition: PlanPartition
    vended_class: str
    found: list[Diagnostic]

    def plan(self, tenant: Tenant) -> dict[str, TenantPlan]:
        """Return the tenant's plan in each of its sound clusters."""
        clusters = self._clusters(tenant)
        grants = self._grants(tenant, clusters)
        plans: dict[str, TenantPlan] = {}
        for cluster in clusters:
            profile = self.profiles.get(cluster)
            if profile is None:
                continue
            planned = [
                made
                for name in sorted(grants[cluster])
                if (made := self.plan_partition(name, profile, cluster)) is not None
            ]
            quota = self._quota(tenant, profile, planned, cluster)
            plans[cluster] = TenantPlan(tenant, tuple(planned), quota)
        self._check_quota_hardware(tenant, clusters)
        return plans

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
        for index, grant in enumerate(tenant.spec.partitions):
            where = tenant.spec.places.item("partitions", index)
            name = grant.name if isinstance(grant, Grant) else grant
            if not self._is_partition(name, where):
                continue
            for cluster in self._granted_in(grant, clusters, where):
                grants[cluster] |= {name, *self._frozen_from(name)}
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
        if f"Partition/{name}" not in self.specs.broken:
            self.found.append(
                spec_codes.UNKNOWN_REFERENCE.at(
                    where,
                    f"there is no Partition `{name}`",
                    help=did_you_mean(name, self.specs.partitions),
                )
            )
        return False

    def _frozen_from(self, name: str) -> set[str]:
        return {
            other
            for other, partition in self.specs.partitions.items()
            if partition.spec.lifecycle and partition.spec.lifecycle.frozen_from == name
        }

    def _quota(
        self,
        tenant: Tenant,
        profile: Profile,
        planned: list[PlannedPartition],
        cluster: str,
    ) -> dict[str, dict[str, int]]:
        """Return namespace -> class -> devices; every class that is not named gets 0."""
        if not tenant.spec.quota:
            return {}
        kinds = {device_class_name(kind.name): kind for kind in served_types(profile)}
        chips = {chip_class_name(chip, nodes=nodes) for chip, nodes in used_chips(planned)}
        classes = {*kinds, *chips, self.vended_class}
        hard = {space: dict.fromkeys(sorted(classes), 0) for space in tenant.spec.namespaces}
        for quota in tenant.spec.quota:
            name = _quota_class(quota)
            if name not in classes:
                continue
            self._check_unit(quota, kinds.get(name))
            for space in tenant.spec.namespaces:
                share = quota.namespaces.get(space, 0) if quota.namespaces else quota.amount
                hard[space][name] += share
        self._check_covered(tenant, planned, hard, cluster)
        return hard

    def _check_unit(self, quota: Quota, kind: InstanceType | None) -> None:
        if kind is None:
            return
        unit, other = ("devices", "nodes") if kind.serves_devices else ("nodes", "devices")
        if quota.places.has(other):
            self.found.append(
                codes.QUOTA_UNIT.at(
                    quota.places.key(other),
                    f"`{kind.name}` is claimed by {unit}, not by {other}",
                    related=[Related(kind.facts.places.key("published"), f"publishes {unit}")],
                    help=f"write `{unit}: {_in_unit(quota.amount, kind)}`: "
                    f"a node has {kind.device_count} devices",
                )
            )

    def _check_covered(
        self,
        tenant: Tenant,
        planned: list[PlannedPartition],
        hard: Mapping[str, Mapping[str, int]],
        cluster: str,
    ) -> None:
        """Refuse a quota that closes the class of a partition the tenant is granted."""
        named = {_quota_class(quota) for quota in tenant.spec.quota}
        for partition in planned:
            for shape in partition.shapes:
                if shape.class_name in named:
                    continue
                hardware = shape.spec.instance_type or shape.spec.chip
                key = "instanceType" if shape.spec.instance_type else "chip"
                unit = "devices" if shape.ultra_server_nodes is None else "nodes"
                self.found.append(
                    codes.QUOTA_MISSES_CLASS.at(
                        tenant.spec.places.key("quota"),
                        f"the quota has no entry for `{hardware}`, so no claim of partition "
                        f"`{partition.partition.metadata.name}` is admitted in cluster "
                        f"`{cluster}`",
                        related=[Related(shape.spec.places.value(key), "its hardware")],
                        help=f"add an entry `{{{key}: {hardware}, {unit}: NUMBER}}`",
                    )
                )

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


def _quota_class(quota: Quota) -> str:
    """Return the device class that a quota counts."""
    if quota.instance_type is not None:
        return device_class_name(quota.instance_type)
    return chip_class_name(quota.chip or "", nodes=quota.nodes is not None)


def select_clusters(
    specs: Specs, selector: LabelSelector, where: Span, found: list[Diagnostic]
) -> list[str]:
    """Return the clusters that a selector matches, sorted; none is an error."""
    documents: Mapping[str, Cluster] = specs.cluster_documents
    chosen = [name for name, each in documents.items() if selector.matches(each.metadata.labels)]
    if not chosen and not any(name.startswith("Cluster/") for name in specs.broken):
        found.append(
            codes.SELECTS_NOTHING.at(
                where,
                f"this selector matches no cluster; the specs have {_count_clusters(documents)}",
            )
        )
    return chosen


def _in_unit(amount: int, kind: InstanceType) -> int:
    """Return an amount of the wrong unit in the right one."""
    per_node = kind.device_count
    return amount * per_node if kind.serves_devices else -(-amount // per_node)


def _count_clusters(clusters: Sized) -> str:
    number = len(clusters)
    return "1 cluster" if number == 1 else f"{number or 'no'} clusters"


def refers_to_cluster(specs: Specs, name: str, where: Span, found: list[Diagnostic]) -> bool:
    """Tell whether a cluster exists; a name that does not is diagnosed."""
    if name in specs.cluster_documents:
        return True
    if f"Cluster/{name}" not in specs.broken:
        found.append(
            spec_codes.UNKNOWN_REFERENCE.at(
                where,
                f"there is no Cluster `{name}`",
                help=did_you_mean(name, specs.cluster_documents),
            )
        )
    return False
