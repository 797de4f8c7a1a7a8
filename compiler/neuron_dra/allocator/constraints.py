"""Constraints: what the devices of a claim must have in common, or must not.

In: devices, added as they are chosen and removed when the search goes back. Out: whether one may be
added. Once a constraint refuses a device, more devices do not change its mind.

The scheduler's faults are kept, minor by minor. Up to 1.36 `distinctAttribute` remembers one value
for each request, the last one, and forgets it when the search goes back, so a request for three
devices may get the values A, B, A; 1.34 compares whether two values are the same object, so
different devices never collide. 1.36 with list attributes goes on narrowing what all devices share
after the search has gone back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable

from neuron_dra.allocator.features import Features, Variant
from neuron_dra.allocator.inventory import Candidate
from neuron_dra.allocator.outcome import AbortError, Cause
from neuron_dra.allocator.requests import RequestData
from neuron_dra.kube.claim import DeviceConstraint, ResourceClaim
from neuron_dra.kube.slice import LIST_KINDS, DeviceAttribute

Values = tuple[str, frozenset[object]]  # the kind of an attribute, and what it holds


class Constraint(ABC):
    """A constraint of a claim, with what it knows of the devices chosen so far."""

    # Whether a search that goes back leaves no trace, and devices with equal attributes are equal.
    forgets = True

    def __init__(self, requests: tuple[str, ...], attribute: str) -> None:
        self.attribute = attribute
        self._requests = frozenset(requests)

    def applies_to(self, data: RequestData) -> bool:
        """Tell whether it concerns the devices of a request or subrequest."""
        names = self._requests
        return not names or data.base_name in names or data.full_name in names

    def add(self, data: RequestData, candidate: Candidate) -> bool:
        """Add a device, if that is allowed."""
        if not self.applies_to(data):
            return True
        value = lookup_attribute(candidate, self.attribute)
        return value is not None and self._add(data, candidate, value)

    def remove(self, data: RequestData) -> None:
        """Remove the device that was added last."""
        if self.applies_to(data):
            self._remove(data)

    @abstractmethod
    def state(self) -> Hashable:
        """Return a value that is equal as long as the same devices may be added."""

    @abstractmethod
    def _add(self, data: RequestData, candidate: Candidate, value: DeviceAttribute) -> bool: ...

    @abstractmethod
    def _remove(self, data: RequestData) -> None: ...


class MatchAttribute(Constraint):
    """All devices have an attribute, of one kind and value."""

    def __init__(self, requests: tuple[str, ...], attribute: str) -> None:
        super().__init__(requests, attribute)
        self._value: DeviceAttribute | None = None
        self._devices = 0

    def state(self) -> Hashable:
        return self._value[:2] if self._devices and self._value else None

    def _add(self, data: RequestData, candidate: Candidate, value: DeviceAttribute) -> bool:
        if self._devices == 0:
            self._value = value
        elif not match_attribute(value, self._value):
            return False
        self._devices += 1
        return True

    def _remove(self, data: RequestData) -> None:
        self._devices -= 1


class MatchLists(Constraint):
    """All devices share at least one value of an attribute."""

    def __init__(self, requests: tuple[str, ...], attribute: str, *, forgets: bool) -> None:
        super().__init__(requests, attribute)
        self.forgets = forgets
        self._shared: list[Values] = []

    def state(self) -> Hashable:
        return self._shared[-1] if self._shared else None

    def _add(self, data: RequestData, candidate: Candidate, value: DeviceAttribute) -> bool:
        kind, values = attribute_as_set(value)
        shared = scalar_kind(kind), values
        if self._shared:
            before = self._shared[-1]
            if before[0] != shared[0] or before[1].isdisjoint(values):
                return False
            shared = before[0], before[1] & values
        self._shared.append(shared)
        if not self.forgets:
            self._shared = [shared] * len(self._shared)
        return True

    def _remove(self, data: RequestData) -> None:
        self._shared.pop()


class DistinctAttribute(Constraint):
    """All devices have an attribute, and no two the same value."""

    def __init__(self, requests: tuple[str, ...], attribute: str, *, lists: bool) -> None:
        super().__init__(requests, attribute)
        self._lists = lists
        self._values: list[Values] = []

    def state(self) -> Hashable:
        return frozenset((kind, value) for kind, values in self._values for value in values)

    def _add(self, data: RequestData, candidate: Candidate, value: DeviceAttribute) -> bool:
        values = attribute_as_set(value)
        if any(_collide(values, other, self._lists) for other in self._values):
            return False
        self._values.append(values)
        return True

    def _remove(self, data: RequestData) -> None:
        self._values.pop()


class DistinctByRequest(Constraint):
    """The same with the faults of 1.34 to 1.36."""

    forgets = False

    def __init__(
        self, requests: tuple[str, ...], attribute: str, *, lists: bool, compares_objects: bool
    ) -> None:
        super().__init__(requests, attribute)
        self._lists = lists
        self._compares_objects = compares_objects
        self._last: dict[str, tuple[Candidate, Values]] = {}  # by request
        self._devices = 0

    def state(self) -> Hashable:
        return None  # there is no such value: see `forgets`

    def _add(self, data: RequestData, candidate: Candidate, value: DeviceAttribute) -> bool:
        values = attribute_as_set(value)
        if self._devices and any(
            self._collides(candidate, values, *other) for other in self._last.values()
        ):
            return False
        self._last[data.base_name] = candidate, values
        self._devices += 1
        return True

    def _collides(
        self, candidate: Candidate, values: Values, other: Candidate, other_values: Values
    ) -> bool:
        if self._compares_objects:
            return candidate is other
        return _collide(values, other_values, self._lists)

    def _remove(self, data: RequestData) -> None:
        self._last.pop(data.base_name, None)
        self._devices -= 1


def lookup_attribute(candidate: Candidate, name: str) -> DeviceAttribute | None:
    """Return an attribute by its fully qualified name; in its driver's domain it may lack it."""
    attributes = candidate.device.attributes
    if name in attributes:
        return attributes[name]
    domain, _, identifier = name.partition("/")
    return attributes.get(identifier) if domain == candidate.id.driver else None


def match_attribute(value: DeviceAttribute, other: DeviceAttribute | None) -> bool:
    """Tell whether two attributes are the same scalar; versions are compared as texts."""
    return other is not None and value.kind not in LIST_KINDS and value[:2] == other[:2]


def attribute_as_set(attribute: DeviceAttribute) -> Values:
    """Return what an attribute holds, one value or several, and of which kind."""
    kind, value, _ = attribute
    return kind, frozenset(value if isinstance(value, tuple) else (value,))


def scalar_kind(kind: str) -> str:
    """Return the kind of an attribute or of the items of a list."""
    return LIST_KINDS.get(kind, kind)


def _collide(values: Values, others: Values, lists: bool) -> bool:
    """Tell whether a new value is like an older one; a list is, unless lists are switched on."""
    if not lists and values[0] in LIST_KINDS:
        return True
    alike = scalar_kind(values[0]) == scalar_kind(others[0]) if lists else values[0] == others[0]
    return alike and not values[1].isdisjoint(others[1])


def make_constraint(
    claim: ResourceClaim, index: int, features: Features, variant: Variant
) -> Constraint:
    """Return the constraint of a claim with a number, or refuse one of no known kind."""
    constraint: DeviceConstraint = claim.devices.constraints[index]
    match, distinct = constraint.match_attribute, constraint.distinct_attribute
    lists = features.list_type_attributes
    if match and lists:
        return MatchLists(constraint.requests, match, forgets=variant.minor >= 37)
    if match:
        return MatchAttribute(constraint.requests, match)
    if distinct and variant.knows_capacity:
        if variant.minor >= 37:
            return DistinctAttribute(constraint.requests, distinct, lists=lists)
        objects = variant.minor < 35
        return DistinctByRequest(
            constraint.requests, distinct, lists=lists, compares_objects=objects
        )
    raise AbortError(
        Cause.CONSTRAINT,
        f"claim {claim}, constraint #{index}: empty constraint (unsupported constraint type?)",
    )
