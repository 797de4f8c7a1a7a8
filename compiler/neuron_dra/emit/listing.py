"""`catalog.json`: what exists in a cluster, for those who look for a partition.

In: a cluster's pools and controllers, planned partitions and where they are granted. Out: JSON, one
line for each pool and each partition.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.plan.offer import offer_of
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.profile import Pool
from neuron_dra.plan.witness import Witness
from neuron_dra.spec.cluster import Consumers
from neuron_dra.spec.pool import Capacity

CATALOG = "catalog.json"
SCHEMA_VERSION = 1


class GrantListing(NamedTuple):
    """Who may claim a partition."""

    tenant: str
    owner: str | None
    namespaces: tuple[str, ...]


class Listing(NamedTuple):
    """A partition in a cluster.

    Attributes:
        facts: the JSON members that are equal wherever the partition is.
    """

    name: str
    facts: str
    grants: tuple[GrantListing, ...]


class ClusterListing(NamedTuple):
    """What exists in a cluster.

    Attributes:
        facts: the JSON members that come before the partitions.
    """

    facts: str
    partitions: tuple[Listing, ...]


def cluster_facts(plan: ClusterPlan) -> str:
    """Return the JSON members of a cluster that are not about its partitions."""
    spec = plan.spec
    pools = ",\n".join(f"  {json.dumps(_pool_facts(pool))}" for pool in plan.profile.pools)
    return (
        f' "cluster": {json.dumps(plan.name)},\n'
        f' "region": {json.dumps(spec.region)},\n'
        f' "owner": {json.dumps(spec.owner)},\n'
        f' "kubernetes": {json.dumps(spec.kubernetes)},\n'
        f' "consumers": {json.dumps(_versions(spec.consumers))},\n'
        f' "pools": [\n{pools}\n ],\n'
    )


def _versions(consumers: Consumers | None) -> dict[str, str]:
    """Return the versions of the controllers that are installed, by the names of the spec."""
    if consumers is None:
        return {}
    found = {name: getattr(consumers, key.attribute) for name, key in Consumers.KEYS.items()}
    return {name: each.version for name, each in found.items() if each is not None}


def _pool_facts(pool: Pool) -> dict[str, Any]:
    capacity = pool.spec.capacity
    return {
        "name": pool.name,
        "instanceType": pool.type.name,
        "nodes": {"min": pool.least, "max": pool.most},
        "zones": list(pool.spec.zones),
        "capacity": _capacity_facts(capacity) if capacity else None,
    }


def _capacity_facts(capacity: Capacity) -> dict[str, Any]:
    return {
        "type": capacity.type,
        "capacityBlockId": capacity.capacity_block_id,
        "endDate": capacity.end_date,
    }


def partition_facts(planned: PlannedPartition) -> str:
    """Return the JSON members of a partition that do not depend on who is granted it."""
    spec = planned.partition.spec
    lifecycle = spec.lifecycle
    facts: dict[str, Any] = {
        "template": planned.name,
        "description": spec.description,
        "owner": spec.owner,
        "deprecated": bool(lifecycle and lifecycle.deprecated),
        "replacedBy": lifecycle.replaced_by if lifecycle else None,
        "removeAfter": lifecycle.remove_after if lifecycle else None,
        "shapes": [_shape_facts(shape) for shape in planned.shapes],
        "witnesses": [_witness_facts(witness) for witness in planned.witnesses],
    }
    return json.dumps(facts)[1:-1]


def _shape_facts(shape: PlannedShape) -> dict[str, Any]:
    first = shape.types[0]
    return {
        "instanceTypes": [kind.name for kind in shape.types],
        "chip": first.chip.name,
        "deviceClass": shape.class_name,
        "ultraServerNodes": shape.ultra_server_nodes,
        **offer_of(shape, first).members,
        "pools": list(shape.pools),
    }


def _witness_facts(witness: Witness) -> dict[str, Any]:
    """Return what a claim gets on a free node, in the order of allocation."""
    return {
        "pools": list(witness.pools),
        "instanceType": witness.type.name,
        "entry": witness.entry or None,
        "basis": witness.basis,
        "devices": {request: list(names) for request, names in witness.devices.items()},
    }


def write_catalog(listing: ClusterListing) -> bytes:
    """Return the catalogue file of a cluster."""
    lines = [
        f'  {{"name": {json.dumps(name)}, "grants": {_grants(grants)}, {facts}}}'
        for name, facts, grants in listing.partitions
    ]
    return (
        f'{{"schemaVersion": {SCHEMA_VERSION},\n{listing.facts}'
        ' "partitions": [\n' + ",\n".join(lines) + "\n ]}\n"
    ).encode()


def _grants(grants: tuple[GrantListing, ...]) -> str:
    return json.dumps([grant._asdict() for grant in grants])
