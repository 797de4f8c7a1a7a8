"""How the pods of a workload are found: the labels that their controller gives them.

In: a workload. Out: labels, or a LabelSelector, for whoever selects its pods.
"""

from __future__ import annotations

from typing import Any

from neuron_dra.objects.object import WORKLOAD_LABEL
from neuron_dra.spec.names import LabelSelector
from neuron_dra.spec.workload import NeuronWorkload

# The label by which a controller marks all pods of one of its objects, launchers and leaders too.
_LABELS = {
    "Deployment": WORKLOAD_LABEL,
    "Job": "batch.kubernetes.io/job-name",
    "JobSet": "jobset.sigs.k8s.io/jobset-name",
    "LeaderWorkerSet": "leaderworkerset.sigs.k8s.io/name",
    "MPIJob": "training.kubeflow.org/job-name",
    "external": WORKLOAD_LABEL,
}


def pod_labels(workload: NeuronWorkload) -> dict[str, str]:
    """Return the labels that all pods of a workload have, and no other pod of its namespace."""
    selector = workload.spec.pod_selector
    if selector is not None:
        return dict(sorted(selector.match_labels.items()))
    return {_LABELS[workload.spec.controller]: workload.metadata.name}


def pod_selector(workload: NeuronWorkload) -> dict[str, Any]:
    """Return the LabelSelector of a workload's pods.

    Pods of an `external` controller without `podSelector` are found by the workload's own label.
    """
    selector = workload.spec.pod_selector
    result: dict[str, Any] = {}
    labels = pod_labels(workload)
    if labels:
        result["matchLabels"] = labels
    if selector is not None and selector.match_expressions:
        result["matchExpressions"] = _expressions(selector)
    return result


def _expressions(selector: LabelSelector) -> list[dict[str, Any]]:
    expressions = []
    for each in selector.match_expressions:
        expression: dict[str, Any] = {"key": each.key_, "operator": each.operator}
        if each.values:
            expression["values"] = list(each.values)
        expressions.append(expression)
    return expressions
