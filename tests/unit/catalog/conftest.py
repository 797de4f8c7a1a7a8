"""A small catalogue in memory, whose files a test may replace one by one."""

from __future__ import annotations

import textwrap

import pytest

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.source import Source

ORIGIN = "source: a test, date: 2026-01-01"

FILES = {
    "chips/chip-a.yaml": f"""
        apiVersion: neuron-dra.dev/v1alpha1
        kind: Chip
        metadata: {{name: chip-a}}
        spec:
          displayName: Chip A
          neuronCores: {{perDevice: 8, version: v9, {ORIGIN}}}
          memory: {{hbmGiB: 10, {ORIGIN}}}
          logicalNeuronCore: {{allowed: [1, 2], default: 2, {ORIGIN}}}
        """,
    "device-maps/map-a.yaml": """
        apiVersion: neuron-dra.dev/v1alpha1
        kind: DeviceMap
        metadata: {name: map-a}
        spec:
          efa:
            addresses: ["0000:0a:00.0", "0000:0a:00.0", "0000:0b:00.0", "0000:0b:00.0"]
            source: a test
            date: 2026-01-01
          groups:
            ids: {2: [00000000000000aa, 00000000000000bb], 4: [00000000000000cc]}
            source: a test
            date: 2026-01-01
        """,
    "drivers/neuron.yaml": f"""
        apiVersion: neuron-dra.dev/v1alpha1
        kind: Driver
        metadata: {{name: neuron}}
        spec:
          driver: {{name: neuron.example.com, {ORIGIN}}}
          attributes:
            names:
              neuron.example.com/deviceId: {{type: int, value: deviceId}}
              neuron.example.com/row: {{type: int, value: row}}
              neuron.example.com/layer: {{type: string, live: true}}
              shared.example.com/group2: {{type: string, value: deviceGroup, size: 2}}
              shared.example.com/group4: {{type: string, value: deviceGroup, size: 4}}
            source: a test
            date: 2026-01-01
        """,
    "instances/a.large.yaml": f"""
        apiVersion: neuron-dra.dev/v1alpha1
        kind: InstanceType
        metadata: {{name: a.large}}
        spec:
          chip: chip-a
          devices: {{count: 4, hbmGiB: 40, {ORIGIN}}}
          served: {{neuron: true, reason: it is a test, {ORIGIN}}}
          neuronLink: {{topology: torus, rows: 2, columns: 2, {ORIGIN}}}
          connected: {{sizes: [4, 1, 2], {ORIGIN}}}
          neuronConfig: {{accepted: true, {ORIGIN}}}
          efa: {{interfaces: 2, gbpsPerInterface: 100, deviceMap: map-a, {ORIGIN}}}
          published:
            resourceTypes: [neuron_device]
            present: [neuron.example.com/deviceId, shared.example.com/group2]
            unknown: [neuron.example.com/layer]
            basis: observed
            source: a test
            date: 2026-01-01
          network: {{cards: 2, gbps: 200, {ORIGIN}}}
          numa: {{nodes: [[0, 3], [1, 2]], {ORIGIN}}}
          ultraServer:
            nodes: 4
            nodeSizes: [4, 2, 1]
            devices: 16
            hbmGiB: 160
            serverIdLabels: {{2: example.com/server-2}}
            source: a test
            date: 2026-01-01
        """,
}


class MemoryFiles:
    """Files by relative name, and a record of which were read."""

    def __init__(self, files):
        self.files = {name: textwrap.dedent(text).lstrip() for name, text in files.items()}
        self.reads = []

    def read(self, name):
        self.reads.append(name)
        text = self.files.get(name)
        return None if text is None else Source(f"targets/{name}", text.encode())

    def edit(self, name, old, new):
        assert old in self.files[name]
        self.files[name] = self.files[name].replace(old, new)

    def open(self):
        names = {}
        for name in self.files:
            folder, _, file = name.partition("/")
            names.setdefault(folder, []).append(file.removesuffix(".yaml"))
        return Catalog(self.read, names)


@pytest.fixture
def files():
    """The files of a small and sound catalogue."""
    return MemoryFiles(FILES)
