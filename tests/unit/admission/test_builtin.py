"""Kubernetes' own kinds beyond resource.k8s.io."""

from __future__ import annotations

import pytest

from neuron_dra.admission.builtin import judge_builtin
from neuron_dra.admission.server import Server
from neuron_dra.catalog.locate import open_catalog

RELEASE = open_catalog(()).kubernetes("1.36")
SERVER = Server(RELEASE, RELEASE.default_gates)


def make(api_version, kind, spec, **parts):
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": "x"},
        "spec": spec,
        **parts,
    }


def causes_of(data):
    verdict = judge_builtin(data, SERVER).verdict
    assert verdict.problems == ()
    return [(each.type.removeprefix("FieldValue"), each.field) for each in verdict.causes]


def pod_spec(*taken, claims=({"name": "a", "resourceClaimName": "x"},)):
    container = {"name": "c", "image": "i", "resources": {"claims": list(taken)}}
    return {"containers": [container], "resourceClaims": list(claims)}


TAKEN = "spec.containers[0].resources.claims"


@pytest.mark.parametrize(
    ("taken", "causes"),
    [
        ([{"name": "a"}], []),
        ([{"name": "a", "request": "r"}, {"name": "a", "request": "s"}], []),
        ([{"name": "a"}, {"name": "a", "request": "r"}], [("Duplicate", f"{TAKEN}[1]")]),
        ([{"name": "a", "request": "r"}, {"name": "a"}], [("Duplicate", f"{TAKEN}[1]")]),
        ([{"name": "a", "request": "r/s"}], [("Invalid", f"{TAKEN}[0].request")]),
        ([{"name": ""}], [("Required", f"{TAKEN}[0]")]),
        ([{"name": "b"}], [("NotFound", f"{TAKEN}[0]")]),
    ],
)
def test_claims_of_containers(taken, causes):
    """A container takes claims of its pod, each once, whole or by valid names of requests."""
    assert causes_of(make("v1", "Pod", pod_spec(*taken))) == causes


@pytest.mark.parametrize(
    ("claims", "causes"),
    [
        ([{"name": "a"}], [("Invalid", "[0]")]),
        (
            [{"name": "a", "resourceClaimName": "x", "resourceClaimTemplateName": "X"}],
            [("Invalid", "[0]"), ("Invalid", "[0].resourceClaimTemplateName")],
        ),
        ([{"name": "", "resourceClaimName": "x"}], [("Required", "[0].name")]),
        ([{"name": "A", "resourceClaimName": "x"}], [("Invalid", "[0].name")]),
        ([{"name": "a", "resourceClaimName": "x"}] * 2, [("Duplicate", "[1].name")]),
    ],
)
def test_claims_of_pods(claims, causes):
    """A pod's claims have names of their own and one source each."""
    found = causes_of(make("v1", "Pod", pod_spec(claims=claims)))

    assert found == [(kind, f"spec.resourceClaims{field}") for kind, field in causes]


def test_templates_of_pods():
    """What holds pods is checked where it holds them."""
    template = {"spec": pod_spec({"name": "b"})}
    selector = {"matchLabels": {"a": "b"}}
    place = "template.spec.containers[0].resources.claims[0]"

    deployment = make("apps/v1", "Deployment", {"selector": selector, "template": template})
    assert causes_of(deployment) == [("NotFound", f"spec.{place}")]
    job = {"jobTemplate": {"spec": {"template": template}}, "schedule": "@daily"}
    assert causes_of(make("batch/v1", "CronJob", job)) == [
        ("NotFound", f"spec.jobTemplate.spec.{place}")
    ]


def test_required_fields():
    """A field that the schema requires is a cause where it is missing."""
    spec = {"containers": [{"image": "i", "env": [{"value": "x"}]}]}

    assert causes_of(make("v1", "Pod", spec)) == [
        ("Required", "spec.containers[0].name"),
        ("Required", "spec.containers[0].env[0].name"),
    ]


@pytest.mark.parametrize(
    ("hard", "causes"),
    [
        ({"pods": "4", "requests.cpu": "0.5", "count/x.y": "1", "hugepages-2Mi": "1Gi"}, []),
        ({"x.deviceclass.resource.k8s.io/devices": 8}, []),
        ({"chips": "1"}, [("Invalid", "[chips]")]),
        ({"-/x": "1"}, [("Invalid", "[-/x]")]),
        ({"pods": "-1"}, [("Invalid", "[pods]")]),
        ({"pods": "1.5"}, [("Invalid", "[pods]")]),
        ({"example.com/x": "500m"}, [("Invalid", "[example.com/x]")]),
    ],
)
def test_quotas(hard, causes):
    """A quota limits known resources, those of others in whole numbers."""
    found = causes_of(make("v1", "ResourceQuota", {"hard": hard}))

    assert found == [(kind, f"spec.hard{field}") for kind, field in causes]


@pytest.mark.parametrize(
    ("spec", "causes"),
    [
        ({}, []),
        ({"policyTypes": ["Ingress", "x"]}, [("NotSupported", "policyTypes[1]")]),
        ({"policyTypes": ["Ingress"] * 3}, [("Invalid", "policyTypes")]),
        ({"podSelector": {"matchLabels": {"-": "x"}}}, [("Invalid", "podSelector.matchLabels")]),
        ({"ingress": [{"from": [{}]}]}, [("Required", "ingress[0].from[0]")]),
        (
            {"egress": [{"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}, "podSelector": {}}]}]},
            [("Forbidden", "egress[0].to[0]")],
        ),
        ({"egress": [{"to": [{"ipBlock": {}}]}]}, [("Required", "egress[0].to[0].ipBlock.cidr")]),
        (
            {"egress": [{"to": [{"ipBlock": {"cidr": "10.0.0.1/8"}}]}]},
            [("Invalid", "egress[0].to[0].ipBlock.cidr")],
        ),
        (
            {
                "egress": [
                    {
                        "to": [
                            {
                                "ipBlock": {
                                    "cidr": "10.0.0.0/8",
                                    "except": ["10.1.0.0/16", "11.0.0.0/16", "::/0", "10.0.0.0/8"],
                                }
                            }
                        ]
                    }
                ]
            },
            [("Invalid", f"egress[0].to[0].ipBlock.except[{index}]") for index in (1, 2, 3)],
        ),
    ],
)
def test_network_policies(spec, causes):
    """A policy has valid selectors, one kind of peer at a time and ranges that are ranges."""
    found = causes_of(make("networking.k8s.io/v1", "NetworkPolicy", spec))

    assert found == [(kind, f"spec.{field}") for kind, field in causes]


@pytest.mark.parametrize(
    ("port", "causes"),
    [
        ({"port": 80, "endPort": 90, "protocol": "TCP"}, []),
        ({"port": "http"}, []),
        ({}, []),
        ({"protocol": "tcp"}, [("NotSupported", "protocol")]),
        ({"port": 0}, [("Invalid", "port")]),
        ({"port": 80, "endPort": 79}, [("Invalid", "endPort")]),
        ({"port": "http", "endPort": 80}, [("Invalid", "endPort")]),
        ({"port": "HTTP"}, [("Invalid", "port")]),
    ],
)
def test_ports(port, causes):
    """A port is a number or a name, and only numbers have an end."""
    spec = {"ingress": [{"ports": [port]}]}
    found = causes_of(make("networking.k8s.io/v1", "NetworkPolicy", spec))

    assert found == [(kind, f"spec.ingress[0].ports[0].{field}") for kind, field in causes]


@pytest.mark.parametrize(
    ("expression", "causes"),
    [
        ({"key": "a", "operator": "In", "values": ["b"]}, []),
        ({"key": "a", "operator": "In"}, [("Required", "values")]),
        ({"key": "a", "operator": "Exists", "values": ["b"]}, [("Forbidden", "values")]),
        (
            {"key": "-", "operator": "x", "values": ["-"]},
            [("Invalid", "operator"), ("Invalid", "key"), ("Invalid", "values[0]")],
        ),
    ],
)
def test_label_selectors(expression, causes):
    """A requirement of labels has an operator that fits its values."""
    spec = {"podSelector": {"matchExpressions": [expression]}}
    found = causes_of(make("networking.k8s.io/v1", "NetworkPolicy", spec))

    place = "spec.podSelector.matchExpressions[0]"
    assert found == [(kind, f"{place}.{field}") for kind, field in causes]


def test_extent():
    """It is said whether all rules of a kind were applied."""
    assert judge_builtin(make("v1", "Namespace", {}), SERVER).in_full
    assert not judge_builtin(make("v1", "Pod", pod_spec()), SERVER).in_full
    assert judge_builtin(make("x.y/v1", "Thing", {}), SERVER) is None


@pytest.mark.parametrize(
    ("api_version", "kind", "field", "help_text"),
    [
        ("extensions/v1beta1", "Deployment", None, None),
        ("apps/v1beta1", "Deployment", "apiVersion", "it is in `apps/v1`"),
        ("apps/v1", "Deploymnt", "kind", "did you mean `Deployment`?"),
    ],
)
def test_unknown_kinds(api_version, kind, field, help_text):
    """What a group of Kubernetes does not have is refused, with what it has."""
    judged = judge_builtin(make(api_version, kind, {}), SERVER)

    if field is None:
        assert judged is None
    else:
        (problem,) = judged.verdict.problems
        assert (problem.field, problem.help) == (field, help_text)


def test_unread():
    """What the decoder does not take has problems and no causes."""
    verdict = judge_builtin(make("v1", "Pod", {"Containers": []}), SERVER).verdict

    assert [each.field for each in verdict.problems] == ["spec.Containers"]
    assert verdict.causes == ()
