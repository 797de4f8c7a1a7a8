"""The result of a search as the scheduler writes it into a claim's status.

In: the devices that were chosen for a claim. Out: an `AllocationResult` with its devices, the
parameters for drivers, and the cluster nodes on which the devices can be used. Up to 1.36 the
parameters of a claim are listed once for every request that they name; from 1.37 on once, and
without the list of requests when they concern all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from neuron_dra.allocator.features import Features, Variant
from neuron_dra.allocator.nodes import NODE_NAME_FIELD, Node
from neuron_dra.allocator.outcome import AbortError, Cause
from neuron_dra.allocator.requests import RequestData, RequestKey
from neuron_dra.allocator.search import Choice
from neuron_dra.kube.allocation import (
    FROM_CLAIM,
    FROM_CLASS,
    AllocationResult,
    DeviceAllocationConfiguration,
    DeviceRequestAllocationResult,
)
from neuron_dra.kube.claim import DeviceClaim, OpaqueConfig
from neuron_dra.kube.slice import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm

Requests = Mapping[RequestKey, RequestData]


def make_result(
    claim: DeviceClaim,
    taken: Sequence[RequestData],
    choices: Sequence[Choice],
    node: Node,
    features: Features,
    variant: Variant,
) -> AllocationResult:
    """Return what a claim got, for requests of which one alternative each was taken."""
    config = [*_class_config(taken), *_claim_config(claim, taken, variant)]
    if not variant.repeats_config:
        config = [_for_all(each, taken) for each in config]
    return AllocationResult(
        tuple(_device(choice, features) for choice in choices),
        tuple(config),
        create_node_selector(choices, node, variant),
    )


def take_alternatives(claim: int, requests: DeviceClaim, data: Requests) -> list[RequestData]:
    """Return the alternative of each request that was taken."""
    firsts = (data[RequestKey(claim, index, 0)] for index in range(len(requests.requests)))
    return [data[first.key._replace(subrequest=first.selected)] for first in firsts]


def _device(choice: Choice, features: Features) -> DeviceRequestAllocationResult:
    device = choice.candidate.device
    binding = features.binding_conditions
    return DeviceRequestAllocationResult(
        choice.data.full_name,
        choice.candidate.id,
        choice.data.request.admin_access or None,
        choice.consumed is not None,
        choice.consumed or None,
        device.binding_conditions if binding else (),
        device.binding_failure_conditions if binding else (),
    )


def _class_config(taken: Iterable[RequestData]) -> Iterator[DeviceAllocationConfiguration]:
    """Yield the parameters of each class once, with the requests that it serves."""
    served: dict[str, list[RequestData]] = {}
    for data in taken:
        served.setdefault(data.device_class.name, []).append(data)
    for group in served.values():
        names = tuple(data.full_name for data in group)
        for config in group[0].device_class.config:
            yield _configuration(FROM_CLASS, names, config)


def _claim_config(
    claim: DeviceClaim, taken: Sequence[RequestData], variant: Variant
) -> Iterator[DeviceAllocationConfiguration]:
    for config in claim.config:
        named = sum(_names(config.requests, data) for data in taken)
        times = min(named, 1) if config.requests and not variant.repeats_config else named
        for _ in range(times if config.requests else 1):
            yield _configuration(FROM_CLAIM, config.requests, config)


def _configuration(
    source: str, requests: tuple[str, ...], config: OpaqueConfig
) -> DeviceAllocationConfiguration:
    return DeviceAllocationConfiguration(source, requests, config.driver, config.parameters)


def _names(requests: tuple[str, ...], data: RequestData) -> bool:
    return data.base_name in requests or data.full_name in requests


def _for_all(
    config: DeviceAllocationConfiguration, taken: Iterable[RequestData]
) -> DeviceAllocationConfiguration:
    """Leave the list of requests out when it names all."""
    named = all(_names(config.requests, data) for data in taken)
    return replace(config, requests=()) if named else config


def create_node_selector(
    choices: Iterable[Choice], node: Node, variant: Variant
) -> NodeSelector | None:
    """Return the nodes on which all devices can be used; None: on all."""
    expressions: dict[object, NodeSelectorRequirement] = {}
    fields: dict[object, NodeSelectorRequirement] = {}
    for choice in choices:
        device, each = choice.candidate.device, choice.candidate.slice
        owner = device if each.per_device_node_selection else each
        if owner.node_name or (device.binds_to_node and variant.knows_capacity):
            name = NodeSelectorRequirement(NODE_NAME_FIELD, "In", (node.name,))
            return (NodeSelectorTerm(match_fields=(name,)),)
        terms = owner.node_selector or ()
        if len(terms) > 1:
            message = f"unsupported ResourceSlice.NodeSelector with {len(terms)} terms"
            raise AbortError(Cause.NODE_SELECTOR, message)
        for term in terms:
            _add_new(expressions, term.match_expressions)
            _add_new(fields, term.match_fields)
    if not expressions and not fields:
        return None
    return (NodeSelectorTerm(tuple(expressions.values()), tuple(fields.values())),)


def _add_new(
    known: dict[object, NodeSelectorRequirement], requirements: Iterable[NodeSelectorRequirement]
) -> None:
    """Add the requirements that are not there yet, whatever the order of their values."""
    for each in requirements:
        known.setdefault((each.key, each.operator, frozenset(each.values)), each)
