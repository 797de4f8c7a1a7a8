"""Where the pods may land."""

from __future__ import annotations

import copy

POOL = "  - {name: main, instanceType: a.large, nodes: 8}\n"
SPEC = """
controller: Job
template:
  spec:
    containers: [{name: train, image: example.com/train:1}]
"""
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def pod_of(fleet, spec=SPEC):
    return fleet.objects(spec)["Job"].data["spec"]["template"]["spec"]


def terms_of(pod):
    terms = pod["affinity"]["nodeAffinity"][REQUIRED]["nodeSelectorTerms"]
    return [{each["key"]: each["values"] for each in term["matchExpressions"]} for term in terms]


def add_type(fleet, name):
    kind = copy.copy(fleet.kinds[0])
    kind.name = name
    fleet.kinds.append(kind)


def test_types(fleet):
    """Pools without a selector of their own share a term."""
    add_type(fleet, "b.large")
    fleet.replace(POOL, POOL + "  - {name: more, instanceType: b.large, nodes: 1}\n")

    assert terms_of(pod_of(fleet)) == [{"node.kubernetes.io/instance-type": ["a.large", "b.large"]}]


def test_selectors(fleet):
    """Each distinct selector of pools is a term: one of them must hold."""
    more = "  - {{name: {0}, instanceType: a.large, nodes: 1, nodeSelector: {{group: {0}}}}}\n"
    fleet.replace(POOL, more.format("two") + more.format("one"))

    assert terms_of(pod_of(fleet)) == [
        {"node.kubernetes.io/instance-type": ["a.large"], "group": ["one"]},
        {"node.kubernetes.io/instance-type": ["a.large"], "group": ["two"]},
    ]


def test_own_affinity(fleet):
    """Terms of the user must hold beside one of ours, and other affinity stays."""
    spec = """
    controller: Job
    template:
      spec:
        affinity:
          podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions: [{key: disk, operator: In, values: [ssd]}]
              - matchFields: [{key: metadata.name, operator: In, values: [n1]}]
        containers: [{name: train, image: example.com/train:1}]
    """
    affinity = pod_of(fleet, spec)["affinity"]
    ours = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["a.large"]}

    assert affinity["podAffinity"] == {"preferredDuringSchedulingIgnoredDuringExecution": []}
    assert affinity["nodeAffinity"][REQUIRED]["nodeSelectorTerms"] == [
        {"matchExpressions": [ours, {"key": "disk", "operator": "In", "values": ["ssd"]}]},
        {
            "matchExpressions": [ours],
            "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}],
        },
    ]


def test_tolerations(fleet):
    """Each distinct taint of the pools is tolerated once, beside what the user tolerates."""
    taints = (
        "taints: [{key: aws.amazon.com/neuron, effect: NoSchedule}, "
        "{key: team, value: ml, effect: NoExecute}]"
    )
    fleet.replace(
        POOL,
        f"  - {{name: a, instanceType: a.large, nodes: 8, {taints}}}\n"
        f"  - {{name: b, instanceType: a.large, nodes: 8, {taints}}}\n",
    )
    spec = SPEC + (
        "    tolerations:\n"
        "    - {key: mine, operator: Exists}\n"
        "    - {key: team, value: ml, effect: NoExecute}\n"
    )

    assert pod_of(fleet, spec)["tolerations"] == [
        {"effect": "NoSchedule", "key": "aws.amazon.com/neuron", "operator": "Exists"},
        {"key": "mine", "operator": "Exists"},
        {"effect": "NoExecute", "key": "team", "value": "ml"},
    ]


def test_no_taints(fleet):
    """Nothing is tolerated where nothing is tainted."""
    assert "tolerations" not in pod_of(fleet)


def test_excluding_selector(fleet):
    """A node selector that no pool can satisfy is refused."""
    diagnostic = fleet.only(
        SPEC + "    nodeSelector: {node.kubernetes.io/instance-type: b.large}\n"
    )

    assert diagnostic.code.slug == "node-selector-excludes-pools"
    assert "`main` by `node.kubernetes.io/instance-type`" in diagnostic.message


def test_narrowing_selector(fleet):
    """A node selector may choose one pool of several, or a label that pools do not tell."""
    more = "  - {{name: {0}, instanceType: a.large, nodes: 1, nodeSelector: {{group: {0}}}}}\n"
    fleet.replace(POOL, more.format("one") + more.format("two"))

    assert fleet.codes(SPEC + "    nodeSelector: {group: two, zone: z1}\n") == []
