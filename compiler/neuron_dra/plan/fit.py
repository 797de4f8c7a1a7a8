"""What a claim takes on an instance type, as the judges of the hardware hand it on."""

from __future__ import annotations

from dataclasses import dataclass

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Related
from neuron_dra.spec.partition import PartitionSpec, Shape

AnyShape = Shape | PartitionSpec


@dataclass(frozen=True, slots=True)
class Fit:
    """What one claim takes on an instance type.

    Attributes:
        devices: Neuron devices (1 where the device is a whole node).
        efa: EFA interfaces.
        group_attribute: the attribute all devices of the claim share; empty when none is needed.
        efa_in_group: whether the EFA interfaces share it too.
        units: (devices, efa) of each request pair; one unit unless EFA must be paired singly.
    """

    devices: int
    efa: int
    group_attribute: str
    units: tuple[tuple[int, int], ...]
    efa_in_group: bool = False

    @property
    def efa_group(self) -> str:
        """The attribute that ties EFA interfaces to devices."""
        return self.group_attribute if self.efa_in_group else ""


def fact_of(kind: InstanceType, group: str, message: str) -> Related:
    """Point at the fact about an instance type that decided."""
    places = kind.facts.places
    known = places.has(group)
    return Related(places.key(group), message if known else f"nothing is said of `{group}`")
