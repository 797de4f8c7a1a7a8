"""ResourceQuotas."""

from neuron_dra.objects.quota import render_quotas
from unit.objects.small_plans import CLUSTER, make_plan, validate

TENANT = """
    apiVersion: neuron-dra.dev/v1alpha1
    kind: Tenant
    metadata: {name: team}
    spec: {clusters: [east], namespaces: [team-b, team-a]}
"""


def test_quota_by_namespace():
    """Every namespace gets its own numbers, as texts, also the zeros."""
    quota = {
        "team-b": {"neuron-a-large": 16, "neuron.aws.com": 0},
        "team-a": {"neuron.aws.com": 0, "neuron-a-large": 48},
    }
    plan = make_plan(CLUSTER, TENANT, quota=quota)

    first, second = render_quotas(plan.tenants[0], plan.profile)

    assert first.path == "manifests/namespaces/team-a/resourcequotas/neuron-dra.yaml"
    assert second.path == "manifests/namespaces/team-b/resourcequotas/neuron-dra.yaml"
    assert validate(first) == {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {
            "name": "neuron-dra",
            "namespace": "team-a",
            "labels": {
                "app.kubernetes.io/managed-by": "neuron-dra",
                "neuron-dra.dev/tenant": "team",
            },
            "annotations": {"argocd.argoproj.io/sync-wave": "-1"},
        },
        "spec": {
            "hard": {
                "neuron-a-large.deviceclass.resource.k8s.io/devices": "48",
                "neuron.aws.com.deviceclass.resource.k8s.io/devices": "0",
            }
        },
    }
    assert list(first.data["spec"]["hard"]) == sorted(first.data["spec"]["hard"])
    assert first.fields == {"spec.hard": "Tenant/team spec.quota"}


def test_no_quota():
    """A tenant without quota gets no ResourceQuota."""
    plan = make_plan(CLUSTER, TENANT)

    assert render_quotas(plan.tenants[0], plan.profile) == []
