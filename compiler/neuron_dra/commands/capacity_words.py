"""Words that texts about capacity share.

In: numbers and names. Out: pieces of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from neuron_dra.plan.capacity.rooms import PoolGrant

WIDTH = 100
INDENT = "  "


def count_claims(number: int, grant: PoolGrant) -> str:
    """Return `3 claims of NAME`."""
    return f"{count_words(number, 'claim')} of {grant.name}"


def count_words(number: int, word: str, plural: str = "") -> str:
    """Return a number with its word."""
    return f"{number} {word}" if number == 1 else f"{number} {plural or f'{word}s'}"


def join(words: Sequence[str]) -> str:
    """Return words with commas and `and`."""
    return " and ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} and {words[-1]}"


def wrap(text: str) -> list[str]:
    """Return the lines of a text, folded to what an indented paragraph holds."""
    return fill(text, WIDTH - len(INDENT), break_on_hyphens=False).splitlines()
