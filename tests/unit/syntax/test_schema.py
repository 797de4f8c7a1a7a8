"""The JSON Schema of models: closed, named, as wide as the readers."""

from __future__ import annotations

import jsonschema_rs
import pytest

from neuron_dra.syntax.containers import ByShape, ListOf, MapOf, RawReader
from neuron_dra.syntax.decode import Model, ModelReader, key, model
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
from neuron_dra.syntax.schema import Kind, make_kind_schema, make_schema


@model
class Name(Model):
    """A name.

    More of it.
    """

    name: str = key(text(), "The name.")


@model
class Part(Model):
    """A part."""

    size: int | str = key(count_or("all", least=1), "Its size.")
    parts: tuple[Model, ...] = key(ListOf(text()), "Parts.", default=())


@model
class Body(Model):
    """A body."""

    version: str = key(matching("a version", r"1\.[0-9]+", "1.36"), "A version.")
    patch: str | None = key(matching("a patch", r"1\.[0-9]+\.[0-9]+", "1.36.1"), "x", default=None)
    day: str | None = key(checked("a day", lambda _: "", format="date"), "A day.", default=None)
    word: str = key(choice("yes", "no"), "A word.", default="no")
    flag: bool = key(boolean(), "A flag.", default=True)
    ratio: float = key(number(least=0), "A ratio.", default=1)
    port: int = key(integer(least=1, most=9), "A port.", default=8)
    parts: tuple[Part, ...] = key(
        ListOf(ModelReader(Part), unique=True, least=1), "Parts.", default=()
    )
    by_name: dict[str, Part] = key(MapOf(ModelReader(Part)), "By name.", default={})
    either: Part | str | None = key(
        ByShape("a word or a part", scalar=choice("none"), mapping=ModelReader(Part)),
        "Either.",
        default=None,
    )
    free: object = key(RawReader(), "Anything.", default=None, name="freeForm")


KIND = Kind("Thing", "example.com/v1", Name, Body, "A thing.")
LAYERED = KIND._replace(name="Layer", layered=True)


def thing(kind="Thing", **spec):
    return {
        "apiVersion": "example.com/v1",
        "kind": kind,
        "metadata": {"name": "a"},
        "spec": {"version": 1.36, **spec},
    }


def accepts(data, *kinds):
    return jsonschema_rs.Draft202012Validator(
        make_schema(kinds or (KIND, LAYERED)), validate_formats=True
    ).is_valid(data)


@pytest.mark.parametrize("schema", [make_schema([KIND, LAYERED]), make_kind_schema(KIND)])
def test_is_a_schema(schema):
    """The schema is one of JSON Schema 2020-12, and every reference in it leads somewhere."""
    jsonschema_rs.meta.validate(schema)
    jsonschema_rs.Draft202012Validator(schema)


def test_models():
    """A model is a closed object with the documentation of its keys, defaults and requirements."""
    schemas = make_kind_schema(KIND)["$defs"]

    assert schemas["Name"] == {
        "type": "object",
        "description": "A name.",
        "additionalProperties": False,
        "required": ["name"],
        "properties": {
            "name": {"type": ["string", "number", "boolean"], "description": "The name."}
        },
    }
    keys = schemas["Body"]["properties"]
    assert keys["word"] == {"enum": ["yes", "no"], "description": "A word.", "default": "no"}
    assert keys["either"] == {
        "anyOf": [{"enum": ["none"]}, {"$ref": "#/$defs/Part"}],
        "description": "Either.",
    }
    assert [keys[name].get("default") for name in ("flag", "port", "patch")] == [True, 8, None]
    assert "freeForm" in keys


def test_layered_models():
    """In a layer nothing is required and every key may be null, but not the document's own."""
    schemas = make_kind_schema(LAYERED)["$defs"]

    assert set(schemas) == {"Layer", "Name", "Body.layer", "Part.layer"}
    assert "required" not in schemas["Body.layer"]
    assert schemas["Body.layer"]["properties"]["word"]["enum"] == ["yes", "no", None]
    nothing = dict.fromkeys(schemas["Body.layer"]["properties"])
    assert accepts(thing("Layer", **nothing))
    assert accepts(thing("Layer", byName={"a": None}, parts=[{"size": None}]))
    assert accepts({**thing("Layer"), "spec": {}})
    assert not accepts({**thing("Layer"), "metadata": {"name": None}})
    assert not accepts({**thing("Layer"), "spec": None})


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"version": "1.36"},
        {"patch": "1.36.1", "day": "2027-06-30", "ratio": 0.5},
        {"parts": [{"size": "all"}, {"size": 4, "parts": ["a", 1, 1.5, True]}]},
        {"byName": {"a": {"size": 1}}, "either": "none", "freeForm": {"a": [None]}},
    ],
)
def test_accepts(spec):
    """What the readers accept is accepted, also as an editor sees plain scalars."""
    assert accepts(thing(**spec))


@pytest.mark.parametrize(
    "spec",
    [
        {"version": None},
        {"version": True},
        {"version": "2.1"},
        {"patch": 1.36},
        {"day": 2027},
        {"day": "30 June"},
        {"word": "maybe"},
        {"word": None},
        {"flag": "true"},
        {"ratio": -1},
        {"port": "8"},
        {"port": 10},
        {"parts": []},
        {"parts": [{"size": 1}, {"size": 1}]},
        {"parts": [{"size": 0}]},
        {"parts": [{}]},
        {"parts": {"size": 1}},
        {"byName": {"a": {"siez": 1}}},
        {"byName": {"a": None}},
        {"either": "some"},
        {"either": {"siez": 1}},
        {"freeForm": []},
        {"verison": "1.36"},
    ],
)
def test_refuses(spec):
    """What the readers refuse for its type, form or name is refused."""
    assert not accepts(thing(**spec))


@pytest.mark.parametrize("name", ["apiVersion", "kind", "metadata", "spec"])
def test_envelope(name):
    """A document needs all four keys, and has no others."""
    data = thing()
    del data[name]

    assert not accepts(data)
    assert not accepts({**thing(), "status": {}})
    assert not accepts({**thing(), "apiVersion": "example.com/v2"})
    assert not accepts({**thing(), "kind": "Thnig"})


def test_one_kind():
    """The schema of one kind holds for no other."""
    validator = jsonschema_rs.Draft202012Validator(make_kind_schema(KIND))

    assert validator.is_valid(thing())
    assert not validator.is_valid(thing("Layer"))


def test_equal_names():
    """Models of one name from two rooms stand under two names."""
    twin = model(type("Name", (Model,), {"__doc__": "A twin.", "__module__": "neuron_dra.room.a"}))

    schemas = make_schema([KIND, KIND._replace(name="Other", metadata=twin)])["$defs"]

    assert schemas["Name"]["description"] == "A name."
    assert schemas["room.Name"]["description"] == "A twin."
    assert schemas["Other"]["properties"]["metadata"] == {"$ref": "#/$defs/room.Name"}
