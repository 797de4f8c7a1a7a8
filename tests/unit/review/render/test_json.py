"""A review for programs."""

from __future__ import annotations

import json
from pathlib import Path

from neuron_dra.diagnostics import Code, Severity
from neuron_dra.review.change import Review
from neuron_dra.review.render import Layout, render
from neuron_dra.source import Source, Span

EXPECTED = Path(__file__).parents[1] / "fixtures" / "expected.json"
BAD = Code("ND2001", "x", Severity.ERROR, "").at(Span.of_file(Source("x", b"")), "bad")


def test_the_fixture(fixture_review):
    """Every change is there with all its places, and every key always."""
    text = render(fixture_review, "json")

    assert text == EXPECTED.read_text(encoding="utf-8")
    assert len({tuple(change) for change in json.loads(text)["changes"]}) == 1


def test_stat(fixture_review):
    """With `--stat`, only the changes are missing."""
    full = json.loads(render(fixture_review, "json"))
    del full["changes"]

    assert json.loads(render(fixture_review, "json", layout=Layout(stat=True))) == full


def test_nothing():
    """A review without changes has the same shape."""
    document = json.loads(render(Review(()), "json"))

    assert document["schemaVersion"] == 1
    assert document["changes"] == []
    assert document["counts"]["replaced"] == {"changes": 0, "objects": 0}


def test_diagnostics():
    """What could not be compared is in the document, as in other documents."""
    document = json.loads(render(Review(()), "json", diagnostics=[BAD]))

    assert [each["code"] for each in document["diagnostics"]] == ["ND2001"]
    assert document["summary"]["errors"] == 1
