"""Strict decoding: what the API server reads of an object, and what it does not."""

from __future__ import annotations

import pytest

from neuron_dra.admission.decode import decode
from neuron_dra.kube.definitions import load_definitions

DEFINITIONS = load_definitions("1.36")
CLAIM = "io.k8s.api.resource.v1.ResourceClaim"
SLICE = "io.k8s.api.resource.v1.ResourceSlice"
POD = "io.k8s.api.core.v1.Pod"


def problems_of(data, name):
    return [(each.field, each.at_key) for each in decode(data, name, DEFINITIONS).problems]


def claim(**exactly):
    request = {"name": "a", "exactly": {"deviceClassName": "c", **exactly}}
    return {"spec": {"devices": {"requests": [request]}}}


PLACE = "spec.devices.requests[0].exactly"


@pytest.mark.parametrize(
    ("exactly", "field"),
    [
        ({"count": 2**63 - 1}, ""),
        ({"count": 2**63}, "count"),
        ({"count": 1.5}, "count"),
        ({"count": True}, "count"),
        ({"count": "1"}, "count"),
        ({"count": None}, ""),
        ({"deviceClassName": False}, "deviceClassName"),
        ({"deviceClassName": 1}, "deviceClassName"),
        ({"adminAccess": "true"}, "adminAccess"),
        ({"selectors": {}}, "selectors"),
        ({"selectors": [[]]}, "selectors[0]"),
        ({"capacity": []}, "capacity"),
        ({"capacity": {"requests": {"m": " 1Gi "}}}, ""),
        ({"capacity": {"requests": {"m": 1}}}, ""),
        ({"capacity": {"requests": {"m": 1.5}}}, ""),
        ({"capacity": {"requests": {"m": "1G i"}}}, "capacity.requests[m]"),
        ({"capacity": {"requests": {"m": ""}}}, "capacity.requests[m]"),
        ({"capacity": {"requests": {"m": True}}}, "capacity.requests[m]"),
    ],
)
def test_types(exactly, field):
    """A value of another type is refused at its field; nothing is a value of any type."""
    assert problems_of(claim(**exactly), CLAIM) == ([(f"{PLACE}.{field}", False)] if field else [])


def test_unknown_field():
    """A field that the type does not have is refused at its name, with the nearest one."""
    (problem,) = decode(claim(Count=1), CLAIM, DEFINITIONS).problems

    assert problem.field == f"{PLACE}.Count"
    assert problem.at_key
    assert problem.help == "did you mean `count`?"


def test_yaml_booleans():
    """A boolean where a text is wanted is told to be quoted."""
    (problem,) = decode({"metadata": {"name": False}}, CLAIM, DEFINITIONS).problems

    assert problem.message == "`metadata.name`: expected a text, found `false`"
    assert problem.help.startswith("quote it")


@pytest.mark.parametrize(
    ("time", "sound"),
    [
        ("2026-12-01T08:00:00Z", True),
        ("2026-12-01T08:00:00.5+01:00", True),
        ("2026-12-01", False),
        ("2026-13-01T08:00:00Z", False),
        ("2026-12-01T08:00:00+01:60", False),
        (1, False),
    ],
)
def test_times(time, sound):
    """A time is one of RFC 3339."""
    taint = {"key": "k", "effect": "None", "timeAdded": time}
    found = problems_of({"spec": {"devices": [{"name": "a", "taints": [taint]}]}}, SLICE)

    assert found == ([] if sound else [("spec.devices[0].taints[0].timeAdded", False)])


def test_nothing():
    """Items without a value are the zero of their type, fields without one are not there."""
    data = {
        "metadata": {"labels": {"a": None}, "name": None},
        "spec": {"devices": [None], "sharedCounters": [{"counters": {"c": None}}]},
    }

    assert decode(data, SLICE, DEFINITIONS) == (
        {
            "metadata": {"labels": {"a": ""}},
            "spec": {"devices": [{}], "sharedCounters": [{"counters": {"c": {}}}]},
        },
        [],
    )
    capacity = claim(capacity={"requests": {"m": None}})
    found = decode(capacity, CLAIM, DEFINITIONS).data
    assert found["spec"]["devices"]["requests"][0]["exactly"]["capacity"] == {
        "requests": {"m": "0"}
    }


def test_parameters_are_kept():
    """Opaque parameters are kept as they are, whatever they are."""
    config = {"opaque": {"driver": "d", "parameters": ["x", None]}}

    assert problems_of({"spec": {"devices": {"config": [config]}}}, CLAIM) == []


def test_numbers_or_texts():
    """A port of a probe may be a number or a name."""

    def problems(port):
        probe = {"httpGet": {"port": port}}
        return problems_of({"spec": {"containers": [{"name": "c", "livenessProbe": probe}]}}, POD)

    assert problems(80) == problems("http") == []
    assert problems(1.5) == [("spec.containers[0].livenessProbe.httpGet.port", False)]


def test_long_texts_are_cut():
    """A message shows the beginning of a long value, and names maps and lists."""
    found = decode(
        {"metadata": {"name": {}, "namespace": ["x"], "generation": "x" * 50}}, CLAIM, DEFINITIONS
    )

    assert [each.message.partition("found ")[2] for each in found.problems] == [
        "a map",
        "a list",
        f'"{"x" * 40}..."',
    ]
