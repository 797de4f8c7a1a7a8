"""`catalog.json`: what exists in a cluster, for those who look for a partition.

In: planned partitions and where they are granted. Out: JSON, one line for each partition.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from neuron_dra.plan.partition import PlannedPartition, PlannedShape

CATALOG = "catalog.json"
SCHEMA_VERSION = 1


class Listing(NamedTuple):
    """A partition in a cluster.

    Attributes:
        facts: the JSON members that are equal wherever the partition is.
    """

    name: str
    facts: str
    grants: tuple[tuple[str, tuple[str, ...]], ...]  # tenant, namespaces


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
    }
    return json.dumps(facts)[1:-1]


def _shape_facts(shape: PlannedShape) -> dict[str, Any]:
    kinds = shape.types
    first = kinds[0]
    devices = shape.devices if shape.ultra_server_nodes is None else first.device_count
    lnc = shape.logical_neuron_core or first.chip.logical_neuron_core.default
    efa = first.facts.efa
    gbps = efa.gbps_per_interface if efa else None
    return {
        "instanceTypes": [kind.name for kind in kinds],
        "chip": first.chip.name,
        "deviceClass": shape.class_name,
        "devices": devices,
        "ultraServerNodes": shape.ultra_server_nodes,
        "connected": shape.spec.connected or devices in (1, first.device_count),
        "logicalNeuronCore": lnc,
        "logicalNeuronCores": first.logical_cores(lnc, devices),
        "hbmGiB": first.chip.memory.hbm_gib * devices,
        "efaInterfaces": shape.efa,
        "efaGbps": gbps * shape.efa if gbps else None,
        "pools": list(shape.pools),
    }


def write_catalog(cluster: str, listing: tuple[Listing, ...]) -> bytes:
    """Return the catalogue file of a cluster."""
    lines = [
        f'  {{"name": {json.dumps(name)}, "grants": {_grants(grants)}, {facts}}}'
        for name, facts, grants in listing
    ]
    return (
        f'{{"schemaVersion": {SCHEMA_VERSION},\n "cluster": {json.dumps(cluster)},\n'
        ' "partitions": [\n' + ",\n".join(lines) + "\n ]}\n"
    ).encode()


def _grants(grants: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    return json.dumps([{"tenant": tenant, "namespaces": spaces} for tenant, spaces in grants])
