"""Workloads that small claims of others can leave without room.

In: a planned cluster. Out: a diagnostic for each workload and pool in which claims of a smaller
partition, in the worst places, leave room for fewer claims than the workload needs. A warning where
quotas admit as many as are there at once on the way; a note where no quota says how many there may
be; nothing where quotas admit fewer. What the workload's own namespace may claim counts without
what the workload takes.

Of several partitions the one is told that quotas admit, and of these the one that needs the fewest
claims. All nodes that the pool may ever have are there and otherwise empty, and what other pools
hold is subtracted from what the workload needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import capacity as codes
from neuron_dra.plan.capacity.report import Surveyor, count_claims
from neuron_dra.plan.capacity.rooms import PoolGrant, PoolRoom
from neuron_dra.plan.capacity.together import list_known_rooms
from neuron_dra.plan.cluster import ClusterPlan, TenantPlan, WorkloadPlan
from neuron_dra.plan.demand import place_of_number


class Threat(NamedTuple):
    """Claims of a partition that are enough to leave too little room.

    Attributes:
        admitted: how many of them quotas admit; None: somebody has no quota.
    """

    grant: PoolGrant
    claims: int
    admitted: int | None


def check_blocking(cluster: ClusterPlan, surveyor: Surveyor) -> Iterator[Diagnostic]:
    """Tell of workloads that small claims can leave without room."""
    if not cluster.workloads:
        return
    rooms = list_known_rooms(cluster, surveyor.rooms)
    for plan in cluster.workloads:
        serving = [
            (at, grant, held)
            for at in rooms
            for grant in at.grants
            if grant.planned is plan.partition and (held := _hold(at, grant))
        ]
        if len(serving) < len(plan.pools):
            continue  # it may land where nothing is known
        total = sum(held for _, _, held in serving)
        for at, grant, held in serving:
            needed = plan.workload.spec.pods - (total - held)
            if 0 < needed <= held and not grant.is_node:
                yield from _judge(cluster, plan, at, grant, needed, surveyor)


def _hold(at: PoolRoom, grant: PoolGrant) -> int:
    """Return how many claims of a partition a pool holds when all its nodes are empty."""
    return (at.pool.most or 0) * (count_claims(at, grant) or 0)


def _judge(
    cluster: ClusterPlan,
    plan: WorkloadPlan,
    at: PoolRoom,
    grant: PoolGrant,
    needed: int,
    surveyor: Surveyor,
) -> Iterator[Diagnostic]:
    surplus = _hold(at, grant) - needed + 1
    threats = [
        threat
        for small in at.grants
        if small.chips < grant.chips
        and (threat := _threat(plan, at, small, grant, surplus, surveyor)) is not None
    ]
    if threats:
        worst = min(threats, key=lambda each: (each.admitted is None, each.claims))
        yield _blocked(cluster, plan, at, needed, worst)


def _threat(
    plan: WorkloadPlan,
    at: PoolRoom,
    small: PoolGrant,
    big: PoolGrant,
    surplus: int,
    surveyor: Surveyor,
) -> Threat | None:
    """Return the claims that take some places from a partition, unless quotas forbid them."""
    blockade = surveyor.pair(at, small, big).blockade
    if blockade is None:
        return None
    most = count_claims(at, big) or 0
    known = blockade.tolls if len(blockade.tolls) == most + 1 else ()
    tolls = known or (*(len(blockade.placements),) * most, 0)
    claims = count_enough(tolls, at.pool.most or 0, surplus)
    present = claims + blockade.peak - len(blockade.placements)
    admitted = _count_admitted(plan, small)
    return None if admitted is not None and admitted < present else Threat(small, claims, admitted)


def count_enough(tolls: Sequence[int], nodes: int, places: int) -> int:
    """Return how many claims are enough to take places from a partition on some nodes.

    Args:
        tolls: by number, the claims after which at most so many places are left on a node.
        places: how many to take; at most as many as the nodes have.
    """
    total = 0
    for before, after in _list_steps(tolls):
        size, price = before - after, tolls[after] - tolls[before]
        whole = min(nodes, places // size)
        total, places = total + whole * price, places - whole * size
        if places and whole < nodes:
            return total + min(
                tolls[left] - tolls[before] for left in range(before) if before - left >= places
            )
    return total


def _list_steps(tolls: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield how to empty a node, each step the one that takes most for a claim."""
    before = len(tolls) - 1
    while before:
        after = min(
            range(before),
            key=lambda left: ((tolls[left] - tolls[before]) / (before - left), left),
        )
        yield before, after
        before = after


def _count_admitted(plan: WorkloadPlan, small: PoolGrant) -> int | None:
    """Return how many claims of a partition quotas admit; None: somebody has no quota."""
    total = 0
    for tenant in small.tenants:
        if not tenant.quota:
            return None
        for namespace, hard in tenant.quota.items():
            own = _taken_by(plan, tenant, namespace)
            left = {name: max(0, amount - own.get(name, 0)) for name, amount in hard.items()}
            charges = small.planned.claim.charges()
            total += min(left[name] // charges[name] for name in charges if name in left)
    return total


def _taken_by(plan: WorkloadPlan, tenant: TenantPlan, namespace: str) -> Mapping[str, int]:
    """Return what a workload takes of the quota of a namespace."""
    if plan.tenant is not tenant or plan.workload.metadata.namespace != namespace:
        return {}
    pods = plan.workload.spec.pods
    return {name: pods * charge for name, charge in plan.partition.claim.charges().items()}


def _blocked(
    cluster: ClusterPlan, plan: WorkloadPlan, at: PoolRoom, needed: int, threat: Threat
) -> Diagnostic:
    small = threat.grant
    tenants = " and ".join(f"`{each.tenant.metadata.name}`" for each in small.tenants)
    code = codes.WORKLOAD_BLOCKABLE if threat.admitted is None else codes.WORKLOAD_BLOCKED
    limit = (
        f"and no quota limits those of {tenants}"
        if threat.admitted is None
        else f"and the quota of {tenants} admits {threat.admitted}"
    )
    claims = f"{threat.claims} claim{'' if threat.claims == 1 else 's'} of `{small.name}`"
    return code.at(
        place_of_number(plan.workload.spec),
        f"the workload needs room for {needed} claim{'' if needed == 1 else 's'} of "
        f"`{plan.partition.partition.metadata.name}` in pool `{at.pool.name}` of cluster "
        f"`{cluster.name}`; {claims} in the worst places are enough to leave less, {limit}",
        related=[
            Related(at.pool.spec.places.span, f"the nodes that both share: {at.pool.most}"),
            Related(small.shape.spec.places.span, f"takes {small.chips} of {len(at.chips)} chips"),
        ],
        help=f"give `{small.name}` a pool of its own, or a quota below {claims}; "
        "`neuron-dra capacity` draws the places",
    )
