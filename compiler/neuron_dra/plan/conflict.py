"""Why a claim cannot be had, or why its promise does not hold, in the words of the hardware.

In: what an allocator refused on a free node, or an allocation that breaks a promise. Out: a
diagnostic with both ends of the conflict: the keys of the spec that cannot hold together, and the
facts of the instance type. What could be left out of the claim without changing the verdict is not
mentioned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from neuron_dra.allocator.conflict import minimal_conflict
from neuron_dra.allocator.outcome import Allocated, Fatal, Outcome, Unsatisfiable
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.kube.claim import DeviceClaim, DeviceRequest, ExactDeviceRequest
from neuron_dra.plan.empty_node import EmptyNode
from neuron_dra.plan.fit import fact_of
from neuron_dra.plan.matching import Matching, NodeDevice
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.soundness import Break

LISTED = 8  # devices that a message names


def explain_refusal(
    planned: PlannedPartition,
    shape: PlannedShape,
    claim: DeviceClaim,
    node: EmptyNode,
    outcome: Outcome,
) -> Diagnostic:
    """Say why a free node does not take a claim."""
    spec, kind = shape.spec, node.type
    conflict = claim
    if isinstance(outcome, Unsatisfiable):
        conflict = minimal_conflict(claim, lambda some: _fits(some, planned, node))
    blamed = [text for each in _exact(conflict) for text in each.selectors]
    indices = [index for index, text in enumerate(spec.selectors) if text in blamed]
    where = spec.places.item("selectors", indices[0]) if indices else spec.places.span
    related = [Related(spec.places.item("selectors", index), "and this") for index in indices[1:]]
    if conflict.constraints and spec.places.has("connected"):
        related.append(Related(spec.places.value("connected"), "keeps the devices together"))
    return codes.CLAIM_NEVER_ALLOCATED.at(
        where,
        f"an empty node of `{kind.name}` cannot take this claim: "
        f"{_reason(shape, conflict, node, outcome)}",
        related=[*related, fact_of(kind, "published", "what is published there")],
        help=_nearest(planned, shape, claim, node) if indices else "",
    )


def _fits(claim: DeviceClaim, planned: PlannedPartition, node: EmptyNode) -> bool:
    return isinstance(node.allocate(planned.name, claim), Allocated)


def _exact(claim: DeviceClaim) -> list[ExactDeviceRequest]:
    return [each for request in claim.requests for each in request.alternatives]


def _reason(shape: PlannedShape, conflict: DeviceClaim, node: EmptyNode, outcome: Outcome) -> str:
    match outcome:
        case Fatal(_, message):
            return f"the scheduler gives the pod up with `{message}`"
        case Unsatisfiable():
            return _shortage(shape, conflict, node)
        case _:
            return "the scheduler runs out of time searching for devices"


def _shortage(shape: PlannedShape, conflict: DeviceClaim, node: EmptyNode) -> str:
    """Compare what the smallest refused part of a claim wants with what there is."""
    requests = _exact(conflict)
    matching = Matching(node)
    left = list(dict.fromkeys(each for one in requests for each in matching.matching(one)))
    whose = "its selectors leave" if any(each.selectors for each in requests) else "there are"
    found = f"{whose} {_devices_words(left)}"
    attributes = sorted({each.match_attribute for each in conflict.constraints})
    for attribute in attributes:
        share = max(Counter(each.attributes.get(attribute) for each in left).values(), default=0)
        found += f", of which at most {share} share one `{attribute.rpartition('/')[2]}`"
    wanted = max(shape.devices, sum(each.count for each in requests))
    return f"it wants {_count(wanted)}, and {found}"


def _devices_words(devices: Iterable[NodeDevice]) -> str:
    names = [each.id.device for each in devices]
    if not names:
        return "no device"
    listed = ", ".join(names[:LISTED])
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{_count(len(names))} ({listed}{more})"


def _count(number: int) -> str:
    return "1 device" if number == 1 else f"{number} devices"


def _nearest(
    planned: PlannedPartition, shape: PlannedShape, claim: DeviceClaim, node: EmptyNode
) -> str:
    """Propose the largest smaller number of devices that the same selectors leave room for."""
    for number in reversed(range(1, shape.devices)):
        legal = not shape.spec.connected or number in node.type.connected_sizes
        if legal and _fits(_with_count(claim, number), planned, node):
            return f"claim {_count(number)}, or loosen the selectors"
    return "loosen the selectors"


def _with_count(claim: DeviceClaim, number: int) -> DeviceClaim:
    """Return a claim for fewer Neuron devices, and nothing beside them."""
    first = claim.requests[0]
    fewer = replace(first.alternatives[0], count=number)
    if first.first_available:
        return DeviceClaim((DeviceRequest(first.name, first_available=(fewer,)),))
    return DeviceClaim((DeviceRequest(first.name, fewer),))


def explain_break(shape: PlannedShape, kind: InstanceType, broken: Break) -> Diagnostic:
    """Say how an allocation would break the promise of a shape."""
    devices = "; ".join(
        f"`{name}` gets {', '.join(each.id.device for each in some)}"
        for name, some in broken.choice.items()
    )
    return codes.UNSOUND_ALTERNATIVES.at(
        shape.spec.places.span,
        f"the scheduler could give a claim devices of `{kind.name}` that break its promise: "
        f"{broken.reason} ({devices})",
        related=[fact_of(kind, "efa", "the hardware")],
        help="make separate partitions",
    )
