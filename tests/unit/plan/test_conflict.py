"""Conflicts are told in the words of the hardware, with both ends."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.outcome import Cause, Fatal, Timeout
from neuron_dra.plan.conflict import explain_break, explain_refusal
from neuron_dra.plan.soundness import Break
from unit.plan.small_fleets import CLUSTER, PARTITION, plan
from unit.plan.small_proofs import GRANT, prove

ROW = "{instanceType: trn2.48xlarge, devices: 4, connected: true}"


def refused(spec):
    """Return the message of the one error that a partition gets."""
    _, problems = plan(CLUSTER % "c", PARTITION % ("p", spec), GRANT)
    (message,) = [text for slug, text in problems if slug == "claim-never-allocated"]
    return message


def attribute(expression):
    return f"'device.attributes[\"neuron.aws.com\"].{expression}'"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (
            (
                f"{{instanceType: trn2.48xlarge, devices: 4, connected: true,"
                f" selectors: [{attribute('topology_y == 1')}]}}"
            ),
            (
                "it wants 4 devices, and its selectors leave 4 devices (neuron-device-1, "
                "neuron-device-5, neuron-device-9, neuron-device-13), of which at most 1 share one "
                "`devicegroup4_id`"
            ),
        ),
        (
            (
                f"{{instanceType: trn2.48xlarge, devices: 16, connected: true,"
                f" selectors: [{attribute('topology_x > 0')}]}}"
            ),
            (
                "it wants 16 devices, and its selectors leave 12 devices (neuron-device-4, "
                "neuron-device-5, neuron-device-6, neuron-device-7, neuron-device-8, "
                "neuron-device-9, neuron-device-10, neuron-device-11 and 4 more)"
            ),
        ),
        (
            (
                f"{{instanceType: trn2.48xlarge, devices: 2, efa: paired,"
                f" selectors: [{attribute('deviceId == 3')}]}}"
            ),
            "it wants 2 devices, and its selectors leave 1 device (neuron-device-3)",
        ),
    ],
)
def test_what_is_wanted_and_what_is_left(spec, words):
    """The smallest refused part of a claim is compared with the devices that are left."""
    assert refused(spec).endswith(words)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Fatal(Cause.SELECTOR, "no such key"), "the scheduler gives the pod up with `no such key`"),
        (Timeout(1), "the scheduler runs out of time searching for devices"),
    ],
)
def test_other_ends(outcome, words):
    """A search that ends early is told as the scheduler ends it."""
    proved = prove(ROW)
    shape = proved.partition.shapes[0]
    told = explain_refusal(proved.partition, shape, proved.partition.claim, proved.node, outcome)

    assert told.message.endswith(words)
    assert told.help == ""


def test_a_broken_promise():
    """An allocation that breaks a promise names what each request gets."""
    proved = prove(ROW)
    devices = proved.matching.devices[:2]
    told = explain_break(
        proved.partition.shapes[0], proved.node.type, Break({"neurons": devices}, "not linked")
    )

    assert told.message.endswith(
        "break its promise: not linked (`neurons` gets neuron-device-0, neuron-device-1)"
    )
