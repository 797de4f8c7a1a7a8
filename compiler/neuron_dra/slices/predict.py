"""What each driver publishes on a cluster node of an instance type.

In: an instance type, the drivers that run on the node, its name, and, where they are known, values
that only a live node knows. Out: slices of one pool per driver, named after the node, complete and
in their first generation. A driver that describes device ids publishes Neuron devices, or the node
of an UltraServer; one that describes PCI addresses publishes EFA interfaces. Whether a driver runs
on the node is for the caller to know, save that one which is known not to serve the instance type
publishes nothing.

A value that only a live node knows is a placeholder: `live:` and the attribute's name, the version
`0.0.0-live`, or -1. It is the same on all devices of a node. Names are written in full, also in the
driver's own domain, where a driver may leave the domain out. An attribute of which nobody knows
whether it is published is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from neuron_dra.catalog.driver import Attribute, Driver
from neuron_dra.catalog.facts import Answer
from neuron_dra.catalog.instance_type import NEURON_NODE, InstanceType
from neuron_dra.kube.slice import (
    RESOURCE_SLICE_MAX_DEVICES,
    Device,
    DeviceAttribute,
    ResourcePool,
    ResourceSlice,
    Scalar,
)

LIVE_PREFIX = "live:"
_PLACEHOLDERS: Mapping[str, Scalar] = {"int": -1, "bool": False, "version": "0.0.0-live"}

_NEURON_RULE, _EFA_RULE = "deviceId", "pciAddress"


def predict_slices(
    instance_type: InstanceType,
    drivers: Iterable[Driver],
    node_name: str,
    live: Mapping[str, Scalar] | None = None,
) -> tuple[ResourceSlice, ...]:
    """Return what drivers publish on a node, driver by driver.

    Args:
        live: by qualified name, the values of attributes that only a live node knows.
    """
    return tuple(
        each
        for driver in drivers
        for each in _slices(driver, predict_devices(instance_type, driver, live or {}), node_name)
    )


def predict_devices(
    instance_type: InstanceType, driver: Driver, live: Mapping[str, Scalar]
) -> list[Device]:
    """Return the devices that a driver publishes on an instance type, by id or address."""
    names = driver.attributes.names if driver.attributes else {}
    rules = {attribute.value for attribute in names.values()}
    subjects: Iterable[_Subject] = ()
    if _NEURON_RULE in rules:
        subjects = _neuron_subjects(instance_type)
        present = instance_type.facts.published.present if instance_type.facts.published else ()
        names = {name: attribute for name, attribute in names.items() if name in present}
    elif _EFA_RULE in rules:
        subjects = _efa_subjects(instance_type)
    return [
        Device(subject.name, dict(_attributes(subject, instance_type, names, live)), {})
        for subject in subjects
    ]


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a device of a slice stands for.

    Attributes:
        number: the device id; of an EFA interface, the first id beside it, or None.
        address: the PCI address of an EFA interface, when it is known.
    """

    name: str
    resource_type: str
    number: int | None
    address: str | None = None


def _neuron_subjects(instance_type: InstanceType) -> Iterator[_Subject]:
    published = instance_type.facts.published
    if published is None or instance_type.served is Answer.NO:
        return
    for resource_type in published.resource_types:
        count = 1 if resource_type == NEURON_NODE else instance_type.device_count
        prefix = resource_type.replace("_", "-")
        for number in range(count):
            yield _Subject(f"{prefix}-{number}", resource_type, number)


def _efa_subjects(instance_type: InstanceType) -> Iterator[_Subject]:
    device_map = instance_type.device_map
    if device_map is None:
        for index in range(instance_type.efa_interfaces or 0):
            yield _Subject(f"pci-unknown-{index}", "", None)
        return
    for address in device_map.interfaces:
        name = "pci-" + address.replace(":", "-").replace(".", "-")
        yield _Subject(name, "", device_map.efa.addresses.index(address), address)


def _attributes(
    subject: _Subject,
    instance_type: InstanceType,
    names: Mapping[str, Attribute],
    live: Mapping[str, Scalar],
) -> Iterator[tuple[str, DeviceAttribute]]:
    """Yield the attributes of a device that have a value there."""
    for name, attribute in names.items():
        kind, value = attribute.type, _value(subject, instance_type, attribute)
        # An interface has an address, known or not.
        is_live = attribute.live or (value is None and attribute.value == _EFA_RULE)
        if is_live and name in live:
            yield name, DeviceAttribute(kind, live[name])
        elif is_live:
            yield name, DeviceAttribute(kind, placeholder(name, kind), live=True)
        elif value is not None:
            yield name, DeviceAttribute(kind, value)


def placeholder(name: str, kind: str) -> Scalar:
    """Return what stands for a value that only a live node knows."""
    return _PLACEHOLDERS.get(kind, f"{LIVE_PREFIX}{name}")


def _value(subject: _Subject, instance_type: InstanceType, attribute: Attribute) -> Scalar | None:
    """Return what the rule of an attribute gives for a device; None: nothing."""
    match attribute.value:
        case "instanceType":
            return instance_type.name
        case "resourceType":
            return subject.resource_type
        case "constant":
            return _constant(attribute)
        case "pciAddress":
            return subject.address
    if subject.number is None:
        return None
    if attribute.value == "deviceGroup":
        device_map, size = instance_type.device_map, attribute.size
        return device_map.group_id(size, subject.number) if device_map and size else None
    return _place(subject.number, instance_type.torus, attribute)


def _place(number: int, torus: tuple[int, int] | None, attribute: Attribute) -> int | None:
    """Return what follows from a device id alone."""
    match attribute.value:
        case "row" if torus:
            return number // torus[1]
        case "column" if torus:
            return number % torus[1]
        case "quotient" if attribute.size:
            return number // attribute.size
    return number if attribute.value == _NEURON_RULE else None


def _constant(attribute: Attribute) -> Scalar | None:
    text = attribute.constant
    if attribute.type == "bool":
        return text == "true"
    return int(text) if attribute.type == "int" and text is not None else text


def _slices(driver: Driver, devices: Sequence[Device], node_name: str) -> Iterator[ResourceSlice]:
    """Yield the slices of a pool, each with as many devices as one may have."""
    if driver.driver is None:
        return
    size = RESOURCE_SLICE_MAX_DEVICES
    parts = [tuple(devices[start : start + size]) for start in range(0, len(devices), size)]
    pool = ResourcePool(node_name, generation=1, resource_slice_count=len(parts))
    name = driver.driver.name
    for index, part in enumerate(parts):
        yield ResourceSlice(f"{node_name}-{name}-{index:02}", name, pool, part, node_name)
