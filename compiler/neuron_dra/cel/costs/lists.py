"""What functions of lists and sets cost, and how long their results can be.

In: a call and its overload. Out: its cost. After cel-go ext/lists.go and ext/sets.go, and for
passing over a list once k8s.io/apiserver pkg/cel/library/cost.go.
"""

from __future__ import annotations

from neuron_dra.cel.costs.paths import ITEMS
from neuron_dra.cel.costs.shapes import (
    LIST_COST,
    TRAVERSAL,
    Argument,
    CallCost,
    CallShape,
    Estimate,
)
from neuron_dra.cel.costs.sizes import (
    UNBOUNDED,
    UNKNOWN,
    Size,
    device_size,
    plus,
    scale,
    times,
)

_TEXTS = ("string", "bytes")
# ResourceSliceMaxAttributeValuesPerDevice in k8s.io/api/resource/v1/types.go, v0.36.3.
_MAX_VALUES = 48


def element_size(argument: Argument) -> Size | None:
    """Return the size of the elements of a list, or nothing for another type."""
    if not argument.node.type.parameters:
        return None
    found = device_size(argument.path.then(ITEMS))
    return found or UNKNOWN


def _pass_over(call: CallShape, _: str) -> CallCost:
    """Return the cost of passing over a list once, or over a text."""
    size, element = call.receiver.size, element_size(call.receiver)
    if element is None:
        each_once = call.function == "includes"
        return CallCost(size.most if each_once else call.receiver.traversal)
    is_text = call.receiver.node.type.parameters[0].name in _TEXTS
    each = plus(1, scale(element.most, TRAVERSAL)) if is_text else 1
    return CallCost(times(size.most, each))


def _includes(call: CallShape, overload: str) -> CallCost:
    """Return the cost of a search in a value or a list; 1.36 takes any for the longest list."""
    return CallCost(_MAX_VALUES) if call.minor < 37 else _pass_over(call, overload)


def _compare_sets(call: CallShape, _: str) -> CallCost:
    product = times(*(arg.size.most for arg in call.args))
    return CallCost(plus(scale(product, 2 if call.function == "sets.equivalent" else 1), 1))


def _slice(call: CallShape, _: str) -> CallCost:
    start, end = (arg.number for arg in call.args)
    most = call.receiver.size.most if end is None else max(end, 0)
    length = (most - max(start or 0, 0)) % (UNBOUNDED + 1)
    return _built(1, Size(length, length))


def _range(call: CallShape, _: str) -> CallCost:
    length = _natural(call.args[0])
    return _built(1, Size(length, length))


def _reverse(call: CallShape, _: str) -> CallCost:
    return _built(1, call.receiver.size)


def _flatten(call: CallShape, _: str) -> CallCost:
    return _built(_natural(call.args[0]) if call.args else 1, call.receiver.size)


def _distinct(call: CallShape, _: str) -> CallCost:
    return _built(2, call.receiver.size.times(call.receiver.size))


def _sort(call: CallShape, overload: str) -> CallCost:
    """Return the cost of sorting a list by itself or by a list of keys."""
    keys = call.args[0].size if call.args else call.receiver.size
    is_text = any(f"_{kind}_" in overload for kind in _TEXTS)
    return _built(2 + TRAVERSAL if is_text else 2, keys.times(keys))


def _built(factor: float, size: Size) -> CallCost:
    return CallCost(plus(scale(size.most, factor), 1 + LIST_COST), size)


def _natural(argument: Argument) -> int:
    """Return a literal number, at least zero; without a literal it can be any."""
    return UNBOUNDED if argument.number is None else max(argument.number, 0)


NAMED: dict[str, Estimate] = {
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"), _pass_over),
    **dict.fromkeys(("sets.contains", "sets.intersects", "sets.equivalent"), _compare_sets),
    "includes": _includes,
    "slice": _slice,
    "lists.range": _range,
    "reverse": _reverse,
    "flatten": _flatten,
    "distinct": _distinct,
    "sort": _sort,
    "@sortByAssociatedKeys": _sort,
}
