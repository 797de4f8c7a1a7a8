"""The devices that a selector is asked about, and what it makes of each.

In: an instance type and the drivers that publish its devices; a compiled selector. Out: a verdict
for each device. What only a live node knows is unknown: a verdict that depends on it says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from neuron_dra.allocator.inventory import selector_value
from neuron_dra.catalog.driver import Driver
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.cel.device import Device as SelectorDevice
from neuron_dra.cel.environment import Compiled
from neuron_dra.cel.unknown import UnknownValueError
from neuron_dra.cel.value import EvaluationError
from neuron_dra.kube.slice import Device, Scalar
from neuron_dra.slices.predict import predict_devices


class Fate(Enum):
    """What becomes of a device under a selector."""

    MATCHES = "matches"
    DIFFERS = "does not match"
    DEPENDS = "depends on the node"
    FAILS = "fails"


@dataclass(frozen=True, slots=True, eq=False)
class ReachedDevice:
    """A predicted device with its driver.

    Attributes:
        doubtful: attributes of which nobody knows whether it has them.
    """

    driver: str
    device: Device
    doubtful: frozenset[str]

    @property
    def name(self) -> str:
        return self.device.name

    def has(self, name: str, *, capacity: bool = False) -> bool:
        """Tell whether an attribute or a capacity is surely there, by its qualified name."""
        return name in (self.device.capacity if capacity else self.device.attributes)

    def verdict(self, compiled: Compiled) -> Verdict:
        """Return what a selector makes of it."""
        try:
            matches = compiled.matches(self._selector_device())
        except UnknownValueError as error:
            return Verdict(self, Fate.DEPENDS, str(error.key))
        except EvaluationError as error:
            return Verdict(self, Fate.FAILS, str(error))
        return Verdict(self, Fate.MATCHES if matches else Fate.DIFFERS)

    def _selector_device(self) -> SelectorDevice:
        attributes = self.device.attributes
        return SelectorDevice.of(
            self.driver,
            {name: selector_value(each) for name, each in attributes.items() if not each.live},
            {name: each.value for name, each in self.device.capacity.items()},
            unknown=[name for name, each in attributes.items() if each.live],
            doubtful=self.doubtful,
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a selector makes of a device.

    Attributes:
        reason: why it fails, or the attribute that only a live node knows.
    """

    device: ReachedDevice
    fate: Fate
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The devices of an instance type that a selector is asked about."""

    kind: InstanceType
    devices: tuple[ReachedDevice, ...]

    def verdicts(self, compiled: Compiled) -> tuple[Verdict, ...]:
        """Return what a selector makes of each device."""
        return tuple(each.verdict(compiled) for each in self.devices)

    def left_by(self, compiled: Compiled) -> Reach:
        """Return the devices that a selector may match: the next one is asked about those alone."""
        return self.where(lambda each: each.verdict(compiled).fate is not Fate.DIFFERS)

    def where(self, keeps: Callable[[ReachedDevice], bool]) -> Reach:
        """Return the devices for which something holds."""
        return Reach(self.kind, tuple(filter(keeps, self.devices)))

    def attribute_types(self, name: str) -> set[str]:
        """Return the types with which an attribute is published."""
        return {
            each.device.attributes[name].kind
            for each in self.devices
            if name in each.device.attributes
        }

    def attribute_names(self) -> set[str]:
        """Return the attributes that a device has or may have."""
        return {name for each in self.devices for name in (*each.device.attributes, *each.doubtful)}

    def values(self, name: str) -> set[Scalar] | None:
        """Return the values of an attribute; None when nobody knows them all."""
        found: set[Scalar] = set()
        for each in self.devices:
            attribute = each.device.attributes.get(name)
            if name in each.doubtful or (attribute and attribute.live):
                return None
            if attribute and not isinstance(attribute.value, tuple):
                found.add(attribute.value)
        return found


def find_reach(
    kind: InstanceType, drivers: Iterable[Driver], live: Mapping[str, Scalar] | None = None
) -> Reach:
    """Return what drivers are predicted to publish on a node of an instance type.

    Args:
        live: by qualified name, the values of attributes that only a live node knows.
    """
    return Reach(kind, tuple(_devices(kind, drivers, live or {})))


def _devices(
    kind: InstanceType, drivers: Iterable[Driver], live: Mapping[str, Scalar]
) -> Iterator[ReachedDevice]:
    published = kind.facts.published
    unknown = published.unknown if published else ()
    for driver in drivers:
        if driver.driver and driver.attributes:
            doubtful = frozenset(unknown).intersection(driver.attributes.names)
            for device in predict_devices(kind, driver, live):
                own = doubtful.difference(device.attributes)
                yield ReachedDevice(driver.driver.name, device, own)
