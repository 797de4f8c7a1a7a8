"""The smallest part of a claim that cannot be had.

In: a claim that does not fit, and a function that says of a claim whether it fits. Out: a smaller
claim that does not fit either, and of which nothing can be left out. Says nothing about why, and
knows no devices.

Parts are left out one after the other, each for good if what remains still does not fit: requests
in order, constraints, parameters for drivers, selectors and amounts of each request; then counts
are lowered. Alternatives of a request stay, since a claim with fewer of them is not a smaller wish.
A part that was needed once stays needed in a smaller claim, so one pass is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from neuron_dra.kube.claim import (
    ALL,
    DeviceClaim,
    DeviceConstraint,
    DeviceRequest,
    ExactDeviceRequest,
    OpaqueConfig,
)

Fits = Callable[[DeviceClaim], bool]
Item = TypeVar("Item")
Naming = TypeVar("Naming", DeviceConstraint, OpaqueConfig)


def minimal_conflict(claim: DeviceClaim, fits: Fits) -> DeviceClaim:
    """Return the smallest part of a claim that still does not fit."""
    for name in [request.name for request in claim.requests]:
        claim = _smaller(claim, without_request(claim, name), fits)
    claim = _drop_constraints(claim, fits)
    claim = _drop_config(claim, fits)
    for index, request in enumerate(claim.requests):
        for number in range(len(request.alternatives)):
            claim = _loosen(claim, index, number, fits)
    return claim


def without_request(claim: DeviceClaim, name: str) -> DeviceClaim:
    """Return a claim without a request, and without what concerns no other request."""
    return DeviceClaim(
        tuple(each for each in claim.requests if each.name != name),
        tuple(_forget(claim.constraints, name)),
        tuple(_forget(claim.config, name)),
    )


def _forget(items: Iterable[Naming], name: str) -> Iterator[Naming]:
    """Yield items without the mentions of a request; one that names no request means all."""
    for each in items:
        left = tuple(one for one in each.requests if one.partition("/")[0] != name)
        if left or not each.requests:
            yield replace(each, requests=left)


def _smaller(claim: DeviceClaim, candidate: DeviceClaim, fits: Fits) -> DeviceClaim:
    return claim if fits(candidate) else candidate


def _drop_constraints(claim: DeviceClaim, fits: Fits) -> DeviceClaim:
    left = _needed(claim.constraints, lambda some: fits(replace(claim, constraints=some)))
    return replace(claim, constraints=left)


def _drop_config(claim: DeviceClaim, fits: Fits) -> DeviceClaim:
    left = _needed(claim.config, lambda some: fits(replace(claim, config=some)))
    return replace(claim, config=left)


def _needed(
    items: tuple[Item, ...], fits_with: Callable[[tuple[Item, ...]], bool]
) -> tuple[Item, ...]:
    """Leave out every item without which the claim still does not fit."""
    kept = 0
    while kept < len(items):
        fewer = items[:kept] + items[kept + 1 :]
        if fits_with(fewer):
            kept += 1
        else:
            items = fewer
    return items


def _loosen(claim: DeviceClaim, index: int, number: int, fits: Fits) -> DeviceClaim:
    """Make one alternative of a request ask for less."""
    exact = claim.requests[index].alternatives[number]

    def fits_with(selectors: tuple[str, ...]) -> bool:
        return fits(_put(claim, index, number, replace(exact, selectors=selectors)))

    exact = replace(exact, selectors=_needed(exact.selectors, fits_with))
    claim = _put(claim, index, number, exact)
    if exact.capacity is not None:
        without = _put(claim, index, number, replace(exact, capacity=None))
        claim = _smaller(claim, without, fits)
    return _lower(claim, index, number, fits)


def _lower(claim: DeviceClaim, index: int, number: int, fits: Fits) -> DeviceClaim:
    """Lower a count to one that does not fit although one less would."""
    exact = claim.requests[index].alternatives[number]
    if exact.allocation_mode == ALL:
        return claim
    fitting, failing = 0, exact.count  # without any device the request would be gone
    while failing - fitting > 1:
        middle = (fitting + failing) // 2
        if fits(_put(claim, index, number, replace(exact, count=middle))):
            fitting = middle
        else:
            failing = middle
    return _put(claim, index, number, replace(exact, count=failing))


def _put(claim: DeviceClaim, index: int, number: int, exact: ExactDeviceRequest) -> DeviceClaim:
    """Return a claim with another alternative at a place."""
    request = claim.requests[index]
    if request.first_available:
        changed = list(request.first_available)
        changed[number] = exact
        request = DeviceRequest(request.name, first_available=tuple(changed))
    else:
        request = DeviceRequest(request.name, exact)
    requests = list(claim.requests)
    requests[index] = request
    return replace(claim, requests=tuple(requests))
