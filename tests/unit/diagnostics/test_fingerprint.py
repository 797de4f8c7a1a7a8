"""Fingerprints: what changes them and what does not."""

from __future__ import annotations

from neuron_dra.diagnostics import Code, Severity
from neuron_dra.diagnostics.fingerprint import fingerprint_all
from neuron_dra.source import Source, Span

BAD = Code("ND2001", "unknown-key", Severity.ERROR, "A key is not part of the language.")
ODD = Code("ND5001", "odd-thing", Severity.WARNING, "A thing is odd.")


def fingerprint(text, line, code=BAD, path="a.yaml", message="bad"):
    source = Source(path, text.encode())
    [(_, name)] = fingerprint_all([code.at(Span(source, line, 0, line, 1), message)])
    return name


def test_stays():
    """A line that moves, is indented otherwise, or gets other words keeps its fingerprint."""
    before = fingerprint("a: 1\nb: 2\n", 1)

    assert fingerprint("# more\n\na: 1\n  b: 2  \n", 3, message="bad, 3 of 4") == before


def test_differs():
    """Another code, path or text gives another fingerprint."""
    names = {
        fingerprint("a: 1\n", 0),
        fingerprint("a: 1\n", 0, code=ODD),
        fingerprint("a: 1\n", 0, path="b.yaml"),
        fingerprint("a: 2\n", 0),
    }

    assert len(names) == 4


def test_equal_lines():
    """Equal findings on equal lines have fingerprints of their own, whatever their order is."""
    source = Source("a.yaml", b"- a: 1\n- a: 1\n- a: 1\n")
    found = [BAD.at(Span(source, line, 2, line, 3), "bad") for line in range(3)]
    named = fingerprint_all(found)

    assert [each for each, _ in named] == found
    assert len({name for _, name in named}) == 3
    assert fingerprint_all(reversed(found)) == named


def test_repetitions():
    """A finding that is told twice has one fingerprint."""
    source = Source("a.yaml", b"a: 1\n")
    found = BAD.at(Span(source, 0, 0, 0, 1), "bad")

    assert fingerprint_all([found, found]) == fingerprint_all([found])
