"""Reading of ResourceSlices.

In: the plain data of an object in v1, v1beta2 or v1beta1. Out: a `ResourceSlice`, and problems for
what cannot be read of it; None when it is no slice.
"""

from __future__ import annotations

from typing import Any

from neuron_dra.kube.reading import FLAT_VERSION, Fields, ReadProblem, open_object
from neuron_dra.kube.slice import (
    ATTRIBUTE_KINDS,
    LIST_KINDS,
    CapacityPolicy,
    CapacityRange,
    CounterConsumption,
    CounterSet,
    Device,
    DeviceAttribute,
    DeviceCapacity,
    DeviceTaint,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    ResourcePool,
    ResourceSlice,
    Scalar,
)

_TYPES: dict[str, type] = {"bool": bool, "int": int, "string": str, "version": str}


def read_slice(data: Any) -> tuple[ResourceSlice | None, list[ReadProblem]]:
    """Read a ResourceSlice."""
    problems: list[ReadProblem] = []
    opened = open_object(data, "ResourceSlice", problems)
    if opened is None:
        return None, problems
    fields, version = opened
    spec, pool = fields.fields("spec"), fields.fields("spec").fields("pool")
    made = ResourceSlice(
        name=fields.fields("metadata").text("name"),
        driver=spec.text("driver", required=True),
        pool=ResourcePool(
            pool.text("name", required=True),
            pool.integer("generation"),
            pool.integer("resourceSliceCount"),
        ),
        devices=tuple(_read_device(each, version) for each in spec.items("devices")),
        node_name=spec.text("nodeName"),
        node_selector=read_node_selector(spec),
        all_nodes=spec.boolean("allNodes") or False,
        per_device_node_selection=spec.boolean("perDeviceNodeSelection"),
        shared_counters=tuple(
            CounterSet(each.text("name", required=True), _read_counters(each))
            for each in spec.items("sharedCounters")
        ),
    )
    return made, problems


def _read_device(fields: Fields, version: str) -> Device:
    basic = fields.fields("basic") if version == FLAT_VERSION else fields
    return Device(
        name=fields.text("name", required=True),
        attributes=_read_attributes(basic),
        capacity={name: _read_capacity(each) for name, each in basic.maps("capacity")},
        consumes_counters=tuple(
            CounterConsumption(
                each.text("counterSet", required=True),
                _read_counters(each),
                each.texts("compatibilityGroups"),
            )
            for each in basic.items("consumesCounters")
        ),
        node_name=basic.text("nodeName"),
        node_selector=read_node_selector(basic),
        all_nodes=basic.boolean("allNodes") or False,
        taints=tuple(
            DeviceTaint(each.text("key"), each.text("value"), each.text("effect"))
            for each in basic.items("taints")
        ),
        binds_to_node=basic.boolean("bindsToNode") or False,
        binding_conditions=basic.texts("bindingConditions"),
        binding_failure_conditions=basic.texts("bindingFailureConditions"),
        allow_multiple_allocations=basic.boolean("allowMultipleAllocations") or False,
    )


def _read_attributes(fields: Fields) -> dict[str, DeviceAttribute]:
    read = ((name, _read_attribute(each)) for name, each in fields.maps("attributes"))
    return {name: attribute for name, attribute in read if attribute is not None}


def _read_attribute(fields: Fields) -> DeviceAttribute | None:
    """Return the value of an attribute; exactly one kind must be written."""
    kinds = [kind for kind in (*ATTRIBUTE_KINDS, *LIST_KINDS) if fields.has(kind)]
    if len(kinds) != 1:
        found = " and ".join(f"`{kind}`" for kind in kinds) or "none"
        fields.problems.append(ReadProblem(fields.path, f"expected one value, found {found}"))
        return None
    (kind,) = kinds
    value = fields.data[kind]
    scalar = LIST_KINDS.get(kind, kind)
    items = value if kind in LIST_KINDS and isinstance(value, list) else [value]
    for item in items:
        if not _is_scalar(item, scalar):
            article = "an" if scalar == "int" else "a"
            fields.add_problem(kind, f"expected {article} {scalar}, found `{item}`")
            return None
    values: tuple[Scalar, ...] = tuple(items)
    return DeviceAttribute(kind, values if kind in LIST_KINDS else values[0])


def _is_scalar(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "bool" or not isinstance(value, bool))


def _read_capacity(fields: Fields) -> DeviceCapacity:
    policy = None
    if fields.has("requestPolicy"):
        written = fields.fields("requestPolicy")
        bounds = written.fields("validRange")
        valid = CapacityRange(*(bounds.quantity(name) for name in ("min", "max", "step")))
        policy = CapacityPolicy(
            written.quantity("default"),
            written.amounts("validValues"),
            valid if written.has("validRange") else None,
        )
    value = fields.quantity("value")
    if value is None and not fields.has("value"):
        fields.add_problem("value", "a value is required")
    return DeviceCapacity(value or "0", policy)


def _read_counters(fields: Fields) -> dict[str, str]:
    read = ((name, each.quantity("value")) for name, each in fields.maps("counters"))
    return {name: amount or "0" for name, amount in read}


def read_node_selector(fields: Fields) -> NodeSelector | None:
    """Read the field `nodeSelector`."""
    return read_node_terms(fields, "nodeSelector")


def read_node_terms(fields: Fields, name: str) -> NodeSelector | None:
    """Read a field that selects nodes by terms."""
    if not fields.has(name):
        return None
    return tuple(
        NodeSelectorTerm(
            _read_requirements(each, "matchExpressions"), _read_requirements(each, "matchFields")
        )
        for each in fields.fields(name).items("nodeSelectorTerms")
    )


def _read_requirements(fields: Fields, name: str) -> tuple[NodeSelectorRequirement, ...]:
    return tuple(
        NodeSelectorRequirement(each.text("key"), each.text("operator"), each.texts("values"))
        for each in fields.items(name)
    )
