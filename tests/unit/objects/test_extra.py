"""Extra objects: read by their kinds, refused where they are none, each in a file of its own."""

from __future__ import annotations

import textwrap

import pytest

from neuron_dra.kube.definitions import load_definitions
from neuron_dra.objects.extra import find_repeated, render_extra
from neuron_dra.objects.object import KubeObject, Placed
from unit.objects.small_plans import CLUSTER, make_plan, told

VENDED = frozenset({"neuron.example.com"})


def render(*objects):
    """Return what the extra objects of a cluster are made into, and what is told."""
    text = "".join(f"      - {each}\n" for each in objects)
    plan = make_plan(f"{CLUSTER}      extraObjects:\n{text}")
    definitions = load_definitions("1.36")
    made = [render_extra(raw, definitions, VENDED) for raw in plan.spec.extra_objects]
    return [each for objects, _ in made for each in objects], [
        problem for _, problems in made for problem in problems
    ]


CONFIG_MAP = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: n}}"
UNKNOWN = "{apiVersion: %s, kind: %s, metadata: %s}"


@pytest.mark.parametrize("name", ["null", "~", "", '""', "[a]", "{a: b}"])
@pytest.mark.parametrize(
    "template", [CONFIG_MAP, "{apiVersion: a.b/v1, kind: X, metadata: {name: %s}}"]
)
def test_without_a_name(template, name):
    """An object whose name is no text has none, whatever stands there."""
    objects, problems = render(template % name)

    assert objects == []
    assert [(code, message) for code, _, message in told(problems)] == [
        ("ND4080", "an extra object needs `metadata.name`")
    ]


@pytest.mark.parametrize(
    ("metadata", "code", "message"),
    [
        ("{name: x, namespace: [y]}", "ND4083", "expected a text, found a list"),
        ("{name: x, namespace: {a: b}}", "ND4083", "expected a text, found a map"),
        ("{name: x, labels: [a]}", "ND4083", "expected a map, found a list"),
        ("{name: x, annotations: {a: [b]}}", "ND4083", "expected a text, found a list"),
        ("{name: x, label: {a: b}}", "ND4082", "an ObjectMeta has no field `label`"),
    ],
)
def test_metadata_of_unknown_kinds(metadata, code, message):
    """The metadata of every kind has one schema."""
    objects, problems = render(UNKNOWN % ("a.b/v1", "Foo", metadata))

    assert objects == []
    assert [(each, text) for each, _, text in told(problems)] == [(code, message)]


def test_texts_of_unknown_kinds():
    """Where a text is wanted, what was written is the text, also of kinds without a schema."""
    metadata = "{name: 5, namespace: true, labels: {a: no, b: 1.30}}"
    (made,), problems = render(UNKNOWN % ("a.b/v1", "True", metadata))

    assert problems == []
    assert made.data == {
        "apiVersion": "a.b/v1",
        "kind": "True",
        "metadata": {"name": "5", "namespace": "true", "labels": {"a": "no", "b": "1.30"}},
    }
    assert made.path == "manifests/namespaces/true/extra/true.a.b/5.yaml"


@pytest.mark.parametrize(
    ("version", "kind", "wrong"),
    [
        ("a.b/v1", "../x", "../x"),
        ("a.b/v1", "x y", "x y"),
        ("a.b/v1", "x/y", "x/y"),
        ("a.b/v1", "K" * 64, "K" * 64),
        ("a/b/c", "Foo", "a/b/c"),
        ("/v1", "Foo", "/v1"),
        ("a.b/", "Foo", "a.b/"),
        ("A.b/v1", "Foo", "A.b/v1"),
        ("1", "Foo", "1"),
        ("../v1", "Foo", "../v1"),
    ],
)
def test_types_that_no_api_has(version, kind, wrong):
    """A version or kind that no API can have is refused where it stands, and makes no path."""
    objects, problems = render(UNKNOWN % (version, kind, "{name: x}"))

    assert objects == []
    assert [(code, text) for code, text, _ in told(problems)] == [("ND4086", wrong)]


@pytest.mark.parametrize(
    ("version", "kind"), [("v1", "Foo"), ("a.b/v1alpha1", "Foo-Bar"), ("a-b.c/v2", "K" * 63)]
)
def test_types_that_an_api_may_have(version, kind):
    """What an API may have is passed on."""
    objects, problems = render(UNKNOWN % (version, kind, "{name: x}"))

    assert (len(objects), problems) == (1, [])


@pytest.mark.parametrize("kind", ["Cluster", "Partition", "Whatever"])
def test_our_own_documents(kind):
    """A document of specs is no object of a cluster."""
    objects, problems = render(UNKNOWN % ("neuron-dra.dev/v1alpha1", kind, "{name: x}"))

    assert objects == []
    assert [code for code, _, _ in told(problems)] == ["ND4087"]


CLASS = "{apiVersion: resource.k8s.io/%s, kind: DeviceClass, metadata: {name: %s}, spec: {}}"


@pytest.mark.parametrize("version", ["v1", "v1beta1", "v1beta2"])
def test_vended_classes(version):
    """The class that a chart creates has one owner; a class of another name is free."""
    _, problems = render(CLASS % (version, "neuron.example.com"))
    objects, none = render(CLASS % ("v1", "mine.example.com"))

    assert [(code, text) for code, text, _ in told(problems)] == [("ND4088", "neuron.example.com")]
    assert (len(objects), none) == (1, [])


SECRET = "{apiVersion: v1, kind: Secret, metadata: {name: x, namespace: n%s}%s}"
APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


@pytest.mark.parametrize(
    ("metadata", "fields", "marked"),
    [
        ("", ", data: {a: Yg==}", "{a: Yg==}"),
        ("", ", stringData: {a: b}", "{a: b}"),
        (f", annotations: {{{APPLIED}: kept}}", "", "kept"),
        ("", "", None),
        ("", ", data: {}", None),
    ],
)
def test_secrets(metadata, fields, marked):
    """A Secret carries no data, neither in its fields nor in what kubectl kept of them."""
    _, problems = render(SECRET % (metadata, fields))

    expected = [] if marked is None else [("ND4081", marked)]
    assert [(code, text) for code, text, _ in told(problems)] == expected


def test_every_object_has_a_file():
    """Objects of one name whose kinds differ in their group alone are two files."""
    objects, _ = render(
        UNKNOWN % ("a.b/v1", "Foo", "{name: x}"),
        UNKNOWN % ("c.d/v1", "Foo", "{name: x}"),
        UNKNOWN % ("c.d/v1", "Foo-B", "{name: x}"),
        UNKNOWN % ("c.d/v1", "Foo", "{name: b-x}"),
        UNKNOWN % ("v1", "Foo", "{name: x}"),
        UNKNOWN % ("v1", "Foo", "{name: x, namespace: n}"),
    )

    assert len({each.path for each in objects}) == 6


def repeated(own, *objects):
    made, _ = render(*objects)
    return told(find_repeated([Placed(each) for each in own], map(Placed, made), "east"))


def test_repeated():
    """An object is made once: by the compiler or by the user, in one version, in one case."""
    own = KubeObject(
        "x",
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "own", "namespace": "n"}},
        (),
    )

    assert repeated([own], CONFIG_MAP % "other") == []
    assert [text for _, text, _ in repeated([own], CONFIG_MAP % "own")] == ["own"]
    assert len(repeated([], CONFIG_MAP % "a", CONFIG_MAP % "a")) == 1
    foo = [UNKNOWN % (each, "Foo", "{name: x}") for each in ("a.b/v1", "a.b/v2", "c.d/v1")]
    assert len(repeated([], *foo)) == 1
    cases = [UNKNOWN % ("a.b/v1", kind, "{name: x}") for kind in ("Foo", "FOO")]
    assert len(repeated([], *cases)) == 1


def test_places():
    """A problem that the API server would find is told where the user wrote it."""
    (made,), _ = render(textwrap.dedent(CONFIG_MAP % "x").replace("}}", "}, data: {a: b}}"))

    span = made.locate("data.a")
    assert span.source.line(span.line)[span.column : span.end_column] == "b"
