"""Whether a consumer can handle a claim: the worst of what it can do with the parts.

In: a planned partition, a way of using a consumer, and its version. Out: `Usable`, with a reason
for each part that is in the way. A part of which nothing is known makes the verdict unknown, so a
yes is never a guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from neuron_dra.catalog.consumer import Consumer, ConsumerRelease, Part, Way
from neuron_dra.catalog.facts import Answer
from neuron_dra.consumers.parts import parts_of_partition
from neuron_dra.plan.partition import PlannedPartition

NOTHING_KNOWN = "nothing is known of it"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a consumer cannot handle a claim, or why that is not known.

    Attributes:
        parts: names of the parts of the claim that share the reason; none where all of it does.
        says: what the user sees, in the consumer's own words.
        field: the first field of the claim that has the part, in the template's `spec.spec`.
        fact: where that is known from; None where nothing is known.
    """

    answer: Answer
    parts: tuple[str, ...]
    words: str
    says: str = ""
    rewrite: str = ""
    field: str = ""
    fact: Part | None = None


@dataclass(frozen=True, slots=True)
class Usable:
    """Whether a consumer can handle a claim.

    Attributes:
        reasons: none for a yes; else those of the verdict, in the order of the parts.
        ways: names of the other ways of the same consumer that can handle it.
    """

    answer: Answer
    reasons: tuple[Reason, ...] = ()
    ways: tuple[str, ...] = ()

    @property
    def rewrites(self) -> tuple[str, ...]:
        """What to write in the place of what is in the way, each once."""
        return tuple(dict.fromkeys(each.rewrite for each in self.reasons if each.rewrite))


def judge(planned: PlannedPartition, consumer: Consumer, way: str, version: str) -> Usable:
    """Tell whether a version of a consumer, used in a way, can handle a partition.

    Args:
        version: empty where the consumer's versions are not told apart.
    """
    parts = parts_of_partition(planned)
    made = judge_parts(parts, consumer.ways[way], version)
    if made.answer is Answer.YES:
        return made
    others = (name for name in consumer.ways if name != way)
    able = tuple(name for name in others if judge_parts(parts, consumer.ways[name], version).answer)
    return Usable(made.answer, made.reasons, able)


def judge_parts(parts: Mapping[str, tuple[str, ...]], way: Way, version: str) -> Usable:
    """Judge a claim by its parts."""
    release = way.release(version)
    if release is None:
        return Usable(Answer.UNKNOWN, (Reason(Answer.UNKNOWN, (), NOTHING_KNOWN),))
    return judge_release(parts, release)


def judge_release(parts: Mapping[str, tuple[str, ...]], release: ConsumerRelease) -> Usable:
    """Judge a claim by its parts, in versions that handle claims alike."""
    reasons = list(_reasons(parts, release))
    for answer in (Answer.NO, Answer.UNKNOWN):
        worst = tuple(each for each in reasons if each.answer is answer)
        if worst:
            return Usable(answer, worst)
    return Usable(Answer.YES)


def _reasons(parts: Mapping[str, tuple[str, ...]], release: ConsumerRelease) -> Iterator[Reason]:
    """Yield what is in the way; parts that share a fact share a reason."""
    told: dict[tuple[object, ...], list[str]] = {}
    facts: dict[tuple[object, ...], tuple[Part | None, str]] = {}
    for name, fields in parts.items():
        fact = release.part(name)
        if fact is None or not fact.answer:
            key = _subject(fact)
            told.setdefault(key, []).append(name)
            facts.setdefault(key, (fact, fields[0]))
    for key, names in told.items():
        fact, field = facts[key]
        everything = fact is not None and fact is release.rest
        yield _reason(fact, () if everything else tuple(names), field)


def _subject(fact: Part | None) -> tuple[object, ...]:
    return () if fact is None else (fact.usable, fact.reason, fact.says, fact.rewrite)


def _reason(fact: Part | None, names: tuple[str, ...], field: str) -> Reason:
    if fact is None:
        return Reason(Answer.UNKNOWN, names, NOTHING_KNOWN, field=field)
    words = fact.reason or NOTHING_KNOWN
    return Reason(fact.answer, names, words, fact.says, fact.rewrite, field, fact)
