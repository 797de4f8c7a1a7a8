"""Diagnostics as values: their order, and the suggestions in them."""

from __future__ import annotations

import pytest

from neuron_dra.diagnostics import Code, Severity, closest, did_you_mean, has_errors, in_order
from neuron_dra.source import Source, Span

BAD = Code("ND2001", "unknown-key", Severity.ERROR, "A key is not part of the language.")
ODD = Code("ND5001", "odd-thing", Severity.WARNING, "A thing is odd.")


def make_span(path, line, column=0):
    return Span(Source(path, b""), line, column, line, column + 1)


def test_in_order():
    """The order is path, place, severity, code and message, and repetitions are dropped."""
    ordered = [
        BAD.at(make_span("a", 1), "x"),
        ODD.at(make_span("a", 1), "a"),
        BAD.at(make_span("a", 1, 2), "a"),
        BAD.at(make_span("a", 10), "a"),
        BAD.at(make_span("a", 10), "b"),
        ODD.at(make_span("b", 0), "a"),
    ]
    repeated = [*ordered, *ordered]

    assert in_order(reversed(ordered)) == ordered
    assert in_order(repeated) == ordered


def test_has_errors():
    """Warnings are no errors."""
    span = make_span("a", 0)

    assert has_errors([ODD.at(span, "x"), BAD.at(span, "x")])
    assert not has_errors([ODD.at(span, "x")])
    assert not has_errors([])


@pytest.mark.parametrize(
    ("word", "known", "match"),
    [
        ("regoin", ["region", "owner"], "region"),
        ("REGION", ["region"], "region"),
        ("nodepools", ["nodePools"], "nodePools"),
        ("xyzzy", ["region", "owner"], ""),
        ("x", [], ""),
    ],
)
def test_closest(word, known, match):
    """The closest word is found whatever its case, and none when none is close."""
    assert closest(word, known) == match


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("regoin", ["region", "owner"], "did you mean `region`?"),
        ("xyzzy", ["region", "owner", "owner"], "known: `owner`, `region`"),
        ("xyzzy", [], ""),
        (
            "xyzzy",
            [f"k{number:02}" for number in range(14)],
            "known: " + ", ".join(f"`k{number:02}`" for number in range(12)) + ", ...",
        ),
    ],
)
def test_did_you_mean(word, known, hint):
    """A word like none of the known ones gets some of them listed."""
    assert did_you_mean(word, known) == hint
