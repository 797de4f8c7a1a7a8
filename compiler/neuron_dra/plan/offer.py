"""What a claim gives to a pod, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.plan.partition import PlannedShape


@dataclass(frozen=True, slots=True)
class Offer:
    """What a claim of a shape gives on an instance type.

    Attributes:
        devices: chips, also where a whole node is one device of the driver.
        logical_neuron_core: physical cores in a logical one.
        efa_gbps: of all interfaces together; None when it is not known.
    """

    devices: int
    connected: bool
    neuron_cores: int
    logical_neuron_core: int
    logical_neuron_cores: int
    hbm_gib: int
    efa_interfaces: int
    efa_gbps: int | None

    @property
    def members(self) -> dict[str, Any]:
        """The numbers by the names that they have in JSON."""
        return {
            "devices": self.devices,
            "connected": self.connected,
            "logicalNeuronCore": self.logical_neuron_core,
            "logicalNeuronCores": self.logical_neuron_cores,
            "hbmGiB": self.hbm_gib,
            "efaInterfaces": self.efa_interfaces,
            "efaGbps": self.efa_gbps,
        }


def offer_of(shape: PlannedShape, kind: InstanceType) -> Offer:
    """Return what a claim of a shape gives on an instance type that serves it."""
    devices = kind.device_count if shape.ultra_server_nodes is not None else shape.devices
    lnc = shape.logical_neuron_core or kind.chip.logical_neuron_core.default
    gbps = kind.facts.efa.gbps_per_interface if kind.facts.efa else None
    return Offer(
        devices=devices,
        connected=shape.spec.connected or devices in (1, kind.device_count),
        neuron_cores=kind.logical_cores(1, devices),
        logical_neuron_core=lnc,
        logical_neuron_cores=kind.logical_cores(lnc, devices),
        hbm_gib=kind.chip.memory.hbm_gib * devices,
        efa_interfaces=shape.efa,
        efa_gbps=gbps * shape.efa if gbps else None,
    )
