"""Namespaces."""

from neuron_dra.diagnostics import Severity
from neuron_dra.objects.namespaces import render_namespaces
from unit.objects.small_plans import CLUSTER, make_plan, validate

TENANT = """
    apiVersion: neuron-dra.dev/v1alpha1
    kind: Tenant
    metadata: {name: team}
    spec:
      clusters: [east]
      namespaces: [team-a, team-b]
"""


def test_created():
    """An emitted Namespace carries the tenant's labels and is deleted only on confirmation."""
    spec = "      createNamespaces: true\n      namespaceLabels: {role: training}\n"
    labels = "      objectLabels: {platform: ml}\n"
    plan = make_plan(CLUSTER + labels, TENANT + spec)

    (namespace,), problems = render_namespaces(plan.tenants[0], plan.profile)

    assert problems == []
    assert namespace.path == "manifests/namespaces/{namespace}/namespace.yaml"
    assert validate(namespace, **{"label:platform": "ml"}) == {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": "team-a",
            "labels": {
                "app.kubernetes.io/managed-by": "neuron-dra",
                "neuron-dra.dev/tenant": "team",
                "platform": "ml",
                "role": "training",
            },
            "annotations": {
                "argocd.argoproj.io/sync-options": "Prune=confirm,Delete=confirm",
                "argocd.argoproj.io/sync-wave": "-3",
            },
        },
    }
    assert namespace.fields["metadata.labels[role]"] == "Tenant/team spec.namespaceLabels[role]"


def test_not_created():
    """A tenant whose namespaces others create is told which must exist."""
    plan = make_plan(CLUSTER, TENANT)

    objects, (problem,) = render_namespaces(plan.tenants[0], plan.profile)

    assert objects == []
    assert (problem.code.id, problem.severity) == ("ND4010", Severity.NOTE)
    assert "`team-a`, `team-b`" in problem.message
    assert "kubernetes.io/metadata.name" in problem.help
