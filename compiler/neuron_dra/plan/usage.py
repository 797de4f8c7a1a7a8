"""Workloads in clusters: the partition that their pods claim, and the pools that can take them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from neuron_dra.diagnostics import Diagnostic, Related, did_you_mean, has_errors
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.diagnostics.codes import spec as spec_codes
from neuron_dra.plan.cluster import TenantPlan, WorkloadPlan
from neuron_dra.plan.demand import check_demand, check_quota
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.profile import Profile
from neuron_dra.plan.tenancy import refers_to_cluster, select_clusters
from neuron_dra.spec.documents import Specs
from neuron_dra.spec.workload import NeuronWorkload


@dataclass(frozen=True, slots=True)
class WorkloadPlanner:
    """Plans workloads against the tenants of their clusters."""

    specs: Specs
    profiles: Mapping[str, Profile]
    tenants: Mapping[str, Mapping[str, TenantPlan]]  # cluster -> namespace -> its tenant
    unsound: frozenset[tuple[str, str]]  # (cluster, partition) that could not be planned
    doubtful: frozenset[str]  # namespaces of tenants with an error
    found: list[Diagnostic]

    def plan(self, workload: NeuronWorkload) -> dict[str, WorkloadPlan]:
        """Return the workload's plan in each of its sound clusters."""
        if not self._has_partition(workload):
            return {}
        plans = {}
        for cluster in self._clusters(workload):
            if cluster not in self.profiles:
                continue
            before = len(self.found)
            made = self._plan_in(workload, cluster)
            if has_errors(self.found[before:]):
                break
            if made is not None:
                plans[cluster] = made
        return plans

    def _has_partition(self, workload: NeuronWorkload) -> bool:
        name = workload.spec.partition
        if name in self.specs.partitions:
            return True
        if self.specs.lacks("Partition", name):
            self.found.append(
                spec_codes.UNKNOWN_REFERENCE.at(
                    workload.spec.places.value("partition"),
                    f"there is no Partition `{name}`",
                    help=did_you_mean(name, self.specs.partitions),
                )
            )
        return False

    def _clusters(self, workload: NeuronWorkload) -> list[str]:
        spec = workload.spec
        if spec.cluster_selector is not None:
            where = spec.places.value("clusterSelector")
            return select_clusters(self.specs, spec.cluster_selector, where, self.found)
        name = spec.cluster or ""
        found = refers_to_cluster(self.specs, name, spec.places.value("cluster"), self.found)
        return [name] if found else []

    def _plan_in(self, workload: NeuronWorkload, cluster: str) -> WorkloadPlan | None:
        tenant = self.tenants[cluster].get(workload.metadata.namespace)
        partition = self._granted(workload, tenant, cluster)
        if partition is None or tenant is None:
            return None
        if partition.operator:
            self._check_operator_name(workload, tenant)
        self._check_deprecated(workload, partition)
        plan = WorkloadPlan(workload, tenant, partition, partition.pools)
        self.found.extend(check_demand(plan, cluster) + check_quota(plan, cluster))
        return plan

    def _granted(
        self, workload: NeuronWorkload, tenant: TenantPlan | None, cluster: str
    ) -> PlannedPartition | None:
        name, namespace = workload.spec.partition, workload.metadata.namespace
        granted = (
            {each.partition.metadata.name: each for each in tenant.partitions} if tenant else {}
        )
        if name in granted:
            return granted[name]
        if (cluster, name) in self.unsound or self._is_doubtful(workload):
            return None
        if tenant is None:
            where = workload.metadata.places.value("namespace")
            reason = f"no tenant has the namespace `{namespace}` in cluster `{cluster}`"
            related = []
            advice = "add the namespace to a Tenant that is granted the partition"
        else:
            owner = tenant.tenant
            where = workload.spec.places.value("partition")
            advice = f"grant the partition to tenant `{owner.metadata.name}`"
            reason = (
                f"tenant `{owner.metadata.name}` is not granted partition `{name}` "
                f"in cluster `{cluster}`"
            )
            label = "its partitions" if owner.spec.partitions else "granted no partition"
            related = [Related(owner.spec.places.key("partitions"), label)]
        self.found.append(
            codes.NOT_GRANTED.at(
                where,
                f"there will be no template `{name}` in namespace `{namespace}`: {reason}",
                related=related,
                help=advice,
            )
        )
        return None

    def _is_doubtful(self, workload: NeuronWorkload) -> bool:
        """Tell whether another finding may be the reason why nothing is granted."""
        broken = any(name.startswith("Tenant/") for name in self.specs.broken)
        told = workload.metadata.namespace in self.doubtful
        return told or broken or self.specs.incomplete

    def _check_operator_name(self, workload: NeuronWorkload, tenant: TenantPlan) -> None:
        """The operator makes a template of the workload's name; ours must not be in its way."""
        name = workload.metadata.name
        if any(each.name == name and not each.operator for each in tenant.partitions):
            self.found.append(
                codes.OPERATOR_NAME_TAKEN.at(
                    workload.metadata.places.value("name"),
                    f"the UltraServer operator creates a ResourceClaimTemplate `{name}`, "
                    "which is also a partition of this tenant",
                    help="give the workload another name",
                )
            )

    def _check_deprecated(self, workload: NeuronWorkload, partition: PlannedPartition) -> None:
        lifecycle = partition.partition.spec.lifecycle
        if lifecycle is None or not lifecycle.deprecated:
            return
        after = f" after {lifecycle.remove_after}" if lifecycle.remove_after else ""
        instead = f"use `{lifecycle.replaced_by}`" if lifecycle.replaced_by else ""
        self.found.append(
            codes.DEPRECATED_PARTITION.at(
                workload.spec.places.value("partition"),
                f"partition `{workload.spec.partition}` is deprecated and may be removed{after}",
                related=[Related(lifecycle.places.span, "deprecated here")],
                help=instead,
            )
        )
