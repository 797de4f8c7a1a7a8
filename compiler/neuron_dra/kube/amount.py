"""Amounts as numbers.

In: the text of a quantity. Out: its value in billionths, which is as exact as Kubernetes is.
"""

from __future__ import annotations

from functools import lru_cache

from neuron_dra.cel.quantity import Quantity


@lru_cache(maxsize=4096)
def billionths(text: str) -> int:
    """Return the value of a quantity in billionths."""
    return Quantity.parse(text).nano
