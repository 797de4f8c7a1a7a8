"""Two trees to a review: every kind of change, and the folding of equal ones."""

from __future__ import annotations

import json

import pytest

from neuron_dra.review.change import ChangeKind, Count, Place
from neuron_dra.review.compare import compare
from neuron_dra.review.tree import EMPTY, tree_from_files

POLICY = {
    "apiVersion": "networking.k8s.io/v1",
    "kind": "NetworkPolicy",
    "metadata": {"name": "deny", "namespace": "research"},
    "spec": {"podSelector": {}},
}
PATH = "clusters/{}/manifests/namespaces/{}/{}.yaml"


def at(cluster, data):
    metadata = data["metadata"]
    return {PATH.format(cluster, metadata.get("namespace", ""), metadata["name"]): data}


def words(review):
    return [
        (each.change.kind.value, str(each.change.identity), each.places, each.objects)
        for each in review.groups
    ]


def test_equal_trees(compare_files, make_template):
    """Equal trees have nothing between them."""
    files = at("a", make_template())
    review = compare_files(files, files)

    assert review.groups == ()
    assert review.clusters == ()
    assert set(review.counts.values()) == {Count(0, 0)}


def test_files_that_differ_in_looks_only():
    """Comments, style and the order of keys are no change."""
    old = b"# from A\napiVersion: v1\nkind: Namespace\nmetadata: {name: a, labels: {x: y-1}}\n"
    new = b'metadata:\n  labels: {"x": "y-1"}\n  name: a\nkind: Namespace\napiVersion: v1\n'

    assert (
        compare(*(tree_from_files({"clusters/a/x.yaml": text}) for text in (old, new))).groups == ()
    )


def test_added_and_removed(compare_files, make_template):
    """An object that one side alone has was added or removed."""
    old = {**at("a", POLICY), **at("a", make_template("old", count=1))}
    new = {**at("a", POLICY), **at("a", make_template("new", count=2))}

    assert words(compare_files(old, new)) == [
        ("removed", "ResourceClaimTemplate old", (Place(("a",), ("research",)),), 1),
        ("added", "ResourceClaimTemplate new", (Place(("a",), ("research",)),), 1),
    ]


def test_changed(compare_files):
    """A field that can be updated makes its object changed."""
    new = {**POLICY, "spec": {"podSelector": {}, "policyTypes": ["Ingress"]}}
    (group,) = compare_files(at("a", POLICY), at("a", new)).groups

    assert group.change.kind is ChangeKind.CHANGED
    assert not group.change.immutable
    assert [each.path for each in group.change.fields] == ["spec.policyTypes"]


def test_replaced(compare_files, make_template):
    """A template with another spec is replaced, and counted apart from changed ones."""
    old = {**at("a", make_template()), **at("a", make_template("kept"))}
    new = {**at("a", make_template(count=8)), **at("a", make_template("kept", team="b"))}
    review = compare_files(old, new)

    assert [(each.change.kind, each.change.immutable) for each in review.groups] == [
        (ChangeKind.REPLACED, True),
        (ChangeKind.CHANGED, False),
    ]
    assert review.counts[ChangeKind.REPLACED] == Count(1, 1)
    assert review.counts[ChangeKind.CHANGED] == Count(1, 1)


def test_renamed(compare_files, make_template):
    """An object that is equal but for its own name was renamed, wherever it says its name."""
    old = at("a", make_template("row", partition="row"))
    new = at("a", make_template("four-chips", partition="four-chips"))
    (group,) = compare_files(old, new).groups

    assert group.change.kind is ChangeKind.RENAMED
    assert (group.change.old_name, group.change.identity.name) == ("row", "four-chips")
    assert group.change.fields == ()


@pytest.mark.parametrize(
    "new",
    [
        {"name": "other", "count": 8},
        {"name": "other", "namespace": "serving"},
        {"name": "other", "team": "x"},
    ],
)
def test_not_renamed(compare_files, make_template, new):
    """An object with other content or in another namespace is a new one."""
    review = compare_files(at("a", make_template()), at("a", make_template(**new)))

    assert [each.change.kind.value for each in review.groups] == ["removed", "added"]


def test_a_namespace_is_never_renamed(compare_files):
    """What was in a namespace is gone with its name."""
    spaces = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in "xy"
    ]

    assert [
        each.change.kind.value
        for each in compare_files(at("a", spaces[0]), at("a", spaces[1])).groups
    ] == ["removed", "added"]


def test_several_renames(compare_files, make_template):
    """Equal objects under new names are paired in the order of their names, none twice."""
    old = {**at("a", make_template("a1")), **at("a", make_template("a2"))}
    new = {
        **at("a", make_template("b1")),
        **at("a", make_template("b2")),
        **at("a", make_template("b3")),
    }

    assert [
        (each.change.old_name, each.change.identity.name) for each in compare_files(old, new).groups
    ] == [("a1", "b1"), ("a2", "b2"), ("", "b3")]


def test_another_version_of_the_api(compare_files, make_template):
    """A new version of the API is a change of the object, not another object."""
    old = {**make_template(), "apiVersion": "resource.k8s.io/v1beta2"}
    (group,) = compare_files(at("a", old), at("a", make_template())).groups

    assert group.change.kind is ChangeKind.CHANGED
    assert [each.path for each in group.change.fields] == ["apiVersion"]


def test_a_moved_file(compare_files, make_template):
    """An object in another file is the same object."""
    assert (
        compare_files({"clusters/a/x.yaml": make_template()}, at("a", make_template())).groups == ()
    )


def test_the_same_change_in_many_clusters(compare_files, make_template):
    """Equal changes are one, and the clusters that have the object without it are named."""
    names = [f"c{number}" for number in range(5)]
    old = {path: data for name in names for path, data in at(name, make_template()).items()}
    new = {
        path: data
        for name in names
        for path, data in at(name, make_template(count=4 if name == "c3" else 8)).items()
    }
    (group,) = compare_files(old, new).groups

    assert group.places == (Place(("c0", "c1", "c2", "c4"), ("research",), ("c3",)),)
    assert group.objects == 4
    assert compare_files(old, new).clusters == ("c0", "c1", "c2", "c4")


def test_another_change_in_one_cluster(compare_files, make_template):
    """A cluster with a change of its own is an exception of the others, and a group."""
    old = {**at("a", make_template()), **at("b", make_template()), **at("c", make_template())}
    new = {
        **at("a", make_template(count=8)),
        **at("b", make_template(count=8)),
        **at("c", make_template(count=16)),
    }

    assert [each.places for each in compare_files(old, new).groups] == [
        (Place(("a", "b"), ("research",), ("c",)),),
        (Place(("c",), ("research",), ("a", "b")),),
    ]


def test_the_same_change_in_many_namespaces(compare_files, make_template):
    """Namespaces are folded where their clusters are the same, so that every pair is true."""
    places = [("a", "x"), ("b", "x"), ("a", "y"), ("b", "y"), ("a", "z")]
    old, new = (
        {
            path: data
            for cluster, space in places
            for path, data in at(cluster, make_template(namespace=space, count=count)).items()
        }
        for count in (4, 8)
    )
    (group,) = compare_files(old, new).groups

    assert group.places == (Place(("a", "b"), ("x", "y")), Place(("a",), ("z",)))
    assert group.objects == 5


def test_changes_that_name_their_cluster(compare_files):
    """Objects that differ by the name of their own cluster alone are one, with the name open."""

    def root(cluster, revision):
        return {
            f"argocd/roots/{cluster}.yaml": {
                "apiVersion": "argoproj.io/v1alpha1",
                "kind": "Application",
                "metadata": {"name": f"neuron-{cluster}", "namespace": "argocd"},
                "spec": {"path": f"{revision}/clusters/{cluster}", "rest": [f"{cluster}2"]},
            },
            f"clusters/{cluster}/helm/neuron/values.yaml": {},
        }

    old = {**root("dev", "out"), **root("dev-2", "out"), **root("x", "out")}
    new = {**root("dev", "new"), **root("dev-2", "new"), **root("x", "out")}
    (group,) = compare_files(old, new).groups
    (field,) = group.change.fields

    assert group.change.identity.name == "neuron-{cluster}"
    assert group.places == (Place(("dev", "dev-2"), ("argocd",), ("x",)),)
    assert (field.old, field.new) == ("out/clusters/{cluster}", "new/clusters/{cluster}")


def test_a_lone_change_keeps_its_names(compare_files, make_template):
    """The name of the cluster is left open only where several clusters share the change."""
    old, new = (at("row", make_template("row-x", count=count)) for count in (4, 8))
    (group,) = compare_files(old, new).groups

    assert group.change.identity.name == "row-x"


def test_namespaces_named_by_their_cluster(compare_files, make_template):
    """Namespaces that carry their cluster's name are one namespace with the name open."""
    old, new = (
        {
            path: data
            for name in ("a", "b")
            for path, data in at(name, make_template(namespace=f"{name}-ml", count=count)).items()
        }
        for count in (4, 8)
    )
    (group,) = compare_files(old, new).groups

    assert group.places == (Place(("a", "b"), ("{cluster}-ml",)),)
    assert group.objects == 2


def test_documents_of_a_group():
    """A group names the documents that its files name, with the cluster's name open."""

    def tree(value):
        return tree_from_files(
            {
                f"clusters/{name}/helm/neuron/values.yaml": (
                    f"# Compiled by neuron-dra from Cluster/{name}. Do not edit.\na: {value}\n"
                ).encode()
                for name in ("east", "west")
            }
        )

    (group,) = compare(tree(1), tree(2)).groups

    assert group.change.documents == ("Cluster/{cluster}",)


def test_whole_clusters(compare_files, make_template):
    """A cluster that one side alone has is apart from equal changes inside other clusters."""
    old = {**at("a", POLICY), **at("gone", POLICY)}
    new = {
        **at("a", POLICY),
        **at("a", make_template()),
        **at("new", POLICY),
        **at("new", make_template()),
    }

    assert [
        (each.change.kind.value, str(each.change.identity), each.clusters, each.whole_clusters)
        for each in compare_files(old, new).groups
    ] == [
        ("removed", "NetworkPolicy deny", {"gone"}, True),
        ("added", "NetworkPolicy deny", {"new"}, True),
        ("added", "ResourceClaimTemplate row", {"a"}, False),
        ("added", "ResourceClaimTemplate row", {"new"}, True),
    ]


def test_shared_objects(compare_files):
    """An object that clusters share is in none of them."""

    def project(repo):
        return {
            "argocd/projects/p.yaml": {
                "apiVersion": "argoproj.io/v1alpha1",
                "kind": "AppProject",
                "metadata": {"name": "p", "namespace": "argocd"},
                "spec": {"sourceRepos": [repo]},
            }
        }

    (group,) = compare_files(project("x"), project("y")).groups

    assert group.places == (Place((), ("argocd",)),)
    assert group.objects == 1


def test_a_broken_file_is_not_compared(make_template):
    """An object whose file one side cannot read is neither added nor removed."""
    good = {path: json.dumps(data).encode() for path, data in at("a", make_template()).items()}
    path = next(iter(good))
    old = tree_from_files(
        {**good, "clusters/a/x.yaml": b"apiVersion: v1\nkind: A\nmetadata: {name: b}\n"}
    )
    new = tree_from_files({path: b"a: [", "clusters/a/x.yaml": b""})
    review = compare(old, new)

    assert [each.code.slug for each in review.diagnostics] == ["invalid-yaml"]
    assert [str(each.change.identity) for each in review.groups] == ["A b"]
    assert [each.change.kind for each in compare(new, old).groups] == [ChangeKind.ADDED]


def test_equal_broken_files():
    """A file that is broken in the same way on both sides hides no difference."""
    tree = tree_from_files({"clusters/a/x.yaml": b"a: ["})

    assert compare(tree, tree).diagnostics == ()
    assert len(compare(EMPTY, tree).diagnostics) == 1


def test_order(compare_files, make_template):
    """The gravest changes come first, then names in order."""
    old = {
        **at("a", make_template("b")),
        **at("a", make_template("a")),
        **at("a", make_template("gone", count=1)),
        **at("a", POLICY),
    }
    new = {
        **at("a", make_template("b", count=8)),
        **at("a", make_template("a", count=9)),
        **at("a", make_template("came", count=2)),
        **at("a", {**POLICY, "spec": {}}),
    }

    assert [
        (each.change.kind.value, each.change.identity.name)
        for each in compare_files(old, new).groups
    ] == [
        ("replaced", "a"),
        ("replaced", "b"),
        ("removed", "gone"),
        ("changed", "deny"),
        ("added", "came"),
    ]
