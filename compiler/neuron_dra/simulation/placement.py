"""Which cluster nodes a pod may go to, whatever devices they have.

In: a pod and nodes. Out: the nodes, or in words why none. Looks at names, labels, affinity and
taints; CPU, memory and all that a scheduler scores are not modelled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from neuron_dra.allocator.nodes import Node, is_required
from neuron_dra.kube.node import ClusterNode, Pod


def eligible_nodes(pod: Pod | None, nodes: Iterable[ClusterNode]) -> tuple[ClusterNode, ...]:
    """Return the nodes that a pod may go to; without a pod, all."""
    return tuple(node for node in nodes if pod is None or not objection(pod, node))


def objection(pod: Pod, node: ClusterNode) -> str:
    """Return why a node is not for a pod; empty if it is."""
    if pod.node_name:
        return "" if pod.node_name == node.name else "another name than `nodeName`"
    for taint in node.taints:
        if not pod.tolerates(taint):
            return f"the taint `{taint.key}`, which the pod does not tolerate"
    for key, value in pod.node_selector.items():
        if node.labels.get(key) != value:
            return f"no label `{key}={value}`"
    if pod.affinity is not None and not is_required(Node(node.name, node.labels), pod.affinity):
        return "labels that the node affinity does not want"
    return ""


def describe_objections(pod: Pod, nodes: Iterable[ClusterNode]) -> str:
    """Say why a pod may go to none of some nodes."""
    counted = Counter(objection(pod, node) or "not the devices that it holds" for node in nodes)
    if not counted:
        return "there are no nodes"
    reasons = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return "no node may take the pod: " + "; ".join(
        f"{count} {'has' if count == 1 else 'have'} {reason}" for reason, count in reasons
    )
