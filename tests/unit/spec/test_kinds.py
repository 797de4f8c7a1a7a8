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
        ("Partition", "{devices: 1}", "one of `instanceType` and `chip` is required here"),
        (
            "Partition",
            "{instanceType: a.b, chip: c, devices: 1}",
            "`chip` cannot stand beside `instanceType`",
        ),
        (
            "Partition",
            "{instanceType: a.b}",
            "one of `devices` and `ultraServerNodes` is required here",
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
            POOL % "capacity: {type: spot, capacityBlockId: cb-0a1b2c3d4e5f67890}",
            "`capacityBlockId` needs `type: capacity-block`",
        ),
        (
            "Cluster",
            POOL % "capacity: {type: spot, endDate: 2027-03-01T11:30:00}",
            "`2027-03-01T11:30:00` needs a time zone, like `2027-03-01T11:30:00Z`",
        ),
        (
            "Cluster",
            POOL % "capacity: {type: spot, endDate: 2027-03-01T11:30:00Z}",
            "`endDate` has no meaning with `type: spot`",
        ),
        (
            "Cluster",
            POOL % "capacity: {type: capacity-block, capacityBlockId: cr-0a1b2c3d4e5f67890}",
            "`cr-0a1b2c3d4e5f67890` is not the id of a capacity block, like `cb-0a1b2c3d4e5f67890`",
        ),
        (
            "Cluster",
            "{kubernetes: 1.36, region: us-west-2a}",
            "`us-west-2a` is not an AWS region, like `us-west-2`",
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
            (
                "{kubernetes: 1.36, gitops: {argocd: {repoURL: https://a/b, project: {name: b},"
                " destination: {name: c, server: https://d}}}}"
            ),
            "`server` cannot stand beside `name`",
        ),
        (
            "Tenant",
            "{namespaces: [a]}",
            "one of `clusterSelector` and `clusters` is required here",
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
            "one of `devices` and `nodes` is required here",
        ),
        (
            "Tenant",
            TENANT % "network: {ingress: [a]}",
            "`ingress` has no effect with `isolation: none`",
        ),
        (
            "NeuronWorkload",
            "{partition: p, controller: Job}",
            "one of `cluster` and `clusterSelector` is required here",
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
    ("expression", "expected"),
    [
        ("operator: In", "`operator: In` needs `values`, at least one"),
        ("operator: NotIn, values: []", "`operator: NotIn` needs `values`, at least one"),
        ("operator: Exists, values: [b]", "`values` cannot stand beside `operator: Exists`"),
        (
            "operator: DoesNotExist, values: [b]",
            "`values` cannot stand beside `operator: DoesNotExist`",
        ),
        ("operator: In, values: [b]", ""),
        ("operator: Exists, values: []", ""),
    ],
)
@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("Cluster", "{kubernetes: 1.36, networkGroups: {g: {podSelector: %s}}}"),
        ("Cluster", "{kubernetes: 1.36, networkGroups: {g: {namespaceSelector: %s}}}"),
        ("Tenant", "{namespaces: [a], clusterSelector: %s}"),
        ("Tenant", TENANT % "partitions: [{name: p, clusterSelector: %s}]"),
        ("NeuronWorkload", WORKLOAD % "controller: external, podSelector: %s"),
    ],
)
def test_a_selector_says_what_the_api_server_takes(kind, spec, expression, expected):
    """An operator has values where it compares, and only there, in every selector."""
    metadata = "{name: x, namespace: n}" if kind == "NeuronWorkload" else "{name: x}"
    selector = "{matchExpressions: [{key: a, %s}]}" % expression  # noqa: UP031 -- full of braces

    messages = [message for _, message in problems_of(kind, spec % selector, metadata)]
    assert messages == [expected] * bool(expected)


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("Cluster", POOL % "nodes: %s"),
        ("Cluster", POOL % "ultraServers: {min: 0, max: %s}"),
        ("Tenant", "{clusters: [a], namespaces: [a], quota: [{instanceType: a.b, devices: %s}]}"),
        ("Tenant", "{clusters: [a], namespaces: [a], quota: [{chip: a, nodes: %s}]}"),
        ("NeuronWorkload", WORKLOAD % "controller: Job, replicas: %s"),
        ("NeuronWorkload", WORKLOAD % "controller: Job, size: %s"),
    ],
)
def test_numbers_are_those_of_the_api(kind, spec):
    """A number that no field of the API can hold is refused with the limit."""
    metadata = "{name: x, namespace: n}" if kind == "NeuronWorkload" else "{name: x}"

    assert problems_of(kind, spec % (2**31 - 1), metadata) == []
    assert problems_of(kind, spec % 2**31, metadata) == [
        ("invalid-value", "2147483648 is more than the 2147483647 allowed")
    ]


GOOD_ZONES = [
    "us-west-2a",
    "us-gov-west-1b",
    "us-west-2-lax-1a",
    "us-east-1-wl1-bos-wlz-1",
    "usw2-az4",
    "usgw1-az1",
    "usw2-lax1-az1",
]


@pytest.mark.parametrize("zone", GOOD_ZONES)
def test_zones(zone):
    """A zone is a name or an id of any kind of zone."""
    assert problems_of("Cluster", POOL % f"zones: [{zone}]") == []


@pytest.mark.parametrize("zone", ["us-west-2", "usw2", "a", "nonsense!", "us-west-2A", "az4", '""'])
def test_no_zones(zone):
    """What looks like neither is refused."""
    ((slug, message),) = problems_of("Cluster", POOL % f"zones: [{zone}]")

    assert slug == "invalid-value"
    assert message.endswith("is not the name or id of a zone, like `us-west-2a`")


@pytest.mark.parametrize(
    ("zone", "outside"),
    [("us-west-2a", False), ("us-west-2-lax-1a", False), ("use1-az1", False), ("us-east-1a", True)],
)
def test_zones_of_another_region(zone, outside):
    """The name of a zone must be one of the cluster's region; an id does not say its own."""
    spec = "{kubernetes: 1.36, region: us-west-2, nodePools: [{name: a, instanceType: a.b, %s}]}"
    messages = [message for _, message in problems_of("Cluster", spec % f"zones: [{zone}]")]

    assert messages == [f"the zone `{zone}` is not in the region `us-west-2`"] * outside


@pytest.mark.parametrize(("size", "slugs"), [(65536, []), (65537, ["invalid-value"])])
def test_size_of_annotations(size, slugs):
    """The annotations of every object have bytes to spare for those that others add."""
    value = "ü" * (size // 2 - 1) + "a" * (1 + size % 2)
    spec = f"{{kubernetes: 1.36, objectAnnotations: {{a: {value}}}}}"

    problems = problems_of("Cluster", spec)
    assert [slug for slug, _ in problems] == slugs
    assert all(f"have {size} bytes, more than the 65536 allowed" in each for _, each in problems)


def test_a_project_of_argocd_itself():
    """Argo CD's own AppProject can be used, not created."""
    spec = (
        "{kubernetes: 1.36, gitops: {argocd: {repoURL: https://a/b, destination: {name: c},"
        " project: {name: default%s}}}}"
    )

    assert problems_of("Cluster", spec % ", create: false") == []
    assert problems_of("Cluster", spec % "") == [
        ("invalid-value", "the AppProject `default` is Argo CD's own and not to be created")
    ]


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
