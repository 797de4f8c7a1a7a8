"""Pools: the slices that matter on a cluster node, grouped, complete or not, and in order.

In: all slices and a node. Out: pools of the newest generation. A pool is incomplete when slices are
missing, and invalid when its slices contradict each other; neither gives devices to anyone, except
that 1.34 also takes devices of incomplete pools. A pool of which a newer generation exists
elsewhere is left out. Where the scheduler has no order (see `Variant.sorts`) ours is that of the
slices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from neuron_dra.allocator.features import Features, Variant
from neuron_dra.allocator.nodes import Node, node_matches
from neuron_dra.kube.slice import CounterSet, ResourceSlice


class PoolID(NamedTuple):
    """What names a pool in a cluster."""

    driver: str
    pool: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}"


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool as one node sees it.

    Attributes:
        invalid_reason: empty when it is valid.
        slices: those with devices for this node.
        other_slices: those with devices for other nodes, when counters need them.
    """

    id: PoolID
    is_incomplete: bool = False
    invalid_reason: str = ""
    slices: tuple[ResourceSlice, ...] = ()
    other_slices: tuple[ResourceSlice, ...] = ()
    counter_sets: Mapping[str, CounterSet] = field(default_factory=dict)


def gather_pools(
    slices: Sequence[ResourceSlice], node: Node, features: Features, variant: Variant
) -> list[Pool]:
    """Return the pools with devices for a node."""
    relevant = [each for each in slices if _is_relevant(each, node, features, variant)]
    # Pools stand in the order of their slices, whichever slice is the first inside.
    groups: dict[PoolID, list[ResourceSlice]] = {
        PoolID(each.driver, each.pool.name): [] for each in relevant
    }
    if variant.puts_binding_last:
        relevant.sort(key=_has_binding_conditions)
    for each in relevant:
        add_slice(groups, each)
    made = (_make_pool(id_, group, slices, features, variant) for id_, group in groups.items())
    return _in_order([pool for pool in made if pool is not None], variant)


def _in_order(pools: list[Pool], variant: Variant) -> list[Pool]:
    if variant.sorts:
        pools.sort(key=lambda pool: pool.id)
    if variant.puts_binding_last:
        pools.sort(key=lambda pool: any(map(_has_binding_conditions, pool.slices)))
    return pools


def _has_binding_conditions(each: ResourceSlice) -> bool:
    return any(device.binding_conditions for device in each.devices)


def _is_relevant(each: ResourceSlice, node: Node, features: Features, variant: Variant) -> bool:
    if not features.partitionable_devices and (
        each.per_device_node_selection is not None
        or (each.shared_counters and variant.hides_shared_counters)
    ):
        return False
    if variant.ignores_compatibility_groups and _uses_compatibility_groups(each):
        return False
    if each.shared_counters and variant.always_reads_counters:
        return True
    if each.node_name or each.all_nodes or each.node_selector is not None:
        return node_matches(node, each.node_name, each.all_nodes, each.node_selector)
    return bool(each.per_device_node_selection) and any(
        node_matches(node, device.node_name, device.all_nodes, device.node_selector)
        for device in each.devices
    )


def _uses_compatibility_groups(each: ResourceSlice) -> bool:
    return any(
        consumption.compatibility_groups
        for device in each.devices
        for consumption in device.consumes_counters
    )


def add_slice(groups: dict[PoolID, list[ResourceSlice]], each: ResourceSlice) -> None:
    """Add a slice to its pool, unless the pool has a newer generation."""
    group = groups.setdefault(PoolID(each.driver, each.pool.name), [])
    if group and each.pool.generation < group[0].pool.generation:
        return
    if group and each.pool.generation > group[0].pool.generation:
        group.clear()
    group.append(each)


def _make_pool(
    id_: PoolID,
    group: list[ResourceSlice],
    slices: Sequence[ResourceSlice],
    features: Features,
    variant: Variant,
) -> Pool | None:
    """Return a pool, or None when a newer generation stands elsewhere."""
    wanted = group[0].pool.resource_slice_count
    is_complete = len(group) == wanted
    if variant.uses_incomplete_pools:
        reason = validate_device_names(group)
        return Pool(id_, not is_complete, reason, tuple(group))
    if is_complete:
        return build_pool(id_, group, [], features, variant)
    everywhere = check_slices_in_pool(slices, id_, group[0].pool.generation)
    if everywhere is None:
        return None
    if variant.ignores_compatibility_groups:
        everywhere = [each for each in everywhere if not _uses_compatibility_groups(each)]
    if len(everywhere) != wanted:
        return Pool(id_, is_incomplete=True)
    return build_pool(id_, group, everywhere, features, variant)


def check_slices_in_pool(
    slices: Iterable[ResourceSlice], id_: PoolID, generation: int
) -> list[ResourceSlice] | None:
    """Return the slices of a generation of a pool on all nodes, or None when a newer one exists."""
    pool = [each for each in slices if PoolID(each.driver, each.pool.name) == id_]
    if any(each.pool.generation > generation for each in pool):
        return None
    return [each for each in pool if each.pool.generation == generation]


def build_pool(
    id_: PoolID,
    group: list[ResourceSlice],
    everywhere: list[ResourceSlice],
    features: Features,
    variant: Variant,
) -> Pool:
    """Return a complete pool, invalid or not."""
    if variant.sorts:
        group = sorted(group, key=lambda each: each.name)
    ours = {each.name for each in group}
    others = [each for each in everywhere if each.name not in ours]
    if len(group) >= len(everywhere):
        others = []
    if not features.partitionable_devices:
        return _valid_or_not(id_, validate_device_names(group), group)
    devices = [each for each in group if not each.shared_counters]
    counters = [each for each in group if each.shared_counters]
    consumers = group
    if variant.reads_all_counters:
        counters += [each for each in others if each.shared_counters]
        others = [each for each in others if not each.shared_counters]
        consumers = devices
    sets, reason = get_and_validate_counter_sets(counters)
    reason = (
        validate_device_names(devices)
        or reason
        or validate_device_counter_consumption(sets, consumers)
        or validate_device_counter_consumption(sets, others)
    )
    return _valid_or_not(id_, reason, devices, others, sets)


def _valid_or_not(
    id_: PoolID,
    reason: str,
    devices: Iterable[ResourceSlice],
    others: Iterable[ResourceSlice] = (),
    sets: Mapping[str, CounterSet] | None = None,
) -> Pool:
    if reason:
        return Pool(id_, invalid_reason=reason)
    return Pool(id_, False, "", tuple(devices), tuple(others), sets or {})


def get_and_validate_counter_sets(
    slices: Iterable[ResourceSlice],
) -> tuple[dict[str, CounterSet], str]:
    """Return counter sets by name, and why they are not sound."""
    sets: dict[str, CounterSet] = {}
    for each in slices:
        for counter_set in each.shared_counters:
            if counter_set.name in sets:
                return sets, f"duplicate counter set name {counter_set.name}"
            sets[counter_set.name] = counter_set
    return sets, ""


def validate_device_names(slices: Iterable[ResourceSlice]) -> str:
    """Return why device names are not sound, or an empty text."""
    names: set[str] = set()
    for each in slices:
        for device in each.devices:
            if device.name in names:
                return f"duplicate device name {device.name}"
            names.add(device.name)
    return ""


def validate_device_counter_consumption(
    sets: Mapping[str, CounterSet], slices: Iterable[ResourceSlice]
) -> str:
    """Return which counter does not exist, or an empty text."""
    for each in slices:
        for device in each.devices:
            for set_name, counters, _ in device.consumes_counters:
                if set_name not in sets:
                    return f"counter set {set_name} not found"
                for name in counters:
                    if name not in sets[set_name].counters:
                        return f"counter {name} not found in counter set {set_name}"
    return ""
