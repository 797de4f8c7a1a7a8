"""Shared memory: added where it is missing and needed."""

from __future__ import annotations

import pytest

SPEC = """
controller: Job
template:
  spec:
    containers:
    - name: train
      image: example.com/train:1
"""
MOUNT = {"name": "neuron-dra-shm", "mountPath": "/dev/shm"}


def pod_of(fleet, spec=SPEC):
    return fleet.objects(spec)["Job"].data["spec"]["template"]["spec"]


@pytest.mark.parametrize(("devices", "limit"), [(2, "32Gi"), (8, "128Gi"), (16, "256Gi")])
def test_limit(fleet, devices, limit):
    """The limit grows with the devices up to half of the instance's memory."""
    fleet.devices = devices
    pod = pod_of(fleet)

    assert pod["volumes"] == [
        {"name": "neuron-dra-shm", "emptyDir": {"medium": "Memory", "sizeLimit": limit}}
    ]
    assert pod["containers"][0]["volumeMounts"] == [MOUNT]


def test_half_of_the_memory(fleet):
    """The limit never exceeds half of the instance's memory."""
    fleet.kinds[0].facts.host.memory_gib = 100

    assert pod_of(fleet)["volumes"][0]["emptyDir"]["sizeLimit"] == "50Gi"


def test_unknown_memory(fleet):
    """Without a known host the devices alone count."""
    fleet.kinds[0].facts.host = None

    assert pod_of(fleet)["volumes"][0]["emptyDir"]["sizeLimit"] == "64Gi"


def test_whole_node(fleet):
    """The node of an UltraServer is all its devices."""
    fleet.devices, fleet.nodes = 1, 1

    assert pod_of(fleet)["volumes"][0]["emptyDir"]["sizeLimit"] == "256Gi"


def test_one_device(fleet):
    """One device does not need more than the default."""
    fleet.devices = 1

    assert "volumes" not in pod_of(fleet)


def test_own_mount(fleet):
    """What the user mounts there stays."""
    spec = SPEC + (
        "      volumeMounts: [{name: mine, mountPath: /dev/shm/}]\n"
        "    volumes: [{name: mine, emptyDir: {medium: Memory}}]\n"
    )
    pod = pod_of(fleet, spec)

    assert pod["volumes"] == [{"name": "mine", "emptyDir": {"medium": "Memory"}}]
    assert len(pod["containers"][0]["volumeMounts"]) == 1


def test_memory_limit(fleet):
    """A memory limit below the shared memory is worth a note."""
    diagnostic = fleet.only(SPEC + "      resources: {limits: {memory: 60Gi}}\n")

    assert diagnostic.code.slug == "shared-memory-above-limit"
    assert diagnostic.severity.word == "note"
    assert "60Gi of memory, less than the 64Gi" in diagnostic.message
    assert fleet.marked(diagnostic) == "60Gi"


def test_enough_memory(fleet):
    """A memory limit as large as the shared memory is no matter."""
    assert fleet.codes(SPEC + "      resources: {limits: {memory: 65536Mi}}\n") == []
