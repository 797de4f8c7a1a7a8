"""All objects of a cluster, each distinct one made once.

In: cluster plans. Out: `Placed` objects: an object, possibly with holes, and the namespaces and the
tenant that it is for. Clusters of one profile get the very same objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.diagnostics import Diagnostic
from neuron_dra.kube.definitions import Definitions
from neuron_dra.objects.classes import render_classes
from neuron_dra.objects.drivers.efa import plan_efa
from neuron_dra.objects.drivers.neuron import plan_neuron
from neuron_dra.objects.drivers.release import Release, render_values
from neuron_dra.objects.extra import find_repeated, render_extra
from neuron_dra.objects.gitops.applications import render_applications
from neuron_dra.objects.namespaces import render_namespaces
from neuron_dra.objects.network import render_tenant_policy, render_workload_policy
from neuron_dra.objects.network_groups import check_groups
from neuron_dra.objects.object import CLUSTER_DOCUMENT, KubeObject, Placed
from neuron_dra.objects.quota import render_quotas
from neuron_dra.objects.templates import render_template
from neuron_dra.plan.cluster import ClusterPlan, TenantPlan, WorkloadPlan
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.profile import Profile
from neuron_dra.syntax.containers import Raw

Made = tuple[list[KubeObject], list[Diagnostic]]


@dataclass(slots=True)
class Assembler:
    """Makes the objects of clusters and remembers what it made."""

    catalog: Catalog
    definitions: Callable[[str], Definitions]  # by Kubernetes minor
    found: list[Diagnostic] = field(default_factory=list)
    _made: dict[object, list[KubeObject]] = field(default_factory=dict)
    _releases: dict[int, list[Release]] = field(default_factory=dict)

    def assemble(self, plan: ClusterPlan) -> Iterator[Placed]:
        """Yield the objects of a cluster, in the order of the output tree."""
        yield from self._own(plan)
        if plan.spec.extra_objects:
            extra = [Placed(each) for each in self._extra(plan)]
            self.found += find_repeated(self._own(plan), extra, plan.name)
            yield from extra

    def _own(self, plan: ClusterPlan) -> Iterator[Placed]:
        releases = self.releases(plan.profile)
        yield from map(Placed, render_applications(plan, releases))
        yield from map(Placed, self._values(plan.profile, releases))
        yield from map(Placed, self._classes(plan))
        for tenant in plan.tenants:
            yield from self._tenant(tenant, plan.profile)
        for workload in plan.workloads:
            yield from map(Placed, self._workload(workload, plan))

    def releases(self, profile: Profile) -> list[Release]:
        """Return the Helm releases of clusters of a profile."""
        if id(profile) not in self._releases:
            made: list[Release] = []
            for name, plan_driver in (("neuron", plan_neuron), ("efa", plan_efa)):
                driver = self.catalog.driver(name)
                if driver is not None:
                    releases, problems = plan_driver(profile, driver)
                    made += releases
                    self.found += problems
            self.found += check_groups(profile)
            self._releases[id(profile)] = made
        return self._releases[id(profile)]

    def _once(self, key: object, make: Callable[[], Made]) -> list[KubeObject]:
        if key not in self._made:
            objects, problems = make()
            self._made[key] = objects
            self.found += problems
        return self._made[key]

    def _values(self, profile: Profile, releases: list[Release]) -> list[KubeObject]:
        def make() -> Made:
            return [render_values(release, CLUSTER_DOCUMENT) for release in releases], []

        return self._once((id(profile), "values"), make)

    def _classes(self, plan: ClusterPlan) -> list[KubeObject]:
        def make() -> Made:
            return render_classes(plan.classes, plan.profile), []

        return self._once((id(plan.classes), "classes"), make)

    def _tenant(self, plan: TenantPlan, profile: Profile) -> Iterator[Placed]:
        spaces, name = plan.tenant.spec.namespaces, plan.tenant.metadata.name
        key = (id(plan.tenant), id(profile), tuple(map(id, plan.partitions)))
        for each in self._once((*key, "namespaces"), lambda: render_namespaces(plan, profile)):
            yield Placed(each, spaces, name)
        for each in self._once((*key, "quota"), lambda: (render_quotas(plan, profile), [])):
            yield Placed(each)
        for each in self._once((*key, "policy"), lambda: render_tenant_policy(plan, profile)):
            yield Placed(each, spaces, name)
        for partition in plan.partitions:
            if not partition.operator:
                yield Placed(self._template(partition, profile), spaces, name)

    def _template(self, partition: PlannedPartition, profile: Profile) -> KubeObject:
        def make() -> Made:
            return [render_template(partition, profile)], []

        return self._once((id(partition), id(profile)), make)[0]

    def _workload(self, plan: WorkloadPlan, cluster: ClusterPlan) -> list[KubeObject]:
        profile = cluster.profile
        further = self._extra_templates(cluster, plan.workload.metadata.namespace)

        def make() -> Made:
            from neuron_dra.objects.workload.render import render_workload
            from neuron_dra.objects.workload.selector import pod_selector

            definitions = self.definitions(profile.minor)
            objects, problems = render_workload(plan, profile, definitions, further)
            selector = pod_selector(plan.workload)
            policies, found = render_workload_policy(plan, profile, selector)
            return objects + policies, problems + found

        tenant = plan.tenant.tenant if plan.tenant else None
        key = (
            id(plan.workload),
            id(profile),
            id(plan.partition),
            id(tenant),
            plan.operator,
            further,
        )
        return self._once(key, make)

    def _extra_templates(self, plan: ClusterPlan, namespace: str) -> frozenset[str]:
        """Return the ResourceClaimTemplates that extra objects give a namespace."""
        found = (each for extra in self._extra(plan) for each in Placed(extra).identities())
        kind = ("resource.k8s.io", "ResourceClaimTemplate", namespace)
        return frozenset(name for *identity, name in found if tuple(identity) == kind)

    def _extra(self, plan: ClusterPlan) -> Iterator[KubeObject]:
        for raw in plan.spec.extra_objects:

            def make(raw: Raw = raw) -> Made:
                definitions = self.definitions(plan.profile.minor)
                return render_extra(raw, definitions, self.catalog.vended_classes())

            yield from self._once((id(raw.node), plan.profile.minor), make)
