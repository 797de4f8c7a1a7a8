"""Agreement on selectors: compilation, type, cost, and what comes of a device.

In: selectors and the oracle. Out: a verdict each. An expression beyond the limit of cost is
compiled only: no API server takes it, and to evaluate it may take hours and all memory.
"""

from __future__ import annotations

import re

from conformance.judge.verdict import Verdict, compare
from neuron_dra.cel.cost import COST_LIMIT, estimated_cost
from neuron_dra.cel.device import Device
from neuron_dra.cel.environment import environment
from neuron_dra.cel.problem import CompileError
from neuron_dra.cel.value import EvaluationError
from neuron_dra.cel.version import Semver

REFUSED = "compile error"
_TYPES = {"any": "google.protobuf.Any"}  # as Kubernetes names it
# An optional item of a list or a map, not the optional index of one.
_OPTIONAL_ITEM = re.compile(r"(?<![\w\])\"'])[\[{]\?| in \[\?")
KINDS = (REFUSED, "match", "no match", "run-time error", "too costly")


def judge_selectors(oracle, setting, cases):
    """Return the verdicts on selectors."""
    env = environment(setting.minor, setting.enabled)
    compiled = [env.compile(each.data()["expression"]) for each in cases]
    costs = [None if isinstance(each, CompileError) else estimated_cost(each) for each in compiled]
    answers = oracle.ask_many(
        _question(case, cost, setting) for case, cost in zip(cases, costs, strict=True)
    )
    return [_judge(*each) for each in zip(cases, compiled, costs, answers, strict=True)]


def _question(case, cost, setting):
    data = case.data()
    question = {"op": "cel", "new": True, "expression": data["expression"]}
    if cost is not None and cost <= COST_LIMIT:
        question["device"] = data["device"]
    return question | {"gates": setting.gates}


def _judge(case, compiled, cost, answer):
    theirs = _their_outcome(answer)
    if "panic" in answer:
        return Verdict(left_out="Kubernetes panics")
    if reason := _find_limit(case.data()["expression"], compiled):
        return Verdict(left_out=reason)
    if isinstance(compiled, CompileError):
        return compare(theirs[-1], (REFUSED,), theirs)
    ours = _TYPES.get(str(compiled.root.type), str(compiled.root.type)), cost
    outcome = "too costly"
    if cost <= COST_LIMIT:
        outcome = _our_outcome(compiled, case.data()["device"])
    return compare(theirs[-1], (*ours, outcome), theirs)


def _find_limit(expression, compiled):
    """Return which limit of our checker an expression runs into, if it does."""
    if ".flatten(" in expression:
        return "flatten(): our checker takes its result for a list of anything"
    if isinstance(compiled, CompileError) and "T%" in compiled.message:
        return "an empty list or map: our checker does not find out what it is one of"
    if _OPTIONAL_ITEM.search(expression) and "optional.none()" in expression:
        return "optionals in a list or map: our checker takes their types from the literal alone"
    return ""


def _their_outcome(answer):
    """Return type, cost and what came of the device, or just that it does not compile."""
    if answer.get("compileError"):
        return (REFUSED,)
    if "error" in answer:
        outcome = "run-time error"
    elif "match" in answer:
        outcome = "match" if answer["match"] else "no match"
    else:
        outcome = "too costly"
    return answer.get("outputType"), answer.get("cost"), outcome


def _our_outcome(compiled, data):
    try:
        return "match" if compiled.matches(_device(data)) else "no match"
    except EvaluationError:
        return "run-time error"


def _device(data):
    values = {name: _value(*each.items()) for name, each in data["attributes"].items()}
    capacity = {name: each["value"] for name, each in data["capacity"].items()}
    shares = data.get("allowMultipleAllocations", False)
    return Device.of(data["driver"], values, capacity, allow_multiple_allocations=shares)


def _value(item):
    kind, value = item
    if kind == "versions":
        return [Semver(each) for each in value]
    return Semver(value) if kind == "version" else value
