"""All clusters of an input, planned.

In: `Specs` and the catalogue. Out: a `Fleet`, and diagnostics. A broken document, and what depends
on it, goes no further; everything else is planned, so that all findings come in one run.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.diagnostics import Diagnostic, Related, did_you_mean, has_errors
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.diagnostics.codes import spec as spec_codes
from neuron_dra.kube.claim import DeviceClass
from neuron_dra.plan.classes import ClassPlanner, check_extended_resources, used_chips
from neuron_dra.plan.cluster import ClusterPlan, TenantPlan, WorkloadPlan
from neuron_dra.plan.drivers import efa_driver, neuron_driver
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.pools import plan_pools
from neuron_dra.plan.profile import Profile
from neuron_dra.plan.shapes import PartitionPlanner
from neuron_dra.plan.tenancy import TenantPlanner
from neuron_dra.plan.usage import WorkloadPlanner
from neuron_dra.spec.cluster import ClusterSpec
from neuron_dra.spec.documents import Specs
from neuron_dra.syntax.decode import value_key

# What differs between clusters of one profile; a plan cannot read it.
OWN_KEYS = frozenset({"defaults", "region", "owner", "gitops", "extraObjects"})
HOLE_KEYS = frozenset({"objectLabels", "objectAnnotations"})


@dataclass(frozen=True, slots=True)
class Fleet:
    """The sound clusters, sorted by name, and how much planning they needed."""

    clusters: tuple[ClusterPlan, ...]
    profiles: int
    plans: int  # partitions times profiles that were planned


def plan_fleet(specs: Specs, catalog: Catalog) -> tuple[Fleet, list[Diagnostic]]:
    """Plan every cluster of the specs."""
    planner = _FleetPlanner(specs, catalog)
    return planner.plan(), planner.found


@dataclass(slots=True)
class _FleetPlanner:
    specs: Specs
    catalog: Catalog
    partitions: PartitionPlanner = field(init=False)
    found: list[Diagnostic] = field(default_factory=list)
    profiles: dict[str, Profile] = field(default_factory=dict)
    _by_key: dict[object, Profile | None] = field(default_factory=dict)
    _planned: dict[tuple[int, str], PlannedPartition | None] = field(default_factory=dict)
    _classes: dict[object, tuple[DeviceClass, ...]] = field(default_factory=dict)
    _unsound: set[tuple[str, str]] = field(default_factory=set)

    def plan(self) -> Fleet:
        self.partitions = PartitionPlanner(self.catalog, neuron_driver(self.catalog))
        sound = self._sound_partitions()
        for name, spec in self.specs.clusters.items():
            profile = self._profile(spec)
            if profile is not None:
                self.profiles[name] = profile
        tenants = self._tenants(sound)
        workloads = self._workloads(tenants)
        self._check_use(tenants)
        clusters = tuple(
            self._cluster(name, tenants.get(name, ()), workloads.get(name, ()))
            for name in sorted(self.profiles)
        )
        return Fleet(clusters, len(set(map(id, self.profiles.values()))), len(self._planned))

    def _sound_partitions(self) -> frozenset[str]:
        sound = set()
        for name, partition in self.specs.partitions.items():
            problems = self.partitions.check_hardware(partition)
            problems += self._check_lifecycle(name)
            self.found += problems
            if not has_errors(problems):
                sound.add(name)
        return frozenset(sound)

    def _check_lifecycle(self, name: str) -> list[Diagnostic]:
        lifecycle = self.specs.partitions[name].spec.lifecycle
        if lifecycle is None:
            return []
        references = {"replacedBy": lifecycle.replaced_by, "frozenFrom": lifecycle.frozen_from}
        return [
            spec_codes.UNKNOWN_REFERENCE.at(
                lifecycle.places.value(key),
                f"there is no Partition `{other}`",
                help=did_you_mean(other, self.specs.partitions),
            )
            for key, other in references.items()
            if other
            and other not in self.specs.partitions
            and f"Partition/{other}" not in self.specs.broken
        ]

    def _profile(self, spec: ClusterSpec) -> Profile | None:
        """Return the profile of a cluster; equal clusters share one, and its diagnostics."""
        key = (
            value_key(spec, OWN_KEYS | HOLE_KEYS),
            tuple(sorted(spec.object_labels)),
            tuple(sorted(spec.object_annotations)),
        )
        if key not in self._by_key:
            self._by_key[key] = self._make_profile(spec)
        return self._by_key[key]

    def _make_profile(self, spec: ClusterSpec) -> Profile | None:
        release = self.catalog.kubernetes(spec.kubernetes)
        if release is None:
            minor = ".".join(spec.kubernetes.split(".")[:2])
            if minor not in self.catalog.minors():
                known = ", ".join(self.catalog.minors())
                self.found.append(
                    codes.UNKNOWN_MINOR.at(
                        spec.places.value("kubernetes"),
                        f"Kubernetes {minor} is not known; known are {known}",
                    )
                )
            return None
        pools, problems = plan_pools(spec, release, self.catalog)
        profile = Profile(
            minor=release.minor,
            release=release,
            resource_api_version=spec.resource_api_version,
            drivers=spec.drivers,
            consumers=spec.consumers,
            pools=pools,
            network_groups=spec.network_groups,
            rollout=spec.rollout,
            extended_resources=spec.extended_resources,
            label_names=tuple(sorted(spec.object_labels)),
            annotation_names=tuple(sorted(spec.object_annotations)),
        )
        problems += check_extended_resources(spec, profile)
        problems += _check_drivers(spec, profile)
        self.found += problems
        return None if has_errors(problems) else profile

    def _tenants(self, sound: frozenset[str]) -> dict[str, tuple[TenantPlan, ...]]:
        def plan_partition(name: str, profile: Profile, cluster: str) -> PlannedPartition | None:
            key = (id(profile), name)
            if name in sound and key not in self._planned:
                partition = self.specs.partitions[name]
                made, problems = self.partitions.plan(partition, profile, cluster)
                self.found += problems
                self._planned[key] = made
            made = self._planned.get(key)
            if made is None:
                self._unsound.add((cluster, name))
            return made

        planner = TenantPlanner(
            self.specs,
            self.profiles,
            plan_partition,
            neuron_driver(self.catalog).vended_class,
            self.found,
        )
        plans: dict[str, list[TenantPlan]] = {}
        for tenant in self.specs.tenants.values():
            for cluster, made in planner.plan(tenant).items():
                plans.setdefault(cluster, []).append(made)
        return {cluster: tuple(made) for cluster, made in plans.items()}

    def _owners(
        self, tenants: dict[str, tuple[TenantPlan, ...]]
    ) -> dict[str, dict[str, TenantPlan]]:
        """Return the tenant of each namespace in each cluster; two are an error."""
        owners: dict[str, dict[str, TenantPlan]] = {name: {} for name in self.profiles}
        told: set[tuple[str, str]] = set()
        for cluster in sorted(tenants):
            for plan in tenants[cluster]:
                for index, namespace in enumerate(plan.tenant.spec.namespaces):
                    owner = owners[cluster].setdefault(namespace, plan)
                    pair = (owner.tenant.metadata.name, plan.tenant.metadata.name)
                    if owner is not plan and pair not in told:
                        told.add(pair)
                        self.found.append(_owned_twice(owner, plan, index, cluster))
        return owners

    def _workloads(
        self, tenants: dict[str, tuple[TenantPlan, ...]]
    ) -> dict[str, tuple[WorkloadPlan, ...]]:
        planner = WorkloadPlanner(
            self.specs,
            self.profiles,
            self._owners(tenants),
            frozenset(self._unsound),
            self.found,
        )
        plans: dict[str, dict[tuple[str, str], WorkloadPlan]] = {}
        for workload in self.specs.workloads:
            for cluster, made in planner.plan(workload).items():
                name = (workload.metadata.namespace, workload.metadata.name)
                first = plans.setdefault(cluster, {}).setdefault(name, made)
                if first is not made:
                    self.found.append(_defined_twice(first, made, cluster))
        return {cluster: tuple(made.values()) for cluster, made in plans.items()}

    def _check_use(self, tenants: dict[str, tuple[TenantPlan, ...]]) -> None:
        used = {name for _, name in self._planned} | {name for _, name in self._unsound}
        for name, partition in self.specs.partitions.items():
            granted = any(
                _grants(tenant.spec.partitions, name) for tenant in self.specs.tenants.values()
            )
            if name not in used and not granted and not self.specs.broken:
                self.found.append(
                    codes.UNUSED_PARTITION.at(
                        partition.metadata.places.value("name"),
                        f"partition `{name}` is granted to no tenant and compiles to nothing",
                    )
                )

    def _cluster(
        self, name: str, tenants: tuple[TenantPlan, ...], workloads: tuple[WorkloadPlan, ...]
    ) -> ClusterPlan:
        profile = self.profiles[name]
        granted = {id(each): each for tenant in tenants for each in tenant.partitions}
        return ClusterPlan(
            name=name,
            document=self.specs.cluster_documents[name],
            spec=self.specs.clusters[name],
            profile=profile,
            classes=self._classes_of(profile, tuple(granted.values())),
            tenants=tenants,
            workloads=workloads,
        )

    def _classes_of(
        self, profile: Profile, granted: tuple[PlannedPartition, ...]
    ) -> tuple[DeviceClass, ...]:
        planner = ClassPlanner(self.partitions.driver, efa_driver(self.catalog))
        key = (id(profile), frozenset(used_chips(granted)))
        if key not in self._classes:
            self._classes[key] = planner.plan(profile, granted)
        return self._classes[key]


def _grants(partitions: tuple[object, ...], name: str) -> bool:
    return any(getattr(grant, "name", grant) == name for grant in partitions)


def _check_drivers(spec: ClusterSpec, profile: Profile) -> list[Diagnostic]:
    found = []
    driver = spec.drivers.neuron if spec.drivers else None
    if profile.pools and driver is None:
        found.append(
            codes.DRIVER_MISSING.at(
                spec.places.key("nodePools"),
                "the cluster has node pools but no `drivers.neuron`",
                help="add `drivers: {neuron: {chartVersion: VERSION}}`, with `install: external` "
                "when others install it",
            )
        )
    kueue = spec.consumers.kueue if spec.consumers else None
    if kueue is not None and kueue.quota_by != "resourceQuota":
        found.append(
            codes.QUOTA_BY_NOT_COMPILED.at(
                kueue.places.value("quotaBy"),
                f"`quotaBy: {kueue.quota_by}` is not compiled, only `resourceQuota`",
                help="remove the key",
            )
        )
    return found


def _owned_twice(owner: TenantPlan, plan: TenantPlan, index: int, cluster: str) -> Diagnostic:
    namespace = plan.tenant.spec.namespaces[index]
    first = owner.tenant.spec
    return codes.NAMESPACE_OWNED_TWICE.at(
        plan.tenant.spec.places.item("namespaces", index),
        f"namespace `{namespace}` in cluster `{cluster}` belongs to the tenants "
        f"`{owner.tenant.metadata.name}` and `{plan.tenant.metadata.name}`",
        related=[
            Related(
                first.places.item("namespaces", first.namespaces.index(namespace)), "first here"
            )
        ],
        help="give one of them another namespace, or make them one tenant",
    )


def _defined_twice(first: WorkloadPlan, second: WorkloadPlan, cluster: str) -> Diagnostic:
    name = second.workload.metadata
    return codes.WORKLOAD_DEFINED_TWICE.at(
        name.places.value("name"),
        f"workload `{name.namespace}/{name.name}` is defined twice in cluster `{cluster}`",
        related=[Related(first.workload.metadata.places.value("name"), "first here")],
        help="rename one of them, or select other clusters",
    )
