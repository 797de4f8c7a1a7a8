"""Pods of a workload against the nodes that there can ever be, by numbers.

In: a workload's plan. Out: diagnostics of pods that would stay Pending on free nodes. Nodes that
others use at the same time are not counted: this finds what can never fit.
"""

from __future__ import annotations

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.cluster import WorkloadPlan
from neuron_dra.plan.partition import PlannedShape
from neuron_dra.plan.profile import Pool


def check_demand(plan: WorkloadPlan, cluster: str) -> list[Diagnostic]:
    """Refuse a workload with more pods than its pools can ever hold."""
    spec = plan.workload.spec
    pods = spec.replicas * spec.size
    room = _room(plan)
    if room is None or pods <= room:
        return []
    key = "size" if spec.places.has("size") else "replicas"
    total = f"{spec.replicas} times {spec.size} pods" if spec.replicas > 1 else f"{pods} pods"
    return [
        codes.WORKLOAD_EXCEEDS_FLEET.at(
            spec.places.value(key),
            f"{total} claim partition `{plan.partition.partition.metadata.name}`, and the pools "
            f"of cluster `{cluster}` hold {room} such claims when they are empty",
            related=[
                Related(pool.spec.places.span, _pool_words(plan, pool)) for pool in plan.pools
            ],
            help="ask for fewer pods, or raise the number of nodes",
        )
    ]


def _room(plan: WorkloadPlan) -> int | None:
    """Return how many claims fit on empty nodes; None when a pool does not say its size."""
    total = 0
    for pool in plan.pools:
        if pool.most is None:
            return None
        total += pool.most * _per_node(plan, pool)
    return total


def _per_node(plan: WorkloadPlan, pool: Pool) -> int:
    held = plan.partition.held.get(pool.type.name)
    if held is not None:
        return held
    shapes = [shape for shape in plan.partition.shapes if pool.name in shape.pools]
    return max((claims_per_node(shape, pool) for shape in shapes), default=0)


def claims_per_node(shape: PlannedShape, pool: Pool) -> int:
    """Return how many claims of a shape without selectors an empty node of a pool holds."""
    if shape.ultra_server_nodes is not None:
        return 1
    by_devices = pool.type.device_count // shape.devices
    interfaces = pool.type.efa_interfaces or 0
    return min(by_devices, interfaces // shape.efa) if shape.efa else by_devices


def _pool_words(plan: WorkloadPlan, pool: Pool) -> str:
    per_node = _per_node(plan, pool)
    nodes = "1 node" if pool.most == 1 else f"{pool.most} nodes"
    return f"`{pool.name}`: {nodes}, {per_node} on each"
