"""YAML text to plain data: what kubectl and Argo CD would make of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.source import Source
from neuron_dra.syntax.plain import load_plain


def load(text):
    documents, problems = load_plain(Source("x.yaml", text.encode()))
    assert problems == []
    return [each.data for each in documents]


def slugs(text):
    documents, problems = load_plain(Source("x.yaml", text.encode()))
    return len(documents), [each.code.slug for each in problems]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("y", True), ("on", True), ("Yes", True), ("n", False), ("OFF", False), ("No", False)),
        *(("true", True), ("False", False), ("~", None), ("", None), ("NULL", None)),
        *(("yEs", "yEs"), ("nil", "nil"), ("none", "none")),
        *(("0", 0), ("-12", -12), ("+3", 3), ("1_000", 1000), ("0777", 511), ("0o17", 15)),
        *(("0x1F", 31), ("-0b101", -5), ("08", 8), ("1e3", 1000), ("1.50", 1.5), (".5", 0.5)),
        *(("1.", 1), ("-1.0", -1), ("9223372036854775808", 2**63), ("1e400", "1e400")),
        *(("18446744073709551616", float(2**64)), ("1:30", "1:30"), ("1.2.3", "1.2.3")),
        *(("2027-03-01", "2027-03-01"), ("0xg", "0xg"), (".inf", ".inf"), (".nan", ".nan")),
        *(("1Gi", "1Gi"), ('"y"', "y"), ("'1'", "1"), ("|-\n  on", "on")),
    ],
)
def test_scalars(text, value):
    """A plain scalar reads as Go's YAML reader resolves it, a quoted one as what it says."""
    (found,) = load(f"a: {text}\n")

    assert found == {"a": value}
    assert type(found["a"]) is type(value)


def test_long_numbers_stay_short():
    """A number too long for any computer is the text or the float that it is, at once."""
    digits = "9" * 5000

    assert load(f"a: {digits}\nb: 0x{'f' * 5000}\n") == [{"a": digits, "b": f"0x{'f' * 5000}"}]


def test_keys():
    """A key is a text, as in JSON: what reads as another type becomes that value's text."""
    assert load("{on: 1, 010: 2, 'y': 3, ~: 4, a: 5}") == [
        {"true": 1, "8": 2, "y": 3, "~": 4, "a": 5}
    ]


def test_documents():
    """Every document of a stream is read; one without content is nothing."""
    assert load("a: [1, {b: c}]\n---\n---\n- x\n") == [{"a": [1, {"b": "c"}]}, None, ["x"]]


def test_anchors_and_merge_keys():
    """An alias and a merge key stand for what they name."""
    assert load("p: &p {a: 1, b: 2}\nq: {<<: *p, a: 3}\nr: *p\n") == [
        {"p": {"a": 1, "b": 2}, "q": {"a": 3, "b": 2}, "r": {"a": 1, "b": 2}}
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [\n", (0, ["invalid-yaml"])),
        ("a: 1\na: 2\n", (0, ["duplicate-key"])),
        ("? [a]\n: 1\n", (0, ["key-not-text"])),
        ("a: !!str 1\n", (0, ["explicit-tag"])),
        ("- !!str 1\n---\nb: 1\n", (1, ["explicit-tag"])),
        ("!x {}\n", (0, ["explicit-tag"])),
        ("[" * 150 + "]" * 150, (0, ["nesting-too-deep"])),
        ("a: \x00", (0, ["control-character"])),
    ],
)
def test_broken_documents(text, expected):
    """A broken document is left out with its diagnostic, the others are read."""
    assert slugs(text) == expected


# JSON writes what lies above as two escapes, which YAML does not put together.
texts = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=8)
plain_data = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner),
    max_leaves=8,
)


@given(plain_data)
def test_json_is_read_back(data):
    """JSON is YAML: what it says is what is read."""
    assert load(json.dumps(data)) == [data]


@given(st.text(max_size=40))
def test_any_text_is_read_or_diagnosed(text):
    """No text makes the reader raise, and what it reads is JSON."""
    documents, problems = load_plain(Source("x.yaml", text.encode("utf-8", "surrogatepass")))

    assert problems or json.dumps([each.data for each in documents], allow_nan=False)
