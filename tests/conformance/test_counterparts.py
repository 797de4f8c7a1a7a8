"""The situations of Kubernetes' own tables, in cases of our own, asked of both sides.

README.md beside this module tells how a case is written and what `cases/upstream-names.yaml` is.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
import yaml

from conformance.agreement import (
    hear_selector,
    judge,
    make_allocator,
    read_question,
    read_selector,
)
from conformance.counterparts import ANY, FOLDER, read_cases
from conformance.profiles import NEEDED, all_gates, list_profiles
from oracle.build import MINORS
from oracle.client import Oracle, available

ALLOCATION, SELECTORS = read_cases("allocation"), read_cases("cel")
# Without an order of pools several answers are right: so many are asked for at once, and so often.
ANSWERS, TRIES = 32, 8

on_every_minor = pytest.mark.parametrize("minor", MINORS)


@pytest.fixture
def ask(minor):
    """Return a function that asks the real code of a minor, with one process for each gate set.

    A gate that was set may not be taken back in one process: what depends on it is refused.
    """
    if reason := available(minor):
        pytest.skip(reason)

    def ask_all(questions):
        groups = defaultdict(list)
        for number, (gates, _) in enumerate(questions):
            groups[tuple(sorted(gates.items()))].append(number)
        answers = {}
        for gates, numbers in groups.items():
            with Oracle(minor) as oracle:
                asked = [questions[number][1] | {"gates": dict(gates)} for number in numbers]
                answers |= zip(numbers, oracle.ask_many(asked), strict=True)
        return [answers[number] for number in range(len(questions))]

    return ask_all


def list_questions(cases, minor):
    """Return each case with each set of gates that it is asked with on a minor."""
    return [
        (case, profile, gates)
        for case in cases
        for profile, gates in list_profiles(case, minor).items()
    ]


@pytest.mark.oracle
@on_every_minor
@pytest.mark.parametrize("file", ALLOCATION)
def test_an_allocation_is_that_of_the_scheduler(ask, minor, file):
    """Our allocator gives the same devices in the same order, or fails in the same way."""
    asked = list_questions(ALLOCATION[file], minor)
    answers = ask([(gates, case.question) for case, _, gates in asked])
    wrong, unexpected = [], []
    for (case, profile, gates), answer in zip(asked, answers, strict=True):
        theirs = judge(answer)
        allocator, ours = make_allocator(minor, all_gates(minor, gates), case.question)
        is_equal = ours.compared == theirs.compared or case.is_unreadable
        if not is_equal and (
            allocator.variant.sorts or not is_seen(ask, gates, case.question, ours)
        ):
            wrong.append(f"{case.name}, gates {profile}: ours {ours}, theirs {theirs}")
        if profile == NEEDED and case.expected(minor) not in (theirs.kind, ANY):
            unexpected.append(f"{case.name}: {theirs.kind} {theirs.words}")

    assert not wrong, "\n".join(wrong)
    assert not unexpected, "\n".join(unexpected)


def is_seen(ask, gates, question, ours):
    """Tell whether a question whose answer is chance is ever answered like this."""
    for _ in range(TRIES):
        answers = ask([(gates, question)] * ANSWERS)
        if ours.compared in {judge(answer).compared for answer in answers}:
            return True
    return False


@pytest.mark.oracle
@on_every_minor
@pytest.mark.parametrize("file", SELECTORS)
def test_a_selector_is_read_as_kubernetes_reads_it(ask, minor, file):
    """Our compiler says of an expression and a device what the API server and the scheduler say."""
    asked = list_questions(SELECTORS[file], minor)
    answers = ask([(gates, case.question) for case, _, gates in asked])
    wrong, unexpected = [], []
    for (case, profile, gates), answer in zip(asked, answers, strict=True):
        theirs = hear_selector(answer)
        ours = read_selector(minor, all_gates(minor, gates), case.question)
        if ours.compared != theirs.compared:
            wrong.append(f"{case.name}, gates {profile}: ours {ours}, theirs {theirs}")
        if profile == NEEDED and case.expected(minor) not in (theirs.kind, ANY):
            unexpected.append(f"{case.name}: {theirs.kind} {theirs.words}")

    assert not wrong, "\n".join(wrong)
    assert not unexpected, "\n".join(unexpected)


# --- what is covered


def read_tables():
    """Return the names of each of Kubernetes' tables, and those that are left out."""
    text = (FOLDER / "upstream-names.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    tables = {each["table"]: each["names"] for each in data["tables"]}
    left_out = defaultdict(set)
    for each in data["left-out"]:
        assert each["reason"]
        names = tables[each["table"]] if each["names"] == "all" else each["names"]
        left_out[each["table"]] |= set(names)
    return tables, left_out


def list_cases():
    return [case for files in (ALLOCATION, SELECTORS) for cases in files.values() for case in cases]


TABLES, LEFT_OUT = read_tables()


@pytest.mark.parametrize("table", TABLES)
def test_every_case_of_kubernetes_has_a_counterpart_or_a_reason(table):
    """A name of a table is covered by a case, or left out with a reason, and never both."""
    covered = {name for case in list_cases() for name in case.covers} & set(TABLES[table])

    assert len(set(TABLES[table])) == len(TABLES[table])
    assert LEFT_OUT[table] <= set(TABLES[table])
    assert covered & LEFT_OUT[table] == set()
    assert set(TABLES[table]) - covered - LEFT_OUT[table] == set()


def test_cases_are_named_once_and_cover_something_real():
    """No two cases have one name, and every name that is covered is one of Kubernetes."""
    cases = list_cases()
    known = {name for names in TABLES.values() for name in names}

    assert [name for name, count in Counter(case.name for case in cases).items() if count > 1] == []
    assert [case.name for case in cases if not case.covers or set(case.covers) - known] == []


def test_every_case_is_asked_somewhere():
    """There is a minor that can set the gates which a case needs."""
    assert [
        case.name
        for case in list_cases()
        if not any(list_profiles(case, minor) for minor in MINORS)
    ] == []


def test_only_what_the_api_server_refuses_is_not_compared():
    """Our reader finds something wrong with exactly the cases that are marked as unreadable."""
    cases = [case for cases in ALLOCATION.values() for case in cases]

    assert [case.name for case in cases if read_question(case.question)[-1]] == [
        case.name for case in cases if case.is_unreadable
    ]
