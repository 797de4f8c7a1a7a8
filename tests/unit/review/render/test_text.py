"""A review on a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from neuron_dra.diagnostics import Code, Severity
from neuron_dra.review.change import Review
from neuron_dra.review.compare import compare
from neuron_dra.review.render import Layout, render
from neuron_dra.source import Source, Span

EXPECTED = Path(__file__).parents[1] / "fixtures" / "expected.txt"
BAD = Code("ND2001", "x", Severity.ERROR, "").at(Span.of_file(Source("x", b"")), "bad")


def test_the_fixture(fixture_review):
    """Every kind of change is shown once, with its places and fields."""
    assert render(fixture_review, "text") == EXPECTED.read_text(encoding="utf-8")


def test_stat(fixture_review):
    """With `--stat`, objects are counted by kind."""
    assert render(fixture_review, "text", layout=Layout(stat=True)) == (
        "1 added, 3 changed, 1 replaced, 1 renamed, 2 removed in 4 clusters (14 objects)\n"
        "  AppProject             1 changed\n"
        "  Application            3 changed, 1 removed\n"
        "  HelmValues             1 changed\n"
        "  NetworkPolicy          1 added\n"
        "  ResourceClaimTemplate  4 replaced, 1 renamed, 2 removed\n"
    )


def test_nothing():
    """Where nothing differs, one line says so."""
    assert render(Review(()), "text") == "no changes\n"
    assert render(Review(()), "text", layout=Layout(stat=True)) == "no changes\n"


def test_gaps():
    """A comparison that is not whole says so, since stderr may be elsewhere."""
    assert render(Review(()), "text", diagnostics=[BAD]) == (
        "no changes\nincomplete: 1 error; what is broken may show as removed or added\n"
    )


@pytest.mark.parametrize("width", [1, 40, 60, 80, 200])
def test_folding(fixture_review, width):
    """A line is as wide as the terminal at most, unless one word is wider; no word is lost."""
    text = render(fixture_review, "text", layout=Layout(width=width))
    lines = text.splitlines()

    assert text.split() == EXPECTED.read_text(encoding="utf-8").split()
    assert all(len(line) <= max(width, 26) for line in lines if " " in line.strip())


def test_color(fixture_review):
    """Colours change nothing but colours, and every line ends without one."""
    text = render(fixture_review, "text", layout=Layout(color=True))

    assert "\x1b[1;31m± ResourceClaimTemplate trn2-row" in text
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == EXPECTED.read_text(encoding="utf-8")
    assert all(line.endswith("\x1b[0m") for line in text.splitlines() if "\x1b[" in line)


def test_names_do_not_steer_the_terminal(make_tree, make_template):
    """Controls, line ends and changes of direction in names and values are spelled out."""
    evil = "a\x1b[2J\u202eb\nc"
    files = [
        {f"clusters/a{evil}/x.yaml": make_template(evil, evil, count, **{evil: f"{evil}{count}"})}
        for count in (1, 2)
    ]
    review = compare(*map(make_tree, files))
    text = render(review, "text") + render(review, "text", layout=Layout(stat=True))

    assert len(review.groups) == 1
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)
    assert "a␛[2J<U+202E>b c" in text
