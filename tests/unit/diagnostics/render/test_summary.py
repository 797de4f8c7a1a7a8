"""The last line of a report."""

from __future__ import annotations

import pytest

from neuron_dra.diagnostics import Code, Severity
from neuron_dra.diagnostics.render.summary import count_by_severity, summarize
from neuron_dra.source import Source, Span


def make(*severities):
    span = Span.of_file(Source("a", b""))
    return [Code("ND9999", "x", severity, "").at(span, "x") for severity in severities]


@pytest.mark.parametrize(
    ("severities", "line"),
    [
        ((), "found no problems"),
        ((Severity.ERROR,), "found 1 error"),
        ((Severity.WARNING, Severity.WARNING), "found 2 warnings"),
        ((Severity.WARNING, Severity.ERROR), "found 1 error and 1 warning"),
        (
            (Severity.NOTE, Severity.WARNING, Severity.ERROR, Severity.NOTE),
            "found 1 error, 1 warning and 2 notes",
        ),
    ],
)
def test_summarize(severities, line):
    """The worst comes first, and only what is there is counted."""
    assert summarize(make(*severities)) == line


def test_count_by_severity():
    """Every severity has a count."""
    counts = count_by_severity(make(Severity.WARNING))

    assert list(counts.items()) == [
        (Severity.ERROR, 0),
        (Severity.WARNING, 1),
        (Severity.NOTE, 0),
    ]
