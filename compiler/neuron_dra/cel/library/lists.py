"""Functions of lists, sets and maps.

In: Python lists of any values, opaque ones included. Out: new lists or what they hold.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key, reduce
from itertools import pairwise
from typing import Any

from neuron_dra.cel.library.delegate import call_runtime
from neuron_dra.cel.library.typed import typed
from neuron_dra.cel.value import EvaluationError, Opaque, Optional, are_equal, contains, is_less

# The cost limit of an evaluation would stop a longer list.
MAX_RANGE = 1_000_000

_UNORDERED = (Opaque, list, dict, type(None))


def add(left: Any, right: Any) -> Any:
    """Return `left + right`."""
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    return call_runtime("_+_", False, (left, right))


def _sum(items: list[Any]) -> Any:
    total = items[0] if items else 0
    for item in items[1:]:
        total = add(total, item)
    return total


def _is_sorted(items: list[Any]) -> bool:
    return not any(_is_above(before, after) for before, after in pairwise(items))


def _is_above(left: Any, right: Any) -> bool:
    """Tell whether a value is greater; Kubernetes passes over two that cannot be compared."""
    try:
        return is_less(right, left)
    except EvaluationError:
        if isinstance(left, _UNORDERED) or isinstance(right, _UNORDERED):
            raise
        return False


def _least(items: list[Any]) -> Any:
    if not items:
        raise EvaluationError("min called on empty list")
    return reduce(lambda best, item: item if _is_above(best, item) else best, items)


def _greatest(items: list[Any]) -> Any:
    if not items:
        raise EvaluationError("max called on empty list")
    return reduce(lambda best, item: item if _is_above(item, best) else best, items)


def _find(items: Any, wanted: Any, *start: Any) -> int:
    """Return the first place of an element of a list, or of a text in a text, or -1."""
    if isinstance(items, list):
        return next((place for place, item in enumerate(items) if are_equal(wanted, item)), -1)
    return int(_find_text(items, wanted, *start))


def _find_last(items: Any, wanted: Any, *start: Any) -> int:
    if isinstance(items, list):
        place = _find(items[::-1], wanted)
        return len(items) - 1 - place if place >= 0 else -1
    return int(_find_last_text(items, wanted, *start))


def _search_text(text: str, wanted: str, start: int) -> int | None:
    """Return the place where a search ends before it begins, or nothing."""
    if start < 0:
        raise EvaluationError(f"index out of range: {start}")
    if not wanted:
        return min(start, len(text))
    return -1 if start >= len(text) else None


def _first_in_text(text: str, wanted: str, start: int = 0) -> int:
    place = _search_text(text, wanted, start)
    return text.find(wanted, start) if place is None else place


def _last_in_text(text: str, wanted: str, start: int | None = None) -> int:
    if start is None:
        return text.rfind(wanted)
    place = _search_text(text, wanted, start)
    return text.rfind(wanted, 0, start + len(wanted)) if place is None else place


_find_text = typed(_first_in_text, str, str, int)
_find_last_text = typed(_last_in_text, str, str, int)


def _includes(items: Any, item: Any) -> bool:
    return contains(item, items) if isinstance(items, list) else are_equal(items, item)


def _slice(items: list[Any], start: int, end: int) -> list[Any]:
    if not 0 <= start <= end <= len(items):
        raise EvaluationError(f"cannot slice({start}, {end}), list is length {len(items)}")
    return items[start:end]


def _flatten(items: list[Any], depth: int = 1) -> list[Any]:
    if depth < 0:
        raise EvaluationError("level must be non-negative")
    result: list[Any] = []
    for item in items:
        nested = isinstance(item, list) and depth > 0
        result.extend(_flatten(item, depth - 1) if nested else [item])
    return result


def _distinct(items: list[Any]) -> list[Any]:
    result: list[Any] = []
    for item in items:
        if not contains(item, result):
            result.append(item)
    return result


def _sort_by(items: list[Any], keys: list[Any]) -> list[Any]:
    """Sort a list by other values, keeping the order of equal ones."""

    def compare(left: int, right: int) -> int:
        return is_less(keys[right], keys[left]) - is_less(keys[left], keys[right])

    return [items[place] for place in sorted(range(len(items)), key=cmp_to_key(compare))]


def _range(count: int) -> list[int]:
    if count > MAX_RANGE:
        raise EvaluationError(f"a range of {count} exceeds the cost limit of {MAX_RANGE}")
    return list(range(count))


def _end(items: list[Any], place: int) -> Optional:
    return Optional(items[place]) if items else Optional.NONE


def _has_all(items: list[Any], wanted: list[Any]) -> bool:
    return all(contains(item, items) for item in wanted)


def _intersect(left: list[Any], right: list[Any]) -> bool:
    return any(contains(item, right) for item in left)


def _unwrap(items: list[Any]) -> list[Any]:
    return [item.item for item in items if typed(Optional.has_value, Optional)(item)]


def _insert(mapping: dict[Any, Any], *entry: Any) -> dict[Any, Any]:
    """Return a map with a key and a value more, or with those of another map."""
    added = entry[0] if len(entry) == 1 else {entry[0]: entry[1]}
    for key in added:
        if key in mapping:
            raise EvaluationError(f"insert failed: key {key} already exists")
    return {**mapping, **added}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "_+_": add,
    "sum": typed(_sum, list),
    "isSorted": typed(_is_sorted, list),
    "min": typed(_least, list),
    "max": typed(_greatest, list),
    "indexOf": _find,
    "lastIndexOf": _find_last,
    "includes": _includes,
    "slice": typed(_slice, list, int, int),
    "flatten": typed(_flatten, list, int),
    "distinct": typed(_distinct, list),
    "reverse": typed(lambda items: items[::-1], list),
    "sort": typed(lambda items: _sort_by(items, items), list),
    "@sortByAssociatedKeys": typed(_sort_by, list, list),
    "lists.range": typed(_range, int),
    "first": typed(lambda items: _end(items, 0), list),
    "last": typed(lambda items: _end(items, -1), list),
    "sets.contains": typed(_has_all, list, list),
    "sets.intersects": typed(_intersect, list, list),
    "sets.equivalent": typed(lambda a, b: _has_all(a, b) and _has_all(b, a), list, list),
    "optional.unwrap": typed(_unwrap, list),
    "unwrapOpt": typed(_unwrap, list),
    "cel.@mapInsert": _insert,
}
