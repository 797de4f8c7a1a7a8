"""Drift as text and as JSON.

In: a `Drift`. Out: a text. Nodes with equal differences are told together. The JSON is for programs
and stays as it is within one `schemaVersion`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from neuron_dra.simulation.drift.devices import shorten
from neuron_dra.simulation.drift.difference import Difference, Drift, NodeDrift

SCHEMA_VERSION = 1


def render_json(drift: Drift) -> str:
    """Return a drift for programs."""
    data = {
        "schemaVersion": SCHEMA_VERSION,
        "cluster": drift.cluster,
        "differences": drift.count,
        "nodes": [_node_data(each) for each in drift.nodes],
        "pools": {name: _difference_data(each) for name, each in drift.pools.items()},
        "otherDrivers": drift.others,
    }
    return json.dumps(data, indent=2) + "\n"


def render_text(drift: Drift) -> str:
    """Return what differs, and what was compared."""
    lines = [line for nodes in _alike(drift) for line in _node_lines(nodes)]
    lines += [f"pool {name}: {each.kind}: {each.message}" for name, each in drift.pools.items()]
    for name, count in drift.others.items():
        lines.append(f"not compared: {_count(count, 'slice')} of driver {name}")
    return "\n".join([*lines, _summary(drift), ""])


def _alike(drift: Drift) -> Iterator[list[NodeDrift]]:
    groups: dict[object, list[NodeDrift]] = {}
    for each in drift.nodes:
        if each.differences:
            key = (each.pool, each.instance_type, each.differences, each.partitions)
            groups.setdefault(key, []).append(each)
    yield from groups.values()


def _node_lines(nodes: list[NodeDrift]) -> Iterator[str]:
    first = nodes[0]
    pool = f"pool {first.pool}, " if first.pool else ""
    yield f"{shorten([each.node for each in nodes])} ({pool}{first.instance_type}):"
    for each in first.differences:
        yield f"  {each.kind}: {each.message}"
    for broken in first.partitions:
        yield (
            f"  breaks partition {broken.name}: "
            f"it fits {_times(broken.real)}, not {_times(broken.expected)}"
        )


def _summary(drift: Drift) -> str:
    compared = f"{_count(len(drift.nodes), 'node')} and {_count(drift.devices, 'device')}"
    what = "slices, labels, taints, kubelets and counts" if drift.with_nodes else "slices"
    verdict = _count(drift.count, "difference") if drift.count else "no difference"
    return f"{verdict}: compared the {what} of {compared} with cluster {drift.cluster}"


def _node_data(each: NodeDrift) -> dict[str, Any]:
    return {
        "node": each.node,
        "pool": each.pool,
        "instanceType": each.instance_type,
        "differences": [_difference_data(one) for one in each.differences],
        "partitions": [broken._asdict() for broken in each.partitions],
    }


def _difference_data(each: Difference) -> dict[str, Any]:
    return {"kind": str(each.kind), "message": each.message, "devices": list(each.devices)}


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
