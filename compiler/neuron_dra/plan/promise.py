"""What a partition promises about the devices of a claim, in terms of hardware.

In: the devices of a claim, as numbers and addresses. Out: what is broken. The facts are those of
the catalogue, not the attributes by which a claim asks for them: so it shows that the attributes
say what is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from neuron_dra.catalog.driver import Driver
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.plan.claims import EFA_REQUEST, NEURON_REQUEST
from neuron_dra.plan.fit import AnyShape
from neuron_dra.plan.matching import NodeDevice


@dataclass(frozen=True, slots=True)
class Unit:
    """A pair of requests that belong together; `efa` is empty where none is asked for."""

    neuron: str
    efa: str


@dataclass(frozen=True, slots=True)
class Holding:
    """What a unit of a claim holds: device ids, and PCI addresses of EFA interfaces."""

    devices: frozenset[int]
    interfaces: frozenset[str]


def units_of(requests: Iterable[str]) -> list[Unit]:
    """Return the pairs of requests of a claim."""
    names = list(requests)
    units = []
    for name in names:
        if name.startswith(NEURON_REQUEST):
            efa = EFA_REQUEST + name.removeprefix(NEURON_REQUEST)
            units.append(Unit(name, efa if efa in names else ""))
    return units


@dataclass(frozen=True, slots=True)
class Promise:
    """What a shape promises on an instance type.

    Attributes:
        connected: the devices of a claim are one connected set; all of a node are so anyhow.
        paired: every EFA interface of a unit lies beside one of its devices, none is missing.
    """

    type: InstanceType
    connected: bool
    paired: bool

    @classmethod
    def of(cls, shape: AnyShape, devices: int, kind: InstanceType) -> Promise:
        """Return what a shape of so many devices promises; a whole node of a server: nothing."""
        if shape.ultra_server_nodes is not None:
            return cls(kind, connected=False, paired=False)
        some = 1 < devices < kind.device_count
        return cls(kind, shape.connected and some, shape.efa == "paired")

    @property
    def is_empty(self) -> bool:
        return not (self.connected or self.paired)

    def broken(self, holdings: Sequence[Holding]) -> str:
        """Return what the units of a claim do not keep, or an empty text."""
        devices = frozenset[int]().union(*(each.devices for each in holdings))
        if self.connected and not self._is_connected(devices):
            return f"devices {_numbers(devices)} are not connected"
        for each in holdings if self.paired else ():
            if each.interfaces != self._beside(each.devices):
                return (
                    f"devices {_numbers(each.devices)} get other EFA interfaces than those "
                    f"beside them: {_addresses(each.interfaces)}"
                )
        return ""

    def _is_connected(self, devices: frozenset[int]) -> bool:
        return tuple(sorted(devices)) in self.type.connected_sets(len(devices))

    def _beside(self, devices: Iterable[int]) -> frozenset[str]:
        device_map = self.type.device_map
        return frozenset(device_map.efa.addresses[each] for each in devices if device_map)


@dataclass(frozen=True, slots=True)
class Numbering:
    """The attributes that tell which device of the hardware a device of a slice is."""

    device: str  # qualified names
    interface: str

    @classmethod
    def of(cls, drivers: Iterable[Driver]) -> Numbering:
        names = {
            attribute.value: name
            for driver in drivers
            if driver.attributes
            for name, attribute in driver.attributes.names.items()
        }
        return cls(names.get("deviceId", ""), names.get("pciAddress", ""))

    def holding(self, devices: Iterable[NodeDevice]) -> Holding:
        """Return what devices of slices are in hardware."""
        values = [each.attributes for each in devices]
        return Holding(
            frozenset(_ints(values, self.device)), frozenset(_texts(values, self.interface))
        )


def _ints(values: Iterable[Mapping[str, object]], name: str) -> Iterable[int]:
    return (value for each in values if isinstance(value := each.get(name), int))


def _texts(values: Iterable[Mapping[str, object]], name: str) -> Iterable[str]:
    return (value for each in values if isinstance(value := each.get(name), str))


def _numbers(devices: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(devices)))


def _addresses(interfaces: Iterable[str]) -> str:
    return ", ".join(sorted(interfaces)) or "none"
