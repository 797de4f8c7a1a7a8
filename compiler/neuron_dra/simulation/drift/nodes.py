"""The labels, taints and kubelet of a node against its pool, and the number of a pool's nodes.

In: Node objects and pools. Out: differences. Taints that Kubernetes itself sets say how a node is,
not what it is, and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuron_dra.kube.node import ClusterNode, Taint
from neuron_dra.plan.profile import Pool
from neuron_dra.simulation.drift.difference import Difference, Kind

_OF_KUBERNETES = re.compile(r"node(\.cloudprovider)?\.kubernetes\.io/")
_PATCH = re.compile(r"v?(\d+\.\d+\.\d+)")


def compare_node(node: ClusterNode, pool: Pool) -> Iterator[Difference]:
    """Yield what differs between a node and its pool."""
    yield from _labels(node, pool)
    yield from _taints(node, pool)
    found = _PATCH.match(node.kubelet_version)
    wanted = pool.spec.node_version
    if found and wanted and found[1] != wanted:
        yield Difference(Kind.KUBELET_VERSION, f"kubelet {found[1]}, `nodeVersion` is {wanted}")


def compare_count(pool: Pool, nodes: int) -> Difference | None:
    """Return that a pool has fewer or more nodes than it says."""
    if pool.spec.nodes is None and pool.spec.ultra_servers is None:
        return None
    if nodes >= pool.least and (pool.most is None or nodes <= pool.most):
        return None
    most = "any number" if pool.most is None else str(pool.most)
    wanted = str(pool.least) if pool.least == pool.most else f"{pool.least} to {most}"
    count = "1 node" if nodes == 1 else f"{nodes} nodes"
    return Difference(Kind.NODE_COUNT, f"{count}, the specs say {wanted}")


def belongs(node: ClusterNode, pool: Pool) -> bool:
    """Tell whether a node has the labels by which a pool is found."""
    return pool.spec.node_selector.items() <= dict(node.labels).items()


def _labels(node: ClusterNode, pool: Pool) -> Iterator[Difference]:
    for key, value in pool.spec.node_selector.items():
        found = node.labels.get(key)
        if found != value:
            there = "is missing" if found is None else f"is `{found}`"
            yield Difference(Kind.LABEL, f"label `{key}` {there}, pool `{pool.name}` has `{value}`")


def _taints(node: ClusterNode, pool: Pool) -> Iterator[Difference]:
    real = {each for each in node.taints if not _OF_KUBERNETES.match(each.key)}
    wanted = {Taint(each.key_, each.value, each.effect) for each in pool.spec.taints}
    for taints, what in ((wanted - real, "is missing"), (real - wanted, "is not in the specs")):
        for each in sorted(taints):
            yield Difference(Kind.TAINT, f"taint `{_written(each)}` {what}")


def _written(taint: Taint) -> str:
    value = f"={taint.value}" if taint.value else ""
    return f"{taint.key}{value}:{taint.effect}"
