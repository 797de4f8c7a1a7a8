"""The JSON Schema (2020-12) of kinds of documents, made from their models, for editors.

In: kinds. Out: a schema whose `$defs` hold every model that they reach. It accepts all that the
readers accept: a text may be written as what an editor takes for a number or a boolean, and in a
layered kind every key may be absent or `null`. What only a model's `check` knows is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from neuron_dra.syntax.decode import Key, Model

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# How plain scalars look that an editor does not take for a text, by their type in JSON Schema.
_PLAIN = {"number": ("1", "1.36"), "boolean": ("true",)}
_LAYER = ".layer"


class Kind(NamedTuple):
    """A kind of document.

    Attributes:
        doc: one sentence.
        layered: whether another document may give what is missing in the spec.
    """

    name: str
    api_version: str
    metadata: type[Model]
    spec: type[Model]
    doc: str
    layered: bool = False


def make_schema(kinds: Iterable[Kind]) -> dict[str, Any]:
    """Return the schema of documents of several kinds: the kind decides which one holds."""
    kinds = tuple(kinds)
    definitions = _Definitions()
    documents = {kind.name: definitions.add_document(kind) for kind in kinds}
    return {
        "$schema": DIALECT,
        "title": "neuron-dra",
        "type": "object",
        "required": ["apiVersion", "kind"],
        "properties": {
            "apiVersion": {"enum": sorted({kind.api_version for kind in kinds})},
            "kind": {"enum": list(documents), "description": "What the document is."},
        },
        "allOf": [
            {
                "if": {"required": ["kind"], "properties": {"kind": {"const": name}}},
                "then": reference,
            }
            for name, reference in documents.items()
        ],
        "$defs": definitions.schemas,
    }


def make_kind_schema(kind: Kind) -> dict[str, Any]:
    """Return the schema of documents of one kind."""
    definitions = _Definitions()
    reference = definitions.add_document(kind)
    return {
        "$schema": DIALECT,
        "title": kind.name,
        **reference,
        "$defs": definitions.schemas,
    }


class _Definitions:
    """Collects the schemas of models under names of their own."""

    def __init__(self) -> None:
        self.schemas: dict[str, Any] = {}
        self._names: dict[tuple[type[Model], bool], str] = {}

    def add_document(self, kind: Kind) -> dict[str, Any]:
        """Add the schema of a kind's documents and return a reference to it."""
        assert kind.name not in self.schemas, f"two schemas are named {kind.name}"
        self.schemas[kind.name] = {
            "type": "object",
            "description": kind.doc,
            "additionalProperties": False,
            "required": ["apiVersion", "kind", "metadata", "spec"],
            "properties": {
                "apiVersion": {"const": kind.api_version},
                "kind": {"const": kind.name},
                # The name says which layers belong together, so it is never left out.
                "metadata": self.refer(kind.metadata, layered=False),
                "spec": self.refer(kind.spec, layered=kind.layered),
            },
        }
        return {"$ref": f"#/$defs/{kind.name}"}

    def refer(self, cls: type[Model], *, layered: bool) -> dict[str, Any]:
        """Return a reference to a model's schema, which is added once."""
        name = self._names.get((cls, layered))
        if name is None:
            name = self._choose_name(cls, layered)
            self._names[cls, layered] = name
            self.schemas[name] = {}  # takes the name before models inside it ask for theirs
            self.schemas[name] |= self._make_model(cls, layered)
        return {"$ref": f"#/$defs/{name}"}

    def _choose_name(self, cls: type[Model], layered: bool) -> str:
        suffix = _LAYER if layered else ""
        name = cls.__name__ + suffix
        if name in self.schemas:
            name = f"{cls.__module__.split('.')[1]}.{name}"
        assert name not in self.schemas, f"two models are named {name}"
        return name

    def _make_model(self, cls: type[Model], layered: bool) -> dict[str, Any]:
        required = [name for name, key in cls.KEYS.items() if key.required]
        schema: dict[str, Any] = {
            "type": "object",
            "description": first_line(cls),
            "additionalProperties": False,
        }
        if required and not layered:
            schema["required"] = required
        schema["properties"] = {
            name: self._make_key(cls, key, layered) for name, key in cls.KEYS.items()
        }
        return schema

    def _make_key(self, cls: type[Model], key: Key, layered: bool) -> dict[str, Any]:
        schema = self._finish(key.reader.schema(), layered)
        if layered:
            schema = _or_null(schema)
        schema["description"] = key.doc
        default = default_of(cls, key)
        if default is not None:
            schema["default"] = default
        return schema

    def _finish(self, schema: Mapping[str, Any], layered: bool) -> dict[str, Any]:
        """Return a reader's schema with names for models, and as wide as the reader is."""
        if "$ref" in schema:
            return self.refer(schema["$ref"], layered=layered)
        finished = _widen(schema)
        for word in ("items", "additionalProperties"):
            if word in schema:
                finished[word] = self._finish(schema[word], layered)
        if layered and "additionalProperties" in schema:
            finished["additionalProperties"] = _or_null(finished["additionalProperties"])
        if "anyOf" in schema:
            finished["anyOf"] = [self._finish(each, layered) for each in schema["anyOf"]]
        return finished


def first_line(cls: type[Model]) -> str:
    """Return the sentence that says what a model is."""
    return (cls.__doc__ or "").partition("\n")[0]


def default_of(cls: type[Model], key: Key) -> str | bool | int | None:
    """Return what holds where a key is absent, if a plain value does."""
    default = cls.__dataclass_fields__[key.attribute].default
    return default if isinstance(default, str | bool | int) and default != "" else None


def _widen(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Add the types that an editor sees in plain scalars of which a reader takes the text."""
    finished = dict(schema)
    types = schema.get("type")
    if "string" in (types if isinstance(types, list) else [types]) and "format" not in schema:
        pattern = re.compile(schema.get("pattern", ""))
        wide = [
            name for name, plain in _PLAIN.items() if any(pattern.search(text) for text in plain)
        ]
        finished["type"] = ["string", *wide] if wide else "string"
    return finished


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema that also accepts `null`."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if "type" in schema:
        types = schema["type"]
        return {**schema, "type": [*(types if isinstance(types, list) else [types]), "null"]}
    return {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}
