"""Rules of lists and maps: how many items, each item, none twice.

In: items, their field and what to check of each. Out: causes. A list that is too long is not looked
into, as the API server has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from neuron_dra.admission.cause import Cause, duplicate, too_many
from neuron_dra.admission.problem import item_field
from neuron_dra.admission.server import Dialect

Check = Callable[[Any, str], Iterator[Cause]]


def each(items: Sequence[Any], field: str, check: Check) -> Iterator[Cause]:
    """Check every item of a list."""
    for index, item in enumerate(items):
        yield from check(item, item_field(field, index))


def limited(
    items: Sequence[Any], field: str, limit: int | None, check: Check, dialect: Dialect
) -> Iterator[Cause]:
    """Check a list of at most so many items."""
    if limit is not None and len(items) > limit:
        yield too_many(field, len(items), limit)
        if not dialect.looks_into_long_lists:
            return
    yield from each(items, field, check)


def unique(
    items: Sequence[Any],
    field: str,
    limit: int | None,
    check: Check,
    dialect: Dialect,
    key: str = "",
    *,
    by: Callable[[Any], Any] | None = None,
) -> Iterator[Cause]:
    """Check a list of at most so many items in which none stands twice.

    Args:
        key: the field of an item that tells items apart; the item itself, if empty.
        by: what tells items apart, where it is no field.
    """
    yield from limited(items, field, limit, check, dialect)
    if limit is None or len(items) <= limit or dialect.looks_into_long_lists:
        end = f".{key}" if key and dialect.duplicates_name_key else ""
        tell = by or (lambda item: item.get(key, "") if key else item)
        yield from repeated([tell(item) for item in items], field, end)


def repeated(values: Sequence[Any], field: str, end: str = "") -> Iterator[Cause]:
    """Find the values that stood before."""
    seen: set[Any] = set()
    for index, value in enumerate(values):
        if value in seen:
            yield duplicate(item_field(field, index) + end, value)
        seen.add(value)


def entries(
    items: Mapping[str, Any],
    field: str,
    check_key: Check,
    check: Check,
    *,
    keys_at_item: bool,
    shown: Callable[[str], str],
    limit: int | None = None,
) -> Iterator[Cause]:
    """Check the keys and values of a map with at most so many.

    Args:
        shown: how a key is written in a field.
    """
    if limit is not None and len(items) > limit:
        yield too_many(field, len(items), limit)
        return
    for key, item in items.items():
        place = item_field(field, shown(key))
        yield from check_key(key, place if keys_at_item else field)
        yield from check(item, place)
