"""The verdict on any object is that of the API server: refused where, accepted, dropped what.

Generated objects, most of them with a mistake or three, are judged by the real code of every minor
and by `admission`. Compared are the outcome, the set of causes (type and field) and the fields that
are dropped. Not compared: the wording, the order of causes, how often one is told, and which of
several mistakes the decoder meets first. JUDGE_CASES sets how many objects each kind gets on each
minor; there are fewer where somebody waits than in CI.
"""

from __future__ import annotations

import json
import os
import random

import pytest

from conformance.admission_cases import (
    MAKERS,
    make_case,
    repeats_key,
    show,
    summarize,
)
from neuron_dra.admission.cause import INTERNAL
from neuron_dra.admission.manifests import read_manifests
from neuron_dra.admission.server import Server
from neuron_dra.admission.verdict import judge
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.source import Source
from oracle.build import MINORS
from oracle.client import Oracle, available

pytestmark = pytest.mark.oracle

CASES = int(os.environ.get("JUDGE_CASES") or (5000 if os.environ.get("CI") else 500))
SHOWN = 5
# Gates that no field depends on, or that need gates of other groups.
UNCHANGED = ("DRASchedulerFilterTimeout", "DRAWorkloadResourceClaims")
# In which way gates differ from their defaults.
SETTINGS = {"defaults": None, "all on": True, "all off": False}


def make_server(minor, state):
    """Return a server of a minor and the gates that differ from its defaults."""
    release = open_catalog(()).kubernetes(minor)
    gates = {
        name: state
        for name, gate in release.gates.gates.items()
        if state is not None
        and name.startswith("DRA")
        and not gate.locked
        and name not in UNCHANGED
    }
    return Server(release, {**release.default_gates, **gates}), gates


def summarize_ours(made, server):
    """Return our verdict in the form of `summarize`."""
    verdict = judge(made, server)
    if verdict.problems:
        return "unread", frozenset(), frozenset()
    if any(cause.type == INTERNAL for cause in verdict.causes):
        return "panic", frozenset(), frozenset()
    causes = frozenset((cause.type, cause.field) for cause in verdict.causes)
    if causes:
        return "refused", causes, frozenset()
    return "accepted", causes, frozenset(each.field for each in verdict.dropped)


def compare(kind, minor, state, count):
    """Return the disagreements on some objects, as texts."""
    server, gates = make_server(minor, state)
    chance = random.Random(f"{kind} {minor} {state}")
    cases = [made for made in (make_case(chance, kind) for _ in range(count)) if is_asked(made)]
    with Oracle(minor) as oracle:  # one process for each set of gates: some do not change back
        answers = oracle.ask_many(
            {"op": "create", "object": made, "gates": gates} for made in cases
        )
    found = []
    for made, answer in zip(cases, answers, strict=True):
        theirs, ours = summarize(made, answer), summarize_ours(made, server)
        if theirs != ours:
            found.append(f"theirs {theirs}\nours {ours}\n{show(made)}")
    return found


def is_asked(made):
    """Tell whether both can be asked of an object: a key that stands twice is no Python map."""
    return not repeats_key(made)


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("kind", MAKERS)
def test_keys_that_stand_twice(kind, minor):
    """A key that stands twice, but for one in opaque parameters, is read by neither."""
    if reason := available(minor):
        pytest.skip(reason)
    chance = random.Random(f"{kind} {minor}")
    cases = [made for made in (make_case(chance, kind) for _ in range(3000)) if repeats_key(made)]
    with Oracle(minor) as oracle:
        answers = oracle.ask_many({"op": "create", "object": made} for made in cases)
    told = [
        made
        for made, answer in zip(cases, answers, strict=True)
        if "duplicate field" in answer.get("decodeError", "")
    ]

    assert told
    for made in told:
        (manifest,) = read_manifests([Source("a.json", json.dumps(made).encode())])
        assert manifest.problems, show(made)


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kind", MAKERS)
def test_verdicts_agree(kind, setting, minor):
    """Every generated object gets the verdict of the API server."""
    if reason := available(minor):
        pytest.skip(reason)
    count = CASES if setting == "defaults" else CASES // 4
    found = compare(kind, minor, SETTINGS[setting], count)

    assert not found, f"{len(found)} disagreements:\n" + "\n\n".join(found[:SHOWN])
