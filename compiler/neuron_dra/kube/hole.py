"""Holes: places in an object whose value differs from cluster to cluster or tenant to tenant.

An object with holes is built and checked once; its text is filled many times.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Hole(str):
    """The name of a value that is filled in later; stands where a whole string would."""

    __slots__ = ()


NAMESPACE = Hole("namespace")
TENANT = Hole("tenant")


def fill(data: Any, values: Mapping[str, str]) -> Any:
    """Return the data with every hole replaced by its value."""
    if isinstance(data, Hole):
        return values[data]
    if isinstance(data, dict):
        return {key: fill(value, values) for key, value in data.items()}
    if isinstance(data, list):
        return [fill(item, values) for item in data]
    return data
