"""Agreement on allocations: the verdict, the devices in order, parameters, nodes, and failures.

In: situations and the oracle. Out: a verdict each. What the API server refuses is left out, since
the scheduler never sees it, and so is a search whose end depends on the speed of the machine. Where
the scheduler searches pools in an order of chance, its answer has to be one of those that we give
for any order of the pools.
"""

from __future__ import annotations

from itertools import islice, permutations
from unittest import mock

from conformance.judge.answers import read_answer, read_outcome
from conformance.judge.inventories import NODE
from conformance.judge.situations import UnreadError, read_situation
from conformance.judge.verdict import Verdict, compare
from neuron_dra.allocator import effort
from neuron_dra.allocator.allocator import Allocator
from neuron_dra.allocator.effort import is_near_limit
from neuron_dra.allocator.features import Features, choose_variant
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import Fatal, Timeout, Undecided
from neuron_dra.cel.environment import environment

REFUSED = "refused by the API server"
# Steps of the search that Kubernetes takes in a fraction of a second on any machine.
_STEPS = 30_000
_PATIENCE_SECONDS = 8
# How long to wait for a search that takes minutes, and how many of a batch to wait for.
_HOPELESS_SECONDS = 1
_HOPELESS = 2
_NODE = Node(NODE["metadata"]["name"], NODE["metadata"]["labels"])
_ADMIN = {"resource.kubernetes.io/admin-access": "true"}


def judge_allocations(oracle, setting, cases):
    """Return the verdicts on situations."""
    accepted = _find_accepted(oracle, setting, cases)
    hopeless = iter(range(_HOPELESS))
    with mock.patch.object(effort, "PATIENCE", _STEPS):  # what takes longer is left out anyway
        ours = [
            _solve(setting, case, hopeless) if taken else Verdict(left_out=REFUSED)
            for case, taken in zip(cases, accepted, strict=True)
        ]
    asked = [
        _question(setting, case, outcomes)
        for case, outcomes in zip(cases, ours, strict=True)
        if not isinstance(outcomes, Verdict)
    ]
    answers = iter(oracle.ask_many(asked))
    return [each if isinstance(each, Verdict) else _judge(each, next(answers)) for each in ours]


def _find_accepted(oracle, setting, cases):
    """Tell of each situation whether the API server takes all its objects."""
    head = {"op": "create", "namespaceLabels": _ADMIN, "gates": setting.gates}
    sent = [[*case.claims, *case.slices] for case in cases]
    answers = iter(oracle.ask_many(head | {"object": each} for group in sent for each in group))
    return [all(each.get("accepted") for each in [*islice(answers, len(group))]) for group in sent]


def _question(setting, case, outcomes):
    hopeless = isinstance(outcomes[0], Timeout)
    seconds = _HOPELESS_SECONDS if hopeless else _PATIENCE_SECONDS
    head = {"op": "allocate", "node": NODE, "timeoutSeconds": seconds, "gates": setting.gates}
    return head | case.data()


def _solve(setting, case, hopeless):
    """Return what we say for each order of pools, or why the case is left out."""
    try:
        return _solve_orders(setting, case, hopeless)
    except UnreadError as error:
        return Verdict("unread", difference=str(error))


def _solve_orders(setting, case, hopeless):
    outcomes = []
    for allocator, claims in _make_allocators(setting, case):
        outcome = allocator.allocate(_NODE, claims)
        if reason := _reason_to_leave_out(outcome, allocator, hopeless):
            return Verdict(left_out=reason)
        outcomes.append(outcome)
    return outcomes


def _make_allocators(setting, case):
    """Yield an allocator for each order of pools."""
    features = Features.of(setting.minor, setting.enabled)
    claims, classes, slices, state = read_situation(case, features)
    env = environment(setting.minor, setting.enabled)
    for ordered in _orders(slices, choose_variant(setting.minor, features)):
        yield Allocator(features, setting.minor, classes, ordered, state, env), claims


def _reason_to_leave_out(outcome, allocator, hopeless):
    if isinstance(outcome, Fatal):
        return ""
    if isinstance(outcome, Undecided):
        return "a long search"
    if is_near_limit(outcome.steps, len(allocator.inventory(_NODE).candidates)):
        return "near the time limit"
    if isinstance(outcome, Timeout):
        return "" if next(hopeless, None) is not None else "hopeless, and enough of them asked"
    return "a long search" if outcome.steps > _STEPS else ""


def _orders(slices, variant):
    """Yield the slices for each order in which pools may be searched."""
    groups = {}
    for each in slices:
        groups.setdefault((each.driver, each.pool.name), []).append(each)
    if variant.sorts:
        return [slices]
    return [[each for group in order for each in group] for order in permutations(groups.values())]


def _judge(outcomes, answer):
    """Compare: the answer has to be one of the outcomes that we think possible."""
    theirs = read_answer(answer)
    ours = [read_outcome(each) for each in outcomes]
    kind = theirs[0]
    if kind == "timeout" and any(isinstance(each, Fatal) for each in outcomes):
        return Verdict(left_out="slow, and we do not count the steps to a fatal failure")
    return Verdict(kind) if theirs in ours else compare(kind, ours[0], theirs)
