"""How large strings, lists and maps can be, for estimating costs.

In: paths from the variable `device`. Out: sizes: characters of a string, entries of a list or map.
The bounds are those that validation puts on a ResourceSlice (k8s.io/api/resource/v1/types.go);
numbers saturate at 64 bits as in cel-go.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from neuron_dra.cel.costs.paths import ITEMS, KEYS, VALUES, Path

UNBOUNDED = 2**64 - 1


def plus(left: int, right: int) -> int:
    """Return a sum of 64 bits."""
    return min(left + right, UNBOUNDED)


def times(left: int, right: int) -> int:
    """Return a product of 64 bits."""
    return min(left * right, UNBOUNDED)


def scale(number: int, factor: float) -> int:
    """Return a number times a factor, rounded up to a whole one, of 64 bits."""
    if factor > 0 and float(number) > UNBOUNDED / factor:
        return UNBOUNDED
    return min(math.ceil(float(number) * factor), UNBOUNDED)


class Size(NamedTuple):
    """The least and the most that something can hold."""

    least: int
    most: int

    def plus(self, other: Size) -> Size:
        return Size(plus(self.least, other.least), plus(self.most, other.most))

    def times(self, other: Size) -> Size:
        return Size(times(self.least, other.least), times(self.most, other.most))

    def union(self, other: Size) -> Size:
        return Size(min(self.least, other.least), max(self.most, other.most))


UNKNOWN = Size(0, UNBOUNDED)
ONE = Size(1, 1)


class Entries(NamedTuple):
    """The sizes of the keys and values of a list or map that the expression builds."""

    kind: str
    key: Size
    value: Size

    def union(self, other: Entries) -> Entries:
        return Entries(self.kind, self.key.union(other.key), self.value.union(other.value))


class _Shape(NamedTuple):
    """What can be reached from a variable, and how large it can be."""

    most: int
    fields: Mapping[str, _Shape] = {}
    key: _Shape | None = None
    element: _Shape | None = None


_DOMAIN, _IDENTIFIER, _ENTRIES = 63, 32, 32
_VALUE = _Shape(64)
_QUANTITY = _Shape(0)


def _by_domain(value: _Shape) -> _Shape:
    inner = _Shape(_ENTRIES, key=_Shape(_IDENTIFIER), element=value)
    return _Shape(_ENTRIES, key=_Shape(_DOMAIN), element=inner)


_DEVICE = _Shape(
    0,
    {
        "driver": _Shape(_DOMAIN),
        "attributes": _by_domain(_VALUE),
        "capacity": _by_domain(_QUANTITY),
        "allowMultipleAllocations": _Shape(1),
    },
)


def device_size(path: Path) -> Size | None:
    """Return how large the value at the end of a path from `device` can be."""
    variable, *steps = path.steps or ("",)
    if variable != "device":
        return None
    shape: _Shape | None = _DEVICE
    for name in steps:
        assert shape
        shape = _enter(shape, name)
        if shape is None:
            return None
    assert shape
    return Size(0, shape.most)


def _enter(shape: _Shape, name: str) -> _Shape | None:
    if name in (ITEMS, VALUES):
        return shape.element
    if name == KEYS:
        return shape.key
    # An attribute is as large as any, whatever its name; a capacity has no size.
    by_name = shape.element if shape.element is _VALUE else None
    return shape.fields.get(name, by_name)
