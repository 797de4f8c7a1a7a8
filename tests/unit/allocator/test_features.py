"""Feature gates, and which allocator a minor takes for them."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.features import Features, choose_variant
from neuron_dra.catalog.locate import open_catalog
from unit.allocator.small import EVERYTHING, MINORS


def test_default_gates():
    """By default the scheduler of each minor takes the allocator that was seen to run there."""
    catalog = open_catalog()
    chosen = {}
    for minor in MINORS:
        gates = catalog.kubernetes(minor).gates.gates
        defaults = {name: gate.default for name, gate in gates.items()}
        chosen[minor] = choose_variant(minor, Features.of(minor, defaults)).name

    assert chosen == {
        "1.34": "experimental",
        "1.35": "incubating",
        "1.36": "incubating",
        "1.37": "incubating",
    }


@pytest.mark.parametrize(
    ("minor", "features", "name"),
    [
        ("1.34", Features(), "stable"),
        ("1.34", Features(device_taints=True), "incubating"),
        ("1.34", Features(device_status=True), "experimental"),
        ("1.35", Features(device_status=True), "stable"),
        ("1.35", Features(device_status=True, device_binding=True), "experimental"),
        ("1.35", Features(consumable_capacity=True), "experimental"),
        ("1.36", Features(device_taints=True, partitionable_devices=True), "stable"),
        ("1.36", Features(consumable_capacity=True), "incubating"),
        ("1.36", EVERYTHING, "incubating"),
        ("1.36", Features(list_type_attributes=True), "experimental"),
        ("1.37", Features(fractional_capacity_range=True), "incubating"),
        ("1.37", Features(list_type_attributes=True), "experimental"),
    ],
)
def test_variants(minor, features, name):
    """The first allocator that supports everything that is on is taken."""
    assert choose_variant(minor, features).name == name


def test_gates():
    """A feature is on when its gate is, and the scheduler of the minor passes the gate on."""
    gates = {"DRAListTypeAttributes": True, "DRAAdminAccess": True, "DRADeviceTaints": False}

    assert Features.of("1.36", gates) == Features(admin_access=True)
    assert Features.of("1.37", gates) == Features(admin_access=True, list_type_attributes=True)
