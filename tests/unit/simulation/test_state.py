"""Clusters as they are planned."""

from __future__ import annotations

import pytest

from neuron_dra.api.pipeline import analyse
from neuron_dra.simulation.drift.compare import compare
from neuron_dra.simulation.dump import Dump
from neuron_dra.simulation.state import state_of_plan
from neuron_dra.source import Source
from unit.simulation.small import node, read

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
    nodes: {min: 11, max: 20}
    nodeSelector: {pool: main}
    taints: [{key: k, effect: NoSchedule}]
    neuronDrivers: VERSIONS
  - {name: plain, instanceType: trn2.48xlarge, mechanism: {neuron: device-plugin}}
"""
VERSION = "neuron.aws.com/neuronDriverVersion"


def analysis_of(versions):
    made = analyse([Source("specs.yaml", SPECS.replace("VERSIONS", versions).encode())])
    assert made.is_sound, made.diagnostics
    return made


def planned(versions):
    made = analysis_of(versions)
    return state_of_plan(made.fleet.clusters[0], made.catalog, Dump())


def test_nodes():
    """A pool has its fewest nodes, at least one, named so that their order is that of numbers."""
    state = planned("[2.26.10.0]")

    names = [each.name for each in state.nodes]
    assert names == [*(f"main-{number:02}" for number in range(11)), "plain-0"]
    assert state.nodes[0].labels == {
        "pool": "main",
        "node.kubernetes.io/instance-type": "trn1.32xlarge",
        "kubernetes.io/hostname": "main-00",
    }
    assert [taint.key for taint in state.nodes[0].taints] == ["k"]


def test_drivers():
    """A driver publishes where it hands out the devices of a pool."""
    published = {(each.node_name, each.driver) for each in planned("[2.26.10.0]").slices}

    assert ("main-00", "neuron.aws.com") in published
    assert {driver for name, driver in published if name == "plain-0"} == {"dra.net"}


@pytest.mark.parametrize(
    ("versions", "known"), [("[2.26.10.0]", True), ("[2.26.10.0, 2.30.2.0]", False)]
)
def test_driver_version(versions, known):
    """The driver version of a node is known where its pool has one only."""
    state = planned(versions)

    assert (VERSION not in state.unknown) is known
    assert "neuron.aws.com/networkNodeLayer1" in state.unknown


def test_pool_of_any_size():
    """A pool that says no number of nodes has no wrong number of them."""
    made = analysis_of("[2.26.10.0]")
    labels = {"node.kubernetes.io/instance-type": "trn2.48xlarge"}
    dump, _ = read(*(node(f"n{index}", labels) for index in range(3)))

    assert set(compare(dump, made.fleet.clusters[0], made.catalog).pools) == {"main"}
