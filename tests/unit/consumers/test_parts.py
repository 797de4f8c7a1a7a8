"""The parts that a claim has."""

from __future__ import annotations

import pytest

from neuron_dra.catalog.consumer import Parts
from neuron_dra.consumers.parts import parts_of
from neuron_dra.kube.claim import (
    ALL,
    DeviceConstraint,
    DeviceRequest,
    DeviceToleration,
    ExactDeviceRequest,
)
from unit.consumers.small_facts import CONFIG, PAIRS, claim, exactly

PLAIN = {"neuron", "template", "exactCount"}
TOLERATION = DeviceToleration("a", "Exists", "", "")
CHOICE = DeviceRequest(
    "a",
    first_available=(
        ExactDeviceRequest("chips", 2, name="two"),
        ExactDeviceRequest("cards", 1, selectors=("true",), name="one"),
    ),
)


@pytest.mark.parametrize(
    ("made", "more"),
    [
        (claim(), set()),
        (claim(exactly(selectors=("true",))), {"selectors"}),
        (claim(exactly(tolerations=(TOLERATION,))), {"tolerations"}),
        (claim(exactly(capacity={"memory": "1Gi"})), {"capacity"}),
        (claim(exactly(admin_access=True)), {"adminAccess"}),
        (claim(exactly(admin_access=False)), set()),
        (claim(exactly(), exactly("cards")), {"efa"}),
        (claim(CHOICE), {"efa", "firstAvailable", "selectors"}),
        (claim(constraints=[PAIRS]), {"constraints", "deviceGroups"}),
        (claim(constraints=[DeviceConstraint((), "example.com/other")]), {"constraints"}),
        (claim(constraints=[DeviceConstraint((), "", "example.com/x")]), {"constraints"}),
        (claim(config=[CONFIG]), {"config"}),
    ],
)
def test_parts(made, more):
    """A claim has what its class, count and the other fields of it say, and nothing else."""
    assert set(parts_of(made, {"cards"}, {"example.com/group2", ""})) == PLAIN | more


def test_all_devices_are_no_count():
    """A request for all devices has no count."""
    made = parts_of(claim(exactly(allocation_mode=ALL)))

    assert "exactCount" not in made
    assert made["all"] == ("devices.requests[0].exactly.allocationMode",)


def test_direct_claim():
    """A claim that pods name is not one of a template."""
    assert set(parts_of(claim(), direct=True)) == PLAIN - {"template"} | {"directClaim"}


def test_only_efa():
    """A claim of EFA interfaces alone has no Neuron devices."""
    assert set(parts_of(claim(exactly("cards")), {"cards"})) == PLAIN - {"neuron"} | {"efa"}


def test_fields():
    """A part knows every field that has it, alternatives by their index."""
    made = parts_of(
        claim(exactly(), CHOICE, constraints=[PAIRS, PAIRS], config=[CONFIG]), {"cards"}
    )

    assert made["neuron"] == (
        "devices.requests[0].exactly.deviceClassName",
        "devices.requests[1].firstAvailable[0].deviceClassName",
    )
    assert made["selectors"] == ("devices.requests[1].firstAvailable[1].selectors",)
    assert made["firstAvailable"] == ("devices.requests[1].firstAvailable",)
    assert made["constraints"] == ("devices.constraints[0]", "devices.constraints[1]")
    assert made["config"] == ("devices.config[0]",)


def test_order():
    """Parts stand in the catalogue's order, whatever the order of the claim."""
    made = parts_of(
        claim(exactly("cards"), CHOICE, constraints=[PAIRS], config=[CONFIG]), {"cards"}
    )

    assert list(made) == [name for name in Parts.names() if name in made]
