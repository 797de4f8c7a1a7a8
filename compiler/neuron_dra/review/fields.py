"""What two objects differ in, field by field.

In: the data of an object on each side. Out: `FieldChange`s, by path. Order where it says nothing,
another unit of the same quantity, and a `null` beside nothing are no differences. The defaults of
the API server are not filled in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from neuron_dra.review.change import ChangeKind, FieldChange
from neuron_dra.review.lists import ORDER, Item, align

# Fields whose members are quantities, and fields that are one.
_QUANTITY_MAPS = frozenset({"capacity", "hard", "limits", "requests"})
_QUANTITIES = frozenset(
    {"borrowingLimit", "divisor", "lendingLimit", "nominalQuota", "sizeLimit", "storage"}
)
_BARE_STEP = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_KINDS = {
    "dictionary_item_added": ChangeKind.ADDED,
    "dictionary_item_removed": ChangeKind.REMOVED,
    "iterable_item_added": ChangeKind.ADDED,
    "iterable_item_removed": ChangeKind.REMOVED,
    "type_changes": ChangeKind.CHANGED,
    "values_changed": ChangeKind.CHANGED,
}


class FieldComparer:
    """Compares objects field by field; what many pairs of objects differ in is looked into once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[FieldChange, ...]] = {}

    def compare(self, old: Any, new: Any, *, keep_nulls: bool = False) -> tuple[FieldChange, ...]:
        """Return the differences between two objects, sorted by path.

        Args:
            keep_nulls: whether a `null` says more than nothing, as it does in Helm values.
        """
        if not keep_nulls:
            old, new = _drop_nulls(old), _drop_nulls(new)
        left, right = align(old, new)
        key = repr(left), repr(right)
        if key[0] == key[1]:
            return ()
        if key not in self._known:
            found = _find_differences(left, right)
            ordered = sorted(found, key=lambda each: (each.path, each.kind.rank))
            self._known[key] = tuple(ordered)
        return self._known[key]


def _find_differences(old: Any, new: Any) -> Iterator[FieldChange]:
    from deepdiff import DeepDiff  # slow to import, and most comparisons need none

    tree = DeepDiff(
        old,
        new,
        view="tree",
        ignore_private_variables=False,  # or keys that begin with `__` are no keys
        threshold_to_diff_deeper=0,  # or maps with few keys in common are not looked into
    )
    for name, levels in tree.items():
        kind = _KINDS[name]
        for level in levels:
            steps = level.path(output_format="list")
            before = None if kind is ChangeKind.ADDED else level.t1
            after = None if kind is ChangeKind.REMOVED else level.t2
            if kind is ChangeKind.CHANGED and _is_noise(steps, before, after):
                continue
            yield FieldChange(_join(steps), kind, before, after)


def _drop_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _drop_nulls(each) for key, each in value.items() if each is not None}
    return [_drop_nulls(item) for item in value] if isinstance(value, list) else value


def _is_noise(steps: list[str | int], old: Any, new: Any) -> bool:
    """Tell whether two values are the same number, or the same quantity where one is wanted."""
    if isinstance(old, bool) or isinstance(new, bool):
        return False
    if isinstance(old, int | float) and isinstance(new, int | float):
        return old == new
    if not (set(steps[-2:-1]) & _QUANTITY_MAPS or steps[-1] in _QUANTITIES):
        return False
    amount = _amount(old)
    return amount is not None and amount == _amount(new)


def _amount(value: Any) -> int | None:
    """Return a quantity in billionths."""
    from neuron_dra.cel.quantity import Quantity
    from neuron_dra.cel.value import EvaluationError

    try:
        return Quantity.parse(str(value)).nano
    except EvaluationError:
        return None


def _join(steps: list[str | int]) -> str:
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step == ORDER:
            path += " (order)"
        elif isinstance(step, Item):
            path += f"[{step.label}]"
        elif _BARE_STEP.fullmatch(step):
            path += f".{step}" if path else step
        else:
            path += f"[{json.dumps(step, ensure_ascii=False)}]"
    return path
