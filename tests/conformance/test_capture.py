"""Claims on a captured trn1.32xlarge: our allocator and the scheduler's own say the same.

What each claim gets is written here too, so that both together cannot change.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from conformance.agreement import (
    ALLOCATED,
    FATAL,
    TIMEOUT,
    UNSATISFIABLE,
    Verdict,
    decide,
    judge,
)
from conformance.counterparts import make_claim, make_class
from conformance.profiles import all_gates
from oracle.build import MINORS
from oracle.client import Oracle, available

CAPTURE = Path(__file__).resolve().parents[1] / "data/captures/trn1.32xlarge"
NEURON, EFA = "neuron.aws.com", "efa"
ROW, NODE_GROUP = (f"resource.aws.com/devicegroup{size}_id" for size in (4, 16))
CLASSES = {
    NEURON: {"selectors": ['device.driver == "neuron.aws.com"']},
    EFA: {"selectors": ['device.driver == "dra.net" && device.attributes["dra.net"].rdma']},
    "any": {"selectors": []},
}
BLOCK = 'device.attributes["neuron.aws.com"].capacityBlockId'
# The order of the Neuron devices in the captured slice.
ORDER = (6, 7, 3, 10, 11, 15, 0, 1, 4, 8, 12, 2, 5, 9, 13, 14)


def ask(neurons, efa=0, match=None):
    """Ask for Neuron devices and EFA interfaces that share an attribute."""
    requests = [
        {"class": NEURON, "all": True} if neurons == "all" else {"class": NEURON, "count": neurons}
    ]
    requests += [{"class": EFA, "count": efa}] if efa else []
    return {"requests": requests, "constraints": [{"match": match}] if match else []}


def select(expression):
    return {"requests": [{"class": "any", "selectors": [expression]}]}


CLAIMS = {
    # what is asked for: the claim, the verdict, what is got
    "4 + 2 EFA of a row": (ask(4, 2, ROW), ALLOCATED, (*ORDER[:2], 4, 5), 2),
    "4 + 4 EFA of a row": (ask(4, 4, ROW), UNSATISFIABLE, (), 0),
    "5 of a row": (ask(5, match=ROW), UNSATISFIABLE, (), 0),
    "16": (ask(16), ALLOCATED, ORDER, 0),
    "16 + 8 EFA of the node": (ask(16, 8, NODE_GROUP), ALLOCATED, ORDER, 8),
    "all of a row": (ask("all", match=ROW), FATAL, (), 0),
    "an attribute that devices lack": (select(f'{BLOCK} == "cb-1"'), FATAL, (), 0),
    "the same, guarded": (select(f'has({BLOCK}) && {BLOCK} == "cb-1"'), UNSATISFIABLE, (), 0),
}
TOO_MANY = ask(17)


def make_question(claim):
    slices = (
        each
        for path in sorted(CAPTURE.glob("*.yaml"))
        for each in yaml.safe_load_all(path.read_text(encoding="utf-8"))
    )
    return {
        "op": "allocate",
        "claims": [make_claim("claim", claim)],
        "classes": [make_class(name, each) for name, each in CLASSES.items()],
        "slices": [each for each in slices if each and each["kind"] == "ResourceSlice"],
        "node": {"metadata": {"name": "node-a"}},
        "allocated": [],
    }


def summarise(verdict):
    """Return the verdict, the numbers of the Neuron devices, and how many interfaces there are."""
    devices = [each for result in verdict.results for each in result[0]]
    neurons = [each[3] for each in devices if each[1] == NEURON]
    numbers = tuple(int(name.rpartition("-")[2]) for name in neurons)
    return verdict.kind, numbers, len(devices) - len(neurons)


@pytest.fixture(params=MINORS)
def minor(request):
    if reason := available(request.param):
        pytest.skip(reason)
    return request.param


@pytest.mark.oracle
def test_claims_get_what_the_scheduler_gives_them(minor):
    """Verdict, devices in order, parameters and nodes are the same, and as they were seen."""
    questions = [make_question(claim) for claim, *_ in CLAIMS.values()]
    with Oracle(minor) as oracle:
        theirs = [judge(answer) for answer in oracle.ask_many(questions)]
    ours = [decide(minor, all_gates(minor, {}), question) for question in questions]

    assert [each.compared for each in ours] == [each.compared for each in theirs]
    assert dict(zip(CLAIMS, map(summarise, ours), strict=True)) == {
        name: tuple(expected) for name, (_, *expected) in CLAIMS.items()
    }


@pytest.mark.oracle
def test_one_more_than_there_are(minor):
    """Up to 1.35 the scheduler searches for 17 of 16 devices until it is cut off."""
    question = make_question(TOO_MANY)
    with Oracle(minor) as oracle:
        theirs = judge(oracle.ask(question | {"timeoutSeconds": 2}))
    ours = decide(minor, all_gates(minor, {}), question)

    assert ours.compared == theirs.compared
    assert ours == Verdict(TIMEOUT if minor in ("1.34", "1.35") else UNSATISFIABLE)
