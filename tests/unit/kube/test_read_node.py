"""Reading of cluster nodes and pods."""

from __future__ import annotations

import pytest

from neuron_dra.kube.node import ClusterNode, Pod, PodResourceClaim, Taint, Toleration
from neuron_dra.kube.read_node import read_node, read_pod
from neuron_dra.kube.slice import NodeSelectorRequirement, NodeSelectorTerm

NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n", "labels": {"a": "b"}},
    "spec": {"taints": [{"key": "k", "value": "v", "effect": "NoExecute"}]},
    "status": {"nodeInfo": {"kubeletVersion": "v1.36.2-eks"}},
}
AFFINITY = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "z", "operator": "Exists"}]}]
        }
    }
}
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "namespace": "s"},
    "spec": {
        "nodeName": "n",
        "nodeSelector": {"a": "b"},
        "affinity": AFFINITY,
        "tolerations": [{"key": "k", "operator": "Exists"}],
        "resourceClaims": [
            {"name": "one", "resourceClaimName": "c"},
            {"name": "two", "resourceClaimTemplateName": "t"},
        ],
    },
}


def test_node():
    """A node has its labels, taints and kubelet."""
    expected = ClusterNode("n", {"a": "b"}, (Taint("k", "v", "NoExecute"),), "v1.36.2-eks")

    assert read_node(NODE) == (expected, [])


def test_cordoned_node():
    """A node that is cordoned has the taint for it once, whether Kubernetes has set it or not."""
    taint = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    for taints in ([], [taint]):
        made, _ = read_node({**NODE, "spec": {"taints": taints, "unschedulable": True}})

        assert made.taints == (Taint(taint["key"], "", "NoSchedule"),)


def test_pod():
    """A pod has what decides about nodes and claims."""
    assert read_pod(POD) == (
        Pod(
            "p",
            "s",
            (PodResourceClaim("one", claim="c"), PodResourceClaim("two", template="t")),
            "n",
            {"a": "b"},
            (NodeSelectorTerm((NodeSelectorRequirement("z", "Exists"),)),),
            (Toleration("k", "Exists", "", ""),),
        ),
        [],
    )


@pytest.mark.parametrize(
    "claim",
    [{"name": "x"}, {"resourceClaimName": "c", "resourceClaimTemplateName": "t", "name": "x"}],
)
def test_claim_of_neither_or_both(claim):
    """A claim of a pod has either a name or a template."""
    _, problems = read_pod({**POD, "spec": {"resourceClaims": [claim]}})

    assert [each.path for each in problems] == ["spec.resourceClaims[0]"]


@pytest.mark.parametrize("read", [read_node, read_pod])
@pytest.mark.parametrize(
    "data", [None, 3, {"kind": "Secret"}, {"kind": "Node", "apiVersion": "v2"}]
)
def test_other_objects(read, data):
    """Another kind or version is not read."""
    made, problems = read(data)

    assert made is None
    assert len(problems) == 1


def test_wrong_types():
    """A label that is no text is a problem at its place."""
    _, problems = read_node({**NODE, "metadata": {"name": "n", "labels": {"a.b/c": 1}}})

    assert [(each.path, each.message) for each in problems] == [
        ("metadata.labels.a.b/c", "expected a string, found `1`")
    ]


@pytest.mark.parametrize(
    ("toleration", "taint", "tolerated"),
    [
        (("k", "Exists", "", ""), ("k", "v", "NoSchedule"), True),
        (("", "Exists", "", ""), ("k", "v", "NoExecute"), True),
        (("k", "", "v", ""), ("k", "v", "NoSchedule"), True),
        (("k", "Equal", "w", ""), ("k", "v", "NoSchedule"), False),
        (("other", "Exists", "", ""), ("k", "v", "NoSchedule"), False),
        (("k", "Exists", "", "NoExecute"), ("k", "v", "NoSchedule"), False),
        (("k", "Exists", "", "NoExecute"), ("k", "v", "PreferNoSchedule"), True),
        (("k", "Odd", "", ""), ("k", "v", "NoSchedule"), False),
    ],
)
def test_tolerations(toleration, taint, tolerated):
    """A taint keeps a pod away unless it is tolerated or only a preference."""
    assert Pod("p", tolerations=(Toleration(*toleration),)).tolerates(Taint(*taint)) is tolerated
