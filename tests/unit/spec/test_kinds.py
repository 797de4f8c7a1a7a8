"""Rules between the keys of one document."""

import pytest

from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents
from neuron_dra.spec.names import LabelSelector, MatchExpression

HEAD = "apiVersion: neuron-dra.dev/v1alpha1\n"


def problems_of(kind, spec, metadata="{name: x}"):
    text = f"{HEAD}kind: {kind}\nmetadata: {metadata}\nspec: {spec}\n"
    _, problems = read_documents([Source("x.yaml", text.encode())])
    return [(each.code.slug, each.message) for each in problems]


POOL = "{kubernetes: 1.36, nodePools: [{name: a, instanceType: a.b, %s}]}"
SHAPE = "{instanceType: a.b, devices: 1, %s}"
TENANT = "{clusters: [a], namespaces: [a, b], %s}"
WORKLOAD = "{cluster: a, partition: p, %s}"


@pytest.mark.parametrize(
    ("kind", "spec", "expected"),
    [
        ("Partition", "{devices: 1}", "exactly one of `instanceType` and `chip` is needed"),
        (
            "Partition",
            "{instanceType: a.b, chip: c, devices: 1}",
            "exactly one of `instanceType` and `chip` is needed",
        ),
        (
            "Partition",
            "{instanceType: a.b}",
            "exactly one of `devices` and `ultraServerNodes` is needed",
        ),
        (
            "Partition",
            "{instanceType: a.b, ultraServerNodes: 2, connected: true}",
            "`connected` cannot stand beside `ultraServerNodes`",
        ),
        (
            "Partition",
            "{instanceType: a.b, ultraServerNodes: 2, efa: paired}",
            "`efa: paired` cannot stand beside `ultraServerNodes`",
        ),
        (
            "Partition",
            "{devices: 1, firstAvailable: [{instanceType: a.b, devices: 1}]}",
            "`devices` cannot stand beside `firstAvailable`",
        ),
        ("Partition", "{firstAvailable: []}", "the list has 0 items, needs 1"),
        (
            "Partition",
            SHAPE % "tolerations: [{operator: Exists, value: v}]",
            "`value` cannot stand beside `operator: Exists`",
        ),
        (
            "Partition",
            SHAPE % "tolerations: [{value: v}]",
            "a toleration without `key` needs `operator: Exists`",
        ),
        (
            "Partition",
            SHAPE % "tolerations: [{key: k, tolerationSeconds: 3}]",
            "`tolerationSeconds` needs `effect: NoExecute`",
        ),
        (
            "Partition",
            SHAPE % "lifecycle: {replacedBy: y}",
            "`replacedBy` needs `deprecated: true`",
        ),
        (
            "Partition",
            SHAPE % "lifecycle: {deprecated: true, removeAfter: 2027-13-01}",
            "`2027-13-01` is not a date, like `2027-06-30`",
        ),
        (
            "Cluster",
            POOL % "nodes: 1, ultraServers: 1",
            "`ultraServers` cannot stand beside `nodes`",
        ),
        (
            "Cluster",
            POOL % "sdk: 2.32.0, neuronDrivers: [2.30.2.0]",
            "`neuronDrivers` cannot stand beside `sdk`",
        ),
        ("Cluster", POOL % "nodes: {min: 3, max: 1}", "`min` 3 is more than `max` 1"),
        (
            "Cluster",
            POOL % "capacity: {type: spot, capacityBlockId: cb-1}",
            "`capacityBlockId` needs `type: capacity-block`",
        ),
        (
            "Cluster",
            POOL % "capacity: {type: spot, endDate: 2027-03-01T11:30:00}",
            "`2027-03-01T11:30:00` needs a time zone, like `2027-03-01T11:30:00Z`",
        ),
        (
            "Cluster",
            "{kubernetes: 1.36, networkGroups: {a: {ports: [1]}}}",
            "the group needs `cidrs`, `namespaceSelector` or `podSelector`",
        ),
        (
            "Cluster",
            "{kubernetes: 1.36, networkGroups: {a: {podSelector: {}, cidrs: [10.0.0.0/8]}}}",
            "`cidrs` cannot stand beside `namespaceSelector` or `podSelector`",
        ),
        (
            "Cluster",
            "{kubernetes: 1.36, gitops: {argocd: {repoURL: a, project: {name: b},"
            " destination: {name: c, server: d}}}}",
            "a destination needs exactly one of `name` and `server`",
        ),
        (
            "Tenant",
            "{namespaces: [a]}",
            "exactly one of `clusterSelector` and `clusters` is needed",
        ),
        (
            "Tenant",
            TENANT % "namespaceLabels: {a: b}",
            "`namespaceLabels` needs `createNamespaces: true`",
        ),
        (
            "Tenant",
            TENANT % "quota: [{instanceType: a.b, devices: 4, namespaces: {a: 3, b: 3}}]",
            "the namespaces share 6, more than the quota of 4",
        ),
        (
            "Tenant",
            TENANT % "quota: [{instanceType: a.b, devices: 4, namespaces: {c: 3}}]",
            "`c` is not a namespace of this tenant",
        ),
        (
            "Tenant",
            TENANT % "quota: [{instanceType: a.b, devices: 4}]",
            "each of 2 namespaces may claim 4, together 8",
        ),
        (
            "Tenant",
            TENANT % "quota: [{instanceType: a.b, namespaces: {a: 0}}]",
            "exactly one of `devices` and `nodes` is needed",
        ),
        (
            "Tenant",
            TENANT % "network: {ingress: [a]}",
            "`ingress` has no effect with `isolation: none`",
        ),
        (
            "NeuronWorkload",
            "{partition: p, controller: Job}",
            "exactly one of `cluster` and `clusterSelector` is needed",
        ),
        (
            "NeuronWorkload",
            WORKLOAD % "controller: external, template: {}",
            "`template` cannot stand beside `controller: external`",
        ),
        (
            "NeuronWorkload",
            WORKLOAD % "controller: Job, podSelector: {}",
            "`podSelector` needs `controller: external`",
        ),
        (
            "NeuronWorkload",
            WORKLOAD % "controller: Job, leaderTemplate: {}, template: {}",
            "`leaderTemplate` needs `controller: LeaderWorkerSet` or `MPIJob`",
        ),
        (
            "NeuronWorkload",
            WORKLOAD % "controller: MPIJob, leaderTemplate: {}",
            "`leaderTemplate` needs `template`",
        ),
    ],
)
def test_keys_that_disagree_are_told(kind, spec, expected):
    metadata = "{name: x, namespace: n}" if kind == "NeuronWorkload" else "{name: x}"

    assert expected in [message for _, message in problems_of(kind, spec, metadata)]


@pytest.mark.parametrize(
    ("labels", "expressions", "expected"),
    [
        ({"a": "1"}, [], True),
        ({"a": "2"}, [], False),
        ({}, [("a", "Exists", ())], True),
        ({}, [("b", "Exists", ())], False),
        ({}, [("b", "DoesNotExist", ())], True),
        ({}, [("a", "In", ("1", "2"))], True),
        ({}, [("a", "NotIn", ("1",))], False),
        ({}, [("b", "NotIn", ("1",))], True),
    ],
)
def test_a_label_selector_matches_as_kubernetes_does(labels, expressions, expected):
    selector = LabelSelector(
        places=None,
        match_labels=labels,
        match_expressions=tuple(
            MatchExpression(places=None, key_=key, operator=operator, values=values)
            for key, operator, values in expressions
        ),
    )

    assert selector.matches({"a": "1"}) is expected
