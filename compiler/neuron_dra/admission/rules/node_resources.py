"""What a device gives to the node beside itself, such as memory: behind a gate that is off.

In: a device. Out: causes. The field has another name and shape from 1.37 on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.admission.cause import Cause, invalid, not_found, required
from neuron_dra.admission.problem import item_field
from neuron_dra.admission.rules.capacity import amount

_OLD, _NEW = "nodeAllocatableResourceMappings", "nodeAllocatableResources"
_DEFAULT_DOMAIN = "kubernetes.io/"
_ALLOCATABLE = ("cpu", "memory")
_HUGE_PAGES = "hugepages-"


def check_node_resources(device: dict[str, Any], field: str) -> Iterator[Cause]:
    """Check the resources of the node that a device comes with."""
    capacities = device.get("capacity") or {}
    for name, mapping in (device.get(_OLD) or {}).items():
        yield from _check_old(name, mapping, item_field(f"{field}.{_OLD}", name), capacities)
    for name, resource in (device.get(_NEW) or {}).items():
        yield from _check_new(name, resource, item_field(f"{field}.{_NEW}", name), capacities)


def _check_old(
    name: str, mapping: dict[str, Any], field: str, capacities: Mapping[str, Any]
) -> Iterator[Cause]:
    if "/" in name and _DEFAULT_DOMAIN not in name:
        yield invalid(field, f"`{name}` is no resource of nodes")
    if amount(mapping.get("allocationMultiplier", "1")) <= 0:
        yield invalid(f"{field}.allocationMultiplier", "must be greater than zero")
    yield from _check_key(mapping, field, capacities)


def _check_key(
    mapping: dict[str, Any], field: str, capacities: Mapping[str, Any]
) -> Iterator[Cause]:
    key = mapping.get("capacityKey")
    if key == "":
        yield invalid(f"{field}.capacityKey", "must not be empty")
    elif key is not None and key not in capacities:
        yield not_found(f"{field}.capacityKey", key, "is no capacity of the device")


def _check_new(
    name: str, resource: dict[str, Any], field: str, capacities: Mapping[str, Any]
) -> Iterator[Cause]:
    if name not in _ALLOCATABLE and not name.startswith(_HUGE_PAGES):
        yield invalid(field, f"`{name}` is no resource that devices can come with")
    mapping, overhead = resource.get("mapping"), resource.get("overhead")
    if mapping is None and overhead is None:
        yield required(field, "needs `mapping` or `overhead`")
    if mapping is not None:
        yield from _check_mapping(mapping, f"{field}.mapping", capacities)
    if overhead is not None:
        yield from _check_overhead(overhead, f"{field}.overhead")


def _check_mapping(
    mapping: dict[str, Any], field: str, capacities: Mapping[str, Any]
) -> Iterator[Cause]:
    key, multiplier = mapping.get("capacityKey"), mapping.get("capacityMultiplier")
    yield from _check_key(mapping, field, capacities)
    if key is not None and multiplier is None:
        yield required(f"{field}.capacityMultiplier", "`capacityKey` needs it")
    if key is None and multiplier is not None:
        yield required(f"{field}.capacityKey", "`capacityMultiplier` needs it")
    for name in ("capacityMultiplier", "deviceMultiplier"):
        counts = name != "capacityMultiplier" or key is not None
        if counts and mapping.get(name) is not None and amount(mapping[name]) <= 0:
            yield invalid(f"{field}.{name}", "must be greater than zero")


def _check_overhead(overhead: dict[str, Any], field: str) -> Iterator[Cause]:
    written = [name for name in ("perPod", "perContainer") if overhead.get(name) is not None]
    if not written:
        yield invalid(field, "needs `perPod` or `perContainer`")
    for name in written:
        if amount(overhead[name]) < 0:
            yield invalid(f"{field}.{name}", "must not be negative")
