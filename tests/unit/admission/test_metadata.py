"""Metadata: names by kind, scopes, labels, annotations."""

from __future__ import annotations

import pytest

from neuron_dra.admission.metadata import ANNOTATIONS_MAX_BYTES, check_metadata
from neuron_dra.kube.hole import NAMESPACE, Hole


def config_map(**metadata):
    named = {"name": "a", "namespace": "b", **metadata}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": named}


def fields_of(data):
    return [problem.field for problem in check_metadata(data)]


def named(api_version, kind, name, **metadata):
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **metadata}}


def test_sound():
    """Metadata as it should be has no problems, with holes or without."""
    assert (
        check_metadata(config_map(labels={"example.com/a": "B_1"}, annotations={"a": "x y"})) == []
    )
    assert check_metadata(config_map(namespace=NAMESPACE, labels={"a": Hole("label:a")})) == []
    assert check_metadata(named("v1", "Namespace", NAMESPACE)) == []


@pytest.mark.parametrize(
    ("data", "sound"),
    [
        (named("resource.k8s.io/v1", "DeviceClass", "trn2.row"), True),
        (named("resource.k8s.io/v1", "DeviceClass", "Row"), False),
        (named("v1", "Namespace", "a.b"), False),
        (named("v1", "Service", "a", namespace="b"), True),
        (named("v1", "Service", "1a", namespace="b"), False),
        (named("v1", "ConfigMap", "1a", namespace="b"), True),
        (named("rbac.authorization.k8s.io/v1", "ClusterRole", "system:Node"), True),
        (named("rbac.authorization.k8s.io/v1", "Role", "a/b", namespace="b"), False),
        (named("rbac.authorization.k8s.io/v1", "Role", "..", namespace="b"), False),
        (named("argoproj.io/v1alpha1", "Application", "a_b", namespace="b"), False),
        (named("example.com/v1", "Thing", "x" * 253), True),
        (named("example.com/v1", "Thing", "x" * 254), False),
    ],
)
def test_names(data, sound):
    """Each kind has its own format of names."""
    assert fields_of(data) == ([] if sound else ["metadata.name"])


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        (named("resource.k8s.io/v1", "DeviceClass", "a", namespace="b"), ["metadata.namespace"]),
        (named("resource.k8s.io/v1", "ResourceClaimTemplate", "a"), ["metadata.namespace"]),
        (named("networking.k8s.io/v1", "NetworkPolicy", "a"), ["metadata.namespace"]),
        (named("batch/v1", "Job", "a"), ["metadata.namespace"]),
        (named("v1", "ResourceQuota", "a", namespace=""), ["metadata.namespace"]),
        (named("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "a"), ["metadata.namespace"]),
        (named("kueue.x-k8s.io/v1beta1", "ClusterQueue", "a"), []),
        (named("example.com/v1", "Thing", "a"), []),
        (named("example.com/v1", "Thing", "a", namespace="b"), []),
        (named("example.com/v1", "Thing", "a", namespace="b.c"), ["metadata.namespace"]),
        (named("example.com/v1", "Thing", "a", namespace=3), ["metadata.namespace"]),
    ],
)
def test_namespaces(data, fields):
    """A kind lies in namespaces or does not, as far as that is known."""
    assert fields_of(data) == fields


@pytest.mark.parametrize("data", [{}, {"metadata": []}, {"metadata": None}])
def test_no_metadata(data):
    """An object without metadata is told once."""
    assert fields_of(data) == ["metadata"]


@pytest.mark.parametrize("name", [None, "", 3])
def test_no_name(name):
    """A name is required, and is a text."""
    assert fields_of(config_map(name=name)) == ["metadata.name"]


def test_generated_name():
    """A generated name would be another at each sync."""
    data = config_map(generateName="a-")
    del data["metadata"]["name"]

    (problem,) = check_metadata(data)
    assert problem.help == "a generated name has no file"


def test_labels():
    """Keys and values of labels are checked, each at its own field."""
    key, value, size = check_metadata(config_map(labels={"a b": "c", "team": "x y", "size": 4}))

    assert key.field == "metadata.labels[a b]"
    assert key.message.startswith("`metadata.labels[a b]`: `a b` must be letters, digits, ")
    assert value.field == "metadata.labels[team]"
    assert value.message.startswith("`metadata.labels[team]`: `x y` may hold letters, digits ")
    assert size.message == "`metadata.labels[size]` must be a text, found `4`"


def test_annotation_keys():
    """The prefix of an annotation's key may have upper case, that of a label's key may not."""
    keys = {"Example.com/a": "b"}

    assert fields_of(config_map(annotations=keys)) == []
    assert fields_of(config_map(labels=keys)) == ["metadata.labels[Example.com/a]"]
    assert fields_of(config_map(annotations={"a b": "c"})) == ["metadata.annotations[a b]"]


@pytest.mark.parametrize(("more", "fields"), [(0, []), (1, ["metadata.annotations"])])
def test_annotations_size(more, fields):
    """Keys and values of all annotations are counted together, in bytes."""
    value = "é" * ((ANNOTATIONS_MAX_BYTES - 4) // 2)
    data = config_map(annotations={"ab": value, "c": "x" * (1 + more)})

    assert fields_of(data) == fields
    if fields:
        assert check_metadata(data)[0].message == (
            "the annotations have 262145 bytes, at most 262144 are allowed"
        )


@pytest.mark.parametrize("part", ["labels", "annotations"])
def test_wrong_types(part):
    """Labels and annotations are maps of texts, also of kinds that have no schema."""
    assert fields_of(config_map(**{part: ["a"]})) == [f"metadata.{part}"]
    assert fields_of(config_map(**{part: {"a": True}})) == [f"metadata.{part}[a]"]
    assert fields_of(config_map(**{part: None})) == []
