"""ResourceSlices as plain data.

In: a `ResourceSlice` and an API version. Out: a dict with the keys in the order of types.go,
ready to be dumped. Attributes and capacities keep the order that they have, and the value of an
attribute stands on its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from neuron_dra.kube.inline import Inline
from neuron_dra.kube.reading import FLAT_VERSION, GROUP
from neuron_dra.kube.slice import (
    CapacityPolicy,
    CounterConsumption,
    CounterSet,
    Device,
    DeviceAttribute,
    DeviceCapacity,
    NodeSelector,
    NodeSelectorRequirement,
    ResourceSlice,
)


def slice_data(each: ResourceSlice, api_version: str = "v1") -> dict[str, Any]:
    """Return a slice as an object of `v1`, `v1beta2` or `v1beta1`."""
    spec = {
        "driver": each.driver,
        "pool": {
            "name": each.pool.name,
            "generation": each.pool.generation,
            "resourceSliceCount": each.pool.resource_slice_count,
        },
        "nodeName": each.node_name,
        "nodeSelector": _node_selector(each.node_selector),
        "allNodes": each.all_nodes or None,
        "devices": [_device(device, api_version) for device in each.devices],
        "perDeviceNodeSelection": each.per_device_node_selection,
        "sharedCounters": [_counter_set(counter_set) for counter_set in each.shared_counters],
    }
    return {
        "apiVersion": f"{GROUP}/{api_version}",
        "kind": "ResourceSlice",
        "metadata": {"name": each.name},
        "spec": _written(spec),
    }


def _device(device: Device, api_version: str) -> dict[str, Any]:
    basic = _written(
        {
            "attributes": {name: _attribute(each) for name, each in device.attributes.items()},
            "capacity": {name: _capacity(each) for name, each in device.capacity.items()},
            "consumesCounters": [_consumption(each) for each in device.consumes_counters],
            "nodeName": device.node_name,
            "nodeSelector": _node_selector(device.node_selector),
            "allNodes": device.all_nodes or None,
            "taints": [_written(taint._asdict()) for taint in device.taints],
            "bindsToNode": device.binds_to_node or None,
            "bindingConditions": list(device.binding_conditions),
            "bindingFailureConditions": list(device.binding_failure_conditions),
            "allowMultipleAllocations": device.allow_multiple_allocations or None,
        }
    )
    if api_version == FLAT_VERSION:
        return {"name": device.name, "basic": basic}
    return {"name": device.name, **basic}


def _attribute(attribute: DeviceAttribute) -> dict[str, Any]:
    value = attribute.value
    if isinstance(value, tuple):
        return {attribute.kind: list(value)}
    return Inline({attribute.kind: value})


def _capacity(capacity: DeviceCapacity) -> dict[str, Any]:
    policy = capacity.request_policy
    return _written({"value": capacity.value, "requestPolicy": policy and _policy(policy)})


def _policy(policy: CapacityPolicy) -> dict[str, Any]:
    bounds = policy.valid_range
    return _written(
        {
            "default": policy.default,
            "validValues": list(policy.valid_values),
            "validRange": bounds and _written(bounds._asdict()),
        }
    )


def _consumption(consumption: CounterConsumption) -> dict[str, Any]:
    return _written(
        {
            "counterSet": consumption.counter_set,
            "counters": _counters(consumption.counters),
            "compatibilityGroups": list(consumption.compatibility_groups),
        }
    )


def _counter_set(counter_set: CounterSet) -> dict[str, Any]:
    return {"name": counter_set.name, "counters": _counters(counter_set.counters)}


def _counters(counters: Mapping[str, str]) -> dict[str, Any]:
    return {name: {"value": amount} for name, amount in counters.items()}


def _node_selector(selector: NodeSelector | None) -> dict[str, Any] | None:
    if selector is None:
        return None
    terms = [
        _written(
            {
                "matchExpressions": _requirements(term.match_expressions),
                "matchFields": _requirements(term.match_fields),
            }
        )
        for term in selector
    ]
    return {"nodeSelectorTerms": terms}


def _requirements(requirements: Iterable[NodeSelectorRequirement]) -> list[dict[str, Any]]:
    return [
        _written({"key": each.key, "operator": each.operator, "values": list(each.values)})
        for each in requirements
    ]


def _written(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what has a value; false is one, an empty text or list is none."""
    return {key: value for key, value in data.items() if value not in (None, "", [], {})}
