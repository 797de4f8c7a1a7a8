"""NetworkPolicies of tenants and workloads."""

from types import SimpleNamespace

import pytest

from neuron_dra.diagnostics import Severity
from neuron_dra.objects.network import render_tenant_policy, render_workload_policy
from neuron_dra.objects.network_groups import BUILT_IN, check_groups
from unit.objects.small_plans import CLUSTER, make_plan, pointed_at, told, validate

GROUPS = """
      networkGroups:
        gateway:
          namespaceSelector: {matchLabels: {role: gateway}}
          podSelector: {matchExpressions: [{key: app, operator: In, values: [proxy]}]}
        s3: {cidrs: [10.8.0.0/22, "fd00:1::/64"], ports: [443, 80]}
        monitors: {podSelector: {}}
"""
DNS_RULE = {
    "ports": [{"protocol": "UDP", "port": 53}, {"protocol": "TCP", "port": 53}],
    "to": [
        {
            "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}},
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "kube-system"}},
        },
        {"ipBlock": {"cidr": "169.254.20.10/32"}},
    ],
}
EFA = SimpleNamespace(has_efa=True, name="four")
PODS = {"matchLabels": {"batch.kubernetes.io/job-name": "pretrain"}}


def tenant(network):
    return f"""
    apiVersion: neuron-dra.dev/v1alpha1
    kind: Tenant
    metadata: {{name: team}}
    spec:
      clusters: [east]
      namespaces: [team-b, team-a]
      network: {network}
    """


def workload(network):
    return f"""
    apiVersion: neuron-dra.dev/v1alpha1
    kind: NeuronWorkload
    metadata: {{name: pretrain, namespace: team-a}}
    spec:
      cluster: east
      partition: four
      controller: Job
      network: {network}
    """


def tenant_policy(network, *, groups=GROUPS, partitions=()):
    plan = make_plan(CLUSTER + groups, tenant(network), partitions=partitions)
    return render_tenant_policy(plan.tenants[0], plan.profile)


def workload_policy(network, *owners, partitions=()):
    plan = make_plan(CLUSTER + GROUPS, workload(network), *owners, partitions=partitions)
    return render_workload_policy(plan.workloads[0], plan.profile, PODS)


def test_namespace_isolation():
    """Pods of an isolated namespace reach each other and DNS, and nothing else."""
    (policy,), problems = tenant_policy("{isolation: namespace}")

    assert problems == []
    assert policy.path == "manifests/namespaces/{namespace}/networkpolicies/neuron-dra-team.yaml"
    assert validate(policy) == {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {
            "name": "neuron-dra-team",
            "namespace": "team-a",
            "labels": {
                "app.kubernetes.io/managed-by": "neuron-dra",
                "neuron-dra.dev/tenant": "team",
            },
            "annotations": {"argocd.argoproj.io/sync-wave": "-1"},
        },
        "spec": {
            "podSelector": {},
            "ingress": [{"from": [{"podSelector": {}}]}],
            "egress": [{"to": [{"podSelector": {}}]}, DNS_RULE],
            "policyTypes": ["Ingress", "Egress"],
        },
    }
    assert policy.documents == ("Tenant/team",)
    assert policy.fields["spec.ingress[0].from"] == "Tenant/team spec.network.isolation"


def test_tenant_isolation():
    """Pods of a tenant are reached from all its namespaces, found by name."""
    (policy,), _ = tenant_policy("{isolation: tenant}")

    peer = {
        "namespaceSelector": {
            "matchExpressions": [
                {
                    "key": "kubernetes.io/metadata.name",
                    "operator": "In",
                    "values": ["team-a", "team-b"],
                }
            ]
        }
    }
    spec = validate(policy)["spec"]
    assert spec["ingress"] == [{"from": [peer]}]
    assert spec["egress"] == [{"to": [peer]}, DNS_RULE]


@pytest.mark.parametrize("network", ["{isolation: none}", "{}"])
def test_no_isolation(network):
    """Without isolation there is no policy."""
    assert tenant_policy(network, partitions=[EFA]) == ([], [])


def test_groups():
    """A group's two selectors narrow one peer; its ports are TCP, and no ports are all ports."""
    (policy,), problems = tenant_policy(
        "{isolation: namespace, ingress: [gateway, monitors], egress: [s3, dns, pod-identity]}"
    )

    gateway = {
        "podSelector": {
            "matchExpressions": [{"key": "app", "operator": "In", "values": ["proxy"]}]
        },
        "namespaceSelector": {"matchLabels": {"role": "gateway"}},
    }
    s3 = {
        "ports": [{"protocol": "TCP", "port": 443}, {"protocol": "TCP", "port": 80}],
        "to": [{"ipBlock": {"cidr": "10.8.0.0/22"}}, {"ipBlock": {"cidr": "fd00:1::/64"}}],
    }
    spec = validate(policy)["spec"]
    assert problems == []
    assert spec["ingress"][1:] == [{"from": [gateway]}, {"from": [{"podSelector": {}}]}]
    assert spec["egress"][1:] == [DNS_RULE, s3, BUILT_IN["pod-identity"].rule("to")]
    assert policy.fields["spec.ingress[2]"] == "Tenant/team spec.network.ingress[1]"
    assert policy.fields["spec.egress[1]"] == "Tenant/team spec.network.egress[1]"
    assert policy.fields["spec.egress[2]"] == "Tenant/team spec.network.egress[0]"


def test_pod_identity():
    """The agent of Pod Identity is reached at both its addresses."""
    assert BUILT_IN["pod-identity"].rule("to") == {
        "ports": [{"protocol": "TCP", "port": 80}],
        "to": [
            {"ipBlock": {"cidr": "169.254.170.23/32"}},
            {"ipBlock": {"cidr": "fd00:ec2::23/128"}},
        ],
    }


def test_unknown_group():
    """A word that is no group is told at its place, with the nearest known one."""
    _, problems = tenant_policy("{isolation: namespace, ingress: [gatway], egress: [s33]}")

    assert told(problems) == [
        ("ND4001", "gatway", "unknown network group `gatway`"),
        ("ND4001", "s33", "unknown network group `s33`"),
    ]
    assert [problem.help for problem in problems] == [
        "did you mean `gateway`?",
        "did you mean `s3`?",
    ]


def test_built_in_group_in_ingress():
    """DNS is where pods go, so it cannot stand in `ingress`."""
    _, problems = tenant_policy("{isolation: namespace, ingress: [dns]}")

    assert [problem.code.id for problem in problems] == ["ND4004"]


def test_efa_note():
    """A tenant that may claim EFA is told that no policy sees its EFA traffic."""
    _, problems = tenant_policy("{isolation: tenant}", partitions=[EFA, EFA])

    assert [(each.code.id, each.severity) for each in problems] == [("ND4002", Severity.NOTE)]


def test_workload_peers():
    """The pods of a workload reach each other on all ports, DNS and what is named."""
    (policy,), problems = workload_policy("{peers: workload, ingress: [gateway], egress: [s3]}")

    data = validate(policy)
    path = "manifests/namespaces/team-a/networkpolicies/neuron-dra.pretrain.yaml"
    assert problems == []
    assert policy.path == path
    assert policy.documents == ("NeuronWorkload/team-a/pretrain",)
    assert data["metadata"]["name"] == "neuron-dra.pretrain"
    assert data["metadata"]["namespace"] == "team-a"
    assert data["metadata"]["labels"]["neuron-dra.dev/workload"] == "pretrain"
    assert data["spec"]["podSelector"] == PODS
    assert data["spec"]["ingress"][0] == {"from": [{"podSelector": PODS}]}
    assert data["spec"]["egress"][:2] == [{"to": [{"podSelector": PODS}]}, DNS_RULE]
    assert len(data["spec"]["ingress"]) == 2
    assert len(data["spec"]["egress"]) == 3


def test_workload_without_network():
    """A workload that says nothing of its network gets no policy."""
    silent = workload("{peers: workload}").replace("network:", "# network:")
    plan = make_plan(CLUSTER + GROUPS, silent)

    assert render_workload_policy(plan.workloads[0], plan.profile, PODS) == ([], [])


PEER = {"podSelector": PODS}
GATEWAY = {
    "podSelector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["proxy"]}]},
    "namespaceSelector": {"matchLabels": {"role": "gateway"}},
}


@pytest.mark.parametrize(
    ("network", "ingress", "egress"),
    [
        ("{egress: [dns]}", None, [DNS_RULE]),
        ("{egress: []}", None, [DNS_RULE]),
        ("{ingress: [gateway]}", [{"from": [GATEWAY]}], None),
        ("{ingress: []}", [], None),
        ("{ingress: [gateway], egress: [dns]}", [{"from": [GATEWAY]}], [DNS_RULE]),
        ("{peers: workload}", [{"from": [PEER]}], [{"to": [PEER]}, DNS_RULE]),
        (
            "{peers: workload, ingress: [gateway]}",
            [{"from": [PEER]}, {"from": [GATEWAY]}],
            [{"to": [PEER]}, DNS_RULE],
        ),
    ],
)
def test_directions(network, ingress, egress):
    """A direction is closed when its key or `peers` is written, and only `peers` open it inside."""
    (policy,), problems = workload_policy(network)
    rules = {"ingress": ingress, "egress": egress}

    assert problems == []
    assert validate(policy)["spec"] == {
        "podSelector": PODS,
        **{key: value for key, value in rules.items() if value},
        "policyTypes": [key.capitalize() for key, value in rules.items() if value is not None],
    }
    for field in policy.fields:
        key, _, index = field.removeprefix("spec.").partition("[")
        assert int(index.partition("]")[0]) < len(rules[key])


def test_causes_without_peers():
    """A rule is caused by its own key where there is none for peers."""
    (policy,), _ = workload_policy("{ingress: [monitors, gateway], egress: [s3]}")
    document = "NeuronWorkload/team-a/pretrain spec.network"

    assert policy.fields == {
        "spec.ingress[0]": f"{document}.ingress[0]",
        "spec.ingress[1]": f"{document}.ingress[1]",
        "spec.egress[1]": f"{document}.egress[0]",
    }


@pytest.mark.parametrize(
    ("network", "key"),
    [
        ("{ingress: [gateway]}", "ingress"),
        ("{egress: [s3]}", "egress"),
        ("{egress: [s3], ingress: []}", "ingress"),
        ("{peers: workload, egress: [s3]}", ""),
    ],
)
@pytest.mark.parametrize("isolation", ["none", "namespace"])
def test_group_without_peers(network, key, isolation):
    """Pods of a group that no rule lets to each other are told, unless their tenant lets them."""
    group = workload(network).replace("controller: Job", "controller: Job\n      size: 4")
    owner = tenant(f"{{isolation: {isolation}}}")
    plan = make_plan(CLUSTER + GROUPS, group, owner)
    _, problems = render_workload_policy(plan.workloads[0], plan.profile, PODS)
    cut_off = [each for each in problems if each.code.slug == "peers-cut-off"]

    message = f"`{key}` without `peers` keeps the 4 pods of a group from each other"
    assert told(cut_off) == ([("ND4007", key, message)] if key and isolation == "none" else [])


def test_workload_inside_isolation():
    """A workload cannot narrow what its tenant's policy allows: policies only add."""
    (policy,), problems = workload_policy("{peers: workload}", tenant("{isolation: tenant}"))

    ((code, text, message),) = told(problems)
    assert (code, text) == ("ND4003", "peers")
    assert "`isolation: tenant` of tenant `team`" in message
    assert pointed_at(problems[0].related[0].span) == "tenant"
    assert policy.data["metadata"]["labels"]["neuron-dra.dev/tenant"] == "team"


def test_workload_adds_groups():
    """Inside an isolated tenant a workload may still reach more than the others."""
    _, problems = workload_policy("{egress: [s3]}", tenant("{isolation: tenant}"))

    assert problems == []


def test_workload_efa_note():
    """A workload with a policy of its own is told of EFA where its tenant was not."""
    _, alone = workload_policy("{peers: workload}", partitions=[EFA])
    _, inside = workload_policy(
        "{egress: [s3]}", tenant("{isolation: namespace}"), partitions=[EFA]
    )

    assert [problem.code.id for problem in alone] == ["ND4002"]
    assert inside == []


def test_redefined_group():
    """A built-in word keeps its meaning."""
    plan = make_plan(f"{CLUSTER}      networkGroups: {{dns: {{cidrs: [10.0.0.0/8]}}}}\n")

    assert [problem.code.id for problem in check_groups(plan.profile)] == ["ND4006"]


@pytest.mark.parametrize(("count", "codes"), [(24, []), (25, ["ND4005"])])
def test_too_many_ports(count, codes):
    """A group with more ports than the VPC CNI enforces is told, and with as many is not."""
    ports = ", ".join(str(8000 + port) for port in range(count))
    group = f"{{cidrs: [10.0.0.0/8], ports: [{ports}]}}"
    plan = make_plan(f"{CLUSTER}      networkGroups: {{many: {group}}}\n")

    problems = check_groups(plan.profile)
    assert [problem.code.id for problem in problems] == codes
    assert all("25 ports" in problem.message for problem in problems)
