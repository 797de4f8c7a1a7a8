"""Verdicts of a consumer on claims."""

from __future__ import annotations

import pytest

from neuron_dra.api import pipeline as api
from neuron_dra.catalog.facts import Answer
from neuron_dra.consumers.columns import columns_of
from neuron_dra.consumers.judge import NOTHING_KNOWN, judge, judge_parts
from neuron_dra.consumers.parts import parts_of
from unit.consumers.small_facts import CONFIG, ORIGIN, PAIRS, claim, exactly, read_consumer, ways

YES, NO = "usable: true", "usable: false, reason: no way"
PLAIN = {"neuron": YES, "template": YES, "exactCount": YES}
GROUPS = {"example.com/group2"}
FORMS = {
    "selectors": claim(exactly(selectors=("true",))),
    "constraints": claim(constraints=[PAIRS]),
    "config": claim(config=[CONFIG]),
    "efa": claim(exactly(), exactly("cards")),
    "capacity": claim(exactly(capacity={"memory": "1Gi"})),
}


def verdict(parts, made, version="1.0", **more):
    way = read_consumer(ways(parts, **more)).ways["only"]
    return judge_parts(parts_of(made, {"cards"}), way, version)


@pytest.mark.parametrize("part", FORMS)
@pytest.mark.parametrize(
    ("fact", "answer", "words"),
    [
        (YES, Answer.YES, None),
        (NO, Answer.NO, "no way"),
        ("reason: who knows", Answer.UNKNOWN, "who knows"),
        ("note: nothing", Answer.UNKNOWN, NOTHING_KNOWN),
        (None, Answer.UNKNOWN, NOTHING_KNOWN),
    ],
)
def test_part(part, fact, answer, words):
    """What is known of one part of a claim is the verdict when all others can be handled."""
    found = verdict(PLAIN | ({part: fact} if fact else {}), FORMS[part])

    assert found.answer is answer
    assert [(each.parts, each.words) for each in found.reasons] == (
        [((part,), words)] if words else []
    )


@pytest.mark.parametrize("part", FORMS)
def test_part_of_another_claim(part):
    """A part that a claim does not have is of no matter."""
    assert verdict({**PLAIN, part: NO}, claim()).answer is Answer.YES


def test_worst_wins():
    """A refused part hides what is not known of others."""
    made = claim(exactly(selectors=("true",)), constraints=[PAIRS])

    found = verdict({**PLAIN, "selectors": "reason: who knows", "constraints": NO}, made)

    assert found.answer is Answer.NO
    assert [each.parts for each in found.reasons] == [("constraints",)]


def test_shared_reason():
    """Parts that are refused for one reason are told once, with the field of the first."""
    made = claim(exactly(selectors=("true",)), config=[CONFIG])

    (reason,) = verdict({**PLAIN, "selectors": NO, "config": NO}, made).reasons

    assert reason.parts == ("selectors", "config")
    assert reason.field == "devices.requests[0].exactly.selectors"
    assert reason.fact.source == "a test"


def test_rest():
    """What is said of the rest holds for every part that is not named, and names none."""
    found = verdict({"neuron": YES}, claim(config=[CONFIG]), rest=NO)

    assert found.answer is Answer.NO
    assert [each.parts for each in found.reasons] == [()]
    assert verdict({"neuron": NO}, claim(), rest=YES).reasons[0].parts == ("neuron",)


def test_unknown_version():
    """Of a version outside all ranges nothing is known, whatever the claim."""
    found = verdict(PLAIN, claim(), version="3.0", until="2")

    assert found.answer is Answer.UNKNOWN
    assert [each.words for each in found.reasons] == [NOTHING_KNOWN]


def test_words_and_rewrites():
    """The consumer's own words and what to write instead come along, a rewrite once."""
    other = "usable: false, reason: nor this, says: go away, rewrite: write less"
    found = verdict(
        {**PLAIN, "selectors": "usable: false, reason: no, rewrite: write less", "config": other},
        claim(exactly(selectors=("true",)), config=[CONFIG]),
    )

    assert found.rewrites == ("write less",)
    assert [each.says for each in found.reasons] == ["", "go away"]


@pytest.fixture(scope="module")
def analysed(root):
    return api.analyse(api.load([str(root / "specs")]))


def test_every_example_is_judged(analysed):
    """Every consumer has a verdict on every partition of the examples, a no with its reason."""
    answers = set()
    for plan in analysed.fleet.clusters:
        columns = columns_of(plan.spec, analysed.catalog.consumers())
        for planned in {
            id(each): each for tenant in plan.tenants for each in tenant.partitions
        }.values():
            for each in columns:
                found = judge(planned, each.consumer, each.way, each.version)
                assert (found.answer is Answer.YES) == (not found.reasons)
                assert each.way not in found.ways
                answers.add((each.consumer.name, found.answer))

    assert analysed.catalog.diagnostics == []
    assert {name for name, _ in answers} == set(analysed.catalog.consumer_names())
    assert {answer for _, answer in answers} == set(Answer)


def test_other_ways(analysed):
    """A way that refuses a claim names the ways that do not, and one that takes it names none."""
    consumer = read_consumer(
        f"""\
ways:
  strict: {{releases: [{{rest: {{{NO}, {ORIGIN}}}}}]}}
  open: {{releases: [{{rest: {{{YES}, {ORIGIN}}}}}]}}
  dark: {{releases: [{{rest: {{{ORIGIN}}}}}]}}
"""
    )
    plan = next(each for each in analysed.fleet.clusters if each.tenants)
    planned = plan.tenants[0].partitions[0]

    assert judge(planned, consumer, "strict", "").ways == ("open",)
    assert judge(planned, consumer, "dark", "").ways == ("open",)
    assert judge(planned, consumer, "open", "").ways == ()
