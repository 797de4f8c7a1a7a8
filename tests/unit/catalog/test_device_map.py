"""Device maps answer by device and by group size."""

from __future__ import annotations

import pytest


@pytest.fixture
def device_map(files):
    return files.open().device_map("map-a")


def test_sizes(device_map):
    """A single device is a group of its own; the tables give the other sizes."""
    assert device_map.name == "map-a"
    assert device_map.device_count == 4
    assert device_map.sizes == (1, 2, 4)
    assert device_map.interfaces == ("0000:0a:00.0", "0000:0b:00.0")


def test_group_id(device_map):
    """A device's group of one is its EFA interface; larger groups are runs of device ids."""
    assert [device_map.group_id(1, device) for device in (1, 2)] == ["0000:0a:00.0", "0000:0b:00.0"]
    assert [device_map.group_id(2, device) for device in (0, 1, 2, 3)] == [
        "00000000000000aa",
        "00000000000000aa",
        "00000000000000bb",
        "00000000000000bb",
    ]
    assert device_map.group_id(4, 3) == "00000000000000cc"
    assert device_map.group_id(8, 0) is None


def test_efa_per_group(device_map):
    """Every group of a size has at least that many interfaces."""
    assert [device_map.efa_per_group(size) for size in (1, 2, 4, 8)] == [1, 1, 2, None]


def test_uneven_groups(files):
    """Where groups differ, the least is what a claim can rely on."""
    files.edit(
        "device-maps/map-a.yaml", '"0000:0a:00.0", "0000:0a:00.0"', '"0000:0a:00.0", "0000:0c:00.0"'
    )

    assert files.open().device_map("map-a").efa_per_group(2) == 1


def test_addresses_are_pci_addresses(files):
    """An address of another form is refused."""
    files.edit(
        "device-maps/map-a.yaml", '"0000:0a:00.0", "0000:0a:00.0"', '"0a:00.0", "0000:0a:00.0"'
    )
    catalog = files.open()

    assert catalog.device_map("map-a") is None
    assert [found.code.id for found in catalog.diagnostics] == ["ND2004"]
