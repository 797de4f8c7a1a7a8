"""Which devices and states of a node are alike for some claims.

In: claims, and what their classes select. Out: a key that is equal for states that differ only by
devices which no claim can tell apart. Draws no conclusion about what fits.

Two devices are alike when they are of one driver, every selector of the claims and of their classes
says the same of both, and they are equal in every attribute that a constraint compares. The values
of such an attribute have no names: two groups of devices with equal contents can be exchanged as
wholes. So in a state only the contents of the groups count, not which group has which. The same
holds inside the groups of another attribute where each of its groups consists of whole groups of
the first. Of attributes that cut across each other, and of lists, it does not hold: there the
values keep their names.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from neuron_dra.allocator.constraints import lookup_attribute
from neuron_dra.allocator.inventory import Candidate
from neuron_dra.allocator.outcome import AbortError
from neuron_dra.allocator.selectors import Selectors
from neuron_dra.kube.claim import DeviceClaim, DeviceClass
from neuron_dra.kube.slice import LIST_KINDS
from neuron_dra.plan.capacity.room import list_bits

Key = tuple[Hashable, ...]
Path = tuple[int, ...]
Value = tuple[str, Hashable] | None  # the kind of an attribute, and what it holds
_LOOSE, _WHOLE, _PIECE = range(3)  # what a token of a key stands for


@dataclass(frozen=True, slots=True)
class Likeness:
    """What some claims can tell of the devices of a node.

    Attributes:
        kinds: by device, a number that is equal for devices with equal attributes.
        groups: by device, the groups that it is in, the largest first; all as long.
    """

    kinds: tuple[int, ...]
    groups: tuple[Path, ...]

    def key(self, wholes: Sequence[int], loose: Sequence[int]) -> Key:
        """Return what a state is like.

        Args:
            wholes: sets of devices that matter as wholes, each at a place of its own.
            loose: sets of devices that matter one by one; each set has another meaning.
        """
        contents: dict[Path, list[Any]] = {}
        for meaning, mask in enumerate(loose):
            for device in list_bits(mask):
                token = (_LOOSE, meaning, self.kinds[device])
                contents.setdefault(self.groups[device], []).append(token)
        for number, mask in enumerate(wholes):
            self._add_whole(number, mask, contents)
        return _forget_names(contents)

    def _add_whole(self, number: int, mask: int, contents: dict[Path, list[Any]]) -> None:
        """Add a set of devices: one token inside a group, or pieces in several."""
        devices = list(list_bits(mask))
        groups = {self.groups[device] for device in devices}
        if len(groups) == 1:
            token = (_WHOLE, *sorted(self.kinds[device] for device in devices))
            contents.setdefault(groups.pop(), []).append(token)
            return
        for device in devices:
            token = (_PIECE, number, self.kinds[device])
            contents.setdefault(self.groups[device], []).append(token)

    def alike(self, device: int, among: int) -> int:
        """Return the devices of a set that are in the group of one and of its kind."""
        kind, group = self.kinds[device], self.groups[device]
        return sum(
            1 << each
            for each in list_bits(among)
            if self.kinds[each] == kind and self.groups[each] == group
        )


def compare_devices(
    devices: Sequence[Candidate],
    claims: Sequence[DeviceClaim],
    classes: Mapping[str, DeviceClass],
    selectors: Selectors,
) -> Likeness:
    """Return what claims can tell of devices."""
    compared = sorted(
        {each.match_attribute or each.distinct_attribute for c in claims for each in c.constraints}
    )
    asked = _list_selectors(claims, classes)
    values = [tuple(_value(name, each) for name in compared) for each in devices]
    paths = _nest(values)
    kinds = [
        (each.id.driver, None in value, *(_verdict(text, each, selectors) for text in asked))
        for each, value in zip(devices, values, strict=True)
    ]
    if paths is not None:
        return Likeness(_number(kinds), tuple(paths))
    named = [(*kind, *value) for kind, value in zip(kinds, values, strict=True)]
    return Likeness(_number(named), ((),) * len(devices))


def _nest(values: Sequence[tuple[Value, ...]]) -> list[Path] | None:
    """Return the groups of every device, largest first, if each consists of whole smaller ones."""
    columns = sorted(zip(*values, strict=True), key=lambda column: len(set(column)))
    if any(value and value[0] in LIST_KINDS for column in columns for value in column):
        return None
    for larger, smaller in pairwise(columns):
        if len(set(zip(larger, smaller, strict=True))) != len(set(smaller)):
            return None
    numbers = [_number(column) for column in columns]
    return [tuple(number[device] for number in numbers) for device in range(len(values))]


def _forget_names(contents: Mapping[Path, list[Any]]) -> Key:
    """Return what is in groups in groups, whatever their numbers are."""
    depth = len(next(iter(contents), ()))
    for _ in range(depth):
        around: dict[Path, list[Any]] = {}
        for path, tokens in contents.items():
            around.setdefault(path[:-1], []).append(tuple(sorted(tokens)))
        contents = around
    return tuple(sorted(contents.get((), ())))


def _list_selectors(claims: Sequence[DeviceClaim], classes: Mapping[str, DeviceClass]) -> list[str]:
    """Return the selectors of claims and of their classes."""
    requests = [each for c in claims for request in c.requests for each in request.alternatives]
    of_classes = (classes[each.device_class_name].selectors for each in requests)
    return sorted(
        {text for texts in of_classes for text in texts}.union(
            *(each.selectors for each in requests)
        )
    )


def _verdict(text: str, device: Candidate, selectors: Selectors) -> bool | None:
    """Return whether a selector matches; None where it has no value."""
    try:
        return selectors.selectors_match((text,), device, "")
    except AbortError:
        return None


def _value(name: str, device: Candidate) -> Value:
    found = lookup_attribute(device, name)
    return found and found[:2]


def _number(values: Iterable[Hashable]) -> tuple[int, ...]:
    numbers: dict[Hashable, int] = {}
    return tuple(numbers.setdefault(each, len(numbers)) for each in values)
