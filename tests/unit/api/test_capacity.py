"""Findings about quotas and workloads that share pools."""

from __future__ import annotations

import pytest

from neuron_dra.api import pipeline as api
from neuron_dra.api.capacity import judge_capacity, measure_capacity
from neuron_dra.api.selection import Selection
from neuron_dra.plan.capacity.blocking import count_enough
from neuron_dra.source import Source
from unit.plan.small_fleets import HEAD, PARTITION, TENANT

TYPE = "trn2.48xlarge"
CLUSTER = """kind: Cluster
metadata: {name: %s, labels: {env: test}}
spec:
  kubernetes: 1.36
  drivers: {neuron: {chartVersion: 1.10.0}, efa: {chartVersion: 1.0.0}}
  consumers: {jobSet: {version: 0.11.1}, leaderWorkerSet: {version: 0.8.0}}
  nodePools: [%s]
"""
POOL = f"{{name: main, instanceType: {TYPE}, sdk: 2.32.0, nodes: %s}}"
SHAPES = {
    "one": "devices: 1",
    "three": "devices: 3",
    "row": "devices: 4, connected: true",
    "efa": "devices: 4, efa: all",
    "half": "devices: 8, connected: true",
    "nine": "devices: 9",
    "node": "devices: all, connected: true",
    "pinned": "devices: 1, neuronDriver: 2.25.4.0",
    "other": "devices: 4, neuronDriver: 2.26.5.0",
    "live": "devices: 1, selectors: "
    '[\'device.attributes["neuron.aws.com"].?networkNodeLayer1.orValue("") == "a"\']',
}
WORKLOAD = """kind: NeuronWorkload
metadata: {name: %s, namespace: %s}
spec:
  %s
  partition: %s
  controller: %s
  %s
  template: {spec: {containers: [{name: a, image: registry.example.com/a:1}]}}
"""
TYPED = f"instanceType: {TYPE}"


def cluster(nodes, name="c"):
    """Make a cluster with one pool; a text in braces is the pool or pools themselves."""
    pools = nodes if str(nodes).startswith("{name") else POOL % nodes
    return CLUSTER % (name, pools)


def partitions(*names):
    return [PARTITION % (name, f"{{{TYPED}, {SHAPES[name]}}}") for name in names]


def tenant(name, granted, quota=None, clusters="clusters: [c]"):
    limit = f", quota: [{{{TYPED}, devices: {quota}}}]" if quota is not None else ""
    spec = f"{{{clusters}, namespaces: [{name}], partitions: [{', '.join(granted)}]{limit}}}"
    return TENANT % (name, spec)


def workload(name, partition, pods, namespace="t", kind="Deployment", where="cluster: c"):
    number = f"replicas: {pods}" if kind == "Deployment" else f"size: {pods}"
    return WORKLOAD % (name, namespace, where, partition, kind, number)


def judge(*documents):
    text = "---\n".join(HEAD + each for each in documents)
    analysis = api.analyse([Source("x.yaml", text.encode())])
    assert analysis.is_sound, [each.message for each in analysis.diagnostics]
    return judge_capacity(analysis)


def codes(*documents):
    return [each.code.id for each in judge(*documents)]


@pytest.mark.parametrize(
    ("nodes", "quota", "found"),
    [
        (2, 32, []),
        (2, 33, ["ND3060"]),
        ("{min: 1, max: 3}", 48, []),
        ("{min: 1, max: 3}", 49, ["ND3060"]),
    ],
)
def test_quota(nodes, quota, found):
    """A quota may be as large as the pools at most."""
    assert codes(cluster(nodes), *partitions("row"), tenant("t", ["row"], quota)) == found


def test_quota_without_nodes():
    """Where a pool does not say how many nodes it has, no quota is too large."""
    pool = f"{{name: main, instanceType: {TYPE}, sdk: 2.32.0}}"

    assert codes(cluster(pool), *partitions("row"), tenant("t", ["row"], 10_000)) == []


def test_quota_of_chip_and_of_nodes():
    """A quota of a chip counts the pools of its kind, one of nodes counts nodes."""
    quota = "[{chip: trainium2, devices: 33}, {instanceType: trn2u.48xlarge, nodes: 5}]"
    spec = f"{{clusters: [c], namespaces: [t], partitions: [chip, server], quota: {quota}}}"
    ultra = "{name: u, instanceType: trn2u.48xlarge, ultraServers: 1, sdk: 2.32.0}"
    documents = [
        cluster(f"{POOL % 2}, {ultra}"),
        PARTITION % ("chip", "{chip: trainium2, devices: 1}"),
        PARTITION % ("server", "{instanceType: trn2u.48xlarge, ultraServerNodes: 4}"),
        TENANT % ("t", spec),
    ]

    messages = [each.message for each in judge(*documents)]
    assert len(messages) == 2
    assert "33 devices of `trainium2`" in messages[0]
    assert "has 32 when" in messages[0]
    assert "5 nodes of `trn2u.48xlarge`" in messages[1]
    assert "has 4 when" in messages[1]


@pytest.mark.parametrize(
    ("uses", "found"),
    [
        ([("row", 4, "Deployment"), ("half", 2, "Deployment")], []),
        ([("row", 5, "Deployment"), ("half", 2, "Deployment")], ["ND3061"]),
        ([("row", 5, "JobSet"), ("half", 2, "Deployment")], ["ND3062"]),
        ([("efa", 1, "Deployment"), ("efa", 2, "Deployment")], ["ND3061"]),
        ([("nine", 1, "Deployment"), ("node", 1, "Deployment")], []),
        ([("nine", 2, "Deployment"), ("nine", 1, "Deployment")], ["ND3061"]),
        ([("row", 5, "Deployment"), ("row", 4, "Deployment")], ["ND3061"]),
        ([("three", 8, "Deployment"), ("three", 3, "Deployment")], ["ND3061"]),
        ([("nine", 2, "Deployment"), ("half", 1, "Deployment")], ["ND3062"]),
        ([("live", 30, "Deployment"), ("half", 4, "Deployment")], []),
    ],
)
def test_together(uses, found):
    """Workloads that each fit alone are added up: an error where counting proves too much."""
    names = sorted({name for name, _, _ in uses})
    works = [
        workload(f"w{number}", name, pods, kind=kind)
        for number, (name, pods, kind) in enumerate(uses)
    ]

    made = codes(cluster(2), *partitions(*names), tenant("t", names), *works)

    assert [each for each in made if each < "ND3063"] == found


def test_together_in_pools_of_their_own():
    """Claims that only one pool serves are not helped by another pool."""
    pools = f"{POOL % 1}, {{name: old, instanceType: trn1.32xlarge, sdk: 2.32.0, nodes: 9}}"
    documents = [
        cluster(pools),
        *partitions("row", "half"),
        PARTITION % ("first", "{instanceType: trn1.32xlarge, devices: 1}"),
        tenant("t", ["row", "half", "first"]),
        workload("a", "row", 3),
        workload("b", "half", 1),
        workload("d", "first", 2),
    ]

    (found,) = [each for each in judge(*documents) if each.code.id == "ND3061"]
    assert "`a` and `b` together want 20 devices, and there are 16" in found.message


@pytest.mark.parametrize(
    ("pods", "other", "quota", "found"),
    [
        (4, "one", 4, []),
        (4, "one", 5, ["ND3063"]),
        (4, "one", None, ["ND3064"]),
        (8, "one", 1, ["ND3063"]),
        (5, "half", 16, []),  # a larger partition takes devices, it does not break them up
        (1, "three", 23, []),  # 3 claims on each node, of which one needs 5 on the way
        (1, "three", 24, ["ND3063"]),
    ],
)
def test_blocked(pods, other, quota, found):
    """A workload is told of the small claims that can take its room, if quotas admit them."""
    made = codes(
        cluster(2),
        *partitions("row", other),
        tenant("t", ["row"], 32),
        tenant("o", [other], quota),
        workload("w", "row", pods),
    )

    assert made == found


def test_own_quota_is_used_up_by_the_workload():
    """What the namespace of the workload may claim counts without what the workload takes."""
    base = [cluster(2), *partitions("row", "one"), workload("w", "row", 4)]

    assert codes(*base, tenant("t", ["row", "one"], 20)) == []
    assert codes(*base, tenant("t", ["row", "one"], 21)) == ["ND3063"]


def test_another_pool_holds_it():
    """A workload that another pool can hold alone is not told of this one."""
    two = f"{POOL % 1}, {(POOL % 1).replace('main', 'more')}"
    documents = [cluster(two), *partitions("row", "one"), tenant("t", ["row", "one"])]

    assert codes(*documents, workload("w", "row", 4)) == []
    messages = [each.message for each in judge(*documents, workload("w", "row", 5))]
    assert ["in pool `main`" in each for each in messages] == [True, False]
    assert ["in pool `more`" in each for each in messages] == [False, True]


def test_nodes_with_several_drivers_prove_nothing():
    """Where partitions pin different versions, nobody knows which node runs which."""
    pool = f"{{name: main, instanceType: {TYPE}, nodes: 2, neuronDrivers: [2.25.4.0, 2.26.5.0]}}"
    documents = [
        cluster(pool),
        *partitions("pinned", "other"),
        tenant("t", ["pinned", "other"]),
        workload("a", "other", 8),
        workload("b", "pinned", 20),
    ]

    assert codes(*documents) == []


def test_told_once_for_many_clusters():
    """The same finding in several clusters is told once, with their number."""
    where = "clusterSelector: {matchLabels: {env: test}}"
    documents = [
        *(cluster(2, name) for name in "abc"),
        *partitions("row", "one"),
        tenant("t", ["row"], 33, where),
        tenant("o", ["one"], None, where),
        workload("w", "row", 4, where=where),
    ]

    found = judge(*documents)

    assert [each.code.id for each in found] == ["ND3060", "ND3064"]
    assert all(each.message.endswith("(and so in 2 other clusters)") for each in found)
    two = judge(*documents[1:])
    assert all(each.message.endswith("(and so in 1 other cluster)") for each in two)


def test_nothing_beside_errors():
    """Where something is wrong already, nothing is added up."""
    text = "---\n".join(
        HEAD + each
        for each in [
            cluster(2),
            *partitions("row"),
            tenant("t", ["row"], 99),
            workload("w", "row", 9),
        ]
    )
    analysis = api.analyse([Source("x.yaml", text.encode())])

    assert not analysis.is_sound
    assert judge_capacity(analysis) == []


def test_equal_clusters_are_measured_once():
    """Clusters of one profile and with equal grants make one class."""
    where = "clusterSelector: {matchLabels: {env: test}}"
    documents = [
        *(cluster(2, name) for name in "ab"),
        cluster(3, "d"),
        *partitions("row"),
        tenant("t", ["row"], None, where),
    ]
    text = "---\n".join(HEAD + each for each in documents)
    analysis = api.analyse([Source("x.yaml", text.encode())])

    assert [each.clusters for each in measure_capacity(analysis)] == [("a", "b"), ("d",)]
    only = measure_capacity(analysis, Selection(("b",)))
    assert [each.clusters for each in only] == [("b",)]


@pytest.mark.parametrize(
    ("tolls", "nodes", "places", "claims"),
    [
        ((4, 3, 2, 1, 0), 2, 1, 1),
        ((4, 3, 2, 1, 0), 2, 8, 8),
        ((2, 2, 2, 1, 0), 2, 1, 1),
        ((2, 2, 2, 1, 0), 2, 4, 2),
        ((2, 2, 2, 1, 0), 2, 5, 3),
        ((5, 1, 0), 3, 3, 3),
        ((5, 1, 0), 3, 4, 7),
        ((1, 0), 4, 4, 4),
    ],
)
def test_count_enough(tolls, nodes, places, claims):
    """The claims are enough to take the places, the cheapest first."""
    assert count_enough(tolls, nodes, places) == claims
