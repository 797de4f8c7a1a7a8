"""Codes by the words that Kubernetes or a driver would say.

In: a message, whole or in part, as somebody read it. Out: the codes whose pages list such words
under "What you would see", best first. Numbers, names in quotes and punctuation do not count, since
they differ from case to case. The pages are the only table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

ENOUGH = 0.8  # the part of the words of either text that must stand in the other, in order
NEAR = 0.25  # the part that makes a message worth a suggestion
LETTERS = 8  # of the common words together: `pod` and `cannot` find nothing

# Names in quotes, and what stands for a name on a page.
_NAME = re.compile(r'"[^"]*"|<[^>]*>')
_WORD = re.compile(r"[a-z]{2,}")


class Match(NamedTuple):
    """A message of a page and how near it is, between zero and one."""

    code_id: str
    message: str
    nearness: float


def rank(text: str, messages: Mapping[str, Iterable[str]]) -> list[Match]:
    """Return the nearest message of each code that is near at all, best first.

    Args:
        messages: the messages of the pages by code.
    """
    wanted = _words(text)
    best = [
        max(
            (Match(code_id, each, _nearness(wanted, _words(each))) for each in listed),
            key=lambda match: match.nearness,
        )
        for code_id, listed in messages.items()
        if listed
    ]
    near = [match for match in best if match.nearness >= NEAR]
    return sorted(near, key=lambda match: (-match.nearness, match.code_id))


def _words(text: str) -> list[str]:
    plain = _NAME.sub(" ", text).lower().replace("'", "")
    return _WORD.findall(plain)


def _nearness(wanted: list[str], listed: list[str]) -> float:
    """Compare two lists of words; a text that is part of the other is as near as can be."""
    blocks = SequenceMatcher(None, wanted, listed, autojunk=False).get_matching_blocks()
    common = [word for block in blocks for word in wanted[block.a : block.a + block.size]]
    if sum(map(len, common)) < LETTERS:
        return 0.0
    part = len(common) / min(len(wanted), len(listed))
    whole = len(common) / max(len(wanted), len(listed))
    return 0.9 * part + 0.1 * whole
