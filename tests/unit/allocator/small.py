"""Small devices, slices and claims, and an allocation in one call.

Every builder takes what a test is about and fills in the rest: one driver, one pool on one node,
one class `any` that selects every device and one class for each driver.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from neuron_dra.allocator.allocator import NOTHING_ALLOCATED, Allocator
from neuron_dra.allocator.features import Features
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import Allocated
from neuron_dra.cel.environment import environment
from neuron_dra.kube.claim import (
    ALL,
    DeviceClaim,
    DeviceClass,
    DeviceConstraint,
    DeviceRequest,
    DeviceToleration,
    ExactDeviceRequest,
    ResourceClaim,
)
from neuron_dra.kube.slice import (
    CounterConsumption,
    CounterSet,
    Device,
    DeviceAttribute,
    DeviceCapacity,
    DeviceID,
    DeviceTaint,
    ResourcePool,
    ResourceSlice,
)

MINORS = ("1.34", "1.35", "1.36", "1.37")
SORTED = ("1.36", "1.37")  # where the order of devices is known
DRIVER, POOL = "a.example", "pool"
NODE = Node("node", {"zone": "here"})

EVERYTHING = Features(
    admin_access=True,
    consumable_capacity=True,
    device_binding=True,
    device_status=True,
    device_taints=True,
    partitionable_devices=True,
    prioritized_list=True,
)
# With consumable capacity the scheduler of 1.34 looks at the wrong device; one test is about that.
WITHOUT_CAPACITY = replace(EVERYTHING, consumable_capacity=False)
_KINDS = {bool: "bool", int: "int", str: "string"}


def attribute(value):
    """Make an attribute of a value; a pair has its kind first."""
    return (
        DeviceAttribute(*value)
        if isinstance(value, tuple)
        else DeviceAttribute(_KINDS[type(value)], value)
    )


def device(name, attributes=None, *, capacity=None, counters=None, taints=(), **fields):
    """Make a device; `counters` is what it takes of the set `set`."""
    consumed = (CounterConsumption("set", counters),) if counters else ()
    return Device(
        name,
        {key: attribute(value) for key, value in (attributes or {}).items()},
        {
            key: value if isinstance(value, DeviceCapacity) else DeviceCapacity(value)
            for key, value in (capacity or {}).items()
        },
        consumes_counters=consumed,
        taints=tuple(DeviceTaint(*taint) for taint in taints),
        **fields,
    )


def devices(number, **fields):
    """Make devices `d0`, `d1` and so on, all alike."""
    return [device(f"d{index}", **fields) for index in range(number)]


_names = count()


def node_slice(*members, driver=DRIVER, pool=POOL, generation=1, slices=1, name=None, **fields):
    """Make a slice; on the node unless something else is said of nodes."""
    if not fields.keys() & {"node_name", "all_nodes", "node_selector", "per_device_node_selection"}:
        fields["node_name"] = NODE.name
    name = name or f"slice-{next(_names):06}"
    return ResourceSlice(
        name, driver, ResourcePool(pool, generation, slices), tuple(members), **fields
    )


def counter_slice(counters, **fields):
    """Make a slice with the counters of the set `set`."""
    return node_slice(shared_counters=(CounterSet("set", counters),), **fields)


def exactly(count=1, device_class="any", **fields):
    """Ask for some devices, or, with `ALL`, for all."""
    if count == ALL:
        return ExactDeviceRequest(device_class, 0, allocation_mode=ALL, **fields)
    return ExactDeviceRequest(device_class, count, **fields)


def request(name, count=1, device_class="any", **fields):
    return DeviceRequest(name, exactly(count, device_class, **fields))


def first_available(name, *alternatives):
    """Ask for the first alternative that can be had; they are `s0`, `s1` and so on."""
    named = (
        ExactDeviceRequest(
            each.device_class_name,
            each.count,
            each.selectors,
            each.tolerations,
            f"s{index}",
            each.allocation_mode,
            capacity=each.capacity,
        )
        for index, each in enumerate(alternatives)
    )
    return DeviceRequest(name, first_available=tuple(named))


def match(attribute_name, *requests):
    return DeviceConstraint(requests, attribute_name)


def distinct(attribute_name, *requests):
    return DeviceConstraint(requests, "", attribute_name)


def claim(*parts, name="claim", config=()):
    """Make a claim of requests and constraints."""
    constraints = tuple(part for part in parts if isinstance(part, DeviceConstraint))
    requests = tuple(part for part in parts if isinstance(part, DeviceRequest))
    return ResourceClaim(name, DeviceClaim(requests, constraints, tuple(config)))


def tolerate(key="", operator="Exists", value="", effect=""):
    return DeviceToleration(key, operator, value, effect)


def classes(*more):
    drivers = (DRIVER, "b.example")
    return [
        DeviceClass("any", ()),
        *(DeviceClass(driver, (f'device.driver == "{driver}"',)) for driver in drivers),
        *more,
    ]


def allocator(minor, slices, features=None, more_classes=(), allocated=NOTHING_ALLOCATED):
    features = features or (WITHOUT_CAPACITY if minor == "1.34" else EVERYTHING)
    gates = {
        "DRAConsumableCapacity": features.consumable_capacity,
        "DRAListTypeAttributes": features.list_type_attributes,
    }
    return Allocator(
        features, minor, classes(*more_classes), slices, allocated, environment(minor, gates)
    )


def allocate(minor, claims, slices, *args, node=NODE, **options):
    """Allocate claims, or one claim, on the node."""
    claims = claims if isinstance(claims, list) else [claims]
    return allocator(minor, slices, *args, **options).allocate(node, claims)


def chosen(outcome):
    """Return the names of the devices that one claim, or each of several, got."""
    assert isinstance(outcome, Allocated), outcome
    names = [[each.device.device for each in result.results] for result in outcome.results]
    return names[0] if len(names) == 1 else names


def served(outcome):
    """Return the names of the requests that the devices of one claim are for."""
    (result,) = outcome.results
    return [each.request for each in result.results]


def ids(*names, driver=DRIVER, pool=POOL):
    return frozenset(DeviceID(driver, pool, name) for name in names)
