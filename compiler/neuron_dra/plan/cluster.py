"""The plan of one cluster, as `objects` renders it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from neuron_dra.kube.claim import DeviceClass
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.spec.cluster import Cluster, ClusterSpec
from neuron_dra.spec.tenant import Tenant
from neuron_dra.spec.workload import NeuronWorkload


@dataclass(frozen=True, slots=True, eq=False)
class TenantPlan:
    """A tenant in a cluster.

    Attributes:
        partitions: what its namespaces are granted here, sorted by name.
        quota: namespace -> device class -> devices that may be claimed; empty without quota.
    """

    tenant: Tenant
    partitions: tuple[PlannedPartition, ...]
    quota: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True, eq=False)
class WorkloadPlan:
    """A workload in a cluster.

    Attributes:
        tenant: the owner of its namespace; None when no tenant of the specs has it.
        pools: the pools that its pods can land on.
    """

    workload: NeuronWorkload
    tenant: TenantPlan | None
    partition: PlannedPartition
    pools: tuple[Pool, ...]

    @property
    def operator(self) -> bool:
        """Whether the UltraServer operator makes its ResourceClaimTemplate."""
        return self.partition.operator

    @property
    def claim_template(self) -> str:
        """The ResourceClaimTemplate that its pods name."""
        return self.workload.metadata.name if self.operator else self.partition.name


@dataclass(frozen=True, slots=True, eq=False)
class ClusterPlan:
    """Everything that is emitted for a cluster.

    Attributes:
        classes: the device classes, sorted by name; shared by clusters of one profile.
    """

    name: str
    document: Cluster
    spec: ClusterSpec
    profile: Profile
    classes: tuple[DeviceClass, ...]
    tenants: tuple[TenantPlan, ...]
    workloads: tuple[WorkloadPlan, ...]
