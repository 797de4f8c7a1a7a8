"""What is asked for."""

from __future__ import annotations

import pytest

from neuron_dra.kube.claim import ResourceClaim
from neuron_dra.simulation.asked import asked_claims, asked_pods
from unit.simulation.small import claim, codes_of, pod, read, request, template


def of_pods(asked, dumped=(), templates=()):
    wanted, _ = read(*asked)
    there, _ = read(*dumped)
    known = dict.fromkeys(templates, CLAIM)
    return asked_pods(wanted, there, known)


CLAIM = ResourceClaim(
    "compiled", read(claim("x", request()))[0].claim("ResourceClaim", "default", "x").claim.devices
)


def test_claims_and_templates():
    """Claims and templates are asked for in the order of the file; only a claim is an object."""
    dump, _ = read(template("t", request()), claim("c", request(), namespace="other"))

    asked, found = asked_claims(dump)

    assert found == []
    assert [str(each.claims[0].claim) for each in asked] == ["default/t", "other/c"]
    assert [each.claims[0].key is not None for each in asked] == [False, True]


@pytest.mark.parametrize("where", ["asked", "dumped", "compiled"])
def test_where_templates_are_found(where):
    """The template of a pod may stand in its file, in the dump, or among compiled ones."""
    own = [template("t", request())]
    asked, found = of_pods(
        [pod("p", "template:t"), *(own if where == "asked" else [])],
        own if where == "dumped" else [],
        [("default", "t")] if where == "compiled" else [],
    )

    assert found == []
    (wanted,) = asked[0].claims
    assert (wanted.claim.name, wanted.claim.namespace, wanted.key) == (
        "p-c0",
        "" if where == "compiled" else "default",
        None,
    )


def test_pods_without_claims():
    """A pod without claims asks for nothing."""
    assert of_pods([pod("p")]) == ([], [])


def test_unknown_claims():
    """A claim or a template that is nowhere is told with one that was meant."""
    _, found = of_pods(
        [pod("p", "claim:rwo", "template:rom")], [claim("row", request())], [("default", "room")]
    )

    assert codes_of(found) == ["ND7006", "ND7006"]
    assert [each.help for each in found] == ["did you mean `row`?", "did you mean `room`?"]


def test_nothing_is_asked():
    """Files without claims or pods are told."""
    nothing, _ = read("")

    assert codes_of(asked_claims(nothing)[1]) == ["ND7007"]
    assert codes_of(of_pods([claim("x", request())])[1]) == ["ND7007"]
    nothing.sources.append(nothing.sources[0])
    assert asked_claims(nothing)[1][0].message.endswith("in `dump.yaml` and 1 more file")


@pytest.mark.parametrize(
    ("requests", "codes"),
    [
        ([], ["ND7005"]),
        ([request(), request()], ["ND7008"]),
        ([request(-2)], ["ND7008"]),
        ([request(1, f"r{index}") for index in range(33)], ["ND7008"]),
        ([request(1, f"r{index}") for index in range(32)], []),
        ([{"name": "r", "exactly": {"deviceClassName": "a", "allocationMode": "All"}}], []),
        (
            [{"name": "r", "firstAvailable": [{"name": "s", "deviceClassName": "a", "count": -1}]}],
            ["ND7008"],
        ),
    ],
)
def test_claims_that_cannot_be(requests, codes):
    """What the API server refuses is told; a claim without requests is a warning."""
    dump, _ = read(claim("x", *requests))

    assert codes_of(asked_claims(dump)[1]) == codes
    by_pod = of_pods([claim("x", *requests), pod("p", "claim:x")])
    assert codes_of(by_pod[1]) == codes
