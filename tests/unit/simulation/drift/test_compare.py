"""Real clusters against their specs: a captured node, as it is and with something wrong."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
import yaml

from neuron_dra.api.pipeline import analyse
from neuron_dra.simulation.drift.compare import compare
from neuron_dra.simulation.drift.difference import BrokenPartition, Kind
from neuron_dra.simulation.drift.render import render_json, render_text
from neuron_dra.source import Source
from unit.simulation.small import node, node_slice, read

CAPTURE = Path(__file__).resolve().parents[3] / "data/captures/trn1.32xlarge"
TYPE = "node.kubernetes.io/instance-type"
SPECS = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: Cluster
metadata: {name: dev}
spec:
  kubernetes: 1.36
  drivers: {neuron: {chartVersion: 1.10.0}, efa: {chartVersion: 1.0.0}}
  nodePools:
  - name: main
    instanceType: trn1.32xlarge
    nodes: {min: 1, max: 2}
    nodeSelector: {pool: main}
    nodeVersion: 1.36.2
    neuronDrivers: [2.26.10.0]
    taints: [{key: aws.amazon.com/neuron, effect: NoSchedule}]
  - {name: other, instanceType: trn2.48xlarge, nodes: 0}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {name: row}
spec: {instanceType: trn1.32xlarge, devices: 4, connected: true, efa: paired}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {name: one}
spec: {instanceType: trn1.32xlarge, devices: 1}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Tenant
metadata: {name: team}
spec: {clusters: [dev], namespaces: [team], partitions: [row, one]}
"""
TAINT = {"key": "aws.amazon.com/neuron", "effect": "NoSchedule"}
LABELS = {"pool": "main", TYPE: "trn1.32xlarge"}


@pytest.fixture(scope="module")
def planned():
    analysis = analyse([Source("specs.yaml", SPECS.encode())])
    assert analysis.is_sound, analysis.diagnostics
    return analysis


@pytest.fixture
def slices():
    """The slices of the Neuron driver and of the EFA driver, to be changed."""
    names = ("neuron-resourceslice.yaml", "efa-resourceslice.yaml")
    return [yaml.safe_load((CAPTURE / name).read_text(encoding="utf-8")) for name in names]


def devices(each):
    return each["spec"]["devices"]


def drift(planned, *objects):
    dump, found = read(*objects)
    assert found == []
    return compare(dump, planned.fleet.clusters[0], planned.catalog)


def told(made):
    return [(str(each.kind), each.message) for one in made.nodes for each in one.differences]


def test_capture(planned, slices):
    """The captured node differs in nothing, and the text says what was compared."""
    made = drift(planned, *slices)

    assert told(made) == []
    assert render_text(made) == (
        "no difference: compared the slices of 1 node and 24 devices with cluster dev\n"
    )


def test_capture_with_its_node(planned, slices):
    """With a Node object labels, taints, the kubelet and the count are compared."""
    right = node("node-a", LABELS, [TAINT, {"key": "node.kubernetes.io/x", "effect": "NoExecute"}])

    made = drift(planned, *slices, right)

    assert (told(made), made.pools) == ([], {})
    assert "labels, taints, kubelets and counts of 1 node" in render_text(made)


def test_dead_interface(planned, slices):
    """A missing EFA interface is told, with the partitions that it breaks."""
    dead = next(each for each in devices(slices[1]) if "EFA" in json.dumps(each))
    devices(slices[1]).remove(dead)

    made = drift(planned, *slices)

    assert told(made) == [("device-missing", f"1 EFA interface missing: {dead['name']} (7 of 8)")]
    assert made.nodes[0].partitions == (BrokenPartition("row", 4, 3),)
    assert "  breaks partition row: it fits 3 times, not 4 times\n" in render_text(made)


def test_devices(planned, slices):
    """A missing device and one that nobody predicted are told by name; names do not matter."""
    gone = devices(slices[0]).pop()
    extra = copy.deepcopy(devices(slices[0])[0])
    extra["name"], extra["attributes"]["deviceId"] = "neuron-device-77", {"int": 77}
    devices(slices[0]).append(extra)
    for each in devices(slices[0])[:5]:
        each["name"] = f"renamed-{each['name']}"

    found = told(drift(planned, *slices))

    assert found == [
        ("device-missing", f"1 device missing: {gone['name']} (16 of 16)"),
        ("device-extra", "1 device not predicted: neuron-device-77 (16 of 16)"),
    ]


def change(attributes, how):
    match how:
        case "missing":
            del attributes["topology_x"]
        case "extra":
            attributes["a.example/new"] = {"string": "x"}
        case "value":
            attributes["topology_x"] = {"int": 9}
        case "type":
            attributes["topology_x"] = {"string": "1"}
        case "qualified":
            attributes["neuron.aws.com/topology_x"] = attributes.pop("topology_x")
        case "live":
            attributes["networkNodeLayer1"] = {"string": "nn-other"}
        case "live type":
            attributes["networkNodeLayer1"] = {"int": 1}


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("missing", ("attribute-missing", "attribute `neuron.aws.com/topology_x` is missing")),
        ("extra", ("attribute-extra", "attribute `a.example/new` is not predicted")),
        ("value", ("attribute-value", "attribute `neuron.aws.com/topology_x` is `9`, not `1`")),
        (
            "type",
            (
                "attribute-type",
                "attribute `neuron.aws.com/topology_x` has the type string, not int",
            ),
        ),
        ("qualified", None),
        ("live", None),
        (
            "live type",
            (
                "attribute-type",
                "attribute `neuron.aws.com/networkNodeLayer1` has the type int, not string",
            ),
        ),
    ],
)
def test_attributes(planned, slices, how, expected):
    """What is wrong with an attribute is told; a live value and a written-out domain are right."""
    change(devices(slices[0])[0]["attributes"], how)

    found = told(drift(planned, *slices))

    name = devices(slices[0])[0]["name"]
    assert found == ([(expected[0], f"{expected[1]} on {name}")] if expected else [])


def test_attribute_on_all_devices(planned, slices):
    """A difference that all devices have is told once."""
    for each in devices(slices[0]):
        change(each["attributes"], "missing")

    (found,) = told(drift(planned, *slices))

    assert found[1].endswith("is missing on all 16 devices")


def test_groups(planned, slices):
    """Other ids of groups are no difference, but other groups are."""
    group = "resource.aws.com/devicegroup4_id"
    renamed = copy.deepcopy(slices)
    for each in (*devices(renamed[0]), *devices(renamed[1])):
        if group in each["attributes"]:
            each["attributes"][group]["string"] += "-other"
    devices(slices[0])[0]["attributes"][group] = {"string": "alone"}

    assert told(drift(planned, *renamed)) == []
    made = drift(planned, *slices)
    assert [kind for kind, _ in told(made)] == ["group"]
    assert [each.name for each in made.nodes[0].partitions] == ["row"]


def test_driver_version(planned, slices):
    """A driver version that the pool does not say is told once for the node."""
    for each in devices(slices[0]):
        each["attributes"]["neuronDriverVersion"] = {"string": "2.20.0.0"}

    assert told(drift(planned, *slices)) == [
        ("driver-version", "Neuron driver 2.20.0.0, the specs say 2.26.10.0")
    ]


def test_driver_that_publishes_nothing(planned, slices):
    """A driver without slices on a node is one difference, not one for each device."""
    made = drift(planned, slices[0])

    assert told(made) == [("driver-missing", "driver `dra.net` publishes none of 8 devices")]
    assert made.nodes[0].partitions == (BrokenPartition("row", 4, 0),)


def test_generations(planned, slices):
    """Only the newest generation counts, and a pool without all its slices is told."""
    old = copy.deepcopy(slices[0])
    old["metadata"]["name"] += "-old"
    old["spec"]["pool"]["generation"] = 0
    devices(old).clear()
    assert told(drift(planned, *slices, old)) == []

    slices[0]["spec"]["pool"]["resourceSliceCount"] = 2
    (found,) = told(drift(planned, *slices))
    assert found == ("pool-incomplete", "pool `node-a` has 1 of 2 slices, so it gives no devices")


def test_other_drivers(planned, slices):
    """Slices of a driver that the specs do not know are counted, and no difference."""
    made = drift(planned, *slices, node_slice("node-a", 1), node_slice("node-b", 1))

    assert (made.count, made.others) == (0, {"a.example": 2})
    assert "not compared: 2 slices of driver a.example\n" in render_text(made)


def test_node(planned, slices):
    """Another label, taint or kubelet, and too many nodes, are told."""
    wrong = node(
        "node-a",
        {**LABELS, "pool": "x"},
        [{"key": "k", "value": "v", "effect": "NoExecute"}],
        "v1.35.1-eks",
    )
    bare = node("node-b", {TYPE: "trn1.32xlarge"}, [TAINT], version="")
    third = node("node-c", LABELS, [TAINT])
    cpu = node("node-d", {TYPE: "m5.large"})

    made = drift(planned, *slices, wrong, bare, third, cpu)

    by_node = {each.node: [one.message for one in each.differences] for each in made.nodes}
    assert by_node["node-a"] == [
        "label `pool` is `x`, pool `main` has `main`",
        "taint `aws.amazon.com/neuron:NoSchedule` is missing",
        "taint `k=v:NoExecute` is not in the specs",
        "kubelet 1.35.1, `nodeVersion` is 1.36.2",
    ]
    assert by_node["node-b"][2:] == ["label `pool` is missing, pool `main` has `main`"]
    assert [kind for kind, _ in told(made)].count("driver-missing") == 4
    assert "node-d" not in by_node
    assert made.pools["main"].message == "3 nodes, the specs say 1 to 2"
    assert "pool main: node-count: 3 nodes, the specs say 1 to 2\n" in render_text(made)


def test_instance_type_of_no_pool(planned):
    """A node of a known instance type that no pool has is told."""
    made = drift(planned, node("node-a", {TYPE: "inf2.48xlarge"}))

    assert told(made)[0] == (
        "instance-type",
        "`inf2.48xlarge` is the instance type of no pool of the cluster",
    )
    assert made.pools["main"].message == "0 nodes, the specs say 1 to 2"
    assert "node-a (inf2.48xlarge):\n" in render_text(made)


def test_nodes_that_differ_alike(planned, slices):
    """Nodes with equal differences are told together."""
    text = json.dumps(slices[0])
    each = [json.loads(text.replace("node-a", f"node-{number}")) for number in range(6)]

    lines = render_text(drift(planned, *each)).splitlines()

    assert lines[0] == "node-0, node-1, node-2, node-3 and 2 more (pool main, trn1.32xlarge):"
    assert lines[-1].startswith("6 differences: compared the slices of 6 nodes and 96 devices")


def test_json(planned, slices):
    """JSON has every node, with its differences and what they break."""
    data = json.loads(render_json(drift(planned, slices[0])))

    assert data["schemaVersion"] == 1
    assert (data["cluster"], data["differences"], data["pools"]) == ("dev", 1, {})
    (only,) = data["nodes"]
    assert only["differences"][0]["kind"] == Kind.DRIVER_MISSING
    assert only["partitions"] == [{"name": "row", "expected": 4, "real": 0}]
