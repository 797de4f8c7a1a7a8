"""A conflict in words: which requests and constraints of a claim cannot be had together.

In: a claim and the smallest part of it that does not fit. Out: one line for each request and each
constraint of that part, with its place in the claim.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_dra.kube.claim import (
    ALL,
    DeviceClaim,
    DeviceConstraint,
    DeviceRequest,
    ExactDeviceRequest,
)


def describe_conflict(claim: DeviceClaim, part: DeviceClaim) -> tuple[str, ...]:
    """Return the requests and constraints of a part, in the order of the claim."""
    return (*_requests(claim, part), *_constraints(claim, part))


def _requests(claim: DeviceClaim, part: DeviceClaim) -> Iterator[str]:
    indexes = {request.name: index for index, request in enumerate(claim.requests)}
    for request in part.requests:
        yield f"requests[{indexes[request.name]}] {request.name}: {_wish(request)}"


def _wish(request: DeviceRequest) -> str:
    if not request.first_available:
        return _devices(request.alternatives[0])
    parts = (f"{each.name}: {_devices(each)}" for each in request.first_available)
    return f"one of {'; '.join(parts)}"


def _devices(exact: ExactDeviceRequest) -> str:
    if exact.allocation_mode == ALL:
        amount = "all devices"
    else:
        amount = "1 device" if exact.count == 1 else f"{exact.count} devices"
    words = f"{amount} of class {exact.device_class_name}"
    if exact.selectors:
        words += " with " + " and ".join(f"`{each}`" for each in exact.selectors)
    if exact.capacity:
        words += " with " + ", ".join(f"{name} {value}" for name, value in exact.capacity.items())
    return words


def _constraints(claim: DeviceClaim, part: DeviceClaim) -> Iterator[str]:
    start = 0
    for each in part.constraints:
        index = next(
            number
            for number in range(start, len(claim.constraints))
            if _is_part(each, claim.constraints[number])
        )
        start = index + 1
        kind = "matchAttribute" if each.match_attribute else "distinctAttribute"
        attribute = each.match_attribute or each.distinct_attribute
        among = f" of {', '.join(each.requests)}" if each.requests else ""
        yield f"constraints[{index}] {kind} {attribute}{among}"


def _is_part(small: DeviceConstraint, large: DeviceConstraint) -> bool:
    same = (small.match_attribute, small.distinct_attribute) == (
        large.match_attribute,
        large.distinct_attribute,
    )
    return (
        same
        and set(small.requests) <= set(large.requests)
        and (bool(small.requests) == bool(large.requests))
    )
