"""A trial: many cases of one operation, asked of one minor.

In: a minor, an operation, how many cases, and a seed. Out: a `Tally`, with every disagreement
reduced to a small case. The same seed gives the same cases. Every round has its own gates and its
own process, since not every minor can change all gates while it runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import NamedTuple

from conformance.judge.compare_allocations import judge_allocations
from conformance.judge.compare_objects import judge_objects, make_object
from conformance.judge.compare_selectors import judge_selectors
from conformance.judge.findings import Finding
from conformance.judge.objects import MAKERS
from conformance.judge.reduce import reduce
from conformance.judge.selectors import make_selector
from conformance.judge.settings import draw_setting, drop_gates
from conformance.judge.situations import make_hopeless, make_situation
from oracle.client import Oracle

CASES = 5000
SEED = "0"
_ROUND = 500  # cases with the same gates
_BATCH = 250  # cases asked at once
_FINDINGS = 3  # disagreements that are reduced and told, of one trial


class Operation(NamedTuple):
    """What is asked.

    Attributes:
        make: makes a case of a source of chance, a setting and a number in its round.
        judge: returns the verdicts on cases.
    """

    make: Callable
    judge: Callable


def _make_selector(chance, setting, _):
    return make_selector(chance, lists=setting.has("DRAListTypeAttributes"))


def _make_situation(chance, setting, number):
    hopeless = number % (_BATCH // 2) == 0
    return make_hopeless(chance) if hopeless else make_situation(chance, setting)


def _make_object(kind, chance, _setting, _number):
    return make_object(chance, kind)


OPERATIONS = {
    "cel": Operation(_make_selector, judge_selectors),
    "allocate": Operation(_make_situation, judge_allocations),
    **{f"create {kind}": Operation(partial(_make_object, kind), judge_objects) for kind in MAKERS},
}


@dataclass
class Tally:
    """What came of a trial."""

    minor: str
    operation: str
    cases: int = 0
    kinds: Counter = field(default_factory=Counter)
    left_out: Counter = field(default_factory=Counter)
    disagreements: int = 0
    findings: list = field(default_factory=list)

    def share(self, prefix):
        """Return the share of a kind among all cases."""
        found = sum(count for kind, count in self.kinds.items() if kind.startswith(prefix))
        return found / self.cases

    def count(self, verdict):
        self.cases += 1
        if verdict.left_out:
            self.left_out[verdict.left_out] += 1
        else:
            self.kinds[verdict.kind] += 1
        self.disagreements += bool(verdict.difference)


def run_trial(minor, operation, cases=CASES, seed=SEED):
    """Ask a number of cases."""
    tally = Tally(minor, operation)
    for number, start in enumerate(range(0, cases, _ROUND)):
        chance = Random(f"{seed} {minor} {operation} {number}")
        setting = draw_setting(minor, number, chance)
        _run_round(tally, setting, chance, min(_ROUND, cases - start))
    return tally


def _run_round(tally, setting, chance, cases):
    operation = OPERATIONS[tally.operation]
    made = [operation.make(chance, setting, number) for number in range(cases)]
    with Oracle(setting.minor) as oracle:
        for start in range(0, cases, _BATCH):
            batch = made[start : start + _BATCH]
            for case, verdict in zip(batch, operation.judge(oracle, setting, batch), strict=True):
                tally.count(verdict)
                if verdict.difference and len(tally.findings) < _FINDINGS:
                    tally.findings.append(find_smallest(operation, oracle, setting, case, verdict))


def find_smallest(operation, oracle, setting, case, verdict):
    """Return a disagreement with as little as it takes: gates, objects and words."""

    def find_disagreeing(cases):
        verdicts = operation.judge(oracle, setting, cases)
        pairs = zip(cases, verdicts, strict=True)
        return next((each for each, again in pairs if _is_alike(again, verdict)), None)

    case = reduce(case, find_disagreeing)
    while fewer := _with_fewer_gates(operation, setting, case):
        setting = fewer
    again = _ask_once(operation, setting, case)
    return Finding(setting, case, again or f"{verdict.difference}\nnot seen again, asked alone")


def _is_alike(verdict, other):
    """Tell whether two cases are disagreements of one kind."""
    return bool(verdict.difference) and verdict.kind == other.kind


def _with_fewer_gates(operation, setting, case):
    """Return a setting with one gate less in which a case still disagrees."""
    smaller = drop_gates(setting)
    return next((each for each in smaller if _ask_once(operation, each, case)), None)


def _ask_once(operation, setting, case):
    """Return the difference in one case, asked of a process of its own."""
    with Oracle(setting.minor) as oracle:
        (verdict,) = operation.judge(oracle, setting, [case])
    return verdict.difference
