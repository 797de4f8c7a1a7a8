"""A problem of a selector with its place in the expression, and those that need no device.

In: a compiled selector and the limits of the minor. Out: findings; whoever has the selector's own
place makes diagnostics of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from neuron_dra.catalog.kubernetes import Limits
from neuron_dra.cel.environment import Compiled
from neuron_dra.cel.problem import CompileError
from neuron_dra.diagnostics import Code, Related
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.reach import Reach


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem of a selector.

    Attributes:
        column: where it lies in the expression, in code points.
        end: the first code point after it.
        related: the facts that show it.
    """

    code: Code
    message: str
    column: int
    end: int
    help: str = ""
    related: tuple[Related, ...] = ()


def find_refusals(compiled: Compiled, limits: Limits) -> list[Finding]:
    """Find what the API server refuses for its cost, and literals that fail on every device."""
    from neuron_dra.cel.cost import estimated_cost
    from neuron_dra.cel.literals import find_literal_problems

    cost = estimated_cost(compiled)
    if cost > limits.cel_cost:
        return [
            whole(
                codes.SELECTOR_INVALID,
                compiled,
                f"the selector may cost {cost}, more than the limit of {limits.cel_cost}",
                "visit fewer attributes: name them instead of looping over them",
                [Related(limits.places.value("celCost"), "the limit")],
            )
        ]
    return [
        Finding(
            codes.SELECTOR_INVALID,
            f"the selector fails on every device: {problem.message}",
            problem.column,
            problem.end,
        )
        for problem in find_literal_problems(compiled.root, compiled.expression)
    ]


def refuse(error: CompileError) -> Finding:
    """Return the finding of an expression that does not compile."""
    message = f"the selector does not compile: {error.message}"
    return Finding(codes.SELECTOR_INVALID, message, error.column, error.end, error.help)


def list_types(reaches: Iterable[Reach]) -> str:
    """Return the names of instance types for a message."""
    return " and ".join(f"`{reach.kind.name}`" for reach in reaches)


def facts(reaches: Iterable[Reach]) -> tuple[Related, ...]:
    """Point at what is published on instance types."""
    places = (reach.kind.facts.places for reach in reaches)
    return tuple(Related(each.key("published"), "what is published there") for each in places)


def whole(
    code: Code,
    compiled: Compiled,
    message: str,
    help: str = "",
    related: Iterable[Related] = (),
) -> Finding:
    """Return a finding about the whole expression."""
    return Finding(code, message, 0, len(compiled.expression), help, tuple(related))
