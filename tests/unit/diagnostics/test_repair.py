"""Edits that are applied to texts."""

from __future__ import annotations

import pytest

from neuron_dra.diagnostics import Code, Edit, Severity, only_close
from neuron_dra.diagnostics.repair import repair
from neuron_dra.source import Source, Span

BAD = Code("ND2001", "unknown-key", Severity.ERROR, "A key is not part of the language.")


def finding(source, *edits):
    """A finding with edits, each from the line and column that it names."""
    made = [Edit(Span(source, *place), text) for *place, text in edits]
    return BAD.at(made[0].span if made else Span.of_file(source), "bad", edits=made)


@pytest.mark.parametrize(
    ("data", "edits", "expected"),
    [
        (b"a: b\n", [(0, 3, 0, 4, "c")], b"a: c\n"),
        (b"a: b # why\n\n  c:   d", [(2, 2, 2, 3, "longer")], b"a: b # why\n\n  longer:   d"),
        (b"a: b\r\nc: d\r\n", [(1, 0, 1, 1, "x")], b"a: b\r\nx: d\r\n"),
        (
            b"\xef\xbb\xbfa: b\nc: d\n",
            [(0, 0, 0, 1, "x"), (1, 3, 1, 4, "y")],
            b"\xef\xbb\xbfx: b\nc: y\n",
        ),
        ("ü😀: b\n".encode(), [(0, 4, 0, 5, "é")], "ü😀: é\n".encode()),
        ("a: b\u2028c: d\n".encode(), [(1, 0, 1, 1, "x")], "a: b\u2028x: d\n".encode()),
        (b"a: b\nc: d\n", [(0, 4, 1, 4, "")], b"a: b\n"),
        (b"a: b\n", [(0, 0, 0, 1, "long"), (0, 3, 0, 4, "er")], b"long: er\n"),
    ],
)
def test_one_file(data, edits, expected):
    """Only the spans change: comments, layout, line ends and a byte order mark stay."""
    source = Source("a.yaml", data)
    [made] = repair([source], [finding(source, edit) for edit in edits])

    assert made.data == expected
    assert made.count == len(edits)
    [together] = repair([source], [finding(source, *edits)])
    assert (together.data, together.count) == (expected, 1)


def test_overlap():
    """Of edits that overlap the first wins, and the others are left, with all of their finding."""
    source = Source("a.yaml", b"abcdef\n")
    found = [
        finding(source, (0, 0, 0, 3, "x")),
        finding(source, (0, 2, 0, 4, "y"), (0, 5, 0, 6, "z")),
        finding(source, (0, 3, 0, 5, "w")),
    ]
    [made] = repair([source], found)

    assert (made.data, made.count) == (b"xwf\n", 2)


def test_other_files():
    """A file that is not given, and a finding without edits, change nothing."""
    source, other = Source("a.yaml", b"a\n"), Source("b.yaml", b"b\n")
    both = finding(source, (0, 0, 0, 1, "x"))
    both = BAD.at(both.span, "two", edits=[*both.edits, Edit(Span(other, 0, 0, 0, 1), "y")])

    assert repair([source], [finding(source), finding(other, (0, 0, 0, 1, "x"))]) == []
    assert repair([source, other], [both]) == []


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("regoin", ["region", "owner"], "region"),
        ("ALL", ["all", "ball"], "all"),
        ("notin", ["In", "NotIn"], "NotIn"),
        ("v1beta3", ["v1beta1", "v1beta2"], ""),
        ("x", ["region"], ""),
        ("name", ["Name", "NAME"], ""),
        ("a", [], ""),
    ],
)
def test_only_close(word, known, meant):
    """A word is meant for sure when no other is near."""
    assert only_close(word, known) == meant
