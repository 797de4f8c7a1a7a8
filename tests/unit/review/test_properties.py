"""The algebra of reviews: what must hold for any two trees."""

from __future__ import annotations

import json
import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.review.change import ChangeKind
from neuron_dra.review.compare import compare
from neuron_dra.review.fields import FieldComparer
from neuron_dra.review.tree import tree_from_files

FIELDS = ["a", "env", "egress", "to", "values", "args", "limits", "firstAvailable", "__x", "a.b"]
scalars = st.sampled_from([0, 1, True, False, None, "", "1", "a", "b", "1Gi", 1.5])
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=3)
        | st.lists(st.fixed_dictionaries({"name": scalars, "a": inner}), max_size=3)
    ),
    max_leaves=6,
)
specs = st.dictionaries(st.sampled_from(FIELDS), values, max_size=3)
identities = st.tuples(
    st.sampled_from(["c1", "c2", "c3"]),
    st.sampled_from(["ResourceClaimTemplate", "NetworkPolicy"]),
    st.sampled_from(["", "x", "y"]),
    st.sampled_from(["row", "c1-row"]),
)
contents = st.dictionaries(
    identities, st.integers(0, 2).map(lambda n: {"a": n}) | specs, max_size=8
)

MIRRORED = {ChangeKind.ADDED: ChangeKind.REMOVED, ChangeKind.REMOVED: ChangeKind.ADDED}


def make_tree(objects):
    files = {}
    for (cluster, kind, namespace, name), spec in objects.items():
        metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
        group = "resource.k8s.io" if kind == "ResourceClaimTemplate" else "networking.k8s.io"
        data = {"apiVersion": f"{group}/v1", "kind": kind, "metadata": metadata, "spec": spec}
        files[f"clusters/{cluster}/{kind}/{namespace}/{name}.yaml"] = json.dumps(data).encode()
    return tree_from_files(files)


def count_objects(review):
    return Counter({kind: count.objects for kind, count in review.counts.items()})


def mirror(fields):
    return Counter(
        (MIRRORED.get(each.kind, each.kind), json.dumps([each.new, each.old])) for each in fields
    )


def compare_fields(old, new):
    return FieldComparer().compare(old, new)


@given(contents)
def test_nothing_differs_from_itself(objects):
    """A tree does not differ from itself."""
    assert compare(make_tree(objects), make_tree(objects)).groups == ()


@given(contents, contents)
def test_every_object_is_counted_once(old, new):
    """Objects that one side alone has are added, removed or renamed; all others at most changed."""
    counts = count_objects(compare(make_tree(old), make_tree(new)))

    assert counts[ChangeKind.ADDED] + counts[ChangeKind.RENAMED] == len(new.keys() - old.keys())
    assert counts[ChangeKind.REMOVED] + counts[ChangeKind.RENAMED] == len(old.keys() - new.keys())
    edited = sum(json.dumps(old[each]) != json.dumps(new[each]) for each in old.keys() & new.keys())
    assert counts[ChangeKind.CHANGED] + counts[ChangeKind.REPLACED] <= edited


@given(contents, contents)
def test_the_mirror_of_a_review(old, new):
    """Going back removes what was added, and undoes every other change."""
    there = count_objects(compare(make_tree(old), make_tree(new)))
    back = count_objects(compare(make_tree(new), make_tree(old)))

    assert {MIRRORED.get(kind, kind): number for kind, number in there.items()} == back


@given(contents, contents)
def test_places_are_true(old, new):
    """Every cluster and namespace of a group has the object on the sides that it should be on."""
    for group in compare(make_tree(old), make_tree(new)).groups:
        for place in group.places:
            for cluster in place.clusters:
                for namespace in place.namespaces or ("",):
                    name = group.change.identity.name.replace("{cluster}", cluster)
                    key = (cluster, group.change.identity.kind, namespace, name)
                    assert (key in new) == (group.change.kind is not ChangeKind.REMOVED)


@given(specs, specs)
def test_fields_are_mirrored(old, new):
    """Going back gives every field its old value."""
    there = Counter(
        (each.kind, json.dumps([each.old, each.new])) for each in compare_fields(old, new)
    )

    assert mirror(compare_fields(new, old)) == there


@given(st.dictionaries(st.sampled_from(["a", "args", "__x"]), scalars, min_size=1), st.data())
def test_an_edit_is_found(old, data):
    """A value that is put in the place of another is the one difference."""
    key = data.draw(st.sampled_from(sorted(old)))
    value = data.draw(scalars)
    found = compare_fields({"spec": old}, {"spec": {**old, key: value}})
    same = json.dumps(old[key]) == json.dumps(value)

    assert [each.path for each in found] == ([] if same else [f"spec.{key}"])


@given(contents, contents, st.randoms())
def test_order_of_files_says_nothing(old, new, shuffle: random.Random):
    """The order in which files come does not change a review."""

    def shuffled(objects):
        items = list(objects.items())
        shuffle.shuffle(items)
        return dict(items)

    assert compare(make_tree(old), make_tree(new)) == compare(
        make_tree(shuffled(old)), make_tree(shuffled(new))
    )
