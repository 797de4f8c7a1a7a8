"""Known warnings."""

from __future__ import annotations

import json

import pytest

from neuron_dra.api.baseline import leave_known, write_baseline
from neuron_dra.diagnostics import Severity
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.diagnostics.fingerprint import fingerprint_all
from neuron_dra.source import Source, Span

CODES = load_codes().values()
ODD = next(code for code in CODES if code.severity is Severity.WARNING)
BAD = next(code for code in CODES if code.severity is Severity.ERROR)
HINT = next(code for code in CODES if code.severity is Severity.NOTE)


def found(code=ODD, text="a: 1\n", line=0, path="a.yaml"):
    return code.at(Span(Source(path, text.encode()), line, 0, line, 1), "told")


def baseline(*diagnostics):
    return Source("baseline.json", write_baseline(diagnostics).encode())


def test_round_trip():
    """A baseline knows what it was written of, also on moved lines, and has no entry to spare."""
    known = [found(), found(path="b.yaml")]
    moved = [found(text="# more\na: 1\n", line=1), found(path="b.yaml")]

    assert leave_known(moved, baseline(*known), is_complete=True) == ([], [])


def test_new_warning():
    """A warning that is not known is told."""
    new = found(text="a: 1\nb: 2\n", line=1)
    left, stale = leave_known([found(), new], baseline(found()), is_complete=True)

    assert (left, stale) == ([new], [])


@pytest.mark.parametrize("code", [BAD, HINT])
def test_warnings_only(code):
    """Errors and notes are in no baseline."""
    assert json.loads(write_baseline([found(code)])) == {"schemaVersion": 1, "findings": []}


def test_errors_are_told():
    """An error is told although somebody wrote its fingerprint into the baseline."""
    forged = json.loads(write_baseline([found()]))
    error = found(BAD)
    forged["findings"][0]["fingerprint"] = fingerprint_all([error])[0][1]
    left, stale = leave_known(
        [error], Source("b.json", json.dumps(forged).encode()), is_complete=True
    )

    assert left == [error]
    assert [each.code.id for each in stale] == ["ND2078"]


def test_stale():
    """An entry that matches nothing is told at its line, if everything was looked for."""
    source = baseline(found(), found(path="b.yaml"))
    left, [stale] = leave_known([found()], source, is_complete=True)

    assert left == []
    assert (stale.code.id, stale.severity) == ("ND2078", Severity.WARNING)
    line = source.line(stale.span.line)
    assert '"fingerprint"' in line
    assert line[stale.span.column : stale.span.end_column].isalnum()
    assert leave_known([found()], source, is_complete=False) == ([], [])


def test_sorted():
    """The text depends on the warnings alone, and ends with a line end."""
    known = [found(path=path, text="y: 1\nx: 1\n", line=line) for path in "ba" for line in (0, 1)]

    assert write_baseline(known) == write_baseline(reversed(known))
    assert write_baseline(known).endswith("}\n")
    paths = [each["path"] for each in json.loads(write_baseline(known))["findings"]]
    assert paths == ["a", "a", "b", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        "1",
        '{"schemaVersion": 2, "findings": []}',
        '{"schemaVersion": 1}',
        '{"schemaVersion": 1, "findings": 3}',
        '{"schemaVersion": 1, "findings": [1]}',
        '{"schemaVersion": 1, "findings": [{}]}',
        '{"schemaVersion": 1, "findings": [{"slug": "a", "path": "b", "fingerprint": 1}]}',
        "[" * 100_000,
        "\xff",
    ],
)
def test_invalid(text):
    """What is no baseline is an error, and everything is told."""
    left, [problem] = leave_known(
        [found()], Source("b.json", text.encode("latin-1")), is_complete=True
    )

    assert [each.message for each in left] == ["told"]
    assert problem.code.id == "ND2077"
