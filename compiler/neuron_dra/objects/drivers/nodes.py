"""Which nodes a driver runs on: tolerations of pools' taints, and node affinity.

In: pools. Out: parts of values. Proves nothing: that pools of different mechanism share no node is
judged with the pools (`plan.pools`), and every term here holds all that tells a pool apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from neuron_dra.plan.profile import Pool
from neuron_dra.spec.pool import Taint

INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type"  # k8s.io/api core/v1 well_known_labels.go
COMPUTE_TYPE_LABEL = "eks.amazonaws.com/compute-type"  # neuron-helm-charts cea92c38, values.yaml
# A pod without a toleration runs on a node with a taint of another effect.
_BARRING_EFFECTS = ("NoSchedule", "NoExecute")

Toleration = Mapping[str, Any]


def complete_tolerations(
    tolerations: Sequence[Toleration], pools: Iterable[Pool]
) -> list[dict[str, Any]]:
    """Return the tolerations with one more for each taint of the pools that they lack."""
    completed = [dict(each) for each in tolerations]
    taints = {
        (taint.key_, taint.value, taint.effect): taint
        for pool in pools
        for taint in pool.spec.taints
        if taint.effect in _BARRING_EFFECTS
    }
    for _, taint in sorted(taints.items()):
        if not any(_tolerates(each, taint) for each in completed):
            completed.append(_toleration(taint))
    return completed


def _tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Tell whether a toleration matches a taint (k8s.io/api core/v1 toleration.go)."""
    if toleration.get("effect") and toleration["effect"] != taint.effect:
        return False
    if toleration.get("key") and toleration["key"] != taint.key_:
        return False
    if toleration.get("operator") == "Exists":
        return True
    return bool(toleration.get("key")) and (toleration.get("value") or "") == taint.value


def _toleration(taint: Taint) -> dict[str, Any]:
    if not taint.value:
        return {"key": taint.key_, "operator": "Exists", "effect": taint.effect}
    return {
        "key": taint.key_,
        "operator": "Equal",
        "value": taint.value,
        "effect": taint.effect,
    }


def node_affinity(pools: Iterable[Pool], excluded_compute_types: Sequence[str]) -> dict[str, Any]:
    """Return an affinity that admits the nodes of the pools and no others."""
    terms = [{"matchExpressions": _requirements(pool, excluded_compute_types)} for pool in pools]
    required = {"nodeSelectorTerms": terms}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


def _requirements(pool: Pool, excluded_compute_types: Sequence[str]) -> list[dict[str, Any]]:
    labels = [(INSTANCE_TYPE_LABEL, pool.type.name), *sorted(pool.spec.node_selector.items())]
    requirements: list[dict[str, Any]] = [
        {"key": key, "operator": "In", "values": [value]} for key, value in dict.fromkeys(labels)
    ]
    if excluded_compute_types:
        excluded = list(excluded_compute_types)
        requirements.append({"key": COMPUTE_TYPE_LABEL, "operator": "NotIn", "values": excluded})
    return requirements


def complete_types(types: Sequence[str], pools: Iterable[Pool]) -> list[str]:
    """Return instance types with those of the pools that they lack, the new ones sorted."""
    missing = {pool.type.name for pool in pools} - set(types)
    return [*types, *sorted(missing)]
