"""A partition on the shipped catalogue, with the free node that proves it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from neuron_dra.catalog.locate import open_catalog
from neuron_dra.plan.drivers import neuron_driver
from neuron_dra.plan.empty_node import EmptyNode, EmptyNodes
from neuron_dra.plan.matching import Matching
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.promise import Numbering
from unit.plan.small_fleets import CLUSTER, PARTITION, TENANT, plan

CATALOG = open_catalog()
NODES = EmptyNodes(CATALOG, neuron_driver(CATALOG))
NUMBERING = Numbering.of(NODES.drivers)
GRANT = TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [p]}")


@dataclass(frozen=True)
class Proved:
    """A planned partition and a node that serves it."""

    partition: PlannedPartition
    node: EmptyNode
    matching: Matching


@cache
def prove(spec, instance_type="trn2.48xlarge"):
    """Plan one partition for a cluster with nodes of one type."""
    cluster = (CLUSTER % "c").replace("trn2.48xlarge", instance_type)
    fleet, _ = plan(cluster, PARTITION % ("p", spec), GRANT)
    profile = fleet.clusters[0].profile
    (partition,) = fleet.clusters[0].tenants[0].partitions
    shape = partition.shapes[0]
    node = NODES.node(partition, shape, shape.types[0], profile)
    return Proved(partition, node, Matching(node))
