"""The YAML writer against readers of both YAML versions."""

from __future__ import annotations

import enum
import io
import math

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from neuron_dra.emit.text import compile_template, dump, format_text
from neuron_dra.kube.hole import Hole, fill
from neuron_dra.kube.inline import Inline

# What readers of YAML 1.1 or 1.2, or Go's number parser, take for something else than a string.
WORDS = """
y n Y N yes no on off On OFF true false True null NULL Null ~ nil inf nan NaN infinity
.inf -.inf +.inf .Inf .nan .NaN 0 1 -1 +1 007 0777 0o7 0O7 0x1f 0X1F 0b11 1_000 0x_1 0x1p-2
1e3 1E3 1e+3 1e-3 1.0e+3 .5 -.5 5. 1. 1.36 1__0 12:30 1:30:00 -1:30 190:20:30.15 = << - ? :
--- ... 2024-01-01 2024-1-1 2024-01-01T00:00:00Z 2001-12-14t21:59:43.10-05:00 -- | >
[] {} [a] {a} & * ! % @ ` ' " # , &a *a !a !!str
"""
SPACED = ["", " ", "a ", " a", "a: b", "a:", ": a", "a #b", "#a", "- a", "? a", "2024-01-01 00:00"]
AMBIGUOUS = [*WORDS.split(), *SPACED]

# Forms that Kubernetes objects are full of and that stay readable without quotes.
PLAIN = [
    *(
        "resource.k8s.io/v1",
        "app.kubernetes.io/name",
        "ml-team",
        "kube-system",
        "ExactCount",
        "/dev/a",
    ),
    *(
        "1.0.0",
        "2.27.4.0",
        "10.0.0.0/8",
        "192.168.1.1",
        "1.2.3-alpha.1",
        "100m",
        "1.5Gi",
        "16Gi",
        "2k",
    ),
    *("public.example.com/neuron/plugin:2.27.4", "Prune=confirm,Delete=confirm", "yes-no", "Nine"),
    "device.attributes['neuron.aws.com'].instanceType == 'a.b' && device.driver in [\"a\", \"b\"]",
]

TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.text("ab \n\t:#-?'\"\\%{}[]&*!|>,~=<y01.ex_+", max_size=12),
    st.lists(st.text("ab: #-", max_size=6), max_size=5).map("\n".join),
    st.from_regex(r"[-+]?[0-9_.:eExXoObBinfaT-]{1,10}", fullmatch=True),
    st.sampled_from([*AMBIGUOUS, *PLAIN, "x" * 3000, "\u2028", "a\x85b", "\ufeff", "\U0001f600"]),
)
SCALARS = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def read_all_ways(text):
    """Return what each reader makes of a text, by reader."""
    return {
        "1.1 in C": yaml.load(text, yaml.CSafeLoader),
        "1.1": yaml.load(text, yaml.SafeLoader),
        "1.2": YAML(typ="safe", pure=True).load(io.StringIO(text)),
    }


def same(left, right):
    """Tell whether two values are equal in type too, at every depth."""
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


def assert_read_as(text, data):
    for reader, found in read_all_ways(text).items():
        assert same(found, data), f"YAML {reader} reads {found!r}, not {data!r}:\n{text}"


@settings(max_examples=300, deadline=None)
@given(DATA)
@example({"a": "x\n\n", "b": "y\n", "c": "z", "d": ["p\nq", ["r\n\n\ns"]], "e": "t\n\n\n"})
@example([[[], {}], [[1]], {"a": []}])
@example({"k" * 1200: {"a": ["b"]}, "l" * 1200: ["c"], "m" * 1200: 1, "n": [{"o" * 1200: 2}]})
@example([1e16, 1e-7, 1.5e300, -0.0, 0.1, 123456789.0])
def test_round_trip(data):
    """Readers of YAML 1.1 and 1.2 read every value as the value that was written."""
    assert_read_as(dump(data, "a header"), data)


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_strings_survive(value):
    """A string survives as a value, as an item, as a key and alone."""
    assert_read_as(dump({"a": [value], value: value}), {"a": [value], value: value})
    assert_read_as(dump(value), value)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(TEXTS.filter(lambda text: len(text) < 100), SCALARS, max_size=4))
def test_inline_mappings(data):
    """A mapping on one line is read as the mapping, wherever it stands."""
    inline = Inline(data)

    text = dump({"a": inline, "b": [inline]})

    assert_read_as(text, {"a": data, "b": [data]})
    assert len(text.splitlines()) == 3


def test_inline_layout():
    """What means something between braces is quoted there and nowhere else."""
    assert dump({"a": Inline(b=1, c="x,y", d=True), "e": "x,y", "f": Inline()}) == (
        'a: {b: 1, c: "x,y", d: true}\ne: x,y\nf: {}\n'
    )


@pytest.mark.parametrize("value", AMBIGUOUS)
def test_ambiguous_strings_are_quoted(value):
    """What some reader takes for another type stands in double quotes."""
    assert format_text(value).startswith('"')
    assert format_text(value.upper()).startswith('"')


@pytest.mark.parametrize("value", PLAIN)
def test_clear_strings_are_plain(value):
    """What every reader takes for this string stands without quotes."""
    assert format_text(value) == value
    assert_read_as(dump([value]), [value])


def test_layout():
    """The layout is that of kubectl: lists at the indent of their key, blocks for long texts."""
    data = {
        "kind": "ConfigMap",
        "metadata": {"name": "a", "labels": {}, "ports": []},
        "data": {"run": "first\n  second\n\nthird\n", "note": "one\ntwo", "tail": "one\n\n"},
        "items": [{"name": "b", "args": ["-x", 1, None, True, 2.5]}, ["c", ["d"]], "e\nf"],
        "last": "on",
    }

    assert dump(data, "Made from a spec.\n\nDo not edit.") == (
        "# Made from a spec.\n#\n# Do not edit.\n"
        "kind: ConfigMap\n"
        "metadata:\n  name: a\n  labels: {}\n  ports: []\n"
        "data:\n"
        "  run: |\n    first\n      second\n\n    third\n"
        "  note: |-\n    one\n    two\n"
        "  tail: |+\n    one\n\n"
        "items:\n"
        '- name: b\n  args:\n  - "-x"\n  - 1\n  - null\n  - true\n  - 2.5\n'
        "- - c\n  - - d\n"
        "- |-\n  e\n  f\n"
        'last: "on"\n'
    )


@pytest.mark.parametrize(
    "value", ["a \nb", " a\nb", "\na", "a\tb\nc", "a\rb\nc", "a\x85\nb", "a\n "]
)
def test_blocks_only_where_exact(value):
    """Several lines that a block would not keep exactly, or not show, are quoted."""
    assert format_text(value).startswith('"')


def test_hidden_characters_are_escaped():
    """Characters that an editor does not show, or that reorder a line, are visible in the file."""
    text = dump(["a\u202eb", "zero\u200bwidth", "tag\U000e0041", "no\u00a0break", "é😀"])

    assert text == (
        '- "a\\u202eb"\n- "zero\\u200bwidth"\n- "tag\\U000e0041"\n- "no\\u00a0break"\n- "é😀"\n'
    )


def test_half_a_character_is_refused():
    """A lone surrogate has no UTF-8 and is a mistake of the caller."""
    with pytest.raises(ValueError, match="U\\+D800"):
        dump("\ud800")


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_header_stays_a_comment(header):
    """No header, whatever its characters, ends its comment or becomes data."""
    assert_read_as(dump({"a": 1}, header), {"a": 1})


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_numbers_without_json_are_refused(value):
    """Infinity and NaN stand in no Kubernetes object."""
    with pytest.raises(ValueError, match="no number of JSON"):
        dump({"a": value})


@pytest.mark.parametrize("data", [{1: "a"}, {Hole("a"): 1}, {"a": b"bytes"}, [{1}], object()])
def test_other_types_are_refused(data):
    """What is no plain data, and a key that is no plain string, is a mistake of the caller."""
    with pytest.raises(TypeError):
        dump(data)


def test_text_enumerations():
    """A member of a text enumeration is written as its text."""

    class Mode(enum.StrEnum):
        ALL = "All"
        OFF = "off"

    assert dump({Mode.ALL: Mode.OFF, "list": (Mode.ALL,)}) == 'All: "off"\nlist:\n- All\n'


WITH_HOLES = st.recursive(
    SCALARS | st.sampled_from("abc").map(Hole),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(
    WITH_HOLES, st.fixed_dictionaries(dict.fromkeys("abc", TEXTS)), st.sampled_from(["", "100 %s"])
)
@example(Hole("a"), {"a": "x\ny"}, "")
@example({"%s": [{"k": Hole("a")}, "50%", "{a}", [Hole("b")]]}, {"a": "x\n\n", "b": "on"}, "%d {a}")
def test_fill_is_dump(data, values, header):
    """A filled template has the bytes of the dump of the filled data."""
    filled = fill(data, values)

    assert compile_template(data, header).fill(values) == dump(filled, header).encode()


def test_names():
    """A template names its holes, and a missing value is a mistake of the caller."""
    template = compile_template({"a": Hole("ns"), "b": [Hole("ns"), Hole("cluster")]})

    assert template.names == {"ns", "cluster"}
    with pytest.raises(KeyError):
        template.fill({"ns": "x"})


def test_inline_mappings_hold_scalars_alone():
    """A mapping on one line has neither lists nor holes."""
    for value in (["a"], {"a": 1}, Hole("a")):
        with pytest.raises(TypeError):
            dump({"a": Inline(b=value)})


def test_dump_refuses_holes():
    """A hole is never written out by its name."""
    with pytest.raises(ValueError, match="hole 'ns' has no value"):
        dump({"a": [Hole("ns")]})
