"""What a terminal shows of a text."""

from __future__ import annotations

import pytest

from neuron_dra.diagnostics.render.visible import count_cells, show, show_words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain: text", "plain: text"),
        ("ü日👍", "ü日👍"),
        ("a\tb", "a    b"),
        ("\x00\x1b\x7f", "␀␛␡"),
        ("\x85\xa0\u202e\ufeff\u200b", "<U+0085><U+00A0><U+202E><U+FEFF><U+200B>"),
        ("\udcff", "<U+DCFF>"),
        ("\U000e0041", "<U+E0041>"),
        ("\u200d", "\u200d"),
    ],
)
def test_show(text, shown):
    """Hidden characters are spelled out, all others stay."""
    assert show(text) == shown


def test_show_words():
    """A message stays on one line."""
    assert show_words("a\r\nb\tc\x1b") == "a b c␛"


@pytest.mark.parametrize(
    ("text", "cells"),
    [("", 0), ("abc", 3), ("ü", 1), ("u\u0308", 1), ("日本", 4), ("\uff21", 2), ("a\u200db", 2)],
)
def test_count_cells(text, cells):
    """Wide characters count twice, characters that join the one before not at all."""
    assert count_cells(text) == cells
