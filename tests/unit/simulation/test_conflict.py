"""Conflicts in words."""

from __future__ import annotations

from dataclasses import replace

from neuron_dra.kube.claim import (
    ALL,
    DeviceClaim,
    DeviceConstraint,
    DeviceRequest,
    ExactDeviceRequest,
)
from neuron_dra.simulation.conflict import describe_conflict

ONE = DeviceRequest("one", ExactDeviceRequest("c", 1, ("x == 1", "y")))
MANY = DeviceRequest("many", ExactDeviceRequest("c", 4, capacity={"memory": "1Gi"}))
ANY = DeviceRequest(
    "any",
    first_available=(
        ExactDeviceRequest("c", 2, name="a"),
        ExactDeviceRequest("d", 0, name="b", allocation_mode=ALL),
    ),
)
TIED = DeviceConstraint(("one", "many"), "a/row")
APART = DeviceConstraint((), "", "a/row")


def test_words():
    """Requests and constraints keep their places, and say what they ask for."""
    claim = DeviceClaim((ONE, MANY, ANY), (TIED, TIED, APART))

    assert describe_conflict(claim, claim) == (
        "requests[0] one: 1 device of class c with `x == 1` and `y`",
        "requests[1] many: 4 devices of class c with memory 1Gi",
        "requests[2] any: one of a: 2 devices of class c; b: all devices of class d",
        "constraints[0] matchAttribute a/row of one, many",
        "constraints[1] matchAttribute a/row of one, many",
        "constraints[2] distinctAttribute a/row",
    )


def test_part():
    """A constraint that lost a request is still the one of the claim."""
    claim = DeviceClaim((ONE, MANY), (APART, TIED))
    part = DeviceClaim((MANY,), (replace(TIED, requests=("many",)),))

    assert describe_conflict(claim, part)[1:] == ("constraints[1] matchAttribute a/row of many",)
