"""Objects of a cluster as `kubectl` prints them."""

from __future__ import annotations

import json

import pytest
import yaml

from neuron_dra.simulation.dump import Key, read_dump
from neuron_dra.source import LongSource
from unit.simulation.small import (
    claim,
    codes_of,
    device,
    device_class,
    named,
    node,
    node_slice,
    pod,
    read,
    request,
    template,
    text_of,
)

EVERY = [
    node_slice("node-a", 2),
    device_class(),
    node("node-a"),
    template("t", request()),
    claim("c", request(), holds=["d0"]),
    pod("p", "claim:c"),
]
KEYS = [
    Key("ResourceSlice", "", "node-a-a.example"),
    Key("DeviceClass", "", "any"),
    Key("Node", "", "node-a"),
    Key("ResourceClaimTemplate", "default", "t"),
    Key("ResourceClaim", "default", "c"),
    Key("Pod", "default", "p"),
]


@pytest.mark.parametrize(
    "write",
    [
        lambda: text_of(*EVERY),
        lambda: yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": EVERY}),
        lambda: json.dumps({"apiVersion": "v1", "kind": "List", "items": EVERY}, indent=4),
        lambda: yaml.safe_dump_all(EVERY),
    ],
)
def test_forms(write):
    """Lists, streams and JSON give the same objects, in order."""
    dump, found = read(write())

    assert (list(dump.objects), found) == (KEYS, [])
    assert len(dump.slices[0].devices) == 2
    assert [each.device.device for each in dump.claim(*KEYS[4]).results] == ["d0"]
    assert [len(some) for some in (dump.classes, dump.nodes, dump.pods)] == [1, 1, 1]


def test_several_files():
    """The objects of several files are one dump, and a file may be given twice."""
    sources = [
        LongSource(str(index), text_of(each).encode())
        for index, each in enumerate([*EVERY, EVERY[0]])
    ]

    dump, found = read_dump(sources)

    assert (list(dump.objects), found) == (KEYS, [])


@pytest.mark.parametrize("version", ["v1beta2", "v1beta1"])
def test_older_versions(version):
    """Objects of older versions are the same; the oldest has flat requests and `basic` devices."""
    each = device("d0", row=1)
    flat = version == "v1beta1"
    shaped = {"name": "d0", "basic": {"attributes": each["attributes"]}} if flat else each
    asked = {"name": "r", "deviceClassName": "any", "count": 1} if flat else request()
    objects = [node_slice("n", shaped), claim("c", asked), template("t", asked), device_class()]
    older = [{**one, "apiVersion": f"resource.k8s.io/{version}"} for one in objects]

    dump, found = read(*older)
    expected, _ = read(
        node_slice("n", each), claim("c", request()), template("t", request()), device_class()
    )

    assert found == []
    assert dump.objects == expected.objects


def test_items_without_kind():
    """Items of a typed list, as the API server itself answers, have the kind of the list."""
    bare = [{key: value for key, value in EVERY[0].items() if key not in ("kind", "apiVersion")}]
    api_version = "resource.k8s.io/v1"

    dump, found = read(
        json.dumps({"kind": "ResourceSliceList", "apiVersion": api_version, "items": bare})
    )
    _, unknown = read(json.dumps({"items": bare}))

    assert (list(dump.objects), found) == (KEYS[:1], [])
    assert codes_of(unknown) == ["ND7002"]


def test_other_kinds():
    """Other kinds are counted in one note; an empty list and an empty document are nothing."""
    others = [named("ConfigMap", name, {}, api_version="v1") for name in "ab"]
    foreign = named("Node", "x", {}, api_version="other.example/v1")

    dump, found = read(text_of(*others, foreign, {"kind": "List"}, None))

    assert dump.objects == {}
    (note,) = found
    assert note.code.id == "ND7003"
    assert note.message.endswith("ignored: 2 ConfigMap, 1 Node")
    assert note.span.line == 1


@pytest.mark.parametrize(
    "text", ["3", "[a]", "text", "{metadata: {}}", "{kind: 3}", "kind: List\nitems: [1]"]
)
def test_no_object(text):
    """A document or an item that does not say its kind is told."""
    assert codes_of(read(text)[1]) == ["ND7002"]


def test_unknown_version():
    """A version of the API that is not known is told at its place."""
    _, (problem,) = read(
        "kind: DeviceClass\napiVersion: resource.k8s.io/v1alpha3\nmetadata: {name: x}"
    )

    assert (problem.code.id, str(problem.span)) == ("ND7001", "dump.yaml:2:13")


def test_problems_have_places():
    """Each problem of an object is told at the value that it is about, keys with dots too."""
    text = """\
kind: List
items:
- apiVersion: resource.k8s.io/v1
  kind: ResourceSlice
  metadata: {name: s}
  spec:
    driver: 7
    pool: {name: p}
    devices:
    - name: d
      attributes:
        a.example/x.y: {int: 1, string: a}
        a.example/x: {int: one}
    - attributes: []
"""
    _, found = read(text)

    assert [str(each.span).removeprefix("dump.yaml:") for each in found] == [
        "7:13",
        "12:24",
        "13:28",
        "14:7",
        "14:19",
    ]
    assert found[0].message == ("`spec.driver` of ResourceSlice `s`: expected a string, found `7`")


@pytest.mark.parametrize(
    ("text", "quoted"), [("n", True), ("on", True), ("Yes", True), ("true", False), ("7", False)]
)
def test_words_that_are_booleans(text, quoted):
    """An unquoted word that kubectl takes for a boolean is to be quoted."""
    claim = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\n"
        f"spec: {{devices: {{requests: [{{name: {text}, exactly: {{deviceClassName: c}}}}]}}}}\n"
    )
    _, (found,) = read_dump([LongSource("a.yaml", claim.encode())])

    assert found.code.slug == "unreadable-field"
    assert found.help == (
        f"quote it: kubectl reads an unquoted `{text}` as a boolean" if quoted else ""
    )


def test_copies():
    """Equal copies are one object; copies that differ are an error that shows both."""
    _, same = read(EVERY[0], EVERY[0])
    _, (other,) = read(EVERY[0], node_slice("node-a", 3))

    assert same == []
    assert (other.code.id, other.span.line, other.related[0].span.line) == ("ND7004", 3, 1)


def test_names():
    """An object needs a name, maybe a generated one; a missing namespace is `default`."""
    nameless = {**device_class(), "metadata": {}}
    generated = {**claim("x", request()), "metadata": {"generateName": "job-"}}

    dump, found = read(nameless, generated)

    assert [each.message for each in found] == [
        "`metadata.name` of DeviceClass ``: a value is required"
    ]
    assert list(dump.objects) == [Key("ResourceClaim", "default", "job-")]


def test_parts_are_shared():
    """Equal attributes of different slices are one object in memory."""
    dump, _ = read(node_slice("node-a", 4), node_slice("node-b", 4))
    first, second = (each.devices[0].attributes for each in dump.slices)

    assert first == second
    assert first["row"] is second["row"]
