"""CEL selectors of new objects: their length, whether they compile, what they may cost.

In: a list of selectors. Out: causes. The expressions are judged by `cel`, with the environment of
the server's minor.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from neuron_dra.admission.cause import Cause, forbidden, invalid, required, too_long
from neuron_dra.admission.rules.lists import limited
from neuron_dra.admission.rules.names import size_of
from neuron_dra.admission.server import Server

if TYPE_CHECKING:
    from neuron_dra.cel.environment import Environment


def check_selectors(selectors: list[Any], field: str, server: Server) -> Iterator[Cause]:
    """Check the selectors of a request or a class."""
    yield from limited(
        selectors,
        field,
        server.limits.selectors,
        lambda selector, place: _check_selector(selector, place, server),
        server.dialect,
    )


def _check_selector(selector: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    cel = selector.get("cel")
    if cel is None:
        yield required(f"{field}.cel")
        return
    expression = cel.get("expression", "")
    yield from check_expression(expression, f"{field}.cel.expression", server)


def check_expression(expression: str, field: str, server: Server) -> Iterator[Cause]:
    """Check one expression; a long one is not compiled."""
    size, limit = size_of(expression), server.limits.cel_expression_bytes
    if size > limit:
        yield too_long(field, size, limit)
        return
    error, cost = _judge(server.environment(), expression)
    if error:
        yield invalid(field, error)
    elif cost > server.limits.cel_cost:
        yield forbidden(field, f"may cost {cost}, at most {server.limits.cel_cost} is allowed")


@lru_cache(maxsize=8192)
def _judge(environment: Environment, expression: str) -> tuple[str, int]:
    """Return why an expression does not compile, and what it may cost."""
    from neuron_dra.cel.cost import estimated_cost
    from neuron_dra.cel.problem import CompileError

    compiled = environment.compile(expression)
    if isinstance(compiled, CompileError):
        return f"does not compile, at character {compiled.column + 1}: {compiled.message}", 0
    return "", estimated_cost(compiled)
