"""Comparisons of attributes with literals, asked of values that the catalogue knows.

In: a comparison of a selector and a value. Out: whether it holds, as CEL has it, whether the types
fit at all, and the words for literals and values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from neuron_dra.cel.comparisons import Comparison
from neuron_dra.cel.tree import Literal
from neuron_dra.cel.value import EvaluationError, are_equal, is_less
from neuron_dra.kube.slice import Scalar

LISTED = 8
RUN = 4  # numbers in a row that are still listed one by one


def fits_type(literal: Literal, parser: str, kind: str) -> bool:
    """Tell whether an attribute of some type can equal a literal."""
    if parser:
        return kind == "version" and parser == "semver"
    match literal:
        case bool():
            return kind == "bool"
        case int() | float():
            return kind == "int"
        case str():
            return kind == "string"
        case _:
            return False


def holds(comparison: Comparison, value: Scalar) -> bool:
    """Tell whether a comparison holds for a value, which is no version and equals none."""
    if comparison.parser:
        return comparison.operator == "!="
    return any(_compare(value, comparison.operator, each) for each in comparison.values)


def _compare(value: Any, operator: str, literal: Any) -> bool:
    try:
        match operator:
            case "==" | "in":
                return are_equal(value, literal)
            case "!=":
                return not are_equal(value, literal)
            case "<" | ">":
                return is_less(value, literal) if operator == "<" else is_less(literal, value)
            case _:
                less = is_less(value, literal) if operator == "<=" else is_less(literal, value)
                return less or are_equal(value, literal)
    except EvaluationError:
        return False


def describe_literal(literal: Literal, parser: str = "") -> str:
    """Return a literal as it stands in an expression."""
    text = str(literal) if isinstance(literal, bytes) else _json(literal)
    return f"`{parser}({text})`" if parser else f"`{text}`"


def describe_type(literal: Literal, parser: str = "") -> str:
    """Return a literal with the word for its type."""
    shown = describe_literal(literal, parser)
    if parser:
        return f"the {'version' if parser == 'semver' else parser} {shown}"
    match literal:
        case bool() | None:
            return shown
        case str():
            return f"the string {shown}"
        case bytes():
            return f"the bytes {shown}"
        case _:
            return f"the number {shown}"


def describe_values(values: Iterable[Scalar]) -> str:
    """Return values in rising order; a run of numbers by its ends, and no more than a few."""
    ordered = sorted(values, key=_order)
    if len(ordered) > RUN and _is_run(ordered):
        return f"`{ordered[0]}` to `{ordered[-1]}`"
    shown = ", ".join(f"`{_json(each)}`" for each in ordered[:LISTED])
    return shown + (", ..." if len(ordered) > LISTED else "")


def _is_run(values: Sequence[Scalar]) -> bool:
    first = values[0]
    return type(first) is int and list(values) == list(range(first, first + len(values)))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _order(value: Scalar) -> tuple[str, Scalar]:
    return type(value).__name__, value
