"""Admin access: devices beside those who hold them."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.features import Features
from neuron_dra.allocator.outcome import Cause, Fatal, Unsatisfiable
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ALL
from unit.allocator.small import (
    MINORS,
    allocate,
    chosen,
    claim,
    devices,
    ids,
    node_slice,
    request,
)

HELD = AllocatedState(ids("d0", "d1"))


def admin(name="admin", count=1):
    return request(name, count, admin_access=True)


@pytest.mark.parametrize("minor", MINORS)
def test_devices_that_others_hold(minor):
    """With admin access a device is had although another claim holds it."""
    slices = [node_slice(*devices(2))]

    outcome = allocate(minor, claim(admin()), slices, allocated=HELD)

    assert chosen(outcome) == ["d0"]
    assert outcome.results[0].results[0].admin_access is True
    assert isinstance(allocate(minor, claim(request("r")), slices, allocated=HELD), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_all_devices(minor):
    """All devices can be had with admin access whoever holds them."""
    outcome = allocate(minor, claim(admin(count=ALL)), [node_slice(*devices(2))], allocated=HELD)

    assert chosen(outcome) == ["d0", "d1"]


@pytest.mark.parametrize("minor", MINORS)
def test_one_claim_has_a_device_once(minor):
    """Within a claim a device is given to one request only."""
    slices = [node_slice(*devices(2))]

    assert chosen(allocate(minor, claim(admin(), admin("other")), slices)) == ["d0", "d1"]
    assert isinstance(allocate(minor, claim(admin(count=3)), slices), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
def test_claims_of_one_pod(minor):
    """A second claim with admin access may have the device of the first; one without may not."""
    slices = [node_slice(*devices(1))]
    first = claim(request("r"), name="first")

    assert chosen(allocate(minor, [first, claim(admin())], slices)) == [["d0"], ["d0"]]
    assert isinstance(allocate(minor, [claim(admin()), first], slices), Unsatisfiable)


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("access", [True, False])
def test_without_the_feature(minor, access):
    """With the feature off, admin access is fatal, even when it is written as false."""
    wanted = request("r", admin_access=access)

    outcome = allocate(
        minor, claim(wanted), [node_slice(*devices(1))], Features(prioritized_list=True)
    )

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.FEATURE
