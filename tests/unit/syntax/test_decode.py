"""Nodes to models: closed, read by type, every problem collected with its place."""

import pytest

from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.source import Source
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ByShape, ListOf, MapOf, Raw, RawReader
from neuron_dra.syntax.decode import INVALID, Model, ModelReader, key, model, value_key
from neuron_dra.syntax.parse import parse
from neuron_dra.syntax.places import Context, Origin
from neuron_dra.syntax.scalars import (
    boolean,
    checked,
    choice,
    count_or,
    integer,
    matching,
    number,
    text,
)


@model
class Inner(Model):
    """A part."""

    size: int = key(integer(least=1, most=9), "A size.")
    name: str = key(text(), "A name.", default="none")


@model
class Outer(Model):
    """A whole."""

    version: str = key(matching("a version", r"1\.[0-9]+", "1.36"), "A version.")
    on_off: bool = key(boolean(), "A switch.", default=False)
    inner: Inner | None = key(ModelReader(Inner), "A part.", default=None)
    parts: tuple[Inner, ...] = key(ListOf(ModelReader(Inner), unique=True), "Parts.", default=())
    labels: dict[str, str] = key(MapOf(text(), formats.label_key), "Labels.", default={})
    word: str = key(choice("All", "ExactCount"), "A word.", default="All")
    raw: Raw | None = key(RawReader(), "Anything.", default=None)
    either: object = key(
        ByShape("a name or a map", scalar=text(), mapping=ModelReader(Inner)), "Two.", default=None
    )

    def check(self, context):
        if self.on_off and self.inner is None:
            context.add(codes.KEY_NEEDS_KEY.at(self.places.key("onOff"), "`onOff` needs `inner`"))


def read(yaml, cls=Outer, layered=False):
    source = Source("x.yaml", yaml.encode())
    (document,), problems = parse(source)
    assert problems == []
    context = Context(Origin(source, "Outer/x"), layered=layered)
    value = ModelReader(cls).read(document.root, context)
    return value, [
        (each.code.slug, each.span.line + 1, each.span.column + 1, each.message, each.help)
        for each in context.diagnostics
    ]


def test_values_are_read_by_their_type():
    value, problems = read("version: 1.30\nonOff: false\nlabels: {a: no, b: 0777}\n")

    assert problems == []
    assert (value.version, value.on_off, value.labels) == ("1.30", False, {"a": "no", "b": "0777"})


def test_places_point_at_keys_values_and_items():
    value, _ = read("version: 1.30\nlabels: {a: x}\nparts: [{size: 1}, {size: 2, name: b}]\n")
    places = value.places

    assert str(places.key("labels")) == "x.yaml:2:1"
    assert str(places.value("version")) == "x.yaml:1:10"
    assert str(places.item("labels", "a")) == "x.yaml:2:13"
    assert str(places.item("parts", 1)) == "x.yaml:3:20"
    assert str(places.value("inner")) == "x.yaml:1:1"
    assert places.document("version") == "Outer/x"
    assert not places.has("inner")


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        (
            "version: 1.36\nonof: true",
            ("unknown-key", 2, 1, "unknown key `onof`", "did you mean `onOff`?"),
        ),
        ("onOff: false", ("missing-key", 1, 1, "the key `version` is required here", "")),
        (
            "version: 2",
            ("invalid-value", 1, 10, "`2` is not a version, like `1.36`", ""),
        ),
        (
            "version: 1.36\nonOff: yes",
            ("invalid-value", 2, 8, "expected `true` or `false`, found `yes`", ""),
        ),
        (
            "version: 1.36\ninner: {size: '4'}",
            ("wrong-type", 2, 15, 'expected an integer, found the text "4"', "remove the quotes"),
        ),
        (
            "version: 1.36\ninner: {size: 10}",
            ("invalid-value", 2, 15, "10 is more than the 9 allowed", ""),
        ),
        (
            "version: 1.36\ninner: [1]",
            ("wrong-type", 2, 8, "expected a map, found a list", ""),
        ),
        (
            "version: 1.36\ninner:",
            ("wrong-type", 2, 7, "expected a map, found nothing", ""),
        ),
        (
            "version: 1.36\nword: all",
            (
                "invalid-value",
                2,
                7,
                "`all` is not one of `All`, `ExactCount`; did you mean `All`?",
                "",
            ),
        ),
        (
            "version: 1.36\nlabels: {a/b/c: x}",
            (
                "invalid-value",
                2,
                10,
                (
                    "`a/b/c` has the prefix `a/b`, which may hold lower case letters, digits"
                    " and inner `-` or `.` only"
                ),
                "",
            ),
        ),
        (
            "version: 1.36\nversion: 1.37",
            ("duplicate-key", 2, 1, "the key `version` stands twice in this map", ""),
        ),
        (
            "version: 1.36\nparts: [{size: 1, name: a}, {size: 2, name: a}]",
            ("duplicate-item", 2, 29, "`a` stands twice in this list", ""),
        ),
        (
            "version: 1.36\neither: [a]",
            ("wrong-type", 2, 9, "expected a name or a map, found a list", ""),
        ),
        (
            "version: !!str 1.36",
            ("explicit-tag", 1, 10, "the tag `!!str` is not allowed", "remove the tag"),
        ),
        (
            "version: 1.36\n? [a]\n: b",
            ("key-not-text", 2, 3, "a key must be a text, found a list", ""),
        ),
        (
            "version: 1.36\n<<: [a]",
            ("invalid-merge", 2, 6, "`<<` needs a map or maps, found `a`", ""),
        ),
        (
            "version: 1.36\nonOff: true",
            ("key-needs-another", 2, 1, "`onOff` needs `inner`", ""),
        ),
    ],
)
def test_a_problem_is_told_at_its_place(yaml, expected):
    value, problems = read(yaml)

    assert expected in problems
    assert value is INVALID or problems[0][0] in ("duplicate-key", "key-not-text", "invalid-merge")


def test_all_problems_come_at_once():
    _, problems = read("version: x\nonOff: 1\ninner: {size: 0, nam: y}\nfoo: 1\n")

    assert [each[0] for each in problems] == [
        "invalid-value",
        "invalid-value",
        "invalid-value",
        "unknown-key",
        "unknown-key",
    ]


def test_a_misspelt_key_can_be_repaired():
    source = Source("x.yaml", b"version: 1.36\ninnr: {size: 1}\n")
    (document,), _ = parse(source)
    context = Context(Origin(source, "Outer/x"))
    ModelReader(Outer).read(document.root, context)

    (edit,) = context.diagnostics[0].edits
    assert (str(edit.span), edit.replacement) == ("x.yaml:2:1", "inner")


def test_merge_keys_bring_in_what_is_not_set():
    value, problems = read(
        "version: 1.36\ninner: &base {size: 3, name: a}\nparts: [{<<: *base, size: 5}]\n"
    )

    assert problems == []
    assert (value.parts[0].size, value.parts[0].name) == (5, "a")


def test_a_layer_may_lack_required_keys_and_remove_others():
    value, problems = read("inner: null\n", layered=True)

    assert problems == []
    assert (value.version, value.inner) == (None, None)
    assert value.places.has("inner")


def test_equal_texts_have_equal_keys():
    one, _ = read("version: 1.36\nlabels: {a: x, b: y}\ninner: {size: 1}\n")
    two, _ = read("inner: {size: 1}\nlabels: {b: y, a: x}\nversion: 1.36\n")
    three, _ = read("inner: {size: 2}\nlabels: {b: y, a: x}\nversion: 1.36\n")

    assert value_key(one) == value_key(two) != value_key(three)
    assert hash(value_key(one)) == hash(value_key(two))
    assert value_key(one, frozenset({"inner"})) == value_key(three, frozenset({"inner"}))


@pytest.mark.parametrize(
    ("reader", "yaml", "expected"),
    [
        (integer(), "-3", -3),
        (number(), "2.5", 2.5),
        (number(), "4", 4),
        (count_or("all", least=1), "all", "all"),
        (count_or("all", least=1), "4", 4),
        (checked("a name", formats.dns_label), "ab-1", "ab-1"),
    ],
)
def test_scalars_are_converted(reader, yaml, expected):
    source = Source("x.yaml", yaml.encode())
    (document,), _ = parse(source)

    assert reader.read(document.root, Context(Origin(source, ""))) == expected


@pytest.mark.parametrize(
    ("reader", "yaml"),
    [
        (integer(), "0x10"),
        (integer(), "010"),
        (integer(), "1_000"),
        (number(), "x"),
        (number(least=0), "-1"),
        (count_or("all", least=1), "0"),
        (checked("a name", formats.dns_label), "A"),
    ],
)
def test_other_texts_are_refused(reader, yaml):
    source = Source("x.yaml", yaml.encode())
    (document,), _ = parse(source)
    context = Context(Origin(source, ""))

    assert reader.read(document.root, context) is INVALID
    assert len(context.diagnostics) == 1
