"""Outcomes in one form, whoever they are from.

In: an `Outcome` of our allocator, or an answer of the oracle. Out: tuples that are equal when both
say the same: the verdict, and the devices in order with all that goes into a claim's status, or the
kind of failure.
"""

from __future__ import annotations

from conformance.agreement import find_cause
from conformance.judge.situations import make_holder
from neuron_dra.allocator.outcome import (
    CANNOT_ALLOCATE,
    Allocated,
    Cause,
    Fatal,
    Timeout,
    Unsatisfiable,
)
from neuron_dra.kube.allocation import DeviceAllocationConfiguration
from neuron_dra.kube.read_claim import read_results
from neuron_dra.kube.read_slice import read_node_selector
from neuron_dra.kube.reading import Fields


def read_outcome(outcome):
    """Return an outcome of ours in the common form."""
    match outcome:
        case Allocated():
            return "allocated", tuple(
                (each.results, _configs(each.config), each.node_selector)
                for each in outcome.results
            )
        case Unsatisfiable():
            return "unsatisfiable", outcome.reason
        case Fatal():
            return (f"fatal: {outcome.cause}",)
        case _:
            assert isinstance(outcome, Timeout)
            return ("timeout",)


def read_answer(answer):
    """Return an answer of the oracle in the common form."""
    if "panic" in answer:
        return (f"fatal: {Cause.CRASH}",)
    if answer["timedOut"]:
        return ("timeout",)
    if answer["fatal"]:
        return (f"fatal: {find_cause(answer['error'])}",)
    if not answer["allocated"]:
        return "unsatisfiable", answer.get("error") or CANNOT_ALLOCATE
    return "allocated", tuple(map(_read_result, answer.get("results", ())))


def _read_result(result):
    devices, problems = read_results(make_holder(result["devices"]))
    fields = Fields(result, "", problems)
    nodes = read_node_selector(fields)
    assert not problems
    return devices, _configs(map(_read_config, result.get("config", ()))), nodes


def _read_config(config):
    opaque = config["opaque"]
    requests = tuple(config.get("requests") or ())
    return DeviceAllocationConfiguration(
        config["source"], requests, opaque["driver"], opaque["parameters"]
    )


def _configs(configs):
    return tuple((each.source, each.requests, each.driver, each.parameters) for each in configs)
