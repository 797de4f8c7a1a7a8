"""We and Kubernetes agree on generated selectors and allocations: tests/oracle/README.md.

`JUDGE_CASES` says how many of each are asked of every minor, `make judge` asks more.
"""

from __future__ import annotations

import os
from random import Random

import pytest
import yaml

from conformance.judge.expectations import find_missing
from conformance.judge.findings import FOUND, Finding, read_found
from conformance.judge.reduce import reduce
from conformance.judge.selectors import Phrase, Selector, make_selector
from conformance.judge.settings import Setting
from conformance.judge.situations import make_situation
from conformance.judge.table import draw_table
from conformance.judge.trial import CASES, OPERATIONS, Tally, run_trial
from conformance.judge.verdict import Verdict
from oracle.build import MINORS
from oracle.client import Oracle, available

JUDGED = int(os.environ.get("JUDGE_CASES", CASES))
SETTING = Setting("1.36", {"DRADeviceTaints": False}, {"DRAConsumableCapacity": True})


@pytest.mark.oracle
@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_generated_cases(operation, minor):
    """Nothing that is generated gets another answer than that of Kubernetes."""
    if reason := available(minor):
        pytest.skip(reason)
    tally = run_trial(minor, operation, JUDGED)

    assert tally.disagreements == 0, "\n---\n".join(map(str, tally.findings))
    assert find_missing(tally) == [], draw_table([tally])


@pytest.mark.oracle
@pytest.mark.parametrize("path", sorted(FOUND.glob("*.yaml")), ids=lambda path: path.stem)
def test_found_cases(path):
    """What once got another answer than that of Kubernetes gets the same."""
    if reason := available(minor_of(path)):
        pytest.skip(reason)
    operation, setting, case = read_found(path)
    with Oracle(setting.minor) as oracle:
        (verdict,) = OPERATIONS[operation].judge(oracle, setting, [case])

    assert verdict.left_out == ""
    assert verdict.difference == ""


def minor_of(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))["minor"]


# --- the judge itself


def describe_cases(seed):
    chance = Random(seed)
    cases = [make_selector(chance, lists=True) for _ in range(20)]
    return [each.data() for each in (*cases, *(make_situation(chance, SETTING) for _ in range(20)))]


def test_cases_are_those_of_the_seed():
    """The same seed makes the same cases, another seed others."""
    assert describe_cases("a") == describe_cases("a")
    assert describe_cases("a") != describe_cases("b")


def test_a_situation_is_reduced_to_what_disagrees():
    """A situation loses all that the disagreement does not need."""
    chance = Random("many")
    cases = (make_situation(chance, SETTING) for _ in range(1000))

    def disagrees(case):
        modes = [each["exactly"].get("count") for each in find_requests(case)]
        return 3 in modes and any(each["spec"].get("devices") for each in case.slices)

    case = next(each for each in cases if disagrees(each))
    smallest = reduce(case, lambda some: next(filter(disagrees, some), None))

    assert [each["exactly"] for each in find_requests(smallest)] == [{"count": 3}]
    assert [[list(device) for device in each["spec"]["devices"]] for each in smallest.slices] == [
        [["name"]]
    ]
    assert smallest.allocated == []


def find_requests(case):
    for claim in case.claims:
        for each in claim["spec"]["devices"]["requests"]:
            if "exactly" in each:
                yield each


def test_a_selector_is_reduced_to_what_disagrees():
    """An expression loses every part that the disagreement does not need, a device too."""
    wanted = Phrase("int", ("device.attributes[", Phrase("domain", ('"o.example"',)), "].n"))
    sum_ = Phrase("int", ("(", Phrase("int", ("1",)), " + ", wanted, ")"))
    whole = Phrase("bool", ("(", sum_, " == ", sum_, ")"))
    device = make_selector(Random("a device"), lists=False).device
    case = Selector(whole, device)

    smallest = reduce(
        case, lambda some: next((each for each in some if ".n" in str(each.phrase)), None)
    )

    assert str(smallest.phrase).count(".n") == 1
    assert " + " not in str(smallest.phrase)
    assert smallest.device["attributes"] == smallest.device["capacity"] == {}


def make_tally(operation, kinds, **fields):
    tally = Tally("1.36", operation, **fields)
    for kind, count in kinds.items():
        for _ in range(count):
            tally.count(Verdict(kind))
    return tally


def test_a_bad_spread_is_told():
    """A generator whose claims nearly all fail is found out, and one that makes no fatal ones."""
    tally = make_tally("allocate", {"allocated": 200, "unsatisfiable": 2000})
    for _ in range(300):
        tally.count(Verdict(left_out="refused"))

    assert find_missing(tally) == [
        "allocated: 8.0% of cases, at least 15% expected",
        "fatal: 0.0% of cases, at least 5% expected",
        "12.0% of cases left out, at most 10% expected",
        *("no fatal: class", "no fatal: selector", "no fatal: constraint", "no fatal: pool"),
        *("no fatal: limit", "no fatal: node-selector", "no fatal: feature"),
    ]
    assert find_missing(make_tally("cel", {"match": 3, "no match": 3, "run-time error": 3})) == [
        "compile error: 0.0% of cases, at least 10% expected"
    ]


def test_the_table_counts_everything():
    """Every case of a tally stands in the table, with the reason if it was left out."""
    tally = make_tally("allocate", {"allocated": 2, "fatal: pool": 1, "fatal: class": 1})
    tally.count(Verdict(left_out="a long search"))
    tally.count(Verdict("timeout", difference="x"))

    assert draw_table([tally]) == (
        "allocate\n"
        "      cases  allocated  unsatisfiable  fatal  timeout  left out  disagreements\n"
        "1.36      6          2              0      2        1         1              1\n"
        "  1.36 fatal: class 1, pool 1\n"
        "  1.36 left out: 1 a long search"
    )


def test_a_finding_is_read_as_it_was_written(tmp_path, monkeypatch):
    """The text of a disagreement is a file that holds the same case."""
    monkeypatch.setattr("conformance.judge.findings.make_setting", lambda *given: given)
    chance = Random("a finding")
    for case in (make_selector(chance, lists=True), make_situation(chance, SETTING)):
        path = tmp_path / "found.yaml"
        path.write_text(str(Finding(SETTING, case, "ours: a\ntheirs: b")), encoding="utf-8")
        _, setting, read = read_found(path)

        assert path.read_text().startswith("# ours: a\n# theirs: b\n")
        assert setting == ("1.36", {"DRADeviceTaints": False})
        assert read.data() == case.data()
