"""Parts of foreign objects: YAML nodes to plain data, directed by Kubernetes' schemas.

In: a node that the spec language does not type, and the type it has in Kubernetes. Out: plain
data with keys sorted as `in_key_order` says, and a diagnostic for every field that the type does
not have and every value of another type. Where a schema wants a string, what was written is the
string (`no`, `1.30`, `0777`); where it wants an integer, `0644` is octal, as kubectl reads it;
where it says nothing, the YAML 1.2 core schema decides. A field without a value (`null`) is a
field not written, as for the API server. Formats of values beyond quantities, and rules between
fields, are not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import isinf
from typing import Any, NamedTuple

from neuron_dra.diagnostics import Code, Diagnostic, did_you_mean
from neuron_dra.kube.definitions import Definitions, Schema
from neuron_dra.kube.quantity import is_quantity
from neuron_dra.source import Span
from neuron_dra.syntax.containers import Raw
from neuron_dra.syntax.mappings import describe, is_null, pairs
from neuron_dra.syntax.parse import (
    MAX_DEPTH,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    span_of,
)
from neuron_dra.syntax.places import Context

_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]{0,18})")  # the length of an int64
_OCTAL = re.compile(r"0o?([0-7]{1,21})")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CORE_INTEGER = re.compile(r"[-+]?[0-9]{1,19}")
_CORE_OTHER_BASE = re.compile(r"0o[0-7]{1,21}|0x[0-9a-fA-F]{1,16}")
_BOOLEANS = {"true": True, "True": True, "TRUE": True}
_BOOLEANS |= {"false": False, "False": False, "FALSE": False}
_BOOLEANS_OF_YAML_1_1 = frozenset(("y", "n", "yes", "no", "on", "off"))

# The words that people look for first; every other key stands in alphabetical order.
_FIRST_KEYS = ("apiVersion", "kind", "metadata", "name", "namespace", "image", "command", "args")
_RANK = {key: rank for rank, key in enumerate(_FIRST_KEYS)}


class FieldCodes(NamedTuple):
    """The codes under which a caller tells what is wrong with fields."""

    unknown: Code
    wrong_type: Code
    missing: Code


class _Unsound:
    """Stands for a value whose problem is already diagnosed."""


_UNSOUND = _Unsound()


def read_object(
    raw: Raw, type_name: str, definitions: Definitions, codes: FieldCodes
) -> tuple[Any, list[Diagnostic]]:
    """Return a value as plain data of a type, or None with diagnostics."""
    context = Context(raw.origin)
    reader = _ObjectReader(definitions, codes, context)
    data = reader.read(raw.node, {"$ref": f"#/$defs/{type_name}"}, 0)
    return (None if context.diagnostics else data), context.diagnostics


def place_of(raw: Raw, *path: str | int) -> Span:
    """Return the place of a value inside a raw value, or of the nearest one that was written."""
    return span_of(raw.origin.source, _walk(raw, path))


def key_place_of(raw: Raw, *path: str | int) -> Span:
    """Return the place of a key of a map inside a raw value, or of the map where it is missing."""
    node = _walk(raw, path[:-1])
    keys = pairs(node, Context(raw.origin)) if isinstance(node, MappingNode) else ()
    found = (key for name, key, _ in keys if name == path[-1])
    return span_of(raw.origin.source, next(found, node))


def in_key_order(data: Any) -> Any:
    """Return data with the keys of all maps in one order, whoever wrote them in which."""
    if isinstance(data, dict):
        keys = sorted(data, key=lambda key: (_RANK.get(key, len(_RANK)), key))
        return {key: in_key_order(data[key]) for key in keys}
    return [in_key_order(item) for item in data] if isinstance(data, list) else data


def _walk(raw: Raw, path: Sequence[str | int]) -> Node:
    """Return the node at a path, or the last one on the way that is there."""
    node = raw.node
    for step in path:
        child = _child(raw, node, step)
        if child is None:
            break
        node = child
    return node


def _child(raw: Raw, node: Node, step: str | int) -> Node | None:
    if isinstance(step, int):
        items = node.value if isinstance(node, SequenceNode) else []
        return items[step] if step < len(items) else None
    if not isinstance(node, MappingNode):
        return None
    found = (value for name, _, value in pairs(node, Context(raw.origin)) if name == step)
    return next(found, None)


class _ObjectReader:
    """Reads one foreign value; problems go into the context."""

    def __init__(self, definitions: Definitions, codes: FieldCodes, context: Context) -> None:
        self.definitions = definitions
        self.codes = codes
        self.context = context

    def read(self, node: Node, schema: Schema, depth: int) -> Any:
        name, schema = self.definitions.resolve(schema)
        if node.tag is not None:
            return self._wrong(node, f"the tag of {describe(node)} is not allowed", "remove it")
        if depth > MAX_DEPTH:
            return self._wrong(node, f"nested more than {MAX_DEPTH} levels deep", "")
        if "oneOf" in schema:
            return self._read_either(node, name)
        types = schema.get("type", "")
        kind = types if isinstance(types, str) else types[0]
        if kind == "object":
            return self._read_map(node, schema, name.rpartition(".")[2], depth)
        if kind == "array":
            return self._read_list(node, schema.get("items", {}), depth)
        if kind in _SCALARS:
            return self._read_scalar(node, *_SCALARS[kind])
        return self._read_free(node, depth)

    def _read_map(self, node: Node, schema: Schema, owner: str, depth: int) -> Any:
        if not isinstance(node, MappingNode):
            return self._wrong(node, f"expected a map, found {describe(node)}", "")
        fields, values = schema.get("properties"), schema.get("additionalProperties")
        if fields is None and not values:
            return self._read_free(node, depth)
        data: dict[str, Any] = {}
        for name, key_node, value_node in pairs(node, self.context):
            inner = values if fields is None else fields.get(name)
            if inner is None:
                self._unknown(name, key_node, owner, fields)
            elif not is_null(value_node):
                data[name] = self.read(value_node, inner, depth + 1)
        self._require(node, schema, data, owner)
        return data

    def _read_list(self, node: Node, items: Schema, depth: int) -> Any:
        if not isinstance(node, SequenceNode):
            return self._wrong(node, f"expected a list, found {describe(node)}", "")
        return [self.read(child, items, depth + 1) for child in node.value]

    def _read_scalar(self, node: Node, what: str, convert: Callable[[ScalarNode], Any]) -> Any:
        value: Any = _UNSOUND
        if isinstance(node, ScalarNode) and not is_null(node):
            value = convert(node)
        if value is not _UNSOUND:
            return value
        return self._wrong(node, f"expected {what}, found {describe(node)}", _scalar_help(node))

    def _read_either(self, node: Node, name: str) -> Any:
        """Read one of the two types that are a number or a text."""
        if name.endswith(".Quantity"):
            return self._read_scalar(node, "a quantity, like `4` or `16Gi`", _to_quantity)
        return self._read_scalar(node, "an integer or a text", _to_integer_or_text)

    def _read_free(self, node: Node, depth: int) -> Any:
        """Read what no schema describes, by the YAML 1.2 core schema."""
        if isinstance(node, ScalarNode):
            return None if is_null(node) else _to_core(node)
        if isinstance(node, SequenceNode):
            return [self.read(child, {}, depth + 1) for child in node.value]
        assert isinstance(node, MappingNode)
        entries = pairs(node, self.context)
        return {name: self.read(value, {}, depth + 1) for name, _, value in entries}

    def _require(self, node: Node, schema: Schema, data: dict[str, Any], owner: str) -> None:
        for name in schema.get("required", ()):
            if name not in data:
                message = f"{_article(owner)} needs the field `{name}`"
                self.context.add(self.codes.missing.at(self.context.span(node), message))

    def _unknown(self, name: str, node: Node, owner: str, fields: Schema | None) -> None:
        self.context.add(
            self.codes.unknown.at(
                self.context.span(node),
                f"{_article(owner)} has no field `{name}`",
                help=did_you_mean(name, fields or ()),
            )
        )

    def _wrong(self, node: Node, message: str, advice: str) -> _Unsound:
        span = self.context.span(node)
        self.context.add(self.codes.wrong_type.at(span, message, help=advice))
        return _UNSOUND


def _article(owner: str) -> str:
    return f"{'an' if owner[:1] in 'AEIOU' else 'a'} {owner}" if owner else "a map"


def _scalar_help(node: Node) -> str:
    if not isinstance(node, ScalarNode):
        return ""
    if node.style:
        return "remove the quotes, or correct the text"
    if node.value.lower() in _BOOLEANS_OF_YAML_1_1:
        return "write `true` or `false`"
    return ""


def _to_text(node: ScalarNode) -> Any:
    return node.value


def _to_integer(node: ScalarNode) -> Any:
    if not node.style and _DECIMAL.fullmatch(node.value):
        return int(node.value)
    octal = None if node.style else _OCTAL.fullmatch(node.value)
    return int(octal[1], 8) if octal else _UNSOUND


def _to_number(node: ScalarNode) -> Any:
    if node.style or not _NUMBER.fullmatch(node.value):
        return _UNSOUND
    number = float(node.value)
    if isinf(number):
        return _UNSOUND
    return int(number) if number.is_integer() else number


def _to_boolean(node: ScalarNode) -> Any:
    return _UNSOUND if node.style else _BOOLEANS.get(node.value, _UNSOUND)


def _to_quantity(node: ScalarNode) -> Any:
    return node.value if is_quantity(node.value) else _UNSOUND


def _to_integer_or_text(node: ScalarNode) -> Any:
    number = _to_integer(node)
    return node.value if number is _UNSOUND else number


def _to_core(node: ScalarNode) -> Any:
    text: str = node.value
    if node.style:
        return text
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _CORE_INTEGER.fullmatch(text):
        return int(text)
    if _CORE_OTHER_BASE.fullmatch(text):
        return int(text, 0)
    number = _to_number(node)
    return text if number is _UNSOUND else number


_SCALARS: dict[str, tuple[str, Callable[[ScalarNode], Any]]] = {
    "string": ("a text", _to_text),
    "integer": ("an integer", _to_integer),
    "number": ("a number", _to_number),
    "boolean": ("`true` or `false`", _to_boolean),
}
