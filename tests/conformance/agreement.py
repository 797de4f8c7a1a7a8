"""What our code and the real code say of the same question, in one form that can be compared.

In: a question of the oracle's protocol, a minor and feature gates; or an answer of the oracle.
Out: a `Verdict` of an allocation, a `Reading` of a selector.
Asks no oracle: tests do, in whatever batches suit them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from neuron_dra.allocator.allocator import Allocator
from neuron_dra.allocator.features import Features
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import (
    INVALID_POOLS,
    Allocated,
    Cause,
    Fatal,
    Timeout,
    Unsatisfiable,
)
from neuron_dra.cel.cost import estimated_cost
from neuron_dra.cel.device import Device
from neuron_dra.cel.environment import environment
from neuron_dra.cel.problem import CompileError
from neuron_dra.cel.value import EvaluationError
from neuron_dra.cel.version import Semver
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.amount import billionths
from neuron_dra.kube.read_claim import read_claim, read_class, read_results
from neuron_dra.kube.read_slice import read_slice

ALLOCATED, UNSATISFIABLE, FATAL, TIMEOUT = "allocated", "unsatisfiable", "fatal", "timeout"
PANIC, UNDECIDED = "panic", "undecided"

CAUSES = (
    # what the scheduler says: the kind of failure
    (r"could not retrieve device class", Cause.CLASS),
    (r"feature is disabled", Cause.FEATURE),
    (r"exceeds the claim limit|max size exceeded", Cause.LIMIT),
    (r"claim constraint would not be satisfied|empty constraint", Cause.CONSTRAINT),
    (r"asks for all devices, but resource pool|pool \S+ is invalid", Cause.POOL),
    (r"unsupported count mode|unsupported request type|missing device class name", Cause.REQUEST),
    (r"cannot be represented|negative", Cause.CAPACITY),
    (r"CEL|selector #\d|no such key|undeclared reference", Cause.SELECTOR),
    (r"node ?selector|NodeSelector", Cause.NODE_SELECTOR),
)


# --- allocation


@dataclass(frozen=True)
class Verdict:
    """What an allocator says.

    Attributes:
        detail: of a fatal failure its cause, of an unsatisfiable claim whether pools are invalid.
        results: of every claim its devices, the parameters for drivers and the nodes.
        words: what was said; not compared.
    """

    kind: str
    detail: str = ""
    results: tuple[Any, ...] = ()
    words: str = ""

    @property
    def compared(self) -> tuple[Any, ...]:
        return self.kind, self.detail, self.results


def read_question(question):
    """Return the values of a question: classes, slices, claims, what is held; and problems."""
    problems = []

    def read(reader, objects):
        values = []
        for each in objects:
            value, found = reader(each)
            problems.extend(found)
            values.append(value)
        return values

    held = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "held"},
        "status": {"allocation": {"devices": {"results": question.get("allocated", [])}}},
    }
    return (
        read(read_class, question["classes"]),
        read(read_slice, question["slices"]),
        read(read_claim, question["claims"]),
        read(read_results, [held])[0],
        problems,
    )


def decide(minor, gates, question):
    """Return what our allocator says."""
    return make_allocator(minor, gates, question)[1]


def make_allocator(minor, gates, question):
    """Return our allocator for a question, and what it says."""
    classes, slices, claims, held, _ = read_question(question)
    state = AllocatedState().taking(held)
    features = Features.of(minor, gates)
    allocator = Allocator(features, minor, classes, slices, state, environment(minor, gates))
    node = question["node"]["metadata"]
    outcome = allocator.allocate(Node(node["name"], node.get("labels", {})), claims)
    return allocator, describe(outcome)


def describe(outcome):
    match outcome:
        case Allocated():
            return Verdict(ALLOCATED, results=tuple(map(describe_ours, outcome.results)))
        case Unsatisfiable():
            detail = "invalid pools" if outcome.reason == INVALID_POOLS else ""
            return Verdict(UNSATISFIABLE, detail)
        case Fatal():
            kind = PANIC if outcome.cause is Cause.CRASH else FATAL
            return Verdict(kind, "" if kind is PANIC else str(outcome.cause), words=outcome.message)
        case Timeout():
            return Verdict(TIMEOUT)
    return Verdict(UNDECIDED)


def judge(answer):
    """Return what the real allocator said."""
    if "panic" in answer:
        return Verdict(PANIC, words=answer["panic"])
    words = answer.get("error", "")
    if answer["allocated"]:
        return Verdict(ALLOCATED, results=tuple(map(describe_theirs, answer.get("results", ()))))
    if answer["timedOut"]:
        return Verdict(TIMEOUT, words=words)
    if answer["fatal"]:
        return Verdict(FATAL, find_cause(words), words=words)
    return Verdict(UNSATISFIABLE, "invalid pools" if INVALID_POOLS in words else "", words=words)


def find_cause(words):
    found = (str(cause) for pattern, cause in CAUSES if re.search(pattern, words))
    return next(found, f"of no known kind: {words}")


def describe_ours(result):
    devices = tuple(
        (
            each.request,
            *each.device,
            bool(each.admin_access),
            each.shared,
            frozen(each.consumed_capacity or {}),
            each.binding_conditions,
            each.binding_failure_conditions,
        )
        for each in result.results
    )
    config = tuple(
        (each.source, each.requests, each.driver, str(each.parameters)) for each in result.config
    )
    return devices, config, describe_nodes(result.node_selector)


def describe_theirs(result):
    devices = tuple(
        (
            each["request"],
            each["driver"],
            each["pool"],
            each["device"],
            each.get("adminAccess", False),
            "shareID" in each,
            frozen({k: billionths(v) for k, v in each.get("consumedCapacity", {}).items()}),
            tuple(each.get("bindingConditions", ())),
            tuple(each.get("bindingFailureConditions", ())),
        )
        for each in result["devices"]
    )
    config = tuple(
        (
            each["source"],
            tuple(each.get("requests", ())),
            each["opaque"]["driver"],
            str(each["opaque"]["parameters"]),
        )
        for each in result.get("config", ())
    )
    return devices, config, describe_selector(result.get("nodeSelector"))


def frozen(amounts):
    return tuple(sorted(amounts.items()))


def describe_nodes(selector):
    if selector is None:
        return None
    return tuple(
        (requirements(term.match_expressions), requirements(term.match_fields)) for term in selector
    )


def requirements(each):
    return tuple((one.key, one.operator, tuple(one.values)) for one in each)


def describe_selector(selector):
    if selector is None:
        return None
    return tuple(
        tuple(
            tuple((one["key"], one["operator"], tuple(one["values"])) for one in term.get(kind, ()))
            for kind in ("matchExpressions", "matchFields")
        )
        for term in selector["nodeSelectorTerms"]
    )


# --- selectors

OUTPUTS = {"google.protobuf.Any": "any"}
WORDS = {True: "match", False: "no-match", None: "compiled"}


@dataclass(frozen=True)
class Reading:
    """What a compiler of selectors says of an expression and a device.

    Attributes:
        kind: `match`, `no-match`, `error`, `refused`; without a device `compiled`.
        detail: of an error what went wrong, of an expression of another type which.
        words: what was said; not compared.
    """

    kind: str
    output: str = ""
    cost: int = 0
    detail: str = ""
    words: str = ""

    @property
    def compared(self) -> tuple[Any, ...]:
        return self.kind, self.output, self.cost, self.detail


def read_selector(minor, gates, question):
    """Return what our compiler says."""
    compiled = environment(minor, gates).compile(question["expression"])
    if isinstance(compiled, CompileError):
        return Reading("refused", detail=find_type(compiled.message), words=compiled.message)
    output, cost = str(compiled.root.type), estimated_cost(compiled)
    try:
        kind, words = WORDS[matches(compiled, question)], ""
    except EvaluationError as error:
        kind, words = "error", str(error)
    return Reading(kind, output, cost, find_trouble(words), words)


def matches(compiled, question):
    """Tell whether the device of a question is selected; None without one."""
    return compiled.matches(make_device(question)) if "device" in question else None


def hear_selector(answer):
    """Return what the real compiler said."""
    if refused := answer["compileError"]:
        return Reading("refused", detail=find_type(refused["detail"]), words=refused["detail"])
    words = answer.get("error", "")
    kind = "error" if words else WORDS[answer.get("match")]
    output = OUTPUTS.get(answer["outputType"], answer["outputType"])
    return Reading(kind, output, answer["cost"], find_trouble(words), words)


def find_type(words):
    """Return the type of an expression that is of a wrong one."""
    found = re.search(r"must evaluate to .*, not `?(\w+)", words)
    return found[1] if found else ""


TROUBLES = {
    r"no such key: [\w-]+": "",
    r"no such overload|expected iterable type": "a value of the wrong type",
    r"result .*type": "a result of the wrong type",
    r"actual cost limit exceeded": "",
}


def find_trouble(words):
    """Return what went wrong in an evaluation, without the words around it."""
    for pattern, name in TROUBLES.items():
        if found := re.search(pattern, words):
            return name or found[0]
    return words and "other"


def make_device(question):
    device = question["device"]
    return Device.of(
        device["driver"],
        {name: make_value(each) for name, each in device["attributes"].items()},
        {name: each["value"] for name, each in device["capacity"].items()},
        allow_multiple_allocations=device.get("allowMultipleAllocations", False),
    )


def make_value(attribute):
    ((kind, value),) = attribute.items()
    if kind == "version":
        return Semver(value)
    return [Semver(each) for each in value] if kind == "versions" else value
