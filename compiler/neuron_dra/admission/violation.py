"""Errors of the JSON Schema validator, told in words that name the field.

In: the validator's errors and the definitions that they come from. Out: `Problem`s in order of the
fields. Judges nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jsonschema_rs import ValidationError

from neuron_dra.admission.problem import Problem, inner_field, item_field
from neuron_dra.diagnostics import did_you_mean
from neuron_dra.kube.definitions import Definitions, Schema

_TYPES = {
    "object": "a map",
    "array": "a list",
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "`true` or `false`",
}
_SHOWN_MAX = 40


class Explainer:
    """Turns the errors of one object into problems."""

    def __init__(self, definitions: Definitions, minor: str, name: str) -> None:
        self._definitions = definitions
        self._minor = minor
        self._root: Schema = definitions.type(name)

    def explain(self, errors: Iterable[ValidationError]) -> list[Problem]:
        """Return the problems of all errors, in order of the fields."""
        found = [
            (_order(error.instance_path), problem)
            for error in errors
            for problem in self._explain_one(error)
        ]
        return [problem for _, problem in sorted(found)]

    def _explain_one(self, error: ValidationError) -> Iterator[Problem]:
        field, schema = self._follow(error.instance_path)
        facts = error.kind.as_dict()
        match error.kind.name:
            case "additionalProperties":
                for name in facts["unexpected"]:
                    yield self._unknown(inner_field(field, name), name, schema)
            case "required":
                missing = inner_field(field, facts["property"])
                yield Problem(missing, f"the field `{missing}` is required")
            case "type":
                yield Problem(field, f"`{field}` must be {_wanted(facts)}, found {_show(error)}")
            case "minimum" | "maximum":
                size = schema.get("format", "an integer")
                yield Problem(field, f"`{field}` is {error.instance}, beyond {size}")
            case "format":
                what = facts["format"]
                yield Problem(field, f"`{field}` must be a {what}, found {_show(error)}")
            case _:
                yield Problem(field, f"`{field}`: {error.message}")

    def _unknown(self, field: str, name: str, schema: Schema) -> Problem:
        advice = did_you_mean(name, schema.get("properties", {}))
        return Problem(field, f"Kubernetes {self._minor} has no field `{field}`", advice)

    def _follow(self, path: list[str | int]) -> tuple[str, Schema]:
        """Return the field of a value, and its schema."""
        field, schema = "", self._root
        for step in path:
            if isinstance(step, int):
                field, inner = item_field(field, step), schema.get("items", {})
            elif step in schema.get("properties", {}):
                field, inner = inner_field(field, step), schema["properties"][step]
            else:
                field, inner = item_field(field, step), schema.get("additionalProperties", {})
            _, schema = self._definitions.resolve(inner)
        return field, schema


def _order(path: list[str | int]) -> list[str]:
    return [f"{step:09}" if isinstance(step, int) else step for step in path]


def _wanted(facts: dict[str, Any]) -> str:
    """Return the types that are allowed, beside `null`, in the order of the table."""
    return " or ".join(text for name, text in _TYPES.items() if name in facts["types"])


def _show(error: ValidationError) -> str:
    """Name a value as users see it."""
    value = error.instance
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list):
        return "a list"
    if not isinstance(value, str):
        return f"`{str(value).lower()}`"
    return f'"{value}"' if len(value) <= _SHOWN_MAX else f'"{value[:_SHOWN_MAX]}..."'
