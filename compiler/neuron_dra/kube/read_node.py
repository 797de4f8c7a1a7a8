"""Reading of cluster nodes and pods.

In: the plain data of an object. Out: a value of `node`, and problems for what cannot be read of it;
None when it is of another kind. What does not decide about nodes or claims is left alone.
"""

from __future__ import annotations

from typing import Any

from neuron_dra.kube.node import (
    UNSCHEDULABLE_TAINT,
    ClusterNode,
    Pod,
    PodResourceClaim,
    Taint,
    Toleration,
)
from neuron_dra.kube.read_slice import read_node_terms
from neuron_dra.kube.reading import Fields, ReadProblem, open_core_object

REQUIRED_AFFINITY = "requiredDuringSchedulingIgnoredDuringExecution"


def read_node(data: Any) -> tuple[ClusterNode | None, list[ReadProblem]]:
    """Read a Node; one that is cordoned has the taint that stands for it."""
    problems: list[ReadProblem] = []
    fields = open_core_object(data, "Node", problems)
    if fields is None:
        return None, problems
    metadata, spec = fields.fields("metadata"), fields.fields("spec")
    taints = [
        Taint(each.text("key"), each.text("value"), each.text("effect"))
        for each in spec.items("taints")
    ]
    cordon = Taint(UNSCHEDULABLE_TAINT, "", "NoSchedule")
    if spec.boolean("unschedulable") and cordon not in taints:
        taints.append(cordon)
    made = ClusterNode(
        metadata.text("name", required=True),
        metadata.texts_by_name("labels"),
        tuple(taints),
        fields.fields("status").fields("nodeInfo").text("kubeletVersion"),
    )
    return made, problems


def read_pod(data: Any) -> tuple[Pod | None, list[ReadProblem]]:
    """Read a Pod."""
    problems: list[ReadProblem] = []
    fields = open_core_object(data, "Pod", problems)
    if fields is None:
        return None, problems
    metadata, spec = fields.fields("metadata"), fields.fields("spec")
    affinity = spec.fields("affinity").fields("nodeAffinity")
    made = Pod(
        name=metadata.text("name") or metadata.text("generateName"),
        namespace=metadata.text("namespace"),
        claims=tuple(_read_claim(each) for each in spec.items("resourceClaims")),
        node_name=spec.text("nodeName"),
        node_selector=spec.texts_by_name("nodeSelector"),
        affinity=read_node_terms(affinity, REQUIRED_AFFINITY),
        tolerations=tuple(
            Toleration(
                each.text("key"), each.text("operator"), each.text("value"), each.text("effect")
            )
            for each in spec.items("tolerations")
        ),
    )
    return made, problems


def _read_claim(fields: Fields) -> PodResourceClaim:
    made = PodResourceClaim(
        fields.text("name", required=True),
        fields.text("resourceClaimName"),
        fields.text("resourceClaimTemplateName"),
    )
    if bool(made.claim) == bool(made.template):
        message = "one of `resourceClaimName` and `resourceClaimTemplateName` is required"
        fields.problems.append(ReadProblem(fields.path, message))
    return made
