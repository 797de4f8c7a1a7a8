"""Devices as selectors see them."""

from __future__ import annotations

from neuron_dra.cel.device import Device, split_name
from neuron_dra.cel.quantity import Quantity


def test_domains():
    """A name without a domain is filed under the driver, the first slash ends a domain."""
    device = Device.of("d", {"a": 1, "d/b": 2, "e/c": 3}, {"m": "1Gi", "e/n": Quantity.parse("2")})
    attributes = device.variables["device.attributes"]
    capacity = device.variables["device.capacity"]

    assert attributes == {"d": {"a": 1, "b": 2}, "e": {"c": 3}}
    assert attributes["unknown"] == {}
    assert "unknown" not in attributes
    assert capacity == {"d": {"m": Quantity.parse("1Gi")}, "e": {"n": Quantity.parse("2")}}
    assert split_name("a/b/c", "d") == ("a", "b/c")


def test_evaluation_leaves_the_device_alone(env):
    """A device may be evaluated any number of times."""
    device = Device.of("d", {"a": 1}, allow_multiple_allocations=True)
    selector = env.compile(
        'device.allowMultipleAllocations && device.attributes.all(d, device.attributes["x"] == {})'
    )

    assert [selector.matches(device) for _ in range(2)] == [True, True]
    assert device.variables["device.attributes"] == {"d": {"a": 1}}
