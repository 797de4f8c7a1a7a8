"""Predicted slices."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.catalog.locate import open_catalog
from neuron_dra.kube.read_slice import read_slice
from neuron_dra.kube.slice import (
    RESOURCE_SLICE_MAX_DEVICES,
    Device,
    DeviceAttribute,
    ResourcePool,
)
from neuron_dra.slices.predict import _slices, placeholder, predict_slices

DATA = Path(__file__).resolve().parents[2] / "data"
CAPTURES = DATA / "captures"
LISTINGS = yaml.safe_load((DATA / "listings.yaml").read_text(encoding="utf-8"))
CATALOG = open_catalog()
DRIVERS = [CATALOG.driver(name) for name in ("neuron", "efa")]
TYPES = CATALOG.instance_type_names()
CAPTURED = sorted(path.name for path in CAPTURES.iterdir())


def predict(name, drivers=DRIVERS, **options):
    return predict_slices(CATALOG.instance_type(name), drivers, "node-a", **options)


def read_capture(name, driver):
    path = CAPTURES / name / f"{driver}-resourceslice.yaml"
    each, problems = read_slice(yaml.safe_load(path.read_text(encoding="utf-8")))
    assert problems == []
    return each


def described(each, live):
    """Return the devices of a slice by name: qualified names with kinds and fixed values."""
    return {
        device.name: {
            qualify(name, each.driver): (
                value.kind,
                None if qualify(name, each.driver) in live else value.value,
            )
            for name, value in device.attributes.items()
        }
        for device in each.devices
    }


def qualify(name, driver):
    return name if "/" in name else f"{driver}/{name}"


@pytest.mark.parametrize("name", CAPTURED)
@pytest.mark.parametrize("index", [0, 1])
def test_captures(name, index):
    """Predicted devices equal captured ones in every name, kind and value but the live ones."""
    driver = DRIVERS[index]
    live = {key for key, attribute in driver.attributes.names.items() if attribute.live}
    captured, predicted = read_capture(name, driver.name), predict(name)[index]

    # The capture was made without the filter that leaves out devices other than EFA interfaces.
    there = described(captured, live)
    if driver.name == "efa":
        efa = ("bool", True)
        there = {name: found for name, found in there.items() if found["dra.net/rdma"] == efa}

    assert described(predicted, live) == there
    assert (predicted.driver, predicted.pool.name) == (captured.driver, captured.pool.name)
    assert (predicted.pool, predicted.node_name) == (captured.pool, captured.node_name)
    assert len(there) > 1


@pytest.mark.parametrize("name", CAPTURED)
def test_captured_values_fill_the_placeholders(name):
    """With the live values of a captured device, its prediction is the capture."""
    captured = read_capture(name, "neuron")
    first = captured.devices[0]
    names = {qualify(key, captured.driver): value for key, value in first.attributes.items()}

    predicted = predict(name, live={key: value.value for key, value in names.items()})[0]

    assert described(predicted, ())[first.name] == {
        key: (value.kind, value.value) for key, value in names.items()
    }


@pytest.mark.parametrize("name", LISTINGS)
def test_listed_attributes(name):
    """Every device has the attributes that were listed of a real node, of the listed types."""
    listing = LISTINGS[name]
    (predicted,) = predict(name, DRIVERS[:1])

    assert len(predicted.devices) == listing["devices"]
    for device in predicted.devices:
        kinds = {key: value.kind for key, value in device.attributes.items()}
        assert kinds == listing["attributes"]


@pytest.mark.parametrize("name", LISTINGS)
def test_listed_values(name):
    """Devices have the listed values in the listed order, and form the listed groups."""
    listing = LISTINGS[name]
    (predicted,) = predict(name, DRIVERS[:1])
    groups = {
        f"resource.aws.com/devicegroup{size}_id": [each for each in ids for _ in range(size)]
        for size, ids in listing.get("groups", {}).items()
    }

    for attribute, values in {**listing["values"], **groups}.items():
        assert [each.attributes[attribute].value for each in predicted.devices] == values


def test_interfaces_of_the_capture_have_its_groups():
    """Neuron devices and EFA interfaces of a captured node fall into the same groups."""
    for name in CAPTURED:
        captured = [read_capture(name, driver.name) for driver in DRIVERS]
        for there, predicted in zip(captured, predict(name), strict=True):
            assert partitions(predicted) == partitions(there) != {}


def partitions(each):
    """Return by group attribute and id the names of the devices that share it."""
    found = {}
    for device in each.devices:
        for attribute, value in device.attributes.items():
            if "devicegroup" in attribute:
                found.setdefault((attribute, value.value), set()).add(device.name)
    return found


@pytest.mark.parametrize("name", TYPES)
def test_every_type(name):
    """Slices of every type keep the limits of the API and name each device once."""
    for each in predict(name):
        names = [device.name for device in each.devices]
        assert 0 < len(names) == len(set(names)) <= RESOURCE_SLICE_MAX_DEVICES
        assert each.node_name == each.pool.name == "node-a"
        for device in each.devices:
            assert len(device.attributes) <= 32
            texts = (value.value for value in device.attributes.values())
            assert all(len(text) <= 64 for text in texts if isinstance(text, str))


@pytest.mark.parametrize("name", TYPES)
def test_published_attributes(name):
    """Neuron devices have the attributes that are known to be present, and no others."""
    instance_type = CATALOG.instance_type(name)
    slices = predict(name, DRIVERS[:1])

    for each in slices:
        for device in each.devices:
            assert set(device.attributes) == set(instance_type.facts.published.present)
    assert bool(slices) == (instance_type.serves_devices or instance_type.serves_nodes)


@pytest.mark.parametrize("name", TYPES)
def test_device_groups(name):
    """Devices and interfaces share a group id as often as the device map says."""
    instance_type = CATALOG.instance_type(name)
    slices = {each.driver: each for each in predict(name)}
    sizes = instance_type.device_map.sizes if instance_type.device_map else ()
    for size in sizes:
        attribute = f"resource.aws.com/devicegroup{size}_id"
        groups = {}
        for device in slices["dra.net"].devices:
            groups.setdefault(device.attributes[attribute].value, []).append(device.name)
        assert {len(group) for group in groups.values()} == {instance_type.efa_for(size)}
        for device in slices.get("neuron.aws.com", slices["dra.net"]).devices:
            if attribute in device.attributes:
                assert device.attributes[attribute].value in groups


def test_nodes_of_an_ultra_server():
    """Where whole nodes are handed out, a slice has one entry for the node."""
    types = [CATALOG.instance_type(name) for name in TYPES]
    whole = [each.name for each in types if each.serves_nodes and not each.serves_devices]

    assert whole
    for name in whole:
        ((device,),) = ([*each.devices] for each in predict(name, DRIVERS[:1]))
        assert device.name == "neuron-node-0"
        assert device.attributes["neuron.aws.com/resourceType"].value == "neuron_node"


def test_interfaces_without_a_map():
    """Interfaces whose addresses nobody knows have placeholders, and no device groups."""
    types = [CATALOG.instance_type(name) for name in TYPES]
    unmapped = [each for each in types if each.efa_interfaces and not each.device_map]

    assert unmapped
    for each in unmapped:
        (published,) = predict(each.name, DRIVERS[1:])
        assert len(published.devices) == each.efa_interfaces
        for device in published.devices:
            assert device.attributes["dra.net/pciAddress"].live
            assert not any("devicegroup" in name for name in device.attributes)


def test_placeholders():
    """A placeholder says what it stands for, and is valid where it stands."""
    assert placeholder("x/a", "string") == "live:x/a"
    assert placeholder("x/a", "version") == "0.0.0-live"
    assert placeholder("x/a", "int") == -1


def test_live_values_are_marked():
    """Placeholders are marked, and values that the caller knows are not."""
    name = "neuron.aws.com/neuronDriverVersion"
    known, unknown = (
        predict(CAPTURED[0], live=live)[0].devices[0].attributes[name]
        for live in ({name: "2.26.10.0"}, {})
    )

    assert known == DeviceAttribute("string", "2.26.10.0")
    assert unknown == DeviceAttribute("string", f"live:{name}", live=True)


def test_values_that_are_not_live_stay():
    """A value that the catalogue knows is not replaced."""
    predicted = predict(CAPTURED[0], live={"neuron.aws.com/deviceId": 99})[0]

    assert [each.attributes["neuron.aws.com/deviceId"].value for each in predicted.devices] == [
        *range(16)
    ]


@given(st.integers(1, 3 * RESOURCE_SLICE_MAX_DEVICES))
def test_pools_of_many_devices(count):
    """A pool has as many slices as its devices need, and every slice says how many."""
    devices = [Device(f"d{index}", {}, {}) for index in range(count)]

    slices = list(_slices(DRIVERS[0], devices, "node"))

    assert [device for each in slices for device in each.devices] == devices
    assert {each.pool for each in slices} == {ResourcePool("node", 1, len(slices))}
    assert len(slices) == -(-count // RESOURCE_SLICE_MAX_DEVICES)
    assert sorted(each.name for each in slices) == [each.name for each in slices]
