"""The devices that a driver publishes on a node, against the predicted ones.

In: real and predicted devices, and what the catalogue knows of the driver. Out: differences. A
device is found by its id or its PCI address, never by its name; where the address is not known, by
its place in the list. What only a live node knows is never a difference, but its type is. Ids of
device groups are compared by which devices share them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from neuron_dra.catalog.driver import Driver
from neuron_dra.kube.slice import Device, DeviceAttribute, ResourceSlice
from neuron_dra.simulation.drift.difference import Difference, Kind

_ID_RULES = ("deviceId", "pciAddress")
_GROUP_RULE = "deviceGroup"
_SHOWN = 4

Attributes = Mapping[str, DeviceAttribute]
Groups = dict[str, dict[object, set[str]]]


@dataclass(frozen=True, slots=True)
class Published:
    """A device with its attributes by qualified name."""

    name: str
    attributes: Attributes


def published(slices: Iterable[ResourceSlice]) -> list[Published]:
    """Return the devices of slices."""
    return [
        Published(device.name, qualified(device, each.driver))
        for each in slices
        for device in each.devices
    ]


def qualified(device: Device, driver: str) -> Attributes:
    """Return attributes by full name; in its own domain a driver may leave the domain out."""
    return {
        name if "/" in name else f"{driver}/{name}": attribute
        for name, attribute in device.attributes.items()
    }


@dataclass(frozen=True, slots=True)
class DeviceComparison:
    """Compares the devices of one driver on one node."""

    driver: Driver
    real: Mapping[object, Published]
    predicted: Mapping[object, Published]

    @classmethod
    def of(
        cls, driver: Driver, real: Sequence[Published], predicted: Sequence[Published]
    ) -> DeviceComparison:
        """Pair the devices by what identifies them."""
        identity = _identity(driver, predicted)
        return cls(driver, _by_identity(real, identity), _by_identity(predicted, identity))

    def differences(self) -> Iterator[Difference]:
        """Yield devices that are not on both sides, then what differs in those that are."""
        noun = "EFA interface" if _is_efa(self.driver) else "device"
        for kind, some, others, word in (
            (Kind.DEVICE_MISSING, self.predicted, self.real, "missing"),
            (Kind.DEVICE_EXTRA, self.real, self.predicted, "not predicted"),
        ):
            names = tuple(each.name for key, each in some.items() if key not in others)
            if names:
                count = f"{len(names)} {noun}{'' if len(names) == 1 else 's'}"
                yield Difference(
                    kind,
                    f"{count} {word}: {shorten(names)} ({len(self.real)} of {len(self.predicted)})",
                    names,
                )
        yield from self._attributes()

    def _attributes(self) -> Iterator[Difference]:
        found: dict[tuple[Kind, str], list[str]] = {}
        for key, predicted in self.predicted.items():
            real = self.real.get(key)
            if real is not None:
                for kind, message in self._compare(real.attributes, predicted.attributes):
                    found.setdefault((kind, message), []).append(real.name)
        for (kind, message), names in found.items():
            every = len(names) == len(self.real) and len(names) > 1
            where = f"all {len(names)} devices" if every else shorten(names)
            yield Difference(kind, f"{message} on {where}", tuple(names))

    def _compare(self, real: Attributes, predicted: Attributes) -> Iterator[tuple[Kind, str]]:
        known = self.driver.attributes.names if self.driver.attributes else {}
        for name in sorted({*real, *predicted}):
            one, other = real.get(name), predicted.get(name)
            rule = known.get(name)
            if one is None:
                yield Kind.ATTRIBUTE_MISSING, f"attribute `{name}` is missing"
            elif other is None:
                if rule is None or not rule.live:
                    yield Kind.ATTRIBUTE_EXTRA, f"attribute `{name}` is not predicted"
            elif one.kind != other.kind:
                message = f"attribute `{name}` has the type {one.kind}, not {other.kind}"
                yield Kind.ATTRIBUTE_TYPE, message
            elif _is_fixed(other, rule is not None and rule.value == _GROUP_RULE) and (
                one.value != other.value
            ):
                message = f"attribute `{name}` is `{one.value}`, not `{other.value}`"
                yield Kind.ATTRIBUTE_VALUE, message


def compare_groups(comparisons: Iterable[DeviceComparison]) -> Iterator[Difference]:
    """Yield each group attribute that ties other devices together, of all drivers of a node."""
    real: Groups = {}
    predicted: Groups = {}
    for comparison in comparisons:
        for key in comparison.real.keys() & comparison.predicted.keys():
            one, other = comparison.real[key].attributes, comparison.predicted[key].attributes
            for name in _group_names(comparison.driver):
                if name in one and name in other:
                    device = comparison.predicted[key].name
                    real.setdefault(name, {}).setdefault(one[name].value, set()).add(device)
                    predicted.setdefault(name, {}).setdefault(other[name].value, set()).add(device)
    for name in sorted(real):
        there = sorted(sorted(group) for group in real[name].values())
        expected = sorted(sorted(group) for group in predicted[name].values())
        if there != expected:
            wrong = next(group for group in there if group not in expected)
            yield Difference(
                Kind.GROUP,
                f"`{name}` groups devices otherwise: {shorten(wrong)} together",
                tuple(wrong),
            )


def shorten(names: Sequence[str]) -> str:
    """Return names, the first few of many."""
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown


def _identity(driver: Driver, predicted: Sequence[Published]) -> str:
    """Return the attribute that identifies devices; empty where no value of it is known."""
    known = driver.attributes.names if driver.attributes else {}
    for name, rule in known.items():
        if rule.value in _ID_RULES:
            values = [each.attributes.get(name) for each in predicted]
            if all(value is not None and not value.live for value in values):
                return name
    return ""


def _by_identity(devices: Sequence[Published], identity: str) -> dict[object, Published]:
    found: dict[object, Published] = {}
    for index, each in enumerate(devices):
        attribute = each.attributes.get(identity)
        key: object = attribute.value if attribute else each.name if identity else index
        found.setdefault(key, each)
    return found


def _group_names(driver: Driver) -> Iterable[str]:
    return driver.group_attributes.values()


def _is_efa(driver: Driver) -> bool:
    known = driver.attributes.names if driver.attributes else {}
    return any(rule.value == _ID_RULES[1] for rule in known.values())


def _is_fixed(predicted: DeviceAttribute, is_group: bool) -> bool:
    return not predicted.live and not is_group
