"""Specs read as if every pool and partition named one instance type.

This is how one set of example specs fills a matrix of golden files, a column for each machine.
"""

from __future__ import annotations

from dataclasses import replace

from neuron_dra.spec.cluster import ClusterSpec
from neuron_dra.spec.documents import Specs
from neuron_dra.spec.partition import Partition, Shape
from neuron_dra.spec.tenant import Tenant
from neuron_dra.syntax.decode import value_key


def retarget(specs: Specs, instance_type: str) -> Specs:
    """Return the specs with the instance type in place of every other, and of every chip.

    Alternatives that then want the same become one.
    """
    return replace(
        specs,
        clusters={
            name: _cluster(cluster, instance_type) for name, cluster in specs.clusters.items()
        },
        partitions={
            name: _partition(partition, instance_type)
            for name, partition in specs.partitions.items()
        },
        tenants={name: _tenant(tenant, instance_type) for name, tenant in specs.tenants.items()},
    )


def _cluster(cluster: ClusterSpec, instance_type: str) -> ClusterSpec:
    pools = tuple(replace(pool, instance_type=instance_type) for pool in cluster.node_pools)
    resources = list(cluster.extended_resources.values())[:1]
    return replace(
        cluster,
        node_pools=pools,
        extended_resources=dict.fromkeys([instance_type][: len(resources)], *resources),
    )


def _partition(partition: Partition, instance_type: str) -> Partition:
    spec = partition.spec
    alternatives: dict[object, Shape] = {}
    for each in spec.first_available:
        shape = _shape(each, instance_type)
        alternatives.setdefault(value_key(shape), shape)
    if alternatives:
        made = replace(spec, first_available=tuple(alternatives.values()))
    else:
        made = replace(spec, instance_type=instance_type, chip=None)
    return replace(partition, spec=made)


def _shape(shape: Shape, instance_type: str) -> Shape:
    return replace(shape, instance_type=instance_type, chip=None)


def _tenant(tenant: Tenant, instance_type: str) -> Tenant:
    quota = tuple(
        replace(each, instance_type=instance_type, chip=None) for each in tenant.spec.quota
    )
    return replace(tenant, spec=replace(tenant.spec, quota=quota))
