"""Devices of a ResourceSlice.

In: a device and what its slice says of nodes and counters. Out: causes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from neuron_dra.admission.cause import Cause, invalid, required, too_long
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.binding import check_binding
from neuron_dra.admission.rules.capacity import check_lone_capacity, check_shared_capacity
from neuron_dra.admission.rules.counters import check_consumptions
from neuron_dra.admission.rules.lists import Check, each, entries, limited
from neuron_dra.admission.rules.node_resources import check_node_resources
from neuron_dra.admission.rules.node_selector import check_node_selector
from neuron_dra.admission.rules.taints import check_taint
from neuron_dra.admission.server import Server

SCALARS = ("bool", "int", "string", "version")
LISTS = ("bools", "ints", "strings", "versions")
_NODES = ("nodeName", "nodeSelector", "allNodes")
_VERSION = re.compile(
    r"(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)"
    r"(?:-(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
    r"(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?"
)


class Surroundings(NamedTuple):
    """What a device's slice says: nodes per device or not, and its counters by set."""

    per_device: bool
    counters: Mapping[str, Any]


def check_device(
    device: dict[str, Any], field: str, around: Surroundings, server: Server
) -> Iterator[Cause]:
    """Check a device."""
    yield from names.label(device.get("name", ""), f"{field}.name")
    yield from _check_sizes(device, field, server)
    yield from _check_attributes(device, field, server)
    yield from _check_capacities(device, field, server)
    yield from limited(
        device.get("taints") or [],
        f"{field}.taints",
        server.limits.device_taints,
        lambda taint, place: check_taint(taint, place, server),
        server.dialect,
    )
    yield from check_consumptions(device, field, around.counters, server)
    yield from _check_nodes(device, field, per_device=around.per_device)
    yield from check_binding(device, field, server)
    yield from check_node_resources(device, field)


def count_values(device: dict[str, Any]) -> int:
    """Return how many values the attributes of a device have, each item of a list for itself."""
    attributes = (device.get("attributes") or {}).values()
    return sum(sum(len(each.get(name) or ()) for name in LISTS) or 1 for each in attributes)


def _check_sizes(device: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    limits = server.limits
    count, limit = len(device.get("attributes") or {}), limits.device_attributes
    count += len(device.get("capacity") or {})
    if count > limit:
        yield invalid(field, f"has {count} attributes and capacities, at most {limit} are allowed")
    values = count_values(device)
    if limits.attribute_values is not None and values > limits.attribute_values:
        yield invalid(
            field, f"has {values} attribute values, at most {limits.attribute_values} are allowed"
        )


def _named(items: dict[str, Any], field: str, check: Check, server: Server) -> Iterator[Cause]:
    """Check a map whose keys are names of attributes or capacities."""
    yield from entries(
        items,
        field,
        lambda key, place: names.qualified(key, place, server.dialect),
        check,
        keys_at_item=server.dialect.keys_at_item,
        shown=lambda key: names.cut(key, names.QUALIFIED_MAX),
    )


def _check_attributes(device: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    def check(attribute: dict[str, Any], place: str) -> Iterator[Cause]:
        yield from _check_attribute(attribute, place, server)

    yield from _named(device.get("attributes") or {}, f"{field}.attributes", check, server)


def _check_attribute(attribute: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    kinds = [name for name in (*SCALARS, *LISTS) if attribute.get(name) is not None]
    if len(kinds) != 1:
        missing = required if not kinds and server.dialect.empty_names_are_missing else invalid
        yield missing(field, "needs exactly one value")
    for kind in kinds:
        if kind in LISTS:
            yield from _check_values(kind, attribute[kind], f"{field}.{kind}", server)
        else:
            yield from _check_value(kind, attribute[kind], f"{field}.{kind}", server)


def _check_values(kind: str, values: list[Any], field: str, server: Server) -> Iterator[Cause]:
    if not values:
        yield invalid(field, "must not be empty")
    scalar = kind.removesuffix("s")
    yield from each(values, field, lambda value, place: _check_value(scalar, value, place, server))


def _check_value(kind: str, value: Any, field: str, server: Server) -> Iterator[Cause]:
    """Check a text; numbers and booleans have no rules."""
    if kind not in ("string", "version"):
        return
    if kind == "version" and not _VERSION.fullmatch(value):
        yield invalid(field, f"`{value}` is no semantic version, like `1.2.3`")
    size, limit = names.size_of(value), server.limits.attribute_value_bytes
    if size > limit:
        yield too_long(field, size, limit)


def _check_capacities(device: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    is_shared = bool(device.get("allowMultipleAllocations"))

    def check(capacity: dict[str, Any], place: str) -> Iterator[Cause]:
        if is_shared:
            yield from check_shared_capacity(capacity, place, server)
        else:
            yield from check_lone_capacity(capacity, place)

    yield from _named(device.get("capacity") or {}, f"{field}.capacity", check, server)


def _check_nodes(device: dict[str, Any], field: str, *, per_device: bool) -> Iterator[Cause]:
    written = [name for name in _NODES if device.get(name) is not None]
    if not per_device:
        if written:
            yield invalid(field, f"`{written[0]}` needs `perDeviceNodeSelection` in the slice")
        return
    chosen = 0
    for name in written:
        causes = list(check_node_choice(name, device[name], field))
        yield from causes
        chosen += bool(device[name] or name == "nodeSelector")
    yield from _check_one_choice(chosen, field)


def _check_one_choice(chosen: int, field: str) -> Iterator[Cause]:
    detail = "needs exactly one of `nodeName`, `nodeSelector` and `allNodes`"
    if chosen != 1:
        yield invalid(field, detail) if chosen else required(field, detail)


def check_node_choice(name: str, value: Any, field: str) -> Iterator[Cause]:
    """Check one of the ways to say which nodes reach devices."""
    place = f"{field}.{name}"
    if name == "nodeSelector":
        yield from check_node_selector(value, place)
    elif not value:
        yield invalid(place, "must have a value, or not be there at all")
    elif name == "nodeName":
        yield from names.subdomain(value, place)
