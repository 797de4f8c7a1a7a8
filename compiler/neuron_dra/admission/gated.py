"""Fields behind feature gates that are off: the API server drops them without a word.

In: a decoded object in the newest shape, and a server. Out: the fields that are dropped and had a
value; the data is changed in place. Which gate drops what is a table here, and what a minor keeps
although the gate is off is a fact of its release.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from neuron_dra.admission.problem import inner_field, item_field
from neuron_dra.admission.server import Server

_EACH = "*"


class _Gated(NamedTuple):
    """A field of a kind and the gates that it needs, all of them."""

    path: tuple[str, ...]
    gates: tuple[str, ...]


def _path(text: str, *gates: str) -> _Gated:
    return _Gated(tuple(text.split(".")), gates)


def _asked(name: str, gate: str) -> tuple[_Gated, ...]:
    return (
        _path(f"requests.*.exactly.{name}", gate),
        _path(f"requests.*.firstAvailable.*.{name}", gate),
    )


# pkg/registry/resource/*/strategy.go and pkg/api/resourceclaimspec, v1.34 to v1.37, in their order.
_CLAIM = (
    _path("requests.*.firstAvailable", "DRAPrioritizedList"),
    *_asked("tolerations", "DRADeviceTaints"),
    _path("requests.*.exactly.adminAccess", "DRAAdminAccess"),
    _path("constraints.*.distinctAttribute", "DRAConsumableCapacity"),
    *_asked("capacity", "DRAConsumableCapacity"),
    *_asked("derivedAttributes", "DRADerivedAttributes"),
)
_BINDING = ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")
_SLICE = (
    _path("devices.*.taints", "DRADeviceTaints"),
    _path("sharedCounters", "DRAPartitionableDevices"),
    _path("perDeviceNodeSelection", "DRAPartitionableDevices"),
    _path("devices.*.consumesCounters", "DRAPartitionableDevices"),
    _path("devices.*.nodeName", "DRAPartitionableDevices"),
    _path("devices.*.nodeSelector", "DRAPartitionableDevices"),
    _path("devices.*.allNodes", "DRAPartitionableDevices"),
    _path("devices.*.consumesCounters.*.compatibilityGroups", "DRADeviceCompatibilityGroups"),
    _path("devices.*.bindingConditions", *_BINDING),
    _path("devices.*.bindingFailureConditions", *_BINDING),
    _path("devices.*.bindsToNode", *_BINDING),
    _path("devices.*.allowMultipleAllocations", "DRAConsumableCapacity"),
    _path("devices.*.capacity.*.requestPolicy", "DRAConsumableCapacity"),
    _path("devices.*.nodeAllocatableResourceMappings", "DRANodeAllocatableResources"),
    _path("devices.*.nodeAllocatableResources", "DRANodeAllocatableResources"),
    *(
        _path(f"devices.*.attributes.*.{name}", "DRAListTypeAttributes")
        for name in ("bools", "ints", "strings", "versions")
    ),
    _path("partitionTypeAttribute", "DRAPartitionableDevicesType"),
    _path("skipNodeOperations", "DRAOptionalNodeOperations"),
)
_CLASS = (_path("extendedResourceName", "DRAExtendedResource"),)

# By kind, below the part of an object that the caller chooses.
_TABLES: Mapping[str, tuple[_Gated, ...]] = {
    "ResourceClaim": _CLAIM,
    "ResourceClaimTemplate": _CLAIM,
    "DeviceClass": _CLASS,
    "ResourceSlice": _SLICE,
}


class Dropped(NamedTuple):
    """A field that had a value, and why the server does not store it."""

    field: str
    reason: str


def drop_gated(data: dict[str, Any], kind: str, field: str, server: Server) -> list[Dropped]:
    """Remove what the server drops of a part of an object, and return the fields."""
    return [
        Dropped(place, f"the feature gate `{off[0]}` is off")
        for gated in _TABLES.get(kind, ())
        if (off := [gate for gate in gated.gates if not server.is_on(gate)])
        and not _is_kept(gated, server)
        for place in _drop(data, gated.path, field)
    ]


def _is_kept(gated: _Gated, server: Server) -> bool:
    """Tell whether a minor stores a field although its gate is off."""
    gate = server.release.gate(gated.gates[0])
    return gate is not None and gate.fields.get(gated.path[-1]) == "stored"


def _drop(data: Any, path: tuple[str, ...], field: str) -> Iterator[str]:
    """Remove a field, and yield where it had a value."""
    name, *rest = path
    if name == _EACH:
        for key, item in _items(data):
            yield from _drop(item, tuple(rest), item_field(field, key))
    elif rest:
        if data.get(name):
            yield from _drop(data[name], tuple(rest), inner_field(field, name))
    elif data.pop(name, None):
        yield inner_field(field, name)


def _items(data: Any) -> Iterator[tuple[str | int, Any]]:
    yield from data.items() if isinstance(data, dict) else enumerate(data)
