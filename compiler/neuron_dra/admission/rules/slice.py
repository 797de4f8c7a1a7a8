"""The spec of a ResourceSlice.

In: `spec`. Out: causes. What only several slices of a pool together show is not judged here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, invalid, required
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.counters import check_counter_sets, check_counters_of_devices
from neuron_dra.admission.rules.device import (
    LISTS,
    Surroundings,
    check_device,
    check_node_choice,
)
from neuron_dra.admission.rules.lists import unique
from neuron_dra.admission.server import Server

_NODES = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
_PREPARE, _UNPREPARE, _EVERYTHING = "NodePrepareResources", "NodeUnprepareResources", "*"


def check_slice_spec(spec: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check a slice."""
    yield from names.driver(spec.get("driver", ""), f"{field}.driver", server.dialect)
    yield from _check_pool(spec.get("pool") or {}, f"{field}.pool")
    yield from _check_nodes(spec, field)
    if server.dialect.separates_counters and "sharedCounters" in spec and "devices" in spec:
        yield invalid(field, "may not have both `sharedCounters` and `devices`")
    yield from _check_devices(spec, field, server)
    yield from check_counter_sets(spec, field, server)
    yield from _check_partition_type(spec, field, server)
    yield from _check_skipped(spec.get("skipNodeOperations") or [], f"{field}.skipNodeOperations")


def _check_pool(pool: dict[str, Any], field: str) -> Iterator[Cause]:
    yield from names.pool(pool.get("name", ""), f"{field}.name")
    if pool.get("resourceSliceCount", 0) <= 0:
        yield invalid(f"{field}.resourceSliceCount", "must be greater than zero")
    if pool.get("generation", 0) < 0:
        yield invalid(f"{field}.generation", "must not be negative")


def _check_nodes(spec: dict[str, Any], field: str) -> Iterator[Cause]:
    written = [name for name in _NODES if spec.get(name) is not None]
    for name in written:
        yield from check_node_choice(name, spec[name], field)
    selector = spec.get("nodeSelector")
    if selector is not None and len(selector.get("nodeSelectorTerms") or []) != 1:
        yield invalid(f"{field}.nodeSelector.nodeSelectorTerms", "needs exactly one term")
    chosen = sum(bool(spec[name] or name == "nodeSelector") for name in written)
    detail = "needs exactly one of " + ", ".join(f"`{name}`" for name in _NODES)
    if chosen != 1:
        yield invalid(field, detail) if chosen else required(field, detail)


def _check_devices(spec: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    devices, limits = spec.get("devices") or [], server.limits
    counters = {
        each.get("name", ""): each.get("counters") or {}
        for each in spec.get("sharedCounters") or []
    }
    around = Surroundings(bool(spec.get("perDeviceNodeSelection")), counters)
    limit = limits.slice_devices_with_taints if _is_costly(devices) else limits.slice_devices
    yield from unique(
        devices,
        f"{field}.devices",
        limit,
        lambda device, place: check_device(device, place, around, server),
        server.dialect,
        "name",
    )
    yield from check_counters_of_devices(devices, f"{field}.devices", server)


def _is_costly(devices: list[Any]) -> bool:
    """Tell whether a device has what makes the server allow fewer of them."""
    return any(
        device.get("taints") or device.get("consumesCounters") or _has_lists(device)
        for device in devices
    )


def _has_lists(device: dict[str, Any]) -> bool:
    attributes = (device.get("attributes") or {}).values()
    return any(attribute.get(name) is not None for attribute in attributes for name in LISTS)


def _check_partition_type(spec: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check the attribute that tells partitions apart, which each of them has to have as a text."""
    name = spec.get("partitionTypeAttribute")
    if name is None:
        return
    place = f"{field}.partitionTypeAttribute"
    partitions = {
        index: device
        for index, device in enumerate(spec.get("devices") or [])
        if device.get("consumesCounters")
    }
    if not partitions:
        yield invalid(place, "needs a device that consumes counters")
    elif not any(names.fully_qualified(name, place, server.dialect)):
        bare = name.removeprefix(f"{spec.get('driver', '')}/")
        for index, device in partitions.items():
            yield from _check_partition(device, name, bare, f"{field}.devices[{index}].attributes")


def _check_partition(device: dict[str, Any], name: str, bare: str, field: str) -> Iterator[Cause]:
    attributes = device.get("attributes") or {}
    attribute = attributes.get(name, attributes.get(bare))
    if attribute is None:
        yield required(f"{field}[{name}]", "`partitionTypeAttribute` names it")
    elif attribute.get("string") is None:
        yield invalid(f"{field}[{name}]", "must be a text: `partitionTypeAttribute` names it")


def _check_skipped(skipped: list[str], field: str) -> Iterator[Cause]:
    if _PREPARE in skipped and _UNPREPARE not in skipped and _EVERYTHING not in skipped:
        yield invalid(field, f"`{_PREPARE}` needs `{_UNPREPARE}` too")
