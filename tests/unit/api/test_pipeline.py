"""What the compiled examples have in common, whatever is in them."""

from __future__ import annotations

import pytest
import yaml

from neuron_dra.api.pipeline import build, load
from neuron_dra.source import Source
from neuron_dra.spec.reserved import RESERVED_ANNOTATIONS, RESERVED_LABELS


@pytest.fixture(scope="module", params=["small", "fleet", "aws-samples"])
def made(root, request):
    """An example fleet, compiled."""
    return build(load([str(root / "specs" / request.param)]))


def clusters(made):
    """Yield the name and the files of each cluster."""
    for unit in made.units:
        kind, _, name = unit.folder.partition("/")
        if kind == "clusters":
            yield name, unit.files


def test_applications_of_what_is_there(made):
    """A cluster has an application for its folder of objects where it has such a folder."""
    for name, files in clusters(made):
        has_argocd = any(path.startswith("argocd/") for path in files)
        has_objects = any(path.startswith("manifests/") for path in files)
        assert (f"argocd/{name}-objects.yaml" in files) == (has_argocd and has_objects)


def is_reserved(key, table):
    return key in table or f"{key.partition('/')[0]}/" in table


def test_every_key_has_one_owner(made):
    """What the compiler writes into metadata is reserved, and all else is the user's."""
    specs = made.analysis.specs
    own = {key for each in specs.clusters.values() for key in each.object_labels}
    own |= {key for each in specs.tenants.values() for key in each.spec.namespace_labels}
    own |= {key for each in specs.workloads for key in each.metadata.labels}
    seen = set()
    for _, files in clusters(made):
        for path, content in files.items():
            if path.startswith("manifests/"):
                metadata = yaml.safe_load(content)["metadata"]
                seen |= {("label", key) for key in metadata.get("labels", {})}
                seen |= {("annotation", key) for key in metadata.get("annotations", {})}

    tables = {"label": RESERVED_LABELS, "annotation": RESERVED_ANNOTATIONS}
    assert seen
    assert {key for kind, key in seen if not is_reserved(key, tables[kind])} - own == set()


HEAD = "apiVersion: neuron-dra.dev/v1alpha1\n"
DEFAULTS = HEAD + "kind: ClusterDefaults\nmetadata: {name: base}\nspec: {kubernetes: 1.36}\n"
CLUSTER = (
    HEAD
    + "kind: Cluster\nmetadata: {name: a}\n"
    + "spec: {kubernetes: 1.36, gitops: {argocd: {repoURL: https://git.example.com/a.git,"
    + " project: {name: p}, destination: {name: d}}}}\n"
)
BAD_TENANT = HEAD + "kind: Tenant\nmetadata: {name: t}\nspec: {clusters: [b], namespaces: [n]}\n"


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([], ["no-documents"]),
        ([DEFAULTS], ["unused-defaults"]),
        ([DEFAULTS, CLUSTER], ["unused-defaults", "nothing-to-sync"]),
        ([DEFAULTS, CLUSTER, BAD_TENANT], ["unknown-reference"]),
    ],
)
def test_what_is_of_no_use(documents, expected):
    """What compiles to nothing is told, once everything that could use it is sound."""
    made = build([Source("x.yaml", "---\n".join(documents).encode())])

    assert [each.code.slug for each in made.diagnostics if each.severity < 2] == expected
