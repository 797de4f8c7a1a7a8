"""Whether what a partition promises holds for every allocation that a scheduler could make.

In: a claim on an empty node, and the promises of its shapes. Out: an allocation that breaks one, if
there is any. What can be allocated on a node that is partly used, or that lacks a device, can also
be allocated on the free and whole node: requests name counts, and constraints speak of the chosen
devices only. So it is enough to look at every choice of devices there, whatever the order.

Requests of different units share no constraint, so each unit is looked at by itself, with every
combination of alternatives: a scheduler chooses them request by request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from neuron_dra.kube.claim import DeviceClaim, DeviceConstraint, ExactDeviceRequest
from neuron_dra.plan.check_witness import named_alternatives
from neuron_dra.plan.matching import Matching, NodeDevice, concerns
from neuron_dra.plan.promise import Numbering, Promise, Unit, units_of

LIMIT = 20_000  # choices of one unit; a promise that rests on a constraint leaves far fewer

Named = tuple[str, ExactDeviceRequest]
Choice = Mapping[str, Sequence[NodeDevice]]
Pins = Mapping[str, object]  # by attribute, the value that devices of a constraint share


@dataclass(frozen=True, slots=True)
class Break:
    """An allocation that does not keep a promise."""

    choice: Choice  # by `request` or `request/subrequest`
    reason: str


def find_break(
    claim: DeviceClaim,
    promises: Mapping[str, Promise],
    matching: Matching,
    numbering: Numbering,
) -> Break | None:
    """Return an allocation that breaks a promise."""
    return next(find_breaks(claim, promises, matching, numbering), None)


def find_breaks(
    claim: DeviceClaim,
    promises: Mapping[str, Promise],
    matching: Matching,
    numbering: Numbering,
) -> Iterator[Break]:
    """Yield the allocations that break a promise.

    Args:
        promises: by the name of the alternative of the Neuron request, empty for the only one.
    """
    for unit in units_of(request.name for request in claim.requests):
        yield from _breaks(claim, unit, promises, matching, numbering)


def _breaks(
    claim: DeviceClaim,
    unit: Unit,
    promises: Mapping[str, Promise],
    matching: Matching,
    numbering: Numbering,
) -> Iterator[Break]:
    requests = [named_alternatives(claim, name) for name in (unit.neuron, unit.efa) if name]
    for chosen in product(*requests):
        promise = promises.get(chosen[0][0].partition("/")[2])
        if promise is None or promise.is_empty:
            continue
        for count, choice in enumerate(_choices(list(chosen), claim.constraints, matching)):
            assert count < LIMIT, f"too many choices for {unit}"
            holding = numbering.holding(each for some in choice.values() for each in some)
            if reason := promise.broken([holding]):
                yield Break(choice, reason)


def _choices(
    requests: Sequence[Named], constraints: Sequence[DeviceConstraint], matching: Matching
) -> Iterator[Choice]:
    """Yield every choice of devices for requests that keeps the constraints."""
    return _extend({}, list(requests), constraints, {}, matching)


def _extend(
    choice: Choice,
    left: Sequence[Named],
    constraints: Sequence[DeviceConstraint],
    pins: Pins,
    matching: Matching,
) -> Iterator[Choice]:
    if not left:
        yield choice
        return
    (name, exact), *rest = left
    shared = [each.match_attribute for each in constraints if concerns(each, name)]
    taken = {each.id for devices in choice.values() for each in devices}
    free = [each for each in matching.matching(exact) if each.id not in taken]
    for values, alike in _alike(free, shared, pins):
        for devices in combinations(alike, exact.count):
            yield from _extend(
                {**choice, name: devices}, rest, constraints, {**pins, **values}, matching
            )


def _alike(
    devices: Iterable[NodeDevice], attributes: Sequence[str], pins: Pins
) -> list[tuple[Pins, list[NodeDevice]]]:
    """Return devices by the values that they share, as far as these agree with the pins."""
    groups: dict[tuple[object, ...], list[NodeDevice]] = {}
    for each in devices:
        values = tuple(each.attributes.get(name) for name in attributes)
        if all(
            value == pins.get(name, value) for name, value in zip(attributes, values, strict=True)
        ):
            groups.setdefault(values, []).append(each)
    return [
        (dict(zip(attributes, values, strict=True)), some)
        for values, some in groups.items()
        if None not in values
    ]
