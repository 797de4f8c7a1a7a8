"""Reading and writing of ResourceSlices."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neuron_dra.kube.read_slice import read_slice
from neuron_dra.kube.reading import ReadProblem
from neuron_dra.kube.slice import (
    CapacityPolicy,
    CapacityRange,
    CounterConsumption,
    CounterSet,
    Device,
    DeviceAttribute,
    DeviceCapacity,
    DeviceTaint,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    ResourcePool,
    ResourceSlice,
)
from neuron_dra.kube.slice_data import slice_data

CAPTURES = Path(__file__).resolve().parents[2] / "data/captures"
VERSIONS = ("v1", "v1beta2", "v1beta1")

DEVICE = Device(
    "d",
    {
        "count": DeviceAttribute("int", 4),
        "x/on": DeviceAttribute("bool", False),
        "x/name": DeviceAttribute("string", ""),
        "x/rev": DeviceAttribute("version", "1.0.0"),
        "x/names": DeviceAttribute("strings", ("a", "b")),
    },
    {
        "mem": DeviceCapacity("8Gi"),
        "x/a": DeviceCapacity("8", CapacityPolicy("1", ("1", "2"))),
        "x/b": DeviceCapacity("8", CapacityPolicy("1", (), CapacityRange("1", "4", "1"))),
    },
    (CounterConsumption("set", {"m": "2"}, ("group",)),),
    node_selector=(
        NodeSelectorTerm(
            (NodeSelectorRequirement("zone", "In", ("a",)),),
            (NodeSelectorRequirement("metadata.name", "NotIn", ("n",)),),
        ),
    ),
    taints=(DeviceTaint("key", "value", "NoSchedule"), DeviceTaint("bare", "", "NoExecute")),
    binds_to_node=True,
    binding_conditions=("ready",),
    binding_failure_conditions=("failed",),
    allow_multiple_allocations=True,
)
SLICES = [
    ResourceSlice(
        "s", "a.example", ResourcePool("p", 3, 2), (DEVICE,), per_device_node_selection=True
    ),
    ResourceSlice("s", "a.example", ResourcePool("p", 0, 1), (Device("d", {}, {}),), "node"),
    ResourceSlice(
        "s",
        "a.example",
        ResourcePool("p", 1, 1),
        all_nodes=True,
        shared_counters=(CounterSet("set", {"m": "4"}),),
    ),
    ResourceSlice(
        "s",
        "a.example",
        ResourcePool("p", 1, 1),
        node_selector=(NodeSelectorTerm((NodeSelectorRequirement("zone", "Exists"),)),),
    ),
]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("each", SLICES)
def test_what_is_written_is_read(each, version):
    """A slice written in any version of the API is read back as it was."""
    assert read_slice(slice_data(each, version)) == (each, [])


def test_versions_differ():
    """Only v1beta1 puts what is known of a device into `basic`."""
    flat, nested = (slice_data(SLICES[0], version) for version in ("v1beta2", "v1beta1"))

    assert (flat["apiVersion"], nested["apiVersion"]) == (
        "resource.k8s.io/v1beta2",
        "resource.k8s.io/v1beta1",
    )
    (device,), (wrapped,) = flat["spec"]["devices"], nested["spec"]["devices"]
    assert wrapped == {"name": device.pop("name"), "basic": device}


def test_order_of_keys():
    """Keys stand in the order of the API's types, and what has no value is left out."""
    data = slice_data(SLICES[1])

    assert list(data) == ["apiVersion", "kind", "metadata", "spec"]
    assert data["spec"] == {
        "driver": "a.example",
        "pool": {"name": "p", "generation": 0, "resourceSliceCount": 1},
        "nodeName": "node",
        "devices": [{"name": "d"}],
    }
    assert list(data["spec"]) == ["driver", "pool", "nodeName", "devices"]


@pytest.mark.parametrize(
    "path", sorted(CAPTURES.glob("*/*-resourceslice.yaml")), ids=lambda p: p.name
)
def test_captures(path):
    """A captured slice is read whole: writing it gives the capture again."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))

    each, problems = read_slice(data)

    assert problems == []
    assert slice_data(each) == data


def make(**changes):
    device = {"name": "d", "attributes": {"a": {"int": 1}}}
    spec = {"driver": "a.example", "pool": {"name": "p"}, "devices": [device]}
    data = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "s"},
        "spec": spec,
    }
    places = {"data": data, "spec": spec, "device": device, "pool": spec["pool"]}
    for place, fields in changes.items():
        places[place].update(fields)
    return data


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (None, ""),
        ([], ""),
        (make(data={"kind": "Pod"}), "kind"),
        (make(data={"apiVersion": "v1"}), "apiVersion"),
        (make(data={"apiVersion": "resource.k8s.io/v1alpha3"}), "apiVersion"),
    ],
)
def test_no_slices(data, path):
    """What is no slice of a known version is not read."""
    each, problems = read_slice(data)

    assert each is None
    assert [problem.path for problem in problems] == [path]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (make(spec={"driver": None}), ("spec.driver", "a value is required")),
        (make(spec={"driver": 4}), ("spec.driver", "expected a string, found `4`")),
        (make(spec={"devices": {}}), ("spec.devices", "expected a list, found a map")),
        (make(spec={"devices": ["d"]}), ("spec.devices[0]", "expected a map, found `d`")),
        (make(spec={"allNodes": "yes"}), ("spec.allNodes", "expected a boolean, found `yes`")),
        (
            make(pool={"generation": True}),
            ("spec.pool.generation", "expected an integer, found `true`"),
        ),
        (make(pool={"name": []}), ("spec.pool.name", "expected a string, found a list")),
        (
            make(device={"attributes": {"a": {"int": 1, "string": "b"}}}),
            ("spec.devices[0].attributes.a", "expected one value, found `int` and `string`"),
        ),
        (
            make(device={"attributes": {"a": {}}}),
            ("spec.devices[0].attributes.a", "expected one value, found none"),
        ),
        (
            make(device={"attributes": {"a": {"int": "1"}}}),
            ("spec.devices[0].attributes.a.int", "expected an int, found `1`"),
        ),
        (
            make(device={"attributes": {"a": {"strings": ["b", 2]}}}),
            ("spec.devices[0].attributes.a.strings", "expected a string, found `2`"),
        ),
        (
            make(device={"capacity": {"mem": {"value": "much"}}}),
            ("spec.devices[0].capacity.mem.value", "expected a quantity, found `much`"),
        ),
        (
            make(device={"capacity": {"mem": {}}}),
            ("spec.devices[0].capacity.mem.value", "a value is required"),
        ),
        (
            make(device={"bindingConditions": ["a", 1]}),
            ("spec.devices[0].bindingConditions[1]", "expected a string, found `1`"),
        ),
    ],
)
def test_problems(data, problem):
    """What cannot be read is told with its place, and the rest is read all the same."""
    each, problems = read_slice(data)

    assert problems == [ReadProblem(*problem)]
    assert each.name == "s"


def test_what_is_not_known_is_left_alone():
    """Fields of newer versions, numbers as amounts and fields without a value are no problems."""
    data = make(
        data={"status": {}},
        spec={"future": {"a": 1}, "nodeName": None},
        device={"future": [], "capacity": {"mem": {"value": 4}}, "taints": None},
    )

    each, problems = read_slice(data)

    assert problems == []
    assert each.devices[0].capacity == {"mem": DeviceCapacity("4")}
