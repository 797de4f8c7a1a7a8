"""A dumped cluster against its specs, node by node.

In: a dump, a planned cluster and the catalogue. Out: a `Drift`. The instance type of a node is what
its own slices say, or else its label. A node without DRA devices that no pool wants is not looked
at. Of each pool of slices only the newest generation counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.driver import Driver
from neuron_dra.kube.node import INSTANCE_TYPE_LABEL, ClusterNode
from neuron_dra.kube.slice import ResourceSlice, Scalar
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.plan.drivers import EfaDriver, efa_driver, neuron_driver
from neuron_dra.plan.profile import Pool
from neuron_dra.simulation.drift.devices import (
    DeviceComparison,
    Published,
    compare_groups,
    published,
)
from neuron_dra.simulation.drift.difference import (
    BrokenPartition,
    Difference,
    Drift,
    Kind,
    NodeDrift,
)
from neuron_dra.simulation.drift.nodes import belongs, compare_count, compare_node
from neuron_dra.simulation.drift.partitions import broken_partitions
from neuron_dra.simulation.dump import Dump
from neuron_dra.simulation.state import named_nodes, pool_drivers, predicted_slices
from neuron_dra.slices.predict import predict_slices


def compare(dump: Dump, plan: ClusterPlan, catalog: Catalog) -> Drift:
    """Compare a cluster with its specs."""
    return _Comparison(dump, plan, catalog).run()


@dataclass(slots=True)
class _Comparison:
    dump: Dump
    plan: ClusterPlan
    catalog: Catalog
    devices: int = 0
    _slices: dict[str, list[ResourceSlice]] = field(default_factory=dict)  # by node
    _predicted: dict[tuple[str, str], list[Published]] = field(default_factory=dict)
    _broken: dict[object, tuple[BrokenPartition, ...]] = field(default_factory=dict)

    def run(self) -> Drift:
        nodes = {each.name: each for each in named_nodes(self.dump.slices)}
        nodes |= {each.name: each for each in self.dump.nodes}
        for each in self.dump.slices:
            self._slices.setdefault(each.node_name, []).append(each)
        compared = [self._node(nodes[name]) for name in sorted(nodes)]
        drifts = tuple(each for each in compared if each is not None)
        known = {driver.driver.name for driver in self._drivers() if driver.driver}
        others = Counter(each.driver for each in self.dump.slices if each.driver not in known)
        with_nodes = bool(self.dump.nodes)
        pools = self._counts(drifts) if with_nodes else {}
        return Drift(
            self.plan.name, drifts, pools, self.devices, dict(sorted(others.items())), with_nodes
        )

    def _drivers(self) -> list[Driver]:
        found = (self.catalog.driver(name) for name in self.catalog.driver_names())
        return [driver for driver in found if driver is not None]

    def _counts(self, drifts: Sequence[NodeDrift]) -> dict[str, Difference]:
        counts = Counter(each.pool for each in drifts)
        found = ((pool, compare_count(pool, counts[pool.name])) for pool in self._pools())
        return {pool.name: difference for pool, difference in found if difference}

    def _pools(self) -> tuple[Pool, ...]:
        return self.plan.profile.pools

    def _node(self, node: ClusterNode) -> NodeDrift | None:
        real = self._slices.get(node.name, [])
        kind = self._instance_type(node, real)
        pools = [pool for pool in self._pools() if pool.type.name == kind]
        if not pools:
            return self._foreign(node, kind)
        is_object = bool(self.dump.nodes)
        pool = next((each for each in pools if belongs(node, each)), pools[0])
        found = list(self._compare_slices(pool, pools, real))
        if is_object:
            found += compare_node(node, pool)
        broken = self._partitions(pool, node, real, found) if found else ()
        return NodeDrift(node.name, pool.name, kind, tuple(found), broken)

    def _foreign(self, node: ClusterNode, kind: str) -> NodeDrift | None:
        """Return that no pool has a node's instance type, if the specs should have one."""
        if not kind or kind not in self.catalog.instance_type_names():
            return None
        message = f"`{kind}` is the instance type of no pool of the cluster"
        return NodeDrift(node.name, "", kind, (Difference(Kind.INSTANCE_TYPE, message),))

    def _instance_type(self, node: ClusterNode, real: Sequence[ResourceSlice]) -> str:
        driver = neuron_driver(self.catalog)
        name = f"{driver.name}/{driver.instance_type}" if driver else ""
        for device in published(real):
            if name in device.attributes:
                return str(device.attributes[name].value)
        return node.labels.get(INSTANCE_TYPE_LABEL, "")

    def _compare_slices(
        self, pool: Pool, pools: Sequence[Pool], real: Sequence[ResourceSlice]
    ) -> Iterator[Difference]:
        efa = efa_driver(self.catalog)
        comparisons = []
        for driver in pool_drivers(pool, self.catalog):
            name = driver.driver.name if driver.driver else ""
            newest, problems = _newest([each for each in real if each.driver == name])
            expected = self._predict(pool, driver)
            there = [each for each in published(newest) if _is_compared(each, name, efa)]
            yield from problems
            if expected and not there:
                message = f"driver `{name}` publishes none of {len(expected)} devices"
                yield Difference(Kind.DRIVER_MISSING, message)
                continue
            self.devices += len(there)
            comparison = DeviceComparison.of(driver, there, expected)
            comparisons.append(comparison)
            yield from comparison.differences()
            yield from self._driver_version(there, pools)
        yield from compare_groups(comparisons)

    def _predict(self, pool: Pool, driver: Driver) -> list[Published]:
        """Return what a driver is predicted to publish on each node of a pool."""
        key = (pool.name, driver.name)
        if key not in self._predicted:
            self._predicted[key] = published(predict_slices(pool.type, [driver], pool.name))
        return self._predicted[key]

    def _driver_version(
        self, there: Sequence[Published], pools: Sequence[Pool]
    ) -> Iterator[Difference]:
        driver = neuron_driver(self.catalog)
        name = f"{driver.name}/{driver.driver_version}" if driver else ""
        wanted = sorted({version for pool in pools for version in pool.drivers})
        real = {str(each.attributes[name].value) for each in there if name in each.attributes}
        for version in sorted(real.difference(wanted)) if wanted else ():
            known = ", ".join(wanted)
            yield Difference(Kind.DRIVER_VERSION, f"Neuron driver {version}, the specs say {known}")

    def _partitions(
        self,
        pool: Pool,
        node: ClusterNode,
        real: Sequence[ResourceSlice],
        found: Sequence[Difference],
    ) -> tuple[BrokenPartition, ...]:
        """Return what differences break; nodes that differ alike break alike."""
        key = (pool.name, tuple(found))
        if key not in self._broken:
            live = self._live_values(real, pool)
            predicted = predicted_slices(pool, self.catalog, node.name, live)
            broken = broken_partitions(self.plan, pool, node, real, predicted)
            self._broken[key] = tuple(broken)
        return self._broken[key]

    def _live_values(self, real: Sequence[ResourceSlice], pool: Pool) -> Mapping[str, Scalar]:
        """Return the values that only the live node knows, but for a version that the pool says."""
        driver = neuron_driver(self.catalog)
        version = f"{driver.name}/{driver.driver_version}" if driver and pool.drivers else ""
        return {
            name: attribute.value
            for device in published(real)
            for name, attribute in device.attributes.items()
            if not isinstance(attribute.value, tuple) and name != version
        }


def _newest(slices: Sequence[ResourceSlice]) -> tuple[list[ResourceSlice], list[Difference]]:
    """Return the slices that count, and which pools are incomplete."""
    generations: dict[str, int] = {}
    for each in slices:
        name = each.pool.name
        generations[name] = max(generations.get(name, each.pool.generation), each.pool.generation)
    newest = [each for each in slices if each.pool.generation == generations[each.pool.name]]
    there = Counter(each.pool.name for each in newest)
    wanted = {each.pool.name: each.pool.resource_slice_count for each in newest}
    problems = [
        Difference(
            Kind.POOL_INCOMPLETE,
            f"pool `{name}` has {there[name]} of {wanted[name]} slices, so it gives no devices",
        )
        for name in sorted(wanted)
        if there[name] < wanted[name]
    ]
    return newest, problems


def _is_compared(device: Published, driver: str, efa: EfaDriver | None) -> bool:
    """Tell whether a device is of a kind that is predicted; a driver of networks has others too."""
    if efa is None or driver != efa.name:
        return True
    kind = device.attributes.get(f"{efa.name}/pciDevice")
    return kind is not None and kind.value == efa.device
