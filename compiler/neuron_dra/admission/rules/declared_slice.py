"""The declared rules of ResourceSlices; see `declarative`.

In: the spec of a slice. Out: causes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, invalid, required, unsupported
from neuron_dra.admission.problem import item_field
from neuron_dra.admission.rules import binding, names
from neuron_dra.admission.rules.declarative import full_name, nothing
from neuron_dra.admission.rules.device import LISTS, SCALARS
from neuron_dra.admission.rules.lists import each, limited, unique
from neuron_dra.admission.server import Server

# DeviceCompatibilityGroupsMaxSize, pkg/apis/resource/types.go, v1.37.
_GROUPS_MAX = 2
_OPERATIONS = ("NodePrepareResources", "NodeUnprepareResources", "*")


def declared_slice(spec: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Apply the declared rules of a slice."""
    yield from each(
        spec.get("devices") or [],
        f"{field}.devices",
        lambda device, place: _device(device, place, server),
    )
    yield from unique(
        spec.get("sharedCounters") or [],
        f"{field}.sharedCounters",
        server.limits.counter_sets,
        lambda counter_set, place: _counters(counter_set, place, "name"),
        server.dialect,
        "name",
    )
    if spec.get("partitionTypeAttribute") is not None:
        name = spec["partitionTypeAttribute"]
        yield from full_name(name, f"{field}.partitionTypeAttribute", server)
    skipped = spec.get("skipNodeOperations") or []
    yield from unique(skipped, f"{field}.skipNodeOperations", None, _operation, server.dialect)


def _operation(name: str, field: str) -> Iterator[Cause]:
    if name not in _OPERATIONS:
        yield unsupported(field, name, _OPERATIONS)


def _device(device: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    for key, attribute in (device.get("attributes") or {}).items():
        scalars = sum(attribute.get(name) is not None for name in SCALARS)
        if scalars + sum(bool(attribute.get(name)) for name in LISTS) != 1:
            yield invalid(item_field(f"{field}.attributes", key), "needs exactly one value")
    yield from unique(
        device.get("consumesCounters") or [],
        f"{field}.consumesCounters",
        server.limits.consumed_counter_sets,
        lambda consumption, place: _consumption(consumption, place, server),
        server.dialect,
        "counterSet",
    )
    taints = device.get("taints") or []
    yield from each(
        taints, f"{field}.taints", lambda taint, place: taint_effect(taint, place, server)
    )
    for name in binding.NAMES:
        conditions = device.get(name) or []
        limit = binding.CONDITIONS_MAX
        yield from limited(conditions, f"{field}.{name}", limit, nothing, server.dialect)
    for key, resource in (device.get("nodeAllocatableResources") or {}).items():
        place = item_field(f"{field}.nodeAllocatableResources", key)
        yield from _mapping(resource.get("mapping"), f"{place}.mapping")


def taint_effect(taint: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Apply the declared rules of a taint."""
    effect, effects = taint.get("effect", ""), server.dialect.effects
    if not effect:
        yield required(f"{field}.effect")
    elif effect not in effects:
        yield unsupported(f"{field}.effect", effect, effects)


def _consumption(consumption: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    yield from _counters(consumption, field, "counterSet")
    groups = consumption.get("compatibilityGroups") or []
    place = f"{field}.compatibilityGroups"
    yield from unique(groups, place, _GROUPS_MAX, names.label, server.dialect)


def _counters(holder: dict[str, Any], field: str, name: str) -> Iterator[Cause]:
    text, counters = holder.get(name, ""), holder.get("counters") or {}
    yield from names.label(text, f"{field}.{name}") if text else [required(f"{field}.{name}")]
    if not counters:
        yield required(f"{field}.counters")
    for key in counters:
        yield from names.label(key, f"{field}.counters")


def _mapping(mapping: dict[str, Any] | None, field: str) -> Iterator[Cause]:
    if mapping is None:
        return
    chosen = sum(mapping.get(name) is not None for name in ("capacityKey", "deviceMultiplier"))
    if chosen != 1:
        yield invalid(field, "needs exactly one of `capacityKey` and `deviceMultiplier`")
