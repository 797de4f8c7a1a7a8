"""The values of a ResourceSlice: devices with their attributes, as a driver publishes them.

Field names follow k8s.io/api resource/v1 types.go. Amounts stay the texts that they are in an
object. Reading and rendering an API version is the work of `read_slice` and `slice_data`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

RESOURCE_SLICE_MAX_DEVICES = 128  # k8s.io/api resource/v1 types.go, read 2026-07-24

Scalar = bool | int | str

# The kinds of attributes, and the field of the API that holds each.
ATTRIBUTE_KINDS = ("bool", "int", "string", "version")
LIST_KINDS = {f"{kind}s": kind for kind in ATTRIBUTE_KINDS}


class DeviceID(NamedTuple):
    """What names a device in a cluster."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


class DeviceAttribute(NamedTuple):
    """The value of an attribute.

    Attributes:
        kind: `bool`, `int`, `string`, `version`, or the plural of one, with a tuple of values.
        live: whether the value is a placeholder, since only a live node knows it.
    """

    kind: str
    value: Scalar | tuple[Scalar, ...]
    live: bool = False


class CapacityRange(NamedTuple):
    """The amounts that may be requested: from `min` in steps up to `max`."""

    min: str | None = None
    max: str | None = None
    step: str | None = None


class CapacityPolicy(NamedTuple):
    """How requested amounts are rounded: to valid values or to a valid range."""

    default: str | None = None
    valid_values: tuple[str, ...] = ()  # rising
    valid_range: CapacityRange | None = None


class DeviceCapacity(NamedTuple):
    """An amount that a device has."""

    value: str
    request_policy: CapacityPolicy | None = None


class DeviceTaint(NamedTuple):
    """A taint of a device."""

    key: str
    value: str
    effect: str  # NoSchedule, NoExecute or None


class CounterSet(NamedTuple):
    """Amounts that several devices of a pool share."""

    name: str
    counters: Mapping[str, str]


class CounterConsumption(NamedTuple):
    """What a device takes of a counter set."""

    counter_set: str
    counters: Mapping[str, str]
    compatibility_groups: tuple[str, ...] = ()


class NodeSelectorRequirement(NamedTuple):
    """One condition on the labels or the fields of a cluster node."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


class NodeSelectorTerm(NamedTuple):
    """Conditions that must all hold; with none it selects no node."""

    match_expressions: tuple[NodeSelectorRequirement, ...] = ()
    match_fields: tuple[NodeSelectorRequirement, ...] = ()


NodeSelector = tuple[NodeSelectorTerm, ...]  # one term must hold


@dataclass(frozen=True, slots=True)
class Device:
    """A device of a slice."""

    name: str
    attributes: Mapping[str, DeviceAttribute]  # by qualified name, or by name in the driver's
    capacity: Mapping[str, DeviceCapacity]
    consumes_counters: tuple[CounterConsumption, ...] = ()
    node_name: str = ""
    node_selector: NodeSelector | None = None
    all_nodes: bool = False
    taints: tuple[DeviceTaint, ...] = ()
    binds_to_node: bool = False
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()
    allow_multiple_allocations: bool = False


class ResourcePool(NamedTuple):
    """The pool that a slice is part of."""

    name: str
    generation: int = 1
    resource_slice_count: int = 1


@dataclass(frozen=True, slots=True)
class ResourceSlice:
    """A slice: devices of one pool, or the counters that they share."""

    name: str
    driver: str
    pool: ResourcePool
    devices: tuple[Device, ...] = ()
    node_name: str = ""
    node_selector: NodeSelector | None = None
    all_nodes: bool = False
    per_device_node_selection: bool | None = None
    shared_counters: tuple[CounterSet, ...] = ()

    def device_ids(self) -> Iterator[DeviceID]:
        """Yield the names of its devices in the cluster."""
        for device in self.devices:
            yield DeviceID(self.driver, self.pool.name, device.name)
