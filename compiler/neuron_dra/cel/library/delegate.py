"""Functions of plain values, computed by the CEL runtime itself.

In: the name of a function or operator and Python values. Out: a Python value.
A call becomes an expression over variables, compiled once for each shape of arguments. Times keep
microseconds here. Values of the libraries that Kubernetes adds are not known to the runtime.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from neuron_dra.cel.value import EvaluationError, Uint, no_overload

MAX_ARGUMENTS = 4

_OPERATORS = {
    "_+_": "{} + {}",
    "_-_": "{} - {}",
    "_*_": "{} * {}",
    "_/_": "{} / {}",
    "_%_": "{} % {}",
    "-_": "-{}",
}
# The runtime wants to know which numbers are unsigned and which values are times.
_KINDS: dict[type, str] = {Uint: "u", datetime: "t", timedelta: "d"}
_STATUS = re.compile(r"^[A-Z_]+: ")


def call_runtime(function: str, member: bool, args: Sequence[Any]) -> Any:
    """Return what the runtime makes of a function and its arguments."""
    kinds = "".join(_KINDS.get(type(value), "a") for value in args)
    pairs = zip(kinds, args, strict=True)
    data = {f"{kind}{number}": value for number, (kind, value) in enumerate(pairs)}
    try:
        result = _stub(function, member, kinds).eval(data=data)
        return _plain(result)
    except (RuntimeError, TypeError) as error:
        raise no_overload() from error


@cache
def _env() -> Any:
    from cel_expr_python import cel

    extensions = "extensions: [{name: strings, version: 2}, {name: optional}, {name: regex}]"
    types = {"a": cel.Type.DYN, "u": cel.Type.UINT, "t": cel.Type.TIMESTAMP, "d": cel.Type.DURATION}
    variables = {
        f"{kind}{number}": type_ for kind, type_ in types.items() for number in range(MAX_ARGUMENTS)
    }
    return cel.NewEnv(config=cel.NewEnvConfigFromYaml(extensions), variables=variables)


@cache
def _stub(function: str, member: bool, kinds: str) -> Any:
    names = [f"{kind}{number}" for number, kind in enumerate(kinds)]
    if function in _OPERATORS:
        text = _OPERATORS[function].format(*names)
    elif member:
        text = f"{names[0]}.{function}({', '.join(names[1:])})"
    else:
        text = f"{function}({', '.join(names)})"
    return _env().compile(text)


def _plain(result: Any) -> Any:
    """Return the Python value of a result; errors of the runtime are values of type `ERROR`."""
    from cel_expr_python import cel

    value = result.plain_value()
    if result.type() == cel.Type.ERROR:
        if "overload" in value or "Non-CEL" in value:
            raise no_overload()
        raise EvaluationError(_STATUS.sub("", value))
    if result.type() == cel.Type.UINT:
        return Uint(value)
    return bytes(value) if isinstance(value, bytearray) else value


def find_all(text: str, pattern: str) -> list[str]:
    """Return the texts that a pattern matches, as RE2 finds them."""
    found: list[str] = call_runtime("regex.extractAll", False, [text, _without_groups(pattern)])
    return found


_GROUP = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<\w+>|\((?!\?)", re.DOTALL)


def _without_groups(pattern: str) -> str:
    """Turn capturing groups into plain ones: the runtime would return what they capture."""
    return _GROUP.sub(lambda match: "(?:" if match[0].startswith("(") else match[0], pattern)
