"""Instance types answer from their facts, and say when nobody knows."""

from __future__ import annotations

import pytest

from neuron_dra.catalog.facts import Answer

INSTANCE = "instances/a.large.yaml"
UNKNOWN = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: InstanceType
metadata: {name: b.large}
spec:
  chip: chip-a
  devices: {count: 4, source: a test, date: 2026-01-01}
"""


@pytest.fixture
def known(files):
    return files.open().instance_type("a.large")


@pytest.fixture
def unknown(files):
    files.files["instances/b.large.yaml"] = UNKNOWN
    return files.open().instance_type("b.large")


def test_counts(known):
    """Counts come from the file, the chip and the device map together."""
    assert known.device_count == 4
    assert known.efa_interfaces == 2
    assert known.hbm_gib == 40
    assert known.torus == (2, 2)
    assert known.devices_per_efa == 2
    assert known.node_sizes == (1, 2, 4)


def test_logical_cores(known):
    """Logical cores are physical cores by their size, of all devices or of some."""
    assert known.logical_cores(1) == 32
    assert known.logical_cores(2) == 16
    assert known.logical_cores(2, devices=1) == 4


def test_efa_for(known):
    """A single device of a pair has one interface, a size without groups has no answer."""
    assert [known.efa_for(devices) for devices in (1, 2, 3, 4)] == [1, 1, None, 2]


def test_connected_sets(known):
    """Connected sets are runs of device ids; other sizes have none."""
    assert known.connected_sizes == (1, 2, 4)
    assert known.connected_sets(2) == ((0, 1), (2, 3))
    assert known.connected_sets(3) == ()


def test_publishes(known):
    """An attribute is published, unknown, or absent because it is not listed."""
    assert known.publishes("neuron.example.com/deviceId") is Answer.YES
    assert known.publishes("neuron.example.com/layer") is Answer.UNKNOWN
    assert known.publishes("neuron.example.com/row") is Answer.NO


def test_group_attribute(known):
    """A group attribute is given only when it is surely published."""
    assert known.group_attribute(2) == "shared.example.com/group2"
    assert known.group_attribute(4) is None
    assert known.group_attribute(3) is None


def test_serving(known):
    """It serves what its slices hold, and says whether anybody saw one."""
    assert known.served is Answer.YES
    assert known.serves_devices
    assert not known.serves_nodes
    assert known.is_observed
    assert known.accepts_neuron_config is Answer.YES


def test_server_id_label(known):
    """The label of nodes used together depends on how many they are."""
    assert known.server_id_label(2) == "example.com/server-2"
    assert known.server_id_label(4) is None


def test_not_served(files):
    """Where the driver never runs nothing is published, whatever the file lists."""
    files.edit(INSTANCE, "neuron: true", "neuron: false")
    made = files.open().instance_type("a.large")

    assert made.served is Answer.NO
    assert not made.serves_devices
    assert made.publishes("neuron.example.com/deviceId") is Answer.NO
    assert made.group_attribute(2) is None


def test_nodes_only(files):
    """An UltraServer node is served as a node and not as single devices."""
    files.edit(INSTANCE, "[neuron_device]", "[neuron_node]")
    made = files.open().instance_type("a.large")

    assert (made.serves_devices, made.serves_nodes) == (False, True)


def test_nothing_is_known(unknown):
    """Absent facts are unknown answers, never guesses."""
    assert unknown.served is Answer.UNKNOWN
    assert unknown.accepts_neuron_config is Answer.UNKNOWN
    assert unknown.publishes("neuron.example.com/deviceId") is Answer.UNKNOWN
    assert not unknown.is_observed
    assert not unknown.serves_devices
    assert not unknown.serves_nodes
    assert unknown.connected_sizes == ()
    assert unknown.efa_interfaces is None
    assert unknown.efa_for(4) is None
    assert unknown.devices_per_efa is None
    assert unknown.torus is None
    assert unknown.node_sizes == ()
    assert unknown.server_id_label(2) is None
    assert unknown.group_attribute(2) is None


def test_places(known):
    """Every fact knows its line, for the other end of a conflict."""
    span = known.facts.devices.places.value("count")

    assert str(span) == "targets/instances/a.large.yaml:6:20"
    assert span.source.line(span.line)[span.column : span.end_column] == "4"


def test_answers_are_true_only_when_sure():
    """Only a sure yes is true."""
    assert Answer.of(True)
    assert not Answer.of(False)
    assert not Answer.of(None)
    assert [Answer.of(fact).value for fact in (True, False, None)] == ["yes", "no", "unknown"]
