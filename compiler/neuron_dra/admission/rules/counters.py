"""Counters that devices of a pool share, and what a device takes of them.

In: `sharedCounters` of a slice, `consumesCounters` of a device. Out: causes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.admission.cause import Cause, invalid, required
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.lists import entries, unique
from neuron_dra.admission.server import Server
from neuron_dra.syntax.formats import DNS_LABEL_MAX


def check_counter_sets(spec: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check the counter sets of a slice."""
    sets, limits = spec.get("sharedCounters") or [], server.limits
    total = sum(len(each.get("counters") or {}) for each in sets)
    if limits.shared_counters is not None and total > limits.shared_counters:
        yield invalid(f"{field}.sharedCounters", _too_many(total, limits.shared_counters))
    yield from unique(
        sets,
        f"{field}.sharedCounters",
        limits.counter_sets,
        lambda each, place: _check_set(each, place, server),
        server.dialect,
        "name",
    )


def check_consumptions(
    device: dict[str, Any], field: str, shared: Mapping[str, Any], server: Server
) -> Iterator[Cause]:
    """Check what a device takes.

    Args:
        shared: the counters of each counter set of the slice.
    """
    consumptions, limits = device.get("consumesCounters") or [], server.limits
    yield from unique(
        consumptions,
        f"{field}.consumesCounters",
        limits.consumed_counter_sets,
        lambda each, place: _check_consumption(each, place, server),
        server.dialect,
        "counterSet",
    )
    total = sum(len(each.get("counters") or {}) for each in consumptions)
    if limits.device_counters is not None and total > limits.device_counters:
        yield invalid(field, _too_many(total, limits.device_counters))
    if not server.dialect.separates_counters:
        for index, each in enumerate(consumptions):
            place = f"{field}.consumesCounters[{index}]"
            yield from _check_references(each, place, shared)


def check_counters_of_devices(devices: list[Any], field: str, server: Server) -> Iterator[Cause]:
    """Check how many counters the devices of a slice take together."""
    limit = server.limits.slice_device_counters
    total = sum(
        len(consumption.get("counters") or {})
        for device in devices
        for consumption in device.get("consumesCounters") or []
    )
    if limit is not None and total > limit:
        yield invalid(field, _too_many(total, limit))


def _too_many(total: int, limit: int) -> str:
    return f"{total} counters in total, at most {limit} are allowed"


def _check_set(counter_set: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    name = counter_set.get("name", "")
    yield from names.label(name, f"{field}.name") if name else [required(f"{field}.name")]
    yield from _check_counters(counter_set, field, server.limits.counters_of_set, server)


def _check_consumption(consumption: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    name = consumption.get("counterSet", "")
    if not name:
        yield required(f"{field}.counterSet")
    elif server.dialect.separates_counters:
        yield from names.label(name, f"{field}.counterSet")
    yield from _check_counters(consumption, field, server.limits.consumed_counters, server)


def _check_counters(
    holder: dict[str, Any], field: str, limit: int | None, server: Server
) -> Iterator[Cause]:
    counters, place = holder.get("counters") or {}, f"{field}.counters"
    if not counters:
        yield required(place)
    yield from entries(
        counters,
        place,
        names.label,
        _any_amount,
        keys_at_item=server.dialect.keys_at_item,
        shown=lambda key: names.cut(key, DNS_LABEL_MAX),
        limit=limit,
    )


def _any_amount(_counter: dict[str, Any], _field: str) -> Iterator[Cause]:
    yield from ()


def _check_references(
    consumption: dict[str, Any], field: str, shared: Mapping[str, Any]
) -> Iterator[Cause]:
    name = consumption.get("counterSet", "")
    if name not in shared:
        yield invalid(f"{field}.counterSet", f"this slice shares no counter set `{name}`")
        return
    for counter in consumption.get("counters") or {}:
        if counter not in shared[name]:
            yield invalid(f"{field}.counters", f"the counter set `{name}` has no `{counter}`")
