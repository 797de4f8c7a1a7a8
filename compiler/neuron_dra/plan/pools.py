"""Node pools with their hardware: instance types resolved, drivers and node counts known.

In: the pools of a cluster's body. Out: `Pool`s, or diagnostics. A cluster with an unsound pool is
not planned any further.
"""

from __future__ import annotations

from itertools import combinations

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.driver import Driver
from neuron_dra.catalog.facts import Answer
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.catalog.kubernetes import KubernetesRelease
from neuron_dra.diagnostics import Diagnostic, Related, did_you_mean
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.names import device_class_name
from neuron_dra.plan.profile import Pool
from neuron_dra.source import Span
from neuron_dra.spec.cluster import ClusterSpec
from neuron_dra.spec.pool import Bounds, NodePool

# What is said of a type that one cannot have, by the status of its offering.
_OFFERINGS = {
    "software-name-only": "the name is known from software only",
    "internal-name": "the name is an internal one, known from software",
    "not-offered": "tools and samples name it, but it was never offered",
}
KUBELET_SKEW = 3  # kubernetes.io/releases/version-skew-policy, read 2026-12-01


def plan_pools(
    spec: ClusterSpec, release: KubernetesRelease, catalog: Catalog
) -> tuple[tuple[Pool, ...], list[Diagnostic]]:
    """Return the pools of a cluster with their hardware."""
    found: list[Diagnostic] = []
    pools = [_plan_pool(pool, release, catalog, found) for pool in spec.node_pools]
    sound = tuple(pool for pool in pools if pool is not None)
    found += _overlaps(sound)
    found += [problem for pool in sound for problem in _contradictions(pool, spec)]
    found += _same_class_names(sound)
    return sound, found


def _plan_pool(
    pool: NodePool, release: KubernetesRelease, catalog: Catalog, found: list[Diagnostic]
) -> Pool | None:
    kind = catalog.instance_type(pool.instance_type)
    if kind is None:
        found += unknown_instance_type(
            pool.instance_type, pool.places.value("instanceType"), catalog
        )
        return None
    _check_type(pool, kind, found)
    _check_version(pool, release, catalog, found)
    least, most = _node_bounds(pool, kind, found)
    return Pool(pool, kind, _driver_versions(pool, catalog, found), least, most)


def unknown_instance_type(name: str, where: Span, catalog: Catalog) -> list[Diagnostic]:
    """Diagnose a name that is not in the catalogue; one with unsound facts is told there."""
    names = catalog.instance_type_names()
    if name in names:
        return []
    return [
        codes.UNKNOWN_INSTANCE_TYPE.at(
            where, f"unknown instance type `{name}`", help=did_you_mean(name, names)
        )
    ]


def _check_type(pool: NodePool, kind: InstanceType, found: list[Diagnostic]) -> None:
    where = pool.places.value("instanceType")
    offering = kind.facts.offering
    if pool.neuron_mechanism == "dra" and kind.served is Answer.NO:
        reason = kind.facts.served.reason if kind.facts.served else ""
        found.append(
            codes.NOT_SERVED.at(
                where,
                f"the Neuron DRA driver does not serve `{kind.name}`: {reason}",
                related=[Related(kind.facts.places.key("served"), "the driver's instance types")],
                help="set `mechanism: {neuron: device-plugin}` for this pool",
            )
        )
    elif offering is not None and offering.status != "available":
        found.append(
            codes.UNANNOUNCED_TYPE.at(
                where,
                f"EC2 offers no `{kind.name}`: {_OFFERINGS[offering.status]}",
                related=[Related(kind.facts.places.key("offering"), "what is known of the name")],
            )
        )


def _check_version(
    pool: NodePool, release: KubernetesRelease, catalog: Catalog, found: list[Diagnostic]
) -> None:
    version = pool.node_version
    if version is None:
        return
    where = pool.places.value("nodeVersion")
    number = tuple(int(part) for part in version.split("."))
    newest = int(release.minor.split(".")[1])
    if not newest - KUBELET_SKEW <= number[1] <= newest:
        found.append(
            codes.BARRED_NODE_VERSION.at(
                where,
                f"nodes of {version} cannot join a control plane of {release.minor}; "
                f"1.{newest - KUBELET_SKEW} to {release.minor} can",
            )
        )
        return
    driver = catalog.driver("neuron")
    support = driver.kubernetes if driver else None
    if support is None or support.nodes is None or not pool.uses_dra:
        return
    if number < tuple(int(part) for part in support.nodes.split(".")):
        found.append(
            codes.BARRED_NODE_VERSION.at(
                where,
                f"kubelets of {version} cannot use DRA drivers; the Neuron driver needs "
                f"{support.nodes} or later",
                related=[Related(support.places.key("nodes"), "the oldest kubelet")],
                help=f"use {support.nodes} or later",
            )
        )


def _driver_versions(pool: NodePool, catalog: Catalog, found: list[Diagnostic]) -> tuple[str, ...]:
    if pool.sdk is None:
        return tuple(sorted(pool.neuron_drivers))
    driver = catalog.driver("neuron")
    version = driver.neuron_driver(pool.sdk) if driver else None
    if version is not None:
        return (version,)
    found.append(
        codes.UNKNOWN_SDK.at(
            pool.places.value("sdk"),
            f"the Neuron driver of SDK {pool.sdk} is not known{_newest_sdk(driver)}",
            help="say the driver itself with `neuronDrivers: [VERSION]`",
        )
    )
    return ()


def _newest_sdk(driver: Driver | None) -> str:
    known = tuple(driver.sdks.neuron_drivers) if driver and driver.sdks else ()
    return f"; the newest known SDK is {known[0]}" if known else ""


def _node_bounds(
    pool: NodePool, kind: InstanceType, found: list[Diagnostic]
) -> tuple[int, int | None]:
    """Return how many nodes are always there, and how many at most."""
    ultra_server = kind.facts.ultra_server
    known = ultra_server.nodes if ultra_server else None
    members = known or 1
    if pool.ultra_servers is not None:
        if ultra_server is None:
            found.append(
                codes.NOT_AN_ULTRASERVER.at(
                    pool.places.key("ultraServers"),
                    f"`{kind.name}` is not part of an UltraServer",
                    help="use `nodes`",
                )
            )
        least, most = _bounds(pool.ultra_servers)
        return least * members, most * known if most is not None and known else None
    least, most = _bounds(pool.nodes)
    for number in (least, most or 0):
        if kind.serves_nodes and number % members:
            found.append(
                codes.PARTIAL_ULTRASERVER.at(
                    pool.places.value("nodes"),
                    f"{number} nodes are not whole UltraServers of {members} nodes",
                    related=[
                        Related(kind.facts.places.key("ultraServer"), f"{members} nodes each")
                    ],
                    help=f"use a multiple of {members}, or `ultraServers`",
                )
            )
            break
    return least, most


def _bounds(count: int | Bounds | None) -> tuple[int, int | None]:
    if isinstance(count, Bounds):
        return count.min, count.max
    return count or 0, count


def _overlaps(pools: tuple[Pool, ...]) -> list[Diagnostic]:
    """Find pools of different mechanism whose cluster nodes cannot be told apart."""
    by_type: dict[str, list[Pool]] = {}
    for pool in pools:
        by_type.setdefault(pool.type.name, []).append(pool)
    return [
        codes.POOLS_OVERLAP.at(
            second.spec.places.value("nodeSelector"),
            f"pools `{first.name}` and `{second.name}` differ in mechanism but may "
            "match the same cluster node",
            related=[Related(first.spec.places.span, f"pool `{first.name}`")],
            help="give both a `nodeSelector` with one key and different values",
        )
        for same in by_type.values()
        if len({_mechanisms(pool) for pool in same}) > 1
        for first, second in combinations(same, 2)
        if _mechanisms(first) != _mechanisms(second) and not are_disjoint(first, second)
    ]


def _mechanisms(pool: Pool) -> tuple[bool, bool]:
    return pool.neuron_by_dra, pool.efa_by_dra or pool.type.efa_interfaces == 0


def are_disjoint(first: Pool, second: Pool) -> bool:
    """Tell whether no cluster node can belong to both pools."""
    if first.type.name != second.type.name:
        return True
    other = second.spec.node_selector
    return any(
        name in other and other[name] != value for name, value in first.spec.node_selector.items()
    )


def _contradictions(pool: Pool, spec: ClusterSpec) -> list[Diagnostic]:
    """Find labels of a pool that none of its cluster nodes can have."""
    host = pool.type.facts.host
    known = {
        "node.kubernetes.io/instance-type": pool.type.name,
        "kubernetes.io/arch": host.cpu_architecture if host else None,
        "topology.kubernetes.io/region": spec.region,
        "kubernetes.io/os": "linux",
    }
    return [
        codes.POOL_LABEL_CONTRADICTS.at(
            pool.spec.places.item("nodeSelector", label),
            f"no node of pool `{pool.name}` has `{label}: {value}`: it has `{known[label]}`",
            help="remove the label",
        )
        for label, value in pool.spec.node_selector.items()
        if known.get(label) not in (None, value)
    ]


def _same_class_names(pools: tuple[Pool, ...]) -> list[Diagnostic]:
    found = []
    owners: dict[str, Pool] = {}
    for pool in pools:
        owner = owners.setdefault(device_class_name(pool.type.name), pool)
        if owner.type.name != pool.type.name:
            found.append(
                codes.CLASS_NAME_TAKEN.at(
                    pool.spec.places.value("instanceType"),
                    f"`{pool.type.name}` and `{owner.type.name}` both give the DeviceClass "
                    f"`{device_class_name(pool.type.name)}`",
                    related=[Related(owner.spec.places.value("instanceType"), "the other one")],
                    help="rename one of the instance types",
                )
            )
    return found
