"""Readers of the scalars that models use: texts, names, numbers, words.

In: nothing but parameters. Out: `Reader` values with their JSON Schema.
Versions stay texts, so that `1.30` never becomes a number.
"""

from __future__ import annotations

import re
from typing import Any

from neuron_dra.diagnostics import did_you_mean, only_close
from neuron_dra.syntax import formats
from neuron_dra.syntax.decode import MisspeltError, Reader, Scalar

INT32_MAX, INT64_MAX = 2**31 - 1, 2**63 - 1  # how Kubernetes counts

# What YAML 1.1 takes for a boolean, and how it is written here.
_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "on"), "true"),
    **dict.fromkeys(("false", "no", "off"), "false"),
}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")


def text(what: str = "a text") -> Reader:
    """Read any text."""
    return Scalar(what, str, {"type": "string"}, quoted=True)


def checked(what: str, check: formats.Check, **schema: Any) -> Reader:
    """Read a text that a format check accepts."""

    def convert(value: str) -> str:
        problem = check(value)
        if problem:
            raise ValueError(f"`{value}` {problem}")
        return value

    return Scalar(what, convert, {"type": "string", **schema}, quoted=True)


def matching(what: str, pattern: str, example: str) -> Reader:
    """Read a text that matches a regular expression as a whole."""
    compiled = re.compile(pattern)

    def convert(value: str) -> str:
        if not compiled.fullmatch(value):
            raise ValueError(f"`{value}` is not {what}, like `{example}`")
        return value

    schema = {"type": ["string", "number"], "pattern": f"^({pattern})$", "examples": [example]}
    return Scalar(what, convert, schema, quoted=True)


def integer(
    what: str = "an integer", *, least: int | None = None, most: int | None = None
) -> Reader:
    """Read a decimal integer within limits."""

    def convert(value: str) -> int:
        if not _INTEGER.fullmatch(value):
            raise ValueError(f"expected {what}, found `{value}`")
        number = int(value)
        if least is not None and number < least:
            raise ValueError(f"{number} is less than the {least} allowed")
        if most is not None and number > most:
            raise ValueError(f"{number} is more than the {most} allowed")
        return number

    schema: dict[str, Any] = {"type": "integer"}
    if least is not None:
        schema["minimum"] = least
    if most is not None:
        schema["maximum"] = most
    return Scalar(what, convert, schema, quoted=False)


def number(what: str = "a number", *, least: float | None = None) -> Reader:
    """Read a decimal number, as an int where it is one."""

    def convert(value: str) -> float:
        try:
            result = float(value)
        except ValueError:
            raise ValueError(f"expected {what}, found `{value}`") from None
        if least is not None and result < least:
            raise ValueError(f"{value} is less than the {least} allowed")
        return int(result) if result.is_integer() else result

    schema: dict[str, Any] = {"type": "number"}
    if least is not None:
        schema["minimum"] = least
    return Scalar(what, convert, schema, quoted=False)


def boolean() -> Reader:
    """Read `true` or `false`; the other words of YAML 1.1 are refused."""

    def convert(value: str) -> bool:
        if value not in ("true", "false"):
            meant = _BOOLEANS.get(value.lower(), "")
            raise MisspeltError(f"expected `true` or `false`, found `{value}`", meant)
        return value == "true"

    return Scalar("`true` or `false`", convert, {"type": "boolean"}, quoted=False)


def choice(*words: str) -> Reader:
    """Read one of some words."""
    what = "one of " + ", ".join(f"`{word}`" for word in words)

    def convert(value: str) -> str:
        if value not in words:
            hint = did_you_mean(value, words)
            known = ", ".join(f"`{word}`" for word in words)
            suggestion = f"; {hint}" if hint.startswith("did") else ""
            message = f"`{value}` is not one of {known}{suggestion}"
            raise MisspeltError(message, only_close(value, words))
        return value

    return Scalar(what, convert, {"enum": list(words)}, quoted=True)


def count_or(word: str, *, least: int, most: int | None = None) -> Reader:
    """Read an integer, or one word in its place."""
    inner = integer(least=least, most=most)
    assert isinstance(inner, Scalar)

    def convert(value: str) -> int | str:
        if value == word:
            return word
        if value.lower() == word.lower():
            raise MisspeltError(f"expected {inner.what} or `{word}`, found `{value}`", word)
        result: int = inner.convert(value)
        return result

    what = f"an integer or `{word}`"
    return Scalar(what, convert, {"anyOf": [{"const": word}, inner.schema()]}, quoted=word)
