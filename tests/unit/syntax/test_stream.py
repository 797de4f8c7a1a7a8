"""Objects of long texts, one at a time."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.source import LongSource, Source
from neuron_dra.syntax.parse import span_of
from neuron_dra.syntax.plain import load_plain, read_plain
from neuron_dra.syntax.stream import stream_objects


def stream(text):
    """Return the data of the objects, their places, and what is wrong with the text."""
    source = LongSource("x.yaml", text if isinstance(text, bytes) else text.encode())
    found = []
    objects = list(stream_objects(source, found))
    data = [read_plain(source, each.node)[0] for each in objects]
    places = [str(span_of(source, each.node)) for each in objects]
    return data, places, [(each.code.slug, str(each.span)) for each in found]


def data(text):
    objects, _, problems = stream(text)
    assert problems == []
    return objects


def test_documents():
    """Each document is an object, whatever stands between them; an empty one is nothing."""
    text = "# comment\na: 1\n---\n- x\n--- {b: 2}\n---\n...\n---\nc: |\n  text\n"

    assert data(text) == [{"a": 1}, ["x"], {"b": 2}, None, {"c": "text\n"}]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "\ufeff"])
def test_nothing(text):
    """A text without documents has no objects."""
    assert stream(text) == ([], [], [])


def test_items_of_a_list():
    """The items of a list are objects; the list is none, also one in a list or without items."""
    inner = {"kind": "List", "items": [{"b": 2}]}
    text = yaml.safe_dump({"kind": "List", "items": [{"a": 1}, inner, 3], "metadata": {"n": 1}})

    assert data(text) == [{"a": 1}, {"b": 2}, 3]
    assert data("kind: List\nitems: []\n") == []
    assert data("kind: List\nitems: null\n") == [{"kind": "List", "items": None}]


def test_what_a_list_says_of_its_items():
    """Items know what their list said before them, and nothing of what it says later."""
    source = LongSource("x", b"kind: AList\nitems: [{a: 1}]\napiVersion: v1\n")

    (item,) = stream_objects(source, [])

    assert item.list_fields == {"kind": "AList"}


def test_places():
    """Objects and their parts are where they stand in the file, in JSON as well."""
    _, places, _ = stream("\ufeffkind: List\nitems:\n- a: 1\n- b: 2\n---\nc: 3\n")
    assert places == ["x.yaml:3:3", "x.yaml:4:3", "x.yaml:6:1"]

    text = json.dumps({"items": [{"a": 1}, {"b": [2]}]}, indent=2)
    _, places, _ = stream(text)
    assert places == ["x.yaml:3:5", "x.yaml:6:5"]


def test_json_of_other_tools():
    """JSON on one line, with tabs or with escapes is read as well."""
    value = {"items": [{"a": "ü/\u2028<"}, {"b": [1.5, True, None, {}]}]}

    assert data(json.dumps(value)) == value["items"]
    assert data(json.dumps(value, indent="\t")) == value["items"]


def test_next_document_after_a_broken_one():
    """An error ends its document; what comes before and after it is read, in its place."""
    text = "a: 1\n---\nb: [\n---\nc: 3\n---\nd: *x\n---\ne: 5\n"

    objects, places, problems = stream(text)

    assert objects == [{"a": 1}, {"c": 3}, {"e": 5}]
    assert places == ["x.yaml:1:1", "x.yaml:5:1", "x.yaml:9:1"]
    assert problems == [("invalid-yaml", "x.yaml:4:1"), ("undefined-alias", "x.yaml:7:4")]


def test_truncated_list():
    """Of a list that is cut off the whole items are read, and the end is told."""
    objects, _, problems = stream("items:\n- a: 1\n- b: {c: 2")

    assert objects == [{"a": 1}]
    assert problems == [("invalid-yaml", "x.yaml:3:11")]


def test_error_in_the_line_of_a_document():
    """A document that is broken in its first line is not read again."""
    objects, _, problems = stream("--- {a: b\n--- }\n---\nc: 1\n")

    assert objects == [{"c": 1}]
    assert [slug for slug, _ in problems] == ["invalid-yaml", "invalid-yaml"]


@pytest.mark.parametrize("before", [0, (1 << 20) - 1, 1 << 20])
def test_other_encodings(before):
    """The first byte that is not UTF-8 is told, and nothing is read."""
    text = b"#" + b"x" * before + b"\n\xc3\xbc\xff"

    assert stream(text) == ([], [], [("not-utf8", "x.yaml:2:2")])
    assert stream(b"a: \xc3")[2] == [("not-utf8", "x.yaml:1:4")]


def test_control_character():
    """A character that YAML does not allow is told; where the text goes on cannot be known."""
    assert stream("a: 1\n---\nb: \x01\n---\nc: 3\n")[2] == [("control-character", "x.yaml:3:4")]


def test_aliases():
    """An alias is its value; one that contains itself or grows without end is told."""
    assert data("- &a {x: 1}\n- *a\n") == [[{"x": 1}, {"x": 1}]]
    assert data("a: &s text\nb: *s\n") == [{"a": "text", "b": "text"}]
    assert stream("&a [*a]")[2] == [("recursive-alias", "x.yaml:1:1")]
    bomb = "a0: &a0 [x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
    )
    assert [slug for slug, _ in stream(bomb)[2]] == ["alias-bomb"]


def test_too_deep():
    """A document that is nested too deeply is told; the next one is read."""
    for depth in (150, 2000):
        objects, _, problems = stream(f"a: {'[' * depth}{']' * depth}\n---\nb: 1\n")

        assert objects == [{"b": 1}]
        assert [slug for slug, _ in problems] == ["nesting-too-deep"]


def test_tags():
    """A tag is not allowed, and `!` is none."""
    source = LongSource("x", b"a: !!str 1\n")
    (only,) = stream_objects(source, [])

    assert [each.code.slug for each in read_plain(source, only.node)[1]] == ["explicit-tag"]
    assert data("! {a: 1}") == [{"a": 1}]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.text("ab: -#'\"\n", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(VALUES, max_size=3))
def test_equal_to_parsing_at_once(values):
    """Streamed objects are those that the whole text has, in the same places."""
    text = yaml.safe_dump_all(values)
    documents, problems = load_plain(Source("x.yaml", text.encode()))

    objects, places, told = stream(text)

    assert (problems, told) == ([], [])
    assert objects == [each.data for each in documents]
    assert places == [str(each.span) for each in documents]


@given(
    st.binary(max_size=60) | st.text("[]{}-:?&*!|>'\"%@`# \n\tab\x85", max_size=40).map(str.encode)
)
def test_any_bytes(text):
    """Any bytes at all are read or told, and never raise."""
    _, _, problems = stream(text)

    assert all(slug for slug, _ in problems)
