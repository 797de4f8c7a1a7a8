"""Names that belong to the compiler, Kubernetes or Argo CD."""

from __future__ import annotations

import pytest

from neuron_dra.objects import object as objects
from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents
from neuron_dra.spec.namespaces import check_namespaces
from neuron_dra.spec.reserved import RESERVED_ANNOTATIONS, RESERVED_LABELS

HEAD = "apiVersion: neuron-dra.dev/v1alpha1\n"
LABELS_OF = {
    "objectLabels": ("Cluster", "{name: x}", "{kubernetes: 1.36, objectLabels: {%s: v}}"),
    "namespaceLabels": (
        "Tenant",
        "{name: x}",
        "{clusters: [a], namespaces: [b], createNamespaces: true, namespaceLabels: {%s: v}}",
    ),
    "labels": (
        "NeuronWorkload",
        "{name: x, namespace: n, labels: {%s: v}}",
        "{cluster: a, partition: p, controller: Job}",
    ),
}
ANNOTATIONS_OF = ("Cluster", "{name: x}", "{kubernetes: 1.36, objectAnnotations: {%s: v}}")


def read(kind, metadata, spec):
    text = f"{HEAD}kind: {kind}\nmetadata: {metadata}\nspec: {spec}\n"
    return read_documents([Source("x.yaml", text.encode())])


def slugs(template, key):
    kind, metadata, spec = (each.replace("%s", key) for each in template)
    return [each.code.slug for each in read(kind, metadata, spec)[1]]


def names_in(table):
    """Return keys that a table reserves: one below each prefix."""
    return [f"{name}any" if name.endswith("/") else name for name in table]


@pytest.mark.parametrize("where", LABELS_OF)
@pytest.mark.parametrize("key", names_in(RESERVED_LABELS))
def test_reserved_labels(where, key):
    """A label of somebody else is refused wherever labels of objects are given."""
    assert slugs(LABELS_OF[where], key) == ["reserved-key"]


@pytest.mark.parametrize("key", names_in(RESERVED_ANNOTATIONS))
def test_reserved_annotations(key):
    """An annotation that steers Argo CD, or is set by others, is refused."""
    assert slugs(ANNOTATIONS_OF, key) == ["reserved-key"]


@pytest.mark.parametrize("template", [*LABELS_OF.values(), ANNOTATIONS_OF])
@pytest.mark.parametrize("key", ["team", "example.com/team", "app.kubernetes.io/name"])
def test_free_keys(template, key):
    """Other keys are the user's, also in domains that are reserved in part."""
    assert slugs(template, key) == []


def test_our_own_keys_are_reserved():
    """Every label and annotation that all kinds of objects have is in the table."""
    labels = (
        objects.MANAGED_BY,
        objects.PARTITION_LABEL,
        objects.TENANT_LABEL,
        objects.WORKLOAD_LABEL,
    )

    assert [slugs(LABELS_OF["objectLabels"], key) for key in labels] == [["reserved-key"]] * 4
    for key in objects.wave(0, "Prune=confirm"):
        assert slugs(ANNOTATIONS_OF, key) == ["reserved-key"]


def test_the_key_is_marked():
    """The diagnostic stands at the key, also when the value came with the defaults."""
    text = f"""{HEAD}kind: ClusterDefaults
metadata: {{name: base}}
spec: {{kubernetes: 1.36, objectLabels: {{neuron-dra.dev/tenant: a}}}}
---
{HEAD}kind: Cluster
metadata: {{name: x}}
spec: {{defaults: base, objectLabels: {{team: b}}}}
"""
    _, (found,) = read_documents([Source("x.yaml", text.encode())])

    assert str(found.span) == "x.yaml:4:41"


@pytest.mark.parametrize("namespace", ["kube-system", "kube-public", "kube-anything"])
def test_namespaces_of_kubernetes(namespace):
    """A tenant has no namespace of Kubernetes itself."""
    _, (found,) = read("Tenant", "{name: x}", f"{{clusters: [a], namespaces: [b, {namespace}]}}")

    assert found.code.slug == "reserved-namespace"
    assert str(found.span) == "x.yaml:4:39"


CLUSTER = """{kubernetes: 1.36, gitops: {argocd: {repoURL: https://git.example.com/x.git,
  project: {name: p}, destination: {name: d}%s}}}"""


@pytest.mark.parametrize(
    ("gitops", "namespace", "owner"),
    [
        ("", "argocd", "Argo CD"),
        (", namespace: deploy", "deploy", "Argo CD"),
        (", namespace: deploy", "argocd", ""),
        ("", "driver-system", "the driver `neuron`"),
        ("", "kubernetes", ""),
    ],
)
def test_namespaces_of_a_cluster(gitops, namespace, owner):
    """A tenant has none of the namespaces that Argo CD and the drivers have in its cluster."""
    specs, _ = read("Cluster", "{name: a}", CLUSTER % gitops)
    tenants, _ = read("Tenant", "{name: x}", f"{{clusters: [a], namespaces: [own, {namespace}]}}")
    found = check_namespaces(tenants.tenants["x"], specs.clusters["a"], {"driver-system": "neuron"})

    expected = f"the namespace `{namespace}` is no tenant's: {owner} runs there"
    assert [each.message for each in found] == [expected] * bool(owner)
    assert all(str(each.span) == "x.yaml:4:41" for each in found)


def test_namespaces_without_argocd():
    """Without Argo CD its usual namespace is free."""
    specs, _ = read("Cluster", "{name: a}", "{kubernetes: 1.36, gitops: none}")
    tenants, _ = read("Tenant", "{name: x}", "{clusters: [a], namespaces: [argocd]}")

    assert check_namespaces(tenants.tenants["x"], specs.clusters["a"], {}) == []
