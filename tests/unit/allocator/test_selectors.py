"""Selectors of classes and requests, and what comes of expressions that cannot be evaluated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neuron_dra.allocator.outcome import Allocated, Cause, Fatal, Unsatisfiable
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ALL, DeviceClass
from unit.allocator.small import (
    DRIVER,
    EVERYTHING,
    MINORS,
    NODE,
    allocate,
    allocator,
    chosen,
    claim,
    device,
    devices,
    node_slice,
    request,
)

MISSING = 'device.attributes["x"].size == 1'
SIZED = [device("none"), device("sized", {"x/size": 1})]


@pytest.mark.parametrize("minor", MINORS)
def test_class_and_request_must_match(minor):
    """A device is selected by its class and by every selector of the request."""
    members = [
        device("p", {"x/a": 1, "x/b": 1}),
        device("q", {"x/a": 1, "x/b": 2}),
        device("r", {"x/a": 2, "x/b": 2}),
    ]
    wanted = request(
        "r",
        device_class="one",
        selectors=('device.attributes["x"].b == 2', 'device.driver == "a.example"'),
    )

    outcome = allocate(
        minor,
        claim(wanted),
        [node_slice(*members)],
        more_classes=[DeviceClass("one", ('device.attributes["x"].a == 1',))],
    )

    assert chosen(outcome) == ["q"]


@pytest.mark.parametrize("minor", MINORS)
def test_missing_attribute_is_fatal(minor):
    """A selector that reads an attribute which a device lacks ends the attempt for the pod."""
    outcome = allocate(minor, claim(request("r", selectors=(MISSING,))), [node_slice(*SIZED)])

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.SELECTOR
    assert outcome.message.startswith("claim claim: selector #0")
    assert "CEL runtime error: no such key: size" in outcome.message
    assert ("on device a.example/pool/none" in outcome.message) == (minor == "1.37")
    assert ("optional chaining" in outcome.message) == (minor == "1.37")


@pytest.mark.parametrize("minor", MINORS)
def test_class_is_named(minor):
    """A failing selector of a class is told as that of the class."""
    outcome = allocate(
        minor,
        claim(request("r", device_class="sized")),
        [node_slice(*SIZED)],
        more_classes=[DeviceClass("sized", ("true", MISSING))],
    )

    assert isinstance(outcome, Fatal)
    assert outcome.message.startswith("class sized: selector #1")


@pytest.mark.parametrize("minor", MINORS)
def test_devices_before_the_failing_one_are_had(minor):
    """A device that is chosen before the failing one is reached ends the search in time."""
    outcome = allocate(minor, claim(request("r", selectors=(MISSING,))), [node_slice(*SIZED[::-1])])

    assert chosen(outcome) == ["sized"]


@pytest.mark.parametrize("minor", MINORS)
def test_devices_in_use_are_not_asked(minor):
    """The selectors of a device that is held are not evaluated, save in a request for all."""
    held = AllocatedState(frozenset(node_slice(SIZED[0]).device_ids()))
    slices = [node_slice(*SIZED)]

    one = allocate(minor, claim(request("r", selectors=(MISSING,))), slices, allocated=held)
    every = allocate(minor, claim(request("r", ALL, selectors=(MISSING,))), slices, allocated=held)

    assert chosen(one) == ["sized"]
    assert isinstance(every, Fatal)


@pytest.mark.parametrize("minor", MINORS)
def test_class_guards_the_request(minor):
    """A class that does not match keeps the selectors of the request from being evaluated."""
    other = node_slice(device("other"), driver="b.example", pool="a")
    wanted = request("r", device_class=DRIVER, selectors=(MISSING,))

    assert chosen(allocate(minor, claim(wanted), [other, node_slice(SIZED[1])])) == ["sized"]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    "guarded",
    [
        'has(device.attributes["x"].size) && device.attributes["x"].size == 1',
        'device.attributes["x"].?size.orValue(0) == 1',
        '"size" in device.attributes["x"]',
    ],
)
def test_guards(minor, guarded):
    """A guarded selector passes devices over that lack the attribute."""
    outcome = allocate(minor, claim(request("r", selectors=(guarded,))), [node_slice(*SIZED)])

    assert chosen(outcome) == ["sized"]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("device.name == 'd0'", "CEL compile error"),
        ('device.attributes["x"].text', "CEL runtime error"),
        ('device.attributes["x"].text > 1', "no such overload"),
    ],
)
def test_expressions_that_are_no_conditions(minor, expression, told):
    """An expression that does not compile, or gives no truth value, is fatal."""
    members = [device("d0", {"x/text": "some"})]

    outcome = allocate(minor, claim(request("r", selectors=(expression,))), [node_slice(*members)])

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.SELECTOR
    assert told in outcome.message


@pytest.mark.parametrize("minor", MINORS)
def test_versions_capacity_and_names_of_the_driver(minor):
    """A selector sees versions, amounts and names without a domain."""
    member = device("d", {"rev": ("version", "1.10.0")}, capacity={"x/mem": "4Gi"})
    expression = (
        'device.attributes["a.example"].rev.isGreaterThan(semver("1.9.0")) && '
        'device.capacity["x"].mem == quantity("4096Mi")'
    )

    outcome = allocate(minor, claim(request("r", selectors=(expression,))), [node_slice(member)])

    assert chosen(outcome) == ["d"]


@pytest.mark.parametrize("minor", MINORS)
def test_a_device_that_selectors_cannot_see(minor):
    """A version that is none makes every selector fail on the device."""
    member = device("d", {"x/rev": ("version", "one")})

    outcome = allocate(minor, claim(request("r", selectors=("true",))), [node_slice(member)])

    assert isinstance(outcome, Fatal)


def test_sharing_is_seen():
    """From 1.36 on a selector may ask whether a device can be shared."""
    members = [device("own"), device("shared", allow_multiple_allocations=True)]
    wanted = request("r", selectors=("device.allowMultipleAllocations == true",))

    assert chosen(allocate("1.36", claim(wanted), [node_slice(*members)])) == ["shared"]


def test_lists_are_seen():
    """With lists switched on a selector may ask what a list holds, scalars counting as lists."""
    members = [
        device("d0", {"x/names": ("strings", ("a", "b"))}),
        device("d1", {"x/names": ("strings", ("b", "c")), "x/revs": ("versions", ("1.0.0",))}),
    ]
    wanted = request("r", selectors=('device.attributes["x"].names.includes("c")',))
    features = replace(EVERYTHING, list_type_attributes=True)

    assert chosen(allocate("1.37", claim(wanted), [node_slice(*members)], features)) == ["d1"]


@pytest.mark.parametrize("minor", MINORS)
def test_lists_that_cannot_be_read(minor):
    """Up to 1.36, with lists switched off, one makes every selector fail on its device."""
    member = device("d", {"x/names": ("strings", ("a", "b"))})

    outcome = allocate(minor, claim(request("r", selectors=("true",))), [node_slice(member)])

    assert isinstance(outcome, Allocated if minor == "1.37" else Fatal)


def test_binding_conditions_switched_off():
    """Without the feature a device with binding conditions is not selectable."""
    members = [device("bound", binding_conditions=("ready",))]
    off = EVERYTHING.__class__(prioritized_list=True)

    assert isinstance(
        allocate("1.36", claim(request("r")), [node_slice(*members)], off), Unsatisfiable
    )
    assert chosen(allocate("1.36", claim(request("r")), [node_slice(*members)])) == ["bound"]


@pytest.mark.parametrize("minor", MINORS)
def test_verdicts_are_kept_from_one_allocation_to_the_next(minor):
    """An allocator that is used again gives the same answer."""
    made = allocator(minor, [node_slice(*devices(2))])
    wanted = [claim(request("r", 2, selectors=('device.driver == "a.example"',)))]

    assert made.allocate(NODE, wanted) == made.allocate(NODE, wanted)
