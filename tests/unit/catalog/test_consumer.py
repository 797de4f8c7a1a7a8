"""Consumers and the versions of which something is known."""

from __future__ import annotations

import pytest

from neuron_dra.catalog.consumer import Parts
from neuron_dra.catalog.facts import Answer

GATE = "consumers/gate.yaml"
TEXT = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: Consumer
metadata: {name: gate}
spec:
  title: Gate
  workloadLabel: gate.example.com/queue
  nodeLabels: {example.com/kind: gate}
  ways:
    first:
      releases:
      - until: "1.4"
        parts:
          neuron: &known {usable: true, source: a test, date: 2026-01-01}
          config: {<<: *known, usable: false, reason: no, says: "no, no"}
      - {since: "1.10", rest: *known}
    second: {title: another, releases: [{rest: {source: a test, date: 2026-01-01}}]}
"""


@pytest.fixture
def gate(files):
    files.files[GATE] = TEXT
    catalog = files.open()
    made = catalog.consumer("gate")
    assert catalog.diagnostics == []
    return made


@pytest.mark.parametrize(
    ("version", "found"),
    [
        ("1.3", "1.4"),
        ("1.4", "1.4"),
        ("1.4.7", "1.4"),
        ("1.5", None),
        ("1.9.9", None),
        ("1.10", "later"),
        ("1.10.1", "later"),
        ("2", "later"),
    ],
)
def test_release(gate, version, found):
    """Versions are compared number by number, and a last minor includes its patches."""
    release = gate.ways["first"].release(version)

    assert (release and (release.until or "later")) == found


def test_all_versions(gate):
    """A release without bounds is every version, also where nobody says one."""
    way = gate.ways["second"]

    assert way.release("") is way.release("9.9.9") is way.releases[0]


def test_parts(gate):
    """A part has its own fact, else that of the rest, else none; without a word it is unknown."""
    old, new = gate.ways["first"].releases

    assert (old.part("config").answer, old.part("config").says) == (Answer.NO, "no, no")
    assert old.part("neuron").answer is Answer.YES
    assert old.part("selectors") is None
    assert new.part("selectors") is new.part("neuron") is new.rest
    assert gate.ways["second"].releases[0].rest.answer is Answer.UNKNOWN


def test_every_part_can_be_asked(gate):
    """Every part that a claim may have can be looked up."""
    assert len(Parts.names()) > 10
    for name in Parts.names():
        gate.ways["first"].releases[0].part(name)


@pytest.mark.parametrize(
    ("labels", "own"),
    [
        ({}, False),
        ({"example.com/kind": "other"}, False),
        ({"example.com/kind": "gate", "a": "b"}, True),
    ],
)
def test_runs(gate, labels, own):
    """Nodes are a consumer's own when they have all labels of its nodes."""
    assert gate.runs(labels) == own


@pytest.mark.parametrize(
    ("old", "new", "slug"),
    [
        ('{since: "1.10", rest: *known}', '{since: "1.10"}', "missing-key"),
        ("config:", "konfig:", "unknown-key"),
        ('until: "1.4"', "until: soon", "invalid-value"),
        ("{usable: true, source: a test, date: 2026-01-01}", "{usable: true}", "missing-source"),
        ("gate.example.com/queue", "a b", "invalid-value"),
        ("releases: [{rest: {source: a test, date: 2026-01-01}}]", "releases: []", "invalid-value"),
    ],
)
def test_unsound_facts(files, old, new, slug):
    """Facts that do not hold together are told at their place, and the consumer is left out."""
    files.files[GATE] = TEXT
    files.edit(GATE, old, new)
    catalog = files.open()

    assert catalog.consumer_names() == ("gate",)
    assert catalog.consumers() == ()
    assert slug in {each.code.slug for each in catalog.diagnostics}
