"""A cluster at one moment: nodes, slices, classes, and who holds which devices.

In: a dump, or a planned cluster whose nodes are predicted. Out: a `ClusterState`. Where a dump has
no Node objects, the nodes are those that its slices name. Chooses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.driver import Driver
from neuron_dra.kube.claim import DeviceClass, ResourceClaim
from neuron_dra.kube.node import INSTANCE_TYPE_LABEL, ClusterNode, Taint
from neuron_dra.kube.slice import ResourceSlice, Scalar
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.plan.drivers import neuron_driver
from neuron_dra.plan.profile import Pool
from neuron_dra.simulation.dump import CLAIM, ClaimWithStatus, Dump, Key
from neuron_dra.slices.predict import predict_slices

HOSTNAME_LABEL = "kubernetes.io/hostname"
DRIVERS = ("neuron", "efa")


@dataclass(frozen=True, slots=True)
class ClusterState:
    """What a scheduler sees.

    Attributes:
        nodes: sorted by name.
        claims: those that hold devices.
        templates: by namespace and name, the claims of compiled partitions.
        unknown: attributes of predicted slices that only a live node knows.
    """

    nodes: tuple[ClusterNode, ...]
    slices: tuple[ResourceSlice, ...]
    classes: Mapping[str, DeviceClass]
    claims: Mapping[Key, ClaimWithStatus] = field(default_factory=dict)
    templates: Mapping[tuple[str, str], ResourceClaim] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()


def state_of_dump(
    dump: Dump, asked: Dump, plan: ClusterPlan | None, *, free: bool = False
) -> ClusterState:
    """Return the state of a dumped cluster.

    Args:
        asked: what is asked for; classes that stand there are known too.
        plan: its classes and templates are known as well.
        free: as if no claim held a device.
    """
    classes = _classes([*(plan.classes if plan else ()), *asked.classes, *dump.classes])
    claims = {
        key: value
        for key, value in dump.objects.items()
        if key.kind == CLAIM and value.results and not free
    }
    nodes = dump.nodes or named_nodes(dump.slices)
    slices = tuple(dump.slices)
    return ClusterState(_sorted(nodes), slices, classes, claims, _templates(plan))


def state_of_plan(plan: ClusterPlan, catalog: Catalog, asked: Dump) -> ClusterState:
    """Return a free cluster as it is planned, with the fewest nodes that each pool has."""
    predicted = [(node, pool) for pool in plan.profile.pools for node in _predicted_nodes(pool)]
    slices = [
        each for node, pool in predicted for each in predicted_slices(pool, catalog, node.name)
    ]
    classes = _classes([*plan.classes, *asked.classes])
    unknown = frozenset(
        name
        for each in slices
        for device in each.devices
        for name, attribute in device.attributes.items()
        if attribute.live
    )
    nodes = _sorted(node for node, _ in predicted)
    return ClusterState(nodes, tuple(slices), classes, {}, _templates(plan), unknown)


def named_nodes(slices: Iterable[ResourceSlice]) -> list[ClusterNode]:
    """Return the nodes that slices name, with the label that every node has."""
    names = {each.node_name for each in slices} - {""}
    return [ClusterNode(name, {HOSTNAME_LABEL: name}) for name in sorted(names)]


def predicted_slices(
    pool: Pool, catalog: Catalog, node_name: str, live: Mapping[str, Scalar] | None = None
) -> tuple[ResourceSlice, ...]:
    """Return what the drivers of a pool are predicted to publish on one of its nodes."""
    values = {**_driver_version(pool, catalog), **(live or {})}
    return predict_slices(pool.type, pool_drivers(pool, catalog), node_name, values)


def pool_drivers(pool: Pool, catalog: Catalog) -> list[Driver]:
    """Return the drivers that hand out the devices of a pool."""
    by_dra = zip(DRIVERS, (pool.neuron_by_dra, pool.efa_by_dra), strict=True)
    drivers = (catalog.driver(name) for name, used in by_dra if used)
    return [driver for driver in drivers if driver is not None]


def _driver_version(pool: Pool, catalog: Catalog) -> dict[str, Scalar]:
    """Return the driver version that all nodes of a pool have, if there is one."""
    driver = neuron_driver(catalog)
    if driver is None or len(pool.drivers) != 1:
        return {}
    return {f"{driver.name}/{driver.driver_version}": pool.drivers[0]}


def _predicted_nodes(pool: Pool) -> Iterator[ClusterNode]:
    count = max(pool.least, 1)
    width = len(str(count - 1))
    taints = tuple(Taint(each.key_, each.value, each.effect) for each in pool.spec.taints)
    for number in range(count):
        name = f"{pool.name}-{number:0{width}}"
        own = {HOSTNAME_LABEL: name, INSTANCE_TYPE_LABEL: pool.type.name}
        yield ClusterNode(name, {**own, **pool.spec.node_selector}, taints)


def _templates(plan: ClusterPlan | None) -> dict[tuple[str, str], ResourceClaim]:
    return {
        (namespace, planned.name): ResourceClaim(planned.name, planned.claim, namespace)
        for tenant in (plan.tenants if plan else ())
        for namespace in tenant.tenant.spec.namespaces
        for planned in tenant.partitions
    }


def _classes(classes: Sequence[DeviceClass]) -> dict[str, DeviceClass]:
    return {each.name: each for each in classes}


def _sorted(nodes: Iterable[ClusterNode]) -> tuple[ClusterNode, ...]:
    return tuple(sorted(nodes, key=lambda node: node.name))
