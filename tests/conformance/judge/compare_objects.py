"""Agreement on objects: whether the API server takes them, its causes, and what it drops.

In: objects and the oracle. Out: a verdict each. Not compared: the wording, the order of causes, how
often one is told, and which of several mistakes the decoder meets first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from conformance.judge.objects import make_case, repeats_key, summarize
from conformance.judge.reduce import simplify
from conformance.judge.verdict import Verdict, compare
from neuron_dra.admission.cause import INTERNAL
from neuron_dra.admission.server import Server
from neuron_dra.admission.verdict import judge
from neuron_dra.catalog.locate import open_catalog

_NOTHING = frozenset()


@dataclass(frozen=True)
class Sent:
    """An object that is sent to the API server."""

    object: dict[str, Any]

    def data(self):
        return {"object": self.object}

    def simpler(self):
        return map(Sent, simplify(self.object, {"apiVersion", "kind"}))


def make_object(chance, kind):
    """Make an object of a kind, most often with mistakes."""
    while True:
        made = make_case(chance, kind)
        if not repeats_key(made):  # which is no Python map
            return Sent(made)


def judge_objects(oracle, setting, cases):
    """Return the verdicts on objects."""
    server = make_server(setting)
    answers = oracle.ask_many(
        {"op": "create", "object": each.object, "gates": setting.gates} for each in cases
    )
    return [
        _judge(each.object, server, answer) for each, answer in zip(cases, answers, strict=True)
    ]


def make_server(setting):
    """Return our API server of a setting."""
    return Server(_release(setting.minor), setting.enabled)


@cache
def _release(minor):
    return open_catalog(()).kubernetes(minor)


def _judge(made, server, answer) -> Verdict:
    outcome, causes, dropped = theirs = summarize(made, answer)
    kind = "dropped" if dropped else outcome
    told = f"{kind}: {min(causes)[0]}" if causes else kind
    return compare(told, _summarize_ours(made, server), theirs)


def _summarize_ours(made, server):
    """Return our verdict in the form of `summarize`."""
    verdict = judge(made, server)
    if verdict.problems:
        return "unread", _NOTHING, _NOTHING
    if any(cause.type == INTERNAL for cause in verdict.causes):
        return "panic", _NOTHING, _NOTHING
    causes = frozenset((cause.type, cause.field) for cause in verdict.causes)
    if causes:
        return "refused", causes, _NOTHING
    return "accepted", causes, frozenset(each.field for each in verdict.dropped)
