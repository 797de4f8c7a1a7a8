"""Pods of a workload against the nodes that there can ever be, by numbers.

In: a workload's plan. Out: diagnostics of pods that would stay Pending on free nodes, or whose
claims a quota would refuse. Nodes that
others use at the same time are not counted: this finds what can never fit.
"""

from __future__ import annotations

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.cluster import WorkloadPlan
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.profile import Pool
from neuron_dra.source import Span
from neuron_dra.spec.workload import WorkloadSpec


def check_demand(plan: WorkloadPlan, cluster: str) -> list[Diagnostic]:
    """Refuse a workload with more pods than its pools can ever hold."""
    spec = plan.workload.spec
    room = _room(plan)
    if room is None or spec.pods <= room:
        return []
    return [
        codes.WORKLOAD_EXCEEDS_FLEET.at(
            place_of_number(spec),
            f"the workload has {_pods_words(spec)} with a claim of partition "
            f"`{plan.partition.partition.metadata.name}` each, and "
            f"the pools of cluster `{cluster}` hold {room} such claims when they are empty",
            related=[
                Related(pool.spec.places.span, _pool_words(plan, pool)) for pool in plan.pools
            ],
            help="ask for fewer pods, or raise the number of nodes",
        )
    ]


def check_quota(plan: WorkloadPlan, cluster: str) -> list[Diagnostic]:
    """Refuse a workload whose claims together are more than the quota of its namespace.

    A class of which no namespace may claim enough for one pod is told with the quota.
    """
    if plan.tenant is None or not plan.tenant.quota:
        return []
    spec, namespace = plan.workload.spec, plan.workload.metadata.namespace
    quotas = plan.tenant.quota
    return [
        codes.WORKLOAD_EXCEEDS_QUOTA.at(
            place_of_number(spec),
            f"the claims of {_pods_words(spec)} take {spec.pods * charge} devices of class "
            f"`{name}`, and namespace `{namespace}` of cluster `{cluster}` may claim "
            f"{quotas[namespace][name]}",
            related=[Related(plan.tenant.tenant.spec.places.key("quota"), "the quota")],
            help="ask for fewer pods, or raise the quota",
        )
        for name, charge in sorted(plan.partition.claim.charges().items())
        if quotas[namespace].get(name, spec.pods * charge) < spec.pods * charge
        and any(each[name] >= charge for each in quotas.values())
    ]


def place_of_number(spec: WorkloadSpec) -> Span:
    """Return the key that says how many pods there are."""
    return spec.places.value("size" if spec.places.has("size") else "replicas")


def _pods_words(spec: WorkloadSpec) -> str:
    if spec.replicas > 1 and spec.size > 1:
        return f"{spec.replicas} times {spec.size} pods"
    return f"{spec.pods} pods" if spec.pods > 1 else "1 pod"


def _room(plan: WorkloadPlan) -> int | None:
    """Return how many claims fit on empty nodes; None when a pool does not say its size."""
    total = 0
    for pool in plan.pools:
        if pool.most is None:
            return None
        total += pool.most * claims_on(plan.partition, pool)
    return total


def claims_on(partition: PlannedPartition, pool: Pool) -> int:
    """Return how many claims of a partition a free node of a pool holds."""
    held = partition.held.get(pool.type.name)
    if held is not None:
        return held
    shapes = [shape for shape in partition.shapes if pool.name in shape.pools]
    return max((claims_per_node(shape, pool) for shape in shapes), default=0)


def claims_per_node(shape: PlannedShape, pool: Pool) -> int:
    """Return how many claims of a shape without selectors an empty node of a pool holds."""
    if shape.ultra_server_nodes is not None:
        return 1
    by_devices = pool.type.device_count // shape.devices
    interfaces = pool.type.efa_interfaces or 0
    return min(by_devices, interfaces // shape.efa) if shape.efa else by_devices


def _pool_words(plan: WorkloadPlan, pool: Pool) -> str:
    per_node = claims_on(plan.partition, pool)
    nodes = "1 node" if pool.most == 1 else f"{pool.most} nodes"
    return f"`{pool.name}`: {nodes}, {per_node} on each"
