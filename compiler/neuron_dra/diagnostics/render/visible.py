"""Text of the input as a terminal may show it: nothing hidden, nothing obeyed, its width known.

In: any text. Out: the same text with controls and invisible characters spelled out, and the number
of terminal cells. Works character by character, so that a prefix of a text gives a prefix.
"""

from __future__ import annotations

import re

TAB = "    "

# Controls, changes of direction, spaces that look like another, characters that nobody sees. The
# joiners U+200C and U+200D stay: scripts and emoji need them.
_HIDDEN = re.compile(
    r"[\x00-\x1f\x7f-\xa0\xad\u061c\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f"
    r"\ufeff\ud800-\udfff\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)


def show(text: str) -> str:
    """Return the text with every hidden character spelled out and tabs as four spaces."""
    return _HIDDEN.sub(_spell, text)


def show_words(text: str) -> str:
    """Return a message on one line: a tab or a line end in it becomes a space."""
    return show(re.sub(r"[\t\r\n]+", " ", text))


def _spell(match: re.Match[str]) -> str:
    character = match.group()
    if character == "\t":
        return TAB
    number = ord(character)
    if number < 0x20 or number == 0x7F:
        return chr(0x2421 if number == 0x7F else 0x2400 + number)  # the Control Pictures block
    return f"<U+{number:04X}>"


def count_cells(shown: str) -> int:
    """Return how many terminal cells a shown text takes."""
    if shown.isascii():
        return len(shown)
    return sum(map(_count_cell, shown))


def _count_cell(character: str) -> int:
    import unicodedata

    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
