"""The check of a witness, which trusts no search.

In: a claim, and what an allocator gave to it on a node. Out: what is wrong with that, or nothing.
Reads the claim as the API documents it: counts, selectors, constraints, no device twice. Knows
nothing of the order in which devices are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from neuron_dra.kube.allocation import DeviceRequestAllocationResult
from neuron_dra.kube.claim import ALLOCATION_RESULTS_MAX_SIZE, DeviceClaim, ExactDeviceRequest
from neuron_dra.kube.slice import DeviceID
from neuron_dra.plan.matching import Matching, NodeDevice, concerns

Chosen = Mapping[str, Sequence[NodeDevice]]  # by `request` or `request/subrequest`


def check_witness(
    claim: DeviceClaim, results: Sequence[DeviceRequestAllocationResult], matching: Matching
) -> str:
    """Return what is wrong with an allocation of a claim on a node, or an empty text."""
    known = {each.id: each for each in matching.devices}
    unknown = [each.device for each in results if each.device not in known]
    if unknown:
        return f"the node has no device {unknown[0]}"
    chosen: dict[str, list[NodeDevice]] = {}
    for each in results:
        chosen.setdefault(each.request, []).append(known[each.device])
    return next(_flaws(claim, chosen, matching), "")


def _flaws(claim: DeviceClaim, chosen: Chosen, matching: Matching) -> Iterator[str]:
    taken: list[DeviceID] = [each.id for devices in chosen.values() for each in devices]
    if len(set(taken)) < len(taken):
        yield "a device is taken twice"
    if len(taken) > ALLOCATION_RESULTS_MAX_SIZE:
        yield f"{len(taken)} devices, a claim can have {ALLOCATION_RESULTS_MAX_SIZE}"
    yield from _wrong_requests(claim, chosen, matching)
    yield from _broken_constraints(claim, chosen)


def _wrong_requests(claim: DeviceClaim, chosen: Chosen, matching: Matching) -> Iterator[str]:
    left = set(chosen)
    for request in claim.requests:
        served = [
            (name, exact)
            for name, exact in named_alternatives(claim, request.name)
            if name in chosen
        ]
        if len(served) != 1:
            yield f"request {request.name} is served by {len(served)} alternatives"
        for name, exact in served:
            left.discard(name)
            if len(chosen[name]) != exact.count:
                yield f"request {name} wants {exact.count} devices and has {len(chosen[name])}"
            selected = {each.id for each in matching.matching(exact)}
            for device in chosen[name]:
                if device.id not in selected:
                    yield f"request {name} does not select {device.id}"
    if left:
        yield f"the claim has no request {min(left)}"


def _broken_constraints(claim: DeviceClaim, chosen: Chosen) -> Iterator[str]:
    for constraint in claim.constraints:
        attribute = constraint.match_attribute
        values = {
            device.attributes.get(attribute)
            for name, devices in chosen.items()
            if concerns(constraint, name)
            for device in devices
        }
        if len(values) > 1 or None in values:
            yield f"devices differ in {attribute}"


def named_alternatives(claim: DeviceClaim, name: str) -> list[tuple[str, ExactDeviceRequest]]:
    """Return the alternatives of a request, each with the name that results carry."""
    request = next(each for each in claim.requests if each.name == name)
    if request.exactly is not None:
        return [(name, request.exactly)]
    return [(f"{name}/{each.name}", each) for each in request.first_available]
