"""Decoding as the API server does it for a strict client.

In: an object as plain data, as JSON has it, and the name of its type. Out: the object as the server
holds it (a field without a value is one not written), and a `Problem` for what it would not read:
fields that the type does not have, values of another type, integers out of range, texts that are no
quantity or time. Fields and types come from Kubernetes' own definitions of the minor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from neuron_dra.admission.problem import Problem, inner_field, item_field
from neuron_dra.cel.value import EvaluationError
from neuron_dra.diagnostics import did_you_mean
from neuron_dra.kube.amount import billionths
from neuron_dra.kube.definitions import Definitions, Schema

_INTEGERS = {"int32": range(-(1 << 31), 1 << 31), "int64": range(-(1 << 63), 1 << 63)}
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d))", re.ASCII)
_ZEROES: Mapping[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False}
_SHOWN_MAX = 40
_A_TEXT = "a text"
_QUOTE = "quote it: YAML reads `n`, `y`, `on`, `off`, `yes` and `no` as booleans"


class Decoded(NamedTuple):
    """What the server reads of an object."""

    data: dict[str, Any]
    problems: list[Problem]


def decode(data: Mapping[str, Any], type_name: str, definitions: Definitions) -> Decoded:
    """Read an object as a type; with problems, its data is not whole."""
    decoder = _Decoder(definitions)
    read = decoder.read(data, {"$ref": f"#/$defs/{type_name}"}, "")
    return Decoded(read if isinstance(read, dict) else {}, decoder.problems)


class _Decoder:
    """Reads one object; problems are collected."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self.problems: list[Problem] = []

    def read(self, value: Any, schema: Schema, field: str) -> Any:
        name, schema = self._definitions.resolve(schema)
        reader = _READERS.get(name.rpartition(".")[2])
        if reader is not None:
            return self._keep(value, field, reader)
        kind = _kind_of(schema)
        if kind == "object":
            return self._read_map(value, schema, field)
        if kind == "array":
            return self._read_list(value, schema.get("items", {}), field)
        if kind == "integer":
            return self._read_integer(value, schema.get("format", "int64"), field)
        return self._keep(value, field, _SCALARS.get(kind, _accept))

    def _keep(self, value: Any, field: str, wrong: Callable[[Any], str]) -> Any:
        if wanted := wrong(value):
            self._refuse(field, wanted, value)
        return value

    def _refuse(self, field: str, wanted: str, value: Any) -> None:
        advice = _QUOTE if wanted == _A_TEXT and isinstance(value, bool) else ""
        message = f"`{field}`: expected {wanted}, found {_show(value)}"
        self.problems.append(Problem(field, message, advice))

    def _read_map(self, value: Any, schema: Schema, field: str) -> Any:
        if not isinstance(value, dict):
            self._refuse(field, "a map", value)
            return {}
        fields, items = schema.get("properties"), schema.get("additionalProperties")
        if fields is None:
            return self._read_free(value, items if isinstance(items, dict) else None, field)
        data = {}
        for name, each in value.items():
            if name not in fields:
                self._refuse_unknown(field, name, fields)
            elif each is not None:
                data[name] = self.read(each, fields[name], inner_field(field, name))
        return data

    def _read_free(self, value: dict[str, Any], items: Schema | None, field: str) -> dict[str, Any]:
        """Read a map with free keys, or one of which the server keeps the text."""
        if items is None:
            return value
        return {
            name: self._read_item(each, items, item_field(field, name))
            for name, each in value.items()
        }

    def _read_list(self, value: Any, items: Schema, field: str) -> Any:
        if not isinstance(value, list):
            self._refuse(field, "a list", value)
            return []
        return [
            self._read_item(each, items, item_field(field, index))
            for index, each in enumerate(value)
        ]

    def _read_item(self, value: Any, schema: Schema, field: str) -> Any:
        """Read an item; one without a value is the zero of its type."""
        if value is not None:
            return self.read(value, schema, field)
        name, schema = self._definitions.resolve(schema)
        if name.endswith(".Quantity"):
            return "0"
        kind = _kind_of(schema)
        return _ZEROES.get(kind, [] if kind == "array" else {})

    def _read_integer(self, value: Any, size: str, field: str) -> Any:
        if not isinstance(value, int) or isinstance(value, bool):
            self._refuse(field, "an integer", value)
        elif value not in _INTEGERS.get(size, _INTEGERS["int64"]):
            self.problems.append(Problem(field, f"`{field}` is {value}, beyond {size}"))
        return value

    def _refuse_unknown(self, field: str, name: str, fields: Mapping[str, Any]) -> None:
        place = inner_field(field, name)
        advice = did_you_mean(name, fields)
        self.problems.append(Problem(place, f"unknown field `{place}`", advice, at_key=True))


def _kind_of(schema: Schema) -> str:
    types = schema.get("type", "")
    return str(types if isinstance(types, str) else types[0])


def _text(value: Any) -> str:
    return "" if isinstance(value, str) else _A_TEXT


def _number(value: Any) -> str:
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    return "" if fits else "a number"


def _boolean(value: Any) -> str:
    return "" if isinstance(value, bool) else "`true` or `false`"


def _quantity(value: Any) -> str:
    wanted = "a quantity, like `4` or `16Gi`"
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return wanted
    return "" if is_amount(str(value).strip()) else wanted


def is_amount(text: str) -> bool:
    """Tell whether the server reads a text as a quantity."""
    try:
        billionths(text)
    except EvaluationError:
        return False
    return True


def _integer_or_text(value: Any) -> str:
    fits = isinstance(value, str | int) and not isinstance(value, bool)
    return "" if fits else "an integer or a text"


def _time(value: Any) -> str:
    wanted = "a time, like `2026-12-01T08:00:00Z`"
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return wanted
    try:
        datetime.fromisoformat(match[1])
    except ValueError:
        return wanted
    return "" if int(match[2] or 0) <= 24 and int(match[3] or 0) < 60 else wanted


def _accept(_value: Any) -> str:
    """Accept what the server keeps as the text that it is."""
    return ""


_SCALARS: Mapping[str, Callable[[Any], str]] = {
    "string": _text,
    "number": _number,
    "boolean": _boolean,
}
# Types with a reader of their own, by the last word of their name.
_READERS: Mapping[str, Callable[[Any], str]] = {
    "Quantity": _quantity,
    "IntOrString": _integer_or_text,
    "Time": _time,
    "MicroTime": _time,
    "RawExtension": _accept,
    "FieldsV1": _accept,
}


def _show(value: Any) -> str:
    """Name a value as users see it."""
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    text = value if isinstance(value, str) else str(value).lower()
    shown = text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}..."
    return f'"{shown}"' if isinstance(value, str) else f"`{shown}`"
