"""A Cluster over its ClusterDefaults."""

import copy

import pytest
import yaml

from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents

HEAD = "apiVersion: neuron-dra.dev/v1alpha1\n"
DEFAULTS = (
    HEAD
    + """kind: ClusterDefaults
metadata: {name: base}
spec:
  kubernetes: 1.36
  owner: platform
  drivers: {neuron: {chartVersion: 1.10.0}, efa: {chartVersion: 1.0.0}}
  objectLabels: {team: a, tier: b}
  gitops:
    argocd:
      repoURL: https://git.example.com/x.git
      project: {name: neuron}
  nodePools:
  - {name: one, instanceType: trn2.48xlarge, nodes: 1, taints: [{key: a, effect: NoSchedule}]}
  - {name: two, instanceType: trn1.32xlarge, nodes: 2}
  extraObjects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: n}, data: {a: "1"}}
"""
)


def cluster(body):
    return f"{HEAD}kind: Cluster\nmetadata: {{name: c}}\nspec:\n  defaults: base\n{body}"


def read(body):
    specs, problems = read_documents([Source("x.yaml", f"{DEFAULTS}---\n{cluster(body)}".encode())])
    return specs.clusters.get("c"), [(each.code.slug, each.message) for each in problems]


DESTINATION = "  gitops: {argocd: {destination: {name: c}}}\n"


def test_maps_merge_key_by_key():
    merged, problems = read(
        DESTINATION + "  drivers: {neuron: {chartVersion: 1.9.0}}\n  objectLabels: {tier: c}\n"
    )

    assert problems == []
    assert merged.drivers.neuron.chart_version == "1.9.0"
    assert merged.drivers.efa.chart_version == "1.0.0"
    assert merged.object_labels == {"team": "a", "tier": "c"}
    assert merged.gitops.argocd.destination.name == "c"
    assert merged.gitops.argocd.project.name == "neuron"


def test_every_value_keeps_its_layer():
    merged, _ = read(DESTINATION + "  owner: me\n  drivers: {neuron: {chartVersion: 1.9.0}}\n")

    assert merged.places.document("owner") == "Cluster/c"
    assert merged.places.document("kubernetes") == "ClusterDefaults/base"
    assert merged.drivers.neuron.places.document("chartVersion") == "Cluster/c"
    assert merged.drivers.efa.places.document("chartVersion") == "ClusterDefaults/base"
    assert str(merged.places.item("objectLabels", "team")) == "x.yaml:8:24"


def test_node_pools_merge_by_name():
    merged, problems = read(
        DESTINATION
        + "  nodePools:\n  - {name: one, nodes: 5, taints: null}\n"
        + "  - {name: three, instanceType: trn1.2xlarge}\n"
    )

    assert problems == []
    assert [(pool.name, pool.instance_type, pool.nodes) for pool in merged.node_pools] == [
        ("one", "trn2.48xlarge", 5),
        ("two", "trn1.32xlarge", 2),
        ("three", "trn1.2xlarge", None),
    ]
    assert merged.node_pools[0].taints == ()


def test_other_lists_are_replaced_whole():
    merged, _ = read(
        DESTINATION + "  nodePools:\n  - {name: one, taints: [{key: b, effect: NoExecute}]}\n"
    )

    assert [taint.key_ for taint in merged.node_pools[0].taints] == ["b"]


def test_extra_objects_merge_by_identity():
    merged, _ = read(
        DESTINATION
        + "  extraObjects:\n"
        + "  - {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: n}}\n"
        + "  - {apiVersion: v1, kind: ConfigMap, metadata: {name: y, namespace: n}}\n"
    )

    assert len(merged.extra_objects) == 2
    assert merged.extra_objects[0].origin.document == "Cluster/c"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            DESTINATION + "  region: null\n",
            (
                "removes-nothing",
                "`region: null` removes nothing: the defaults do not give `region`",
            ),
        ),
        (
            DESTINATION + "  objectLabels: {other: null}\n",
            ("removes-nothing", "`other: null` removes nothing: the defaults do not give `other`"),
        ),
        (
            "  kubernetes: null\n" + DESTINATION,
            ("missing-key", "the key `kubernetes` is required here"),
        ),
        ("", ("missing-key", "the key `destination` is required here")),
    ],
)
def test_what_is_missing_after_the_merge_is_told(body, expected):
    merged, problems = read(body)

    assert merged is None
    assert problems == [expected]


def test_null_removes_what_the_defaults_gave():
    merged, problems = read(DESTINATION + "  objectLabels: {team: null}\n  extraObjects: null\n")

    assert problems == []
    assert merged.object_labels == {"tier": "b"}
    assert merged.extra_objects == ()


def test_none_replaces_a_map():
    merged, problems = read("  gitops: none\n")

    assert (merged.gitops, problems) == ("none", [])


def test_unknown_defaults_are_told_once():
    text = cluster("  kubernetes: 1.36\n").replace("defaults: base", "defaults: bse")
    specs, problems = read_documents([Source("x.yaml", f"{DEFAULTS}---\n{text}".encode())])

    assert [(each.code.slug, each.help) for each in problems] == [
        ("unknown-reference", "did you mean `base`?")
    ]
    assert "Cluster/c" in specs.broken


BODY = {
    "kubernetes": "1.36",
    "region": "us-west-2",
    "drivers": {"neuron": {"chartVersion": "1.10.0"}, "ultraServerOperator": {"enabled": True}},
    "consumers": {"kueue": {"version": "0.17.0", "quotaBy": "pods"}},
    "networkGroups": {
        "g": {"podSelector": {"matchLabels": {"a": "b"}}, "ports": [1]},
        "h": {
            "namespaceSelector": {
                "matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]
            }
        },
    },
    "gitops": {
        "argocd": {
            "repoURL": "https://git.example.com/x.git",
            "project": {"name": "p"},
            "destination": {"name": "d"},
            "syncPolicy": {"automated": {"prune": False}},
        }
    },
    "extendedResources": {"trn2.48xlarge": "example.com/trn2"},
    "objectLabels": {"team": "a"},
    "objectAnnotations": {"note": "b"},
    "nodePools": [
        {
            "name": "one",
            "instanceType": "trn2.48xlarge",
            "nodes": {"min": 0, "max": 2},
            "nodeSelector": {"a": "b"},
            "capacity": {"type": "spot"},
            "taints": [{"key": "a", "effect": "NoSchedule"}],
            "mechanism": {"neuron": "dra"},
        }
    ],
}


def key_paths(value, path=()):
    """Yield the path of every key inside a value."""
    if not isinstance(value, dict | list):
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(key, str):
            yield (*path, key)
        yield from key_paths(inner, (*path, key))


def without(path):
    """Return the body with `null` at a path."""
    body = copy.deepcopy(BODY)
    parent = body
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = None
    return body


def document(kind, name, spec):
    return {
        "apiVersion": "neuron-dra.dev/v1alpha1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": spec,
    }


def read_layers(defaults, cluster):
    documents = [document("ClusterDefaults", "base", defaults), document("Cluster", "c", cluster)]
    text = yaml.safe_dump_all(documents, sort_keys=False)
    specs, problems = read_documents([Source("x.yaml", text.encode())])
    return specs, [(each.code.slug, each.message) for each in problems]


PATHS = list(key_paths(BODY))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ".".join(map(str, path)))
def test_null_in_defaults_removes_nothing(path):
    """Below ClusterDefaults lies nothing that any `null` of theirs could remove."""
    specs, problems = read_layers(without(path), {"defaults": "base"})

    message = f"`{path[-1]}: null` removes nothing: no layer lies below this one"
    assert problems == [("removes-nothing", message)]
    assert specs.clusters == {}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ".".join(map(str, path)))
def test_null_removes_any_key_or_is_told(path):
    """A `null` of a Cluster takes a key away, or what then is missing is told."""
    specs, problems = read_layers(BODY, {"defaults": "base", **without(path)})

    assert bool(problems) != bool(specs.clusters)


def test_defaults_have_no_defaults():
    """There are two layers, and not a chain of them."""
    specs, problems = read_layers({"kubernetes": "1.36", "defaults": "other"}, {"defaults": "base"})

    message = "ClusterDefaults have no `defaults`: they are one level deep"
    assert problems == [("unknown-key", message)]
    assert specs.clusters == {}


def test_pools_without_a_name_are_told():
    """Two pools without a name are not two of one name."""
    pools = [{"instanceType": "trn2.48xlarge"}, {"instanceType": "trn1.32xlarge"}]
    _, problems = read_layers({"kubernetes": "1.36"}, {"defaults": "base", "nodePools": pools})

    assert {message for _, message in problems} == {"the key `name` is required here"}
