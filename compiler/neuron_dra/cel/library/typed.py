"""The check that operands have the types that a function takes.

In: a function and types. Out: a function that refuses operands of others, as CEL does when the
checker could not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neuron_dra.cel.value import EvaluationError, no_overload


def typed(function: Callable[..., Any], *kinds: type) -> Callable[..., Any]:
    """Return a function that takes operands of these types; the last may be left out."""

    def call(*args: Any) -> Any:
        for value, kind in zip(args, kinds, strict=False):
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise no_overload()
        return function(*args)

    return call


def parser(parse: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that makes a value of a text."""
    return typed(parse, str, bool)


def tester(parse: Callable[..., Any]) -> Callable[..., bool]:
    """Return the function that tells whether a text can be parsed."""

    def test(*args: Any) -> bool:
        try:
            parse(*args)
        except EvaluationError:
            return False
        return True

    return typed(test, str, bool)
