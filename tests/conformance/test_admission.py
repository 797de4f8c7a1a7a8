"""A key that stands twice is read by neither; the judge compares all other objects.

A Python map cannot hold such a key, so these objects are compared as text.
"""

from __future__ import annotations

import json
import random

import pytest

from conformance.judge.objects import MAKERS, make_case, repeats_key, show
from neuron_dra.admission.manifests import read_manifests
from neuron_dra.source import Source
from oracle.build import MINORS
from oracle.client import Oracle, available

pytestmark = pytest.mark.oracle


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
