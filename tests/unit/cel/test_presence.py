"""`has()` of a field of the device itself."""

from __future__ import annotations

import pytest

from neuron_dra.cel.cost import estimated_cost
from neuron_dra.cel.device import Device
from neuron_dra.cel.environment import Compiled, environment
from neuron_dra.cel.presence import separate_tests
from neuron_dra.cel.problem import CompileError

SHARED = {"DRAConsumableCapacity": True}
DEVICE = Device.of("a.example", {})


@pytest.mark.parametrize(
    ("expression", "cost", "matches"),
    [
        ("has(device.driver)", 1, True),
        ("has( device . attributes )", 1, True),
        ("has(device.capacity) && has(device.allowMultipleAllocations)", 2, True),
        ("!has(device.driver)", 2, False),
    ],
)
def test_a_field_is_always_there(expression, cost, matches):
    """The test of a field of the device is true and costs one."""
    compiled = environment("1.36", SHARED).compile(expression)

    assert isinstance(compiled, Compiled)
    assert (estimated_cost(compiled), compiled.matches(DEVICE)) == (cost, matches)


@pytest.mark.parametrize(
    ("expression", "gates"),
    [
        ("has(device.name)", SHARED),
        ("has(device.allowMultipleAllocations)", {}),
        ("has(_dra__.driver)", SHARED),
        ("[1].all(device, has(device.driver))", SHARED),
    ],
)
def test_what_is_no_field(expression, gates):
    """No other field can be tested, nor one whose gate is off, nor by another name."""
    assert isinstance(environment("1.36", gates).compile(expression), CompileError)


@pytest.mark.parametrize(
    "expression",
    [
        '"has(device.driver)" == device.driver',
        "'has(device.driver)' == r'has(device.driver)'",
        'device.driver == """\nhas(device.driver)"""',
        "true // has(device.driver)",
        'has(device.attributes["a"].b)',
        "x.has(device.driver)",
        "device.driver == 'a.example'",
    ],
)
def test_what_is_left_alone(expression):
    """Strings, comments, methods and tests of attributes stay as they are."""
    assert separate_tests(expression, multiple_allocations=True) == expression


def test_columns_stay():
    """What is written in place of the device is as long, so that places are those of the user."""
    expression = "has(device.driver) && has(  device.capacity )"

    assert len(separate_tests(expression, multiple_allocations=False)) == len(expression)
