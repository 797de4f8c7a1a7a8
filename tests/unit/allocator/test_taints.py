"""Device taints and tolerations."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.features import Features
from neuron_dra.allocator.outcome import Unsatisfiable
from neuron_dra.allocator.taints import tolerates_taint
from neuron_dra.kube.claim import ALL
from neuron_dra.kube.slice import DeviceTaint
from unit.allocator.small import (
    MINORS,
    allocate,
    chosen,
    claim,
    device,
    exactly,
    first_available,
    node_slice,
    request,
    served,
    tolerate,
)

TAINT = ("key", "value", "NoSchedule")


def tainted(*taints):
    return [node_slice(device("d", taints=taints))]


@pytest.mark.parametrize(
    ("toleration", "expected"),
    [
        (tolerate(), True),
        (tolerate("key"), True),
        (tolerate("other"), False),
        (tolerate("key", effect="NoSchedule"), True),
        (tolerate("key", effect="NoExecute"), False),
        (tolerate("key", "Equal", "value"), True),
        (tolerate("key", "Equal", "other"), False),
        (tolerate("key", "", "value"), True),
        (tolerate("", "Equal", ""), False),
        (tolerate("key", "Like", "value"), False),
    ],
)
def test_tolerations(toleration, expected):
    """A toleration covers a taint by key, value and effect; what is empty covers any."""
    assert tolerates_taint(toleration, DeviceTaint(*TAINT)) == expected


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("effect", ["NoSchedule", "NoExecute"])
def test_untolerated(minor, effect):
    """A device with a taint is had by a request that tolerates it, and by no other."""
    slices = tainted(("key", "value", effect))

    assert isinstance(allocate(minor, claim(request("r")), slices), Unsatisfiable)
    tolerant = request("r", tolerations=(tolerate("key"),))
    assert chosen(allocate(minor, claim(tolerant), slices)) == ["d"]


@pytest.mark.parametrize("minor", MINORS)
def test_every_taint_needs_a_toleration(minor):
    """Tolerating one of two taints is not enough."""
    slices = tainted(TAINT, ("other", "", "NoExecute"))
    one = request("r", tolerations=(tolerate("key"),))
    both = request("r", tolerations=(tolerate("key"), tolerate("other")))

    assert isinstance(allocate(minor, claim(one), slices), Unsatisfiable)
    assert chosen(allocate(minor, claim(both), slices)) == ["d"]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("effect", ["None", "Future"])
def test_effects_that_prevent_nothing(minor, effect):
    """Taints of other effects are for information, save in 1.34."""
    outcome = allocate(minor, claim(request("r")), tainted(("key", "", effect)))

    assert isinstance(outcome, Unsatisfiable) == (minor == "1.34")


@pytest.mark.parametrize("minor", MINORS)
def test_without_the_feature(minor):
    """With the feature off, taints do nothing."""
    outcome = allocate(minor, claim(request("r")), tainted(TAINT), Features(admin_access=True))

    assert chosen(outcome) == ["d"]


@pytest.mark.parametrize("minor", MINORS)
def test_other_devices_are_chosen(minor):
    """A tainted device is passed over for one without taints."""
    slices = [node_slice(device("p", taints=[TAINT]), device("q"))]

    assert chosen(allocate(minor, claim(request("r")), slices)) == ["q"]


@pytest.mark.parametrize("minor", MINORS)
def test_all_devices_with_a_taint(minor):
    """All devices cannot be had when one has a taint that is not tolerated."""
    slices = [node_slice(device("p"), device("q", taints=[TAINT]))]

    assert isinstance(allocate(minor, claim(request("r", ALL)), slices), Unsatisfiable)
    tolerant = request("r", ALL, tolerations=(tolerate(),))
    assert chosen(allocate(minor, claim(tolerant), slices)) == ["p", "q"]


@pytest.mark.parametrize("minor", MINORS)
def test_alternatives_have_their_own_tolerations(minor):
    """An alternative that tolerates the taint is taken after one that does not."""
    parts = first_available("r", exactly(), exactly(tolerations=(tolerate(),)))

    assert served(allocate(minor, claim(parts), tainted(TAINT))) == ["r/s1"]
