"""The check of a witness finds whatever an allocator could do wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neuron_dra.kube.allocation import DeviceRequestAllocationResult
from neuron_dra.kube.claim import DeviceConstraint
from neuron_dra.kube.slice import DeviceID
from neuron_dra.plan.check_witness import check_witness
from neuron_dra.plan.matching import concerns
from unit.plan.small_proofs import prove

ROW = "{instanceType: trn2.48xlarge, devices: 4, connected: true, efa: paired}"
FIRST = (
    "{firstAvailable: [{instanceType: trn2.48xlarge, devices: 8, connected: true},"
    " {instanceType: trn2.48xlarge, devices: 4, connected: true}]}"
)


def allocate(proved):
    outcome = proved.node.allocate("p", proved.partition.claim)
    return list(outcome.results[0].results)


def check(proved, results, claim=None):
    return check_witness(claim or proved.partition.claim, results, proved.matching)


@pytest.mark.parametrize("spec", [ROW, FIRST])
def test_what_is_allocated_is_right(spec):
    """A real allocation has no flaw."""
    proved = prove(spec)

    assert check(proved, allocate(proved)) == ""


def put(result, **changes):
    return replace(result, **changes)


def other(result, name):
    return DeviceID(result.device.driver, result.device.pool, name)


FLAWS = {
    "a device too few": (
        lambda results: results[1:],
        "request neurons wants 4 devices and has 3",
    ),
    "a device twice": (
        lambda results: [results[1], *results[1:]],
        "a device is taken twice",
    ),
    "a device that is not there": (
        lambda results: (
            [put(results[0], device=other(results[0], "neuron-device-99")), *results[1:]]
        ),
        "the node has no device neuron.aws.com/node/neuron-device-99",
    ),
    "a device of another group": (
        lambda results: (
            [put(results[0], device=other(results[0], "neuron-device-9")), *results[1:]]
        ),
        "devices differ in resource.aws.com/devicegroup4_id",
    ),
    "a device of another driver": (
        lambda results: (
            [put(results[-1], request="neurons"), *results[1:-1], put(results[0], request="efa")]
        ),
        "request neurons does not select dra.net/node/",
    ),
    "a request nobody made": (
        lambda results: [*results[:-1], put(results[-1], request="extra")],
        "request efa wants 4 devices and has 3",
    ),
    "a request that is left out": (
        lambda results: [each for each in results if each.request != "efa"],
        "request efa is served by 0 alternatives",
    ),
}


@pytest.mark.parametrize(("change", "flaw"), FLAWS.values(), ids=FLAWS)
def test_flaws(change, flaw):
    """Each kind of mistake is named."""
    proved = prove(ROW)

    assert flaw in check(proved, change(allocate(proved)))


def test_two_alternatives_at_once():
    """One request is served by one of its alternatives."""
    proved = prove(FIRST)
    results = allocate(proved)
    mixed = [*results[:4], *(put(each, request=f"{each.request[:-1]}1") for each in results[4:])]

    assert check(proved, mixed) == "request neurons is served by 2 alternatives"


def test_devices_for_no_request():
    """Devices of a request that the claim does not have are too many."""
    proved = prove(ROW)
    claim = replace(proved.partition.claim, requests=proved.partition.claim.requests[:1])

    assert check(proved, allocate(proved), claim) == "the claim has no request efa"


def test_more_than_a_claim_may_have():
    """A claim has at most 32 devices."""
    proved = prove(ROW)
    (first, *rest) = proved.partition.claim.requests
    many = replace(first, exactly=replace(first.exactly, count=33))
    claim = replace(proved.partition.claim, requests=(many, *rest))
    devices = [each.id for each in proved.matching.devices]
    results = [DeviceRequestAllocationResult("neurons", each) for each in (*devices, devices[0])]

    assert check(proved, results, claim) == "a device is taken twice"
    assert len(devices) == 32


@pytest.mark.parametrize(
    ("requests", "name", "covered"),
    [
        ((), "a", True),
        (("a",), "a", True),
        (("a",), "a/x", True),
        (("a/x",), "a/x", True),
        (("a/x",), "a/y", False),
        (("b",), "a", False),
    ],
)
def test_what_a_constraint_concerns(requests, name, covered):
    """A constraint names requests, alternatives, or nothing for all."""
    assert concerns(DeviceConstraint(requests, "x.example/y"), name) is covered
