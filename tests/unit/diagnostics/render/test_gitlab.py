"""Code Quality reports of GitLab."""

from __future__ import annotations

import json

from neuron_dra.diagnostics import Code, Severity
from neuron_dra.diagnostics.fingerprint import fingerprint_all
from neuron_dra.diagnostics.render import render
from neuron_dra.source import Source, Span

BAD = Code("ND2001", "unknown-key", Severity.ERROR, "A key is not part of the language.")
ODD = Code("ND5001", "odd-thing", Severity.WARNING, "A thing is odd.")
HINT = Code("ND5002", "hint", Severity.NOTE, "Something to know.")
SOURCE = Source("specs/fleet.yaml", b"spec:\n  regoin: x\n")


def test_item():
    """A diagnostic is an item with its place, its slug as check and its fingerprint."""
    found = BAD.at(Span(SOURCE, 1, 2, 1, 8), "unknown key `regoin`")

    assert json.loads(render([found], "gitlab")) == [
        {
            "description": "ND2001 unknown-key: unknown key `regoin`",
            "check_name": "unknown-key",
            "fingerprint": fingerprint_all([found])[0][1],
            "severity": "critical",
            "location": {"path": "specs/fleet.yaml", "lines": {"begin": 2, "end": 2}},
        }
    ]


def test_severities():
    """Severities are told in GitLab's words."""
    found = [code.at(Span.of_file(SOURCE), "told") for code in (BAD, ODD, HINT)]

    assert [each["severity"] for each in json.loads(render(found, "gitlab"))] == [
        "critical",
        "minor",
        "info",
    ]


def test_unique_fingerprints():
    """Equal findings on equal lines are told apart, since GitLab keeps one of each fingerprint."""
    source = Source("a.yaml", b"- x\n- x\n")
    found = [BAD.at(Span(source, line, 2, line, 3), "bad") for line in (0, 1)]
    items = json.loads(render(found, "gitlab"))

    assert len({each["fingerprint"] for each in items}) == 2


def test_control_characters():
    """Nothing of the input is hidden in a description or a path."""
    source = Source("a\x1b.yaml", b"x\n")
    [item] = json.loads(render([BAD.at(Span.of_file(source), "a\x00\nb")], "gitlab"))

    assert item["description"] == "ND2001 unknown-key: a␀ b"
    assert item["location"]["path"] == "a␛.yaml"


def test_no_diagnostics():
    """A report about nothing is an empty list."""
    assert json.loads(render([], "gitlab")) == []
