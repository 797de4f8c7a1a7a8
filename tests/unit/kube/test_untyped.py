"""Foreign objects: nodes to data by the types of Kubernetes, or by YAML 1.2."""

from __future__ import annotations

import pytest

from neuron_dra.diagnostics import Code, Severity
from neuron_dra.kube.definitions import Definitions
from neuron_dra.kube.untyped import FieldCodes, in_key_order, place_of, read_object
from neuron_dra.source import Source
from neuron_dra.syntax.containers import Raw
from neuron_dra.syntax.parse import parse
from neuron_dra.syntax.places import Origin

CODES = FieldCodes(
    *(
        Code(f"ND000{n}", slug, Severity.ERROR, "")
        for n, slug in enumerate(("unknown", "type", "need"))
    )
)
API = "io.k8s.api.test.v1."
TYPES = {
    f"{API}Item": {
        "type": ["object", "null"],
        "additionalProperties": False,
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "text": {"type": ["string", "null"]},
            "count": {"type": ["integer", "null"]},
            "ratio": {"type": ["number", "null"]},
            "flag": {"type": ["boolean", "null"]},
            "amount": {"$ref": "#/$defs/io.k8s.apimachinery.pkg.api.resource.Quantity"},
            "port": {"$ref": "#/$defs/io.k8s.apimachinery.pkg.util.intstr.IntOrString"},
            "labels": {"type": ["object", "null"], "additionalProperties": {"type": "string"}},
            "items": {"type": ["array", "null"], "items": {"$ref": f"#/$defs/{API}Item"}},
            "raw": {"type": ["object", "null"]},
            "later": {"$ref": f"#/$defs/{API}NotInThisMinor"},
        },
    },
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {
        "oneOf": [{"type": ["string", "null"]}, {"type": ["number", "null"]}]
    },
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {
        "oneOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]
    },
}


def make_raw(text):
    source = Source("specs/a.yaml", text.encode())
    (document,), problems = parse(source)
    assert problems == []
    return Raw(Origin(source, "Test/a"), document.root)


def read(text):
    return read_object(make_raw(text), f"{API}Item", Definitions(TYPES), CODES)


def value(field, text):
    data, problems = read(f"name: a\n{field}: {text}\n")
    assert [each.message for each in problems] == []
    return data.get(field)


def message(text):
    data, (problem,) = read(text)
    assert data is None
    return problem.message


@pytest.mark.parametrize(
    ("field", "text", "expected"),
    [
        ("text", "no", "no"),
        ("text", "1.30", "1.30"),
        ("text", "0777", "0777"),
        ("text", '"a b"', "a b"),
        ("text", "null", None),
        ("count", "12", 12),
        ("count", "-3", -3),
        ("count", "0644", 420),
        ("count", "0o17", 15),
        ("ratio", "0.5", 0.5),
        ("ratio", "2.0", 2),
        ("flag", "true", True),
        ("flag", "False", False),
        ("amount", "4", "4"),
        ("amount", "0.5", "0.5"),
        ("amount", '"16Gi"', "16Gi"),
        ("amount", "1e3", "1e3"),
        ("port", "8000", 8000),
        ("port", '"8000"', "8000"),
        ("port", "http", "http"),
        ("labels", "{a: yes, b: 1}", {"a": "yes", "b": "1"}),
        ("items", "[{name: 1}]", [{"name": "1"}]),
        ("items", "[]", []),
        ("labels", "", None),
    ],
)
def test_typed(field, text, expected):
    """A scalar means what the schema says."""
    found = value(field, text)

    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("007", 7),
        ("0o10", 8),
        ("0x1F", 31),
        ("1.5", 1.5),
        ("true", True),
        ("yes", "yes"),
        ("~", None),
        ('"1"', "1"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        (".inf", ".inf"),
        ("9" * 400, "9" * 400),
        ("[1, a]", [1, "a"]),
        ("{b: on}", {"b": "on"}),
    ],
)
def test_free(text, expected):
    """Where no schema says a type, the YAML 1.2 core schema decides."""
    for field in ("raw", "later"):
        found = value(field, f"{{a: {text}}}")["a"]
        assert found == expected
        assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: a\ncount: ten\n", "expected an integer, found `ten`"),
        ('name: a\ncount: "10"\n', "expected an integer, found `10`"),
        ("name: a\ncount: 089\n", "expected an integer, found `089`"),
        (f"name: a\ncount: {'9' * 5000}\n", f"expected an integer, found `{'9' * 37}...`"),
        ("name: a\nflag: on\n", "expected `true` or `false`, found `on`"),
        ("name: a\namount: 4 GB\n", "expected a quantity, like `4` or `16Gi`, found `4 GB`"),
        ("name: a\nport: [1]\n", "expected an integer or a text, found a list"),
        ("name: a\ntext: {b: c}\n", "expected a text, found a map"),
        ("name: a\nlabels: b\n", "expected a map, found `b`"),
        ("name: a\nraw: b\n", "expected a map, found `b`"),
        ("name: a\nitems: {name: b}\n", "expected a list, found a map"),
        ("name: a\nitems: [~]\n", "expected a map, found nothing"),
        ("name: a\nitems: [!!map {name: b}]\n", "the tag of a map is not allowed"),
        ("name: a\nnmae: b\n", "an Item has no field `nmae`"),
        ("name: a\nitems: [{text: b}]\n", "an Item needs the field `name`"),
        ("name:\n", "an Item needs the field `name`"),
        ("- a\n", "expected a map, found a list"),
    ],
)
def test_problems(text, expected):
    """What does not fit the type is told."""
    assert message(text) == expected


def test_merge_and_alias():
    """Anchors and merge keys work; nearer keys win, and aliases are copies."""
    data, problems = read(
        "name: a\nlabels: &l {x: one, y: two}\nitems:\n- name: b\n  labels: {<<: *l, y: three}\n"
        "- {name: c, labels: *l}\n"
    )

    assert problems == []
    assert data["items"][0]["labels"] == {"x": "one", "y": "three"}
    assert data["items"][1]["labels"] is not data["labels"]


def test_syntax_problems():
    """Duplicate keys of foreign objects are told as everywhere."""
    _, problems = read("name: a\ntext: b\ntext: c\n")

    assert [each.code.id for each in problems] == ["ND1008"]


def test_depth():
    """A value nested without end is refused, not followed."""
    text = "name: a\nraw: {a: " + "[" * 150 + "]" * 150 + "}\n"

    assert message(text) == "nested more than 100 levels deep"


def test_places():
    """A part is found by its path, through merge keys, as far as it was written."""
    raw = make_raw("base: &b\n  x: here\nitems:\n- <<: *b\n  y: there\n")

    assert str(place_of(raw, "items", 0, "y")) == "specs/a.yaml:5:6"
    assert str(place_of(raw, "items", 0, "x")) == "specs/a.yaml:2:6"
    assert str(place_of(raw, "items", 7, "x")) == "specs/a.yaml:4:1"
    assert str(place_of(raw, "items", 0, "y", "z")) == "specs/a.yaml:5:6"
    assert str(place_of(raw, "nothing")) == "specs/a.yaml:1:1"


def test_key_order():
    """Names come first, other keys follow by the alphabet, lists keep their order."""
    data = {"z": 1, "spec": [{"b": 1, "name": "n"}, 2], "kind": "K", "apiVersion": "v1"}

    assert str(in_key_order(data)) == str(
        {"apiVersion": "v1", "kind": "K", "spec": [{"name": "n", "b": 1}, 2], "z": 1}
    )
