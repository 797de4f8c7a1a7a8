"""A planned partition: the claim that a partition means in one class of cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.kube.claim import DeviceClaim
from neuron_dra.plan.profile import Pool
from neuron_dra.plan.witness import Witness
from neuron_dra.spec.partition import Partition, PartitionSpec, Shape


@dataclass(frozen=True, slots=True, eq=False)
class PlannedShape:
    """One entry of a partition on its hardware.

    Attributes:
        spec: the entry as written.
        entry: its path in the partition's spec, like `firstAvailable[1]`; empty when it is all.
        types: the instance types that serve it, sorted by name; never empty.
        class_name: the DeviceClass of its Neuron request.
        devices: Neuron devices of a claim; 1 for a node of an UltraServer.
        efa: EFA interfaces of a claim.
        group_attribute: the attribute that all its devices share; empty when they need not.
        logical_neuron_core: the LNC that the claim sets; None leaves the node's own.
        ultra_server_nodes: nodes used together; None for devices.
        pools: names of the pools that serve it, in the cluster's order.
    """

    spec: Shape | PartitionSpec
    entry: str
    types: tuple[InstanceType, ...]
    class_name: str
    devices: int
    efa: int
    group_attribute: str
    logical_neuron_core: int | None
    ultra_server_nodes: int | None
    pools: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PlannedPartition:
    """What a partition means in one class of cluster.

    Attributes:
        name: of the ResourceClaimTemplate, with a content hash where `rollout` is `rename`.
        claim: the claim that is judged and rendered.
        fields: field path in the template's `spec.spec` -> field path in the Partition's `spec`.
        rollout: replace, rename or fail.
        pools: every pool that serves one of the shapes.
        operator: whether the UltraServer operator makes the templates of its pods.
        held: by instance type, the claims that an empty node holds, where numbers cannot say.
        witnesses: the devices that a claim gets, by entry and instance type; none where they
            depend on what only a live node knows.
    """

    name: str
    partition: Partition
    shapes: tuple[PlannedShape, ...]
    claim: DeviceClaim
    fields: Mapping[str, str]
    rollout: str
    pools: tuple[Pool, ...]
    operator: bool = False
    held: Mapping[str, int] = field(default_factory=dict)
    witnesses: tuple[Witness, ...] = ()

    @property
    def has_efa(self) -> bool:
        return any(shape.efa for shape in self.shapes)
