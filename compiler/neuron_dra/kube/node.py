"""The values of cluster nodes and pods that decide which node a pod may go to.

Field names follow k8s.io/api core/v1 types.go. Reading is the work of `read_node`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from neuron_dra.kube.slice import NodeSelector

INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type"
UNSCHEDULABLE_TAINT = "node.kubernetes.io/unschedulable"  # stands for `spec.unschedulable`


class Taint(NamedTuple):
    """A taint of a cluster node."""

    key: str
    value: str
    effect: str  # NoSchedule, PreferNoSchedule or NoExecute


class Toleration(NamedTuple):
    """A toleration of a pod."""

    key: str
    operator: str  # Equal or Exists
    value: str
    effect: str  # empty: all effects


@dataclass(frozen=True, slots=True)
class ClusterNode:
    """A cluster node.

    Attributes:
        kubelet_version: like `v1.36.2`, maybe with a suffix; empty when it is not known.
    """

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Taint, ...] = ()
    kubelet_version: str = ""


class PodResourceClaim(NamedTuple):
    """A claim of a pod: by its own name, or by the template that it is made from."""

    name: str  # in the pod
    claim: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod, as far as it decides about nodes and claims.

    Attributes:
        node_name: where it runs or must run; empty for any node.
        affinity: the nodes that it requires; None for all.
    """

    name: str
    namespace: str = ""
    claims: tuple[PodResourceClaim, ...] = ()
    node_name: str = ""
    node_selector: Mapping[str, str] = field(default_factory=dict)
    affinity: NodeSelector | None = None
    tolerations: tuple[Toleration, ...] = ()

    def tolerates(self, taint: Taint) -> bool:
        """Tell whether a taint does not keep the pod away."""
        return taint.effect not in ("NoSchedule", "NoExecute") or any(
            _covers(each, taint) for each in self.tolerations
        )


def _covers(toleration: Toleration, taint: Taint) -> bool:
    """Compare as `ToleratesTaint` of k8s.io/component-helpers does."""
    if toleration.effect not in ("", taint.effect) or toleration.key not in ("", taint.key):
        return False
    if toleration.operator in ("", "Equal"):
        return toleration.value == taint.value
    return toleration.operator == "Exists"
