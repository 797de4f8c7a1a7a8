"""Codes that are found by what Kubernetes or a driver says."""

from __future__ import annotations

import pytest

from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.diagnostics.pages import load_page, messages
from neuron_dra.diagnostics.search import ENOUGH, rank

PAGES = {code_id: messages(load_page(code_id)) for code_id in load_codes()}
LISTED = [(code_id, each) for code_id, listed in PAGES.items() for each in listed]
MESSAGES = {
    "ND1": ['claims "<claim>" is forbidden: exceeded quota: <quota>, requested: devices=4'],
    "ND2": ["0/2 nodes are available: 2 cannot allocate all claims.", "timed out after 10 s"],
    "ND3": ["FailedPrepareDynamicResources"],
    "ND4": [],
}


@pytest.mark.parametrize(("code_id", "message"), LISTED)
def test_own_page(code_id, message):
    """Every message of a page finds its page, as it is and in other letters."""
    for text in (message, message.upper(), f"  Warning  {message}  (x12 over 3m)"):
        found = rank(text, PAGES)
        best = {match.code_id for match in found if match.nearness == found[0].nearness}
        assert found[0].nearness >= ENOUGH
        assert code_id in best


def test_messages_exist():
    """Pages do list messages."""
    assert len(LISTED) > 20


@pytest.mark.parametrize(
    ("text", "code_id"),
    [
        ("cannot allocate all claims", "ND2"),
        ("CANNOT ALLOCATE all claims", "ND2"),
        ("0/17 nodes are available: 3 cannot allocate all claims, 14 Too many pods.", "ND2"),
        ('claims "p2-d-b5xkk" is forbidden: exceeded quota: q, requested: devices=16', "ND1"),
        ("exceeded quota", "ND1"),
        ("event failedpreparedynamicresources", "ND3"),
    ],
)
def test_parts(text, code_id):
    """A part, a whole line, other numbers and other names find the same code."""
    found = rank(text, MESSAGES)

    assert found[0].code_id == code_id
    assert found[0].nearness >= ENOUGH
    assert all(match.nearness < ENOUGH for match in found[1:])


@pytest.mark.parametrize("text", ["", "pod", "all", "12 34", "something else entirely", '"claims"'])
def test_nothing(text):
    """A word or two that stand everywhere find nothing."""
    assert rank(text, MESSAGES) == []


def test_near():
    """A message that is told otherwise is near, but not found."""
    [match] = rank("could not allocate claims, nodes lost", MESSAGES)

    assert match.code_id == "ND2"
    assert match.nearness < ENOUGH


def test_order():
    """Equal matches stand in the order of their codes."""
    twice = {"ND9": ["device is gone"], "ND8": ["device is gone"]}

    assert [match.code_id for match in rank("device is gone", twice)] == ["ND8", "ND9"]
