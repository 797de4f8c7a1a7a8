"""Where the pods may land."""

from __future__ import annotations

import copy

import pytest

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


TERM = """
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
"""


def with_terms(*terms):
    return SPEC + TERM + "".join(f"          - matchExpressions: [{each}]\n" for each in terms)


def expression(key, operator, *values):
    return f"{{key: {key}, operator: {operator}, values: [{', '.join(values)}]}}"


@pytest.mark.parametrize(
    ("label", "value", "has"),
    [
        ("node.kubernetes.io/instance-type", "b.large", "a.large"),
        ("beta.kubernetes.io/instance-type", "b.large", "a.large"),
        ("kubernetes.io/arch", "arm64", "amd64"),
        ("kubernetes.io/os", "windows", "linux"),
        ("group", "two", "one"),
        ("topology.kubernetes.io/zone", "us-west-2c", "us-west-2a or us-west-2b"),
    ],
)
@pytest.mark.parametrize("by_affinity", [False, True])
def test_excluding(fleet, label, value, has, by_affinity):
    """A template that selects no node of any pool is refused where it says so."""
    zones = "zones: [us-west-2a, us-west-2b], nodeSelector: {group: one}"
    fleet.replace(POOL, POOL.replace("nodes: 8", f"nodes: 8, {zones}"))
    term = expression(label, "In", value)
    spec = with_terms(term) if by_affinity else SPEC + f"    nodeSelector: {{{label}: {value}}}\n"
    diagnostic = fleet.only(spec)

    assert diagnostic.code.slug == "node-selector-excludes-pools"
    assert f"those of `main` have `{label}: {has}`" in diagnostic.message
    assert fleet.marked(diagnostic) == (term if by_affinity else value)


@pytest.mark.parametrize(
    ("terms", "excluded"),
    [
        ([expression("kubernetes.io/arch", "NotIn", "amd64")], True),
        ([expression("kubernetes.io/arch", "DoesNotExist")], True),
        ([expression("kubernetes.io/arch", "Exists")], False),
        ([expression("kubernetes.io/arch", "NotIn", "arm64")], False),
        ([expression("kubernetes.io/arch", "In", "arm64", "amd64")], False),
        ([expression("disk", "In", "ssd"), expression("kubernetes.io/arch", "In", "arm64")], False),
        ([expression("group", "NotIn", "x")], False),
        (
            [
                expression("disk", "Exists")
                + ", "
                + expression("kubernetes.io/os", "NotIn", "linux"),
                expression("kubernetes.io/arch", "In", "arm64"),
            ],
            True,
        ),
    ],
)
def test_terms(fleet, terms, excluded):
    """One term must hold, and all expressions of a term; what pools do not tell may hold."""
    assert fleet.codes(with_terms(*terms)) == ["node-selector-excludes-pools"] * excluded


def test_every_pool_is_named(fleet):
    """A selector that fits no pool is told with what each of them has."""
    more = "  - {{name: {0}, instanceType: a.large, nodes: 1, nodeSelector: {{group: {0}}}}}\n"
    fleet.replace(POOL, more.format("one") + more.format("two"))
    diagnostic = fleet.only(SPEC + "    nodeSelector: {group: three}\n")

    assert "those of `one` have `group: one`, those of `two` have `group: two`" in (
        diagnostic.message
    )


def test_many_pools(fleet):
    """Of many pools some are named."""
    pool = "  - {{name: p{0}, instanceType: a.large, nodes: 1, nodeSelector: {{group: g{0}}}}}\n"
    fleet.replace(POOL, "".join(pool.format(index) for index in range(9)))
    diagnostic = fleet.only(SPEC + "    nodeSelector: {group: other}\n")

    assert diagnostic.message.endswith("those of `p3` have `group: g3`, and so on in 5 pools")


def test_narrowing_selector(fleet):
    """A node selector may choose one pool of several, or a label that pools do not tell."""
    more = "  - {{name: {0}, instanceType: a.large, nodes: 1, nodeSelector: {{group: {0}}}}}\n"
    fleet.replace(POOL, more.format("one") + more.format("two"))

    assert fleet.codes(SPEC + "    nodeSelector: {group: two, zone: z1}\n") == []
