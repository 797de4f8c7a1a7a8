"""The class of a cluster: all of a cluster that a claim, class, policy or value may depend on.

Clusters with equal profiles share every plan and every rendering. What differs inside one profile
(name, region, owner, Argo CD destination, values of object labels) is not reachable from here, so
that no plan can depend on it by accident.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.catalog.kubernetes import KubernetesRelease
from neuron_dra.spec.cluster import Consumers, Drivers, NetworkGroup
from neuron_dra.spec.pool import NodePool


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """A node pool with its hardware.

    Attributes:
        spec: what the user wrote.
        type: the instance type in the catalogue.
        drivers: Neuron driver versions of its nodes, sorted; empty when nothing says them.
        least: nodes that are always there.
        most: nodes that can ever be there; None when the spec does not say, or when nobody knows
            how many an UltraServer has.
    """

    spec: NodePool
    type: InstanceType
    drivers: tuple[str, ...]
    least: int
    most: int | None

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def neuron_by_dra(self) -> bool:
        return self.spec.neuron_mechanism == "dra"

    @property
    def efa_by_dra(self) -> bool:
        return self.spec.efa_mechanism == "dra"


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """What all clusters of one class have in common.

    Attributes:
        minor: the Kubernetes minor, like `1.36`.
        release: its limits and gates.
        resource_api_version: the version of resource.k8s.io that is emitted.
        drivers: the drivers as written; None when the cluster names none.
        pools: sorted as written.
        label_names: names of the cluster's object labels, in order; values are holes `label:NAME`.
        annotation_names: the same for annotations, holes `annotation:NAME`.
    """

    minor: str
    release: KubernetesRelease
    resource_api_version: str
    drivers: Drivers | None
    consumers: Consumers | None
    pools: tuple[Pool, ...]
    network_groups: Mapping[str, NetworkGroup]
    rollout: str
    extended_resources: Mapping[str, str]
    label_names: tuple[str, ...]
    annotation_names: tuple[str, ...]

    @property
    def dra_pools(self) -> tuple[Pool, ...]:
        """The pools whose Neuron devices DRA hands out."""
        return tuple(pool for pool in self.pools if pool.neuron_by_dra)
