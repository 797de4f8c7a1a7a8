"""The JSON that programs read."""

from __future__ import annotations

import json

import pytest

from neuron_dra.diagnostics import Code, Edit, Related, Severity
from neuron_dra.diagnostics.render import FORMATS, render
from neuron_dra.source import Source, Span

BAD = Code("ND2001", "unknown-key", Severity.ERROR, "A key is not part of the language.")
ODD = Code("ND5001", "odd-thing", Severity.WARNING, "A thing is odd.")


def test_shape():
    """Every key is there, lines and columns count from one, and an end is exclusive."""
    source = Source("specs/fleet.yaml", b"spec:\n  regoin: x\n")
    span = Span(source, 1, 2, 1, 8)
    found = BAD.at(
        span,
        "unknown key `regoin`",
        label="here",
        related=[Related(Span(source, 0, 0, 0, 4), "in this map")],
        help="did you mean `region`?",
        edits=[Edit(span, "region")],
        subject="Cluster prod",
    )
    place = {"path": "specs/fleet.yaml", "line": 2, "column": 3, "endLine": 2, "endColumn": 9}
    above = {"path": "specs/fleet.yaml", "line": 1, "column": 1, "endLine": 1, "endColumn": 5}

    assert json.loads(render([found], "json")) == {
        "schemaVersion": 1,
        "diagnostics": [
            {
                "code": "ND2001",
                "slug": "unknown-key",
                "severity": "error",
                "message": "unknown key `regoin`",
                **place,
                "label": "here",
                "help": "did you mean `region`?",
                "object": "Cluster prod",
                "related": [{"message": "in this map", **above}],
                "edits": [{"replacement": "region", **place}],
            }
        ],
        "summary": {"errors": 1, "warnings": 0, "notes": 0},
    }


def test_no_diagnostics():
    """No diagnostics are an object too."""
    assert json.loads(render([], "json")) == {
        "schemaVersion": 1,
        "diagnostics": [],
        "summary": {"errors": 0, "warnings": 0, "notes": 0},
    }


def test_order():
    """The bytes do not depend on the order in which diagnostics were found."""
    source = Source("a", b"x\ny\n")
    found = [ODD.at(Span(source, 1, 0, 1, 1), "odd"), BAD.at(Span(source, 0, 0, 0, 1), "bad")]

    assert render(found, "json") == render(reversed(found), "json")
    assert render(found, "json").index("ND2001") < render(found, "json").index("ND5001")


def test_odd_text():
    """Controls and bytes of a path that are no text are escaped."""
    source = Source("specs/\udcff.yaml", b"a\n")
    text = render([BAD.at(Span.of_file(source), "bad \x1b ü")], "json")

    assert text.isascii()
    assert "\x1b" not in text
    assert json.loads(text)["diagnostics"][0]["message"] == "bad \x1b ü"


@pytest.mark.parametrize("name", FORMATS)
def test_formats(name):
    """Every format of the table can be rendered and ends its text with a line end."""
    source = Source("a", b"x\n")

    assert render([BAD.at(Span.of_file(source), "bad")], name).endswith("\n")


def test_formats_are_sorted():
    """The table of formats is in order of name."""
    assert list(FORMATS) == sorted(FORMATS)
