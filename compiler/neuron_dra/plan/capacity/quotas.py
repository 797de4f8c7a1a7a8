"""Quotas against the hardware that there can ever be.

In: a planned cluster. Out: diagnostics of quotas that admit more devices of a class than all pools
of the cluster have with all their nodes. That quotas of several tenants are more together is
common, and not said; nor is anything said where a pool does not say how many nodes it may have.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import capacity as codes
from neuron_dra.plan.cluster import ClusterPlan, TenantPlan
from neuron_dra.plan.profile import Pool
from neuron_dra.spec.tenant import Quota


def check_quotas(cluster: ClusterPlan) -> Iterator[Diagnostic]:
    """Warn of quotas that the cluster cannot fulfil."""
    for tenant in cluster.tenants:
        for index, quota in enumerate(tenant.tenant.spec.quota):
            pools = _list_pools(cluster, quota)
            room = _count_units(pools)
            if pools and room is not None and quota.amount > room:
                yield _exceeds(cluster, tenant, index, pools, room)


def _list_pools(cluster: ClusterPlan, quota: Quota) -> list[Pool]:
    """Return the pools whose devices a quota counts."""
    return [
        pool
        for pool in cluster.profile.dra_pools
        if (
            pool.type.name == quota.instance_type
            if quota.instance_type is not None
            else pool.type.chip.name == quota.chip
            and pool.type.serves_nodes == (quota.nodes is not None)
        )
    ]


def _count_units(pools: list[Pool]) -> int | None:
    """Return the devices, or the nodes, of pools; None: a pool does not say how many."""
    total = 0
    for pool in pools:
        if pool.most is None:
            return None
        total += pool.most * (pool.type.device_count if pool.type.serves_devices else 1)
    return total


def _exceeds(
    cluster: ClusterPlan, tenant: TenantPlan, index: int, pools: list[Pool], room: int
) -> Diagnostic:
    spec = tenant.tenant.spec
    quota = spec.quota[index]
    unit = "devices" if quota.devices is not None else "nodes"
    hardware = quota.instance_type or quota.chip
    return codes.QUOTA_EXCEEDS_FLEET.at(
        quota.places.value(unit),
        f"tenant `{tenant.tenant.metadata.name}` may claim {quota.amount} {unit} of `{hardware}`, "
        f"and cluster `{cluster.name}` has {room} when all its nodes are there",
        related=[
            Related(pool.spec.places.span, f"`{pool.name}`: {_count_words(pool)}") for pool in pools
        ],
        help="lower the quota, or raise the number of nodes",
    )


def _count_words(pool: Pool) -> str:
    return "1 node" if pool.most == 1 else f"{pool.most} nodes"
