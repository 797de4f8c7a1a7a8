"""Lists as the API means them: maps by a key, sets, or sequences.

In: an object of each side. Out: the same two values, where lists that are maps or sets have become
dicts whose keys agree, so that a change of order is none and an item is compared with its
counterpart. Members of maps that are equal on both sides are left out, and values that only one
side has stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

# Field -> the keys that name an item (k8s.io/api: listType=map, or patchMergeKey).
_KEYS: Mapping[str, tuple[str, ...]] = {
    "claims": ("name", "request"),
    "containers": ("name",),
    "env": ("name",),
    "ephemeralContainers": ("name",),
    "firstAvailable": ("name",),
    "imagePullSecrets": ("name",),
    "initContainers": ("name",),
    "ports": ("protocol", "port", "containerPort"),
    "replicatedJobs": ("name",),
    "requests": ("name",),
    "resourceClaims": ("name",),
    "taints": ("key", "effect"),
    "tolerations": ("key", "operator", "value", "effect"),
    "topologySpreadConstraints": ("topologyKey", "whenUnsatisfiable"),
    "volumeMounts": ("mountPath",),
    "volumes": ("name",),
}
# Lists whose order says nothing and whose items have no name.
_SETS = frozenset(
    {
        *("accessModes", "clusterResourceWhitelist", "constraints", "destinations", "egress"),
        *("except", "finalizers", "from", "ingress", "matchExpressions"),
        *("namespaceResourceWhitelist", "policyTypes", "sourceRepos", "syncOptions", "to"),
    }
)
# Lists by name whose order matters too: the scheduler and the kubelet go through them one by one.
_ORDERED = frozenset({"firstAvailable", "initContainers"})


class Item(str):
    """The key of an item of a list, as a path shows it in brackets."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Item({super().__repr__()})"

    @property
    def label(self) -> str:
        return self.partition("\0")[0]


# Stands beside the items of an ordered list for their order; no name holds the character.
ORDER = Item("\0order")


def align(old: Any, new: Any, field: str = "") -> tuple[Any, Any]:
    """Return two values with their lists made comparable.

    Args:
        field: the key under which both values stand.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        return _align_maps(old, new)
    if not (isinstance(old, list) and isinstance(new, list)):
        return old, new
    keys = _KEYS.get(field, ())
    if keys:
        names = _name_items(old, keys), _name_items(new, keys)
        if names[0] is not None and names[1] is not None:
            return _align_named(names[0], names[1], ordered=field in _ORDERED)
    if _is_set(field, [*old, *new]):
        return _align_sets(old, new)
    return _align_sequences(old, new)


def _align_maps(old: dict[Any, Any], new: dict[Any, Any]) -> tuple[dict[Any, Any], dict[Any, Any]]:
    left, right = dict(old), dict(new)
    for key in old.keys() & new.keys():
        if _is_same(old[key], new[key]):
            del left[key], right[key]
        else:
            left[key], right[key] = align(old[key], new[key], key)
    return left, right


def _is_same(old: Any, new: Any) -> bool:
    """Tell whether two values are equal for sure: `1` and `true` are equal to Python."""
    return bool(old == new) and repr(old) == repr(new)


def _align_sequences(old: list[Any], new: list[Any]) -> tuple[Any, Any]:
    pairs = [align(*pair) for pair in zip(old, new, strict=False)]
    left = [pair[0] for pair in pairs] + old[len(pairs) :]
    right = [pair[1] for pair in pairs] + new[len(pairs) :]
    if any(isinstance(item, bool) for item in (*old, *new)):
        # DeepDiff takes `1` and `true` in a list for equal; in a map it does not.
        return _number(left), _number(right)
    return left, right


def _number(items: list[Any]) -> dict[Any, Any]:
    return {Item(str(index)): item for index, item in enumerate(items)}


def _name_items(items: list[Any], keys: tuple[str, ...]) -> dict[Any, Any] | None:
    """Return the items by name, or nothing if one has no name or two have the same."""
    named = {}
    for item in items:
        if not isinstance(item, dict):
            return None
        parts = [str(item[key]) for key in keys if item.get(key) is not None]
        if not parts or any(isinstance(item.get(key), dict | list) for key in keys):
            return None
        named[Item("/".join(parts))] = item
    return named if len(named) == len(items) else None


def _align_named(
    old: dict[Any, Any], new: dict[Any, Any], *, ordered: bool
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    left, right = _align_maps(old, new)
    if ordered:
        left[ORDER], right[ORDER] = ", ".join(old), ", ".join(new)
    return left, right


def _align_sets(old: list[Any], new: list[Any]) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Leave out what both sides have; the rest is compared in order and named by its index."""
    left = [(_canonical(item), index, item) for index, item in enumerate(old)]
    right = [(_canonical(item), index, item) for index, item in enumerate(new)]
    lost, gained = _subtract(left, right), _subtract(right, left)
    shared = min(len(lost), len(gained))
    pairs = [align(a[2], b[2]) for a, b in zip(lost, gained, strict=False)]
    keys = [Item(str(each[1])) for each in gained]
    gone = {Item(f"{each[1]}\0old"): each[2] for each in lost[shared:]}
    before = {key: pair[0] for key, pair in zip(keys, pairs, strict=False)}
    after = {key: pair[1] for key, pair in zip(keys, pairs, strict=False)}
    after |= {key: each[2] for key, each in zip(keys[shared:], gained[shared:], strict=True)}
    return before | gone, after


def _subtract(
    items: list[tuple[str, int, Any]], others: list[tuple[str, int, Any]]
) -> list[tuple[str, int, Any]]:
    """Return the items without a counterpart, in a canonical order."""
    remaining = [text for text, _, _ in others]
    kept = []
    for each in items:
        if each[0] in remaining:
            remaining.remove(each[0])
        else:
            kept.append(each)
    return sorted(kept, key=lambda each: each[:2])


def _is_set(field: str, items: list[Any]) -> bool:
    """Tell whether the order of a list says nothing; `values` are those of a label selector."""
    if field == "values":
        return all(isinstance(item, str) for item in items)
    return field in _SETS or (field in _KEYS and field not in _ORDERED)


def _canonical(value: Any) -> str:
    """Return a text that is the same for values that differ in order alone."""
    return _dump(_in_order(value, ""))


def _in_order(value: Any, field: str) -> Any:
    if isinstance(value, dict):
        return {key: _in_order(each, key) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    items = [_in_order(item, "") for item in value]
    return sorted(items, key=_dump) if _is_set(field, value) else items


def _dump(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
