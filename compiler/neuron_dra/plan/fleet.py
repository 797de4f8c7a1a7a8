"""All clusters of an input, planned.

In: `Specs` and the catalogue. Out: a `Fleet`, and diagnostics. A broken document, and what depends
on it, goes no further; everything else is planned, so that all findings come in one run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.diagnostics import Diagnostic, Related, has_errors
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.kube.claim import DeviceClass
from neuron_dra.plan.classes import ClassPlanner, used_chips
from neuron_dra.plan.cluster import ClusterPlan, TenantPlan, WorkloadPlan
from neuron_dra.plan.drivers import efa_driver, neuron_driver
from neuron_dra.plan.empty_node import EmptyNodes
from neuron_dra.plan.lifecycle import check_lifecycle, check_use
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.profile import Profile
from neuron_dra.plan.profiles import ProfilePlanner
from neuron_dra.plan.proof import Prover
from neuron_dra.plan.quota import Granted, QuotaPlanner
from neuron_dra.plan.selectors import SelectorPlanner
from neuron_dra.plan.shapes import PartitionPlanner
from neuron_dra.plan.tenancy import TenantPlanner
from neuron_dra.plan.usage import WorkloadPlanner
from neuron_dra.spec.documents import Specs


@dataclass(frozen=True, slots=True)
class Fleet:
    """The sound clusters, sorted by name, and how much planning they needed."""

    clusters: tuple[ClusterPlan, ...]
    profiles: int
    plans: int  # partitions times profiles that were planned


def plan_fleet(specs: Specs, catalog: Catalog) -> tuple[Fleet, list[Diagnostic]]:
    """Plan every cluster of the specs."""
    driver = neuron_driver(catalog)
    if driver is None:
        return Fleet((), 0, 0), []  # the catalogue says what is wrong with its own file
    partitions = PartitionPlanner(
        catalog,
        driver,
        Prover(EmptyNodes(catalog, driver)),
        SelectorPlanner(catalog, driver),
    )
    planner = _FleetPlanner(specs, catalog, partitions)
    return planner.plan(), planner.found


@dataclass(slots=True)
class _FleetPlanner:
    specs: Specs
    catalog: Catalog
    partitions: PartitionPlanner
    found: list[Diagnostic] = field(default_factory=list)
    profiles: dict[str, Profile] = field(default_factory=dict)
    _sound: frozenset[str] = frozenset()
    _told: dict[object, tuple[int, int]] = field(default_factory=dict)
    _planned: dict[tuple[int, str], PlannedPartition | None] = field(default_factory=dict)
    _classes: dict[object, tuple[DeviceClass, ...]] = field(default_factory=dict)
    _unsound: set[tuple[str, str]] = field(default_factory=set)
    _doubtful: set[str] = field(default_factory=set)

    def plan(self) -> Fleet:
        self._sound = self._sound_partitions()
        profiles = ProfilePlanner(self.catalog, self.found)
        for name, spec in self.specs.clusters.items():
            profile = profiles.profile(spec)
            if profile is not None:
                self.profiles[name] = profile
        tenants = self._tenants()
        workloads = self._workloads(tenants)
        if not (has_errors(self.found) or self.specs.broken or self.specs.incomplete):
            used = {name for _, name in self._planned}
            self.found += check_use(self.specs, used)
        self._counted()
        clusters = tuple(
            self._cluster(name, tenants.get(name, ()), workloads.get(name, ()))
            for name in sorted(self.profiles)
        )
        return Fleet(clusters, len(set(map(id, self.profiles.values()))), len(self._planned))

    def _sound_partitions(self) -> frozenset[str]:
        sound = set()
        for name, partition in self.specs.partitions.items():
            problems = self.partitions.check_hardware(partition)
            problems += check_lifecycle(self.specs, name)
            self.found += problems
            if not has_errors(problems):
                sound.add(name)
        return frozenset(sound)

    def _plan_partition(self, name: str, profile: Profile, cluster: str) -> PlannedPartition | None:
        key = (id(profile), name)
        if name in self._sound and key not in self._planned:
            made, problems = self.partitions.plan(self.specs.partitions[name], profile, cluster)
            self._tell_once(problems)
            self._planned[key] = made
        planned = self._planned.get(key)
        if planned is None:
            self._unsound.add((cluster, name))
        return planned

    def _tell_once(self, problems: list[Diagnostic]) -> None:
        """Add problems of one profile; the same problem in another profile is only counted."""
        for problem in problems:
            key = (problem.code.id, problem.span, problem.label)
            position, others = self._told.setdefault(key, (len(self.found), -1))
            self._told[key] = (position, others + 1)
            if position == len(self.found):
                self.found.append(problem)

    def _counted(self) -> None:
        """Say of each problem in how many other classes of cluster it stands."""
        for position, others in self._told.values():
            if others:
                first = self.found[position]
                more = f"{first.message} (and so in {others} other classes of cluster)"
                self.found[position] = replace(first, message=more)

    def _tenants(self) -> dict[str, tuple[TenantPlan, ...]]:
        planner = TenantPlanner(
            self.specs,
            self.profiles,
            self._plan_partition,
            self.catalog.chart_namespaces(),
            self.found,
            self._doubtful,
        )
        grants: dict[str, list[Granted]] = {}
        for tenant in self.specs.tenants.values():
            for cluster, planned in planner.plan(tenant).items():
                grants.setdefault(cluster, []).append(Granted(tenant, planned))
        quotas = QuotaPlanner(self.partitions.driver, self.found)
        return {
            cluster: quotas.plan(self.profiles[cluster], self.specs.clusters[cluster], made)
            for cluster, made in grants.items()
        }

    def _owners(
        self, tenants: dict[str, tuple[TenantPlan, ...]]
    ) -> dict[str, dict[str, TenantPlan]]:
        """Return the tenant of each namespace in each cluster; two are an error."""
        owners: dict[str, dict[str, TenantPlan]] = {name: {} for name in self.profiles}
        told: set[tuple[str, str, str]] = set()
        for cluster in sorted(tenants):
            for plan in tenants[cluster]:
                for index, namespace in enumerate(plan.tenant.spec.namespaces):
                    owner = owners[cluster].setdefault(namespace, plan)
                    case = (owner.tenant.metadata.name, plan.tenant.metadata.name, namespace)
                    if owner is not plan and case not in told:
                        told.add(case)
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
            frozenset(self._doubtful),
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
