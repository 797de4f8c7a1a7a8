"""Literals that cannot be what the expression takes them for.

In: a checked tree. Out: what the API server refuses (mixed lists and maps, doubles that are too
large, patterns, conversions and format strings that fail), and what it lets pass although it fails
on every device: the arguments of `semver`, `quantity`, `ip`, `cidr` and `url`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isinf
from typing import Any

from neuron_dra.cel.formatting import find_format_problems
from neuron_dra.cel.places import literal_end
from neuron_dra.cel.problem import CompileError
from neuron_dra.cel.tree import (
    Call,
    Constant,
    ListLiteral,
    MapLiteral,
    Node,
    Type,
    iter_children,
    walk,
)

# Functions that cel-go evaluates when it plans a program, if their argument is a literal
# (overloads.IsTypeConversionFunction).
_CONVERSIONS = {
    *("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"),
}
_PATTERN_CALLS = {"matches", "find", "findAll"}

_PARSERS = {
    "semver": "a semantic version, like `1.2.3`",
    "quantity": "a quantity, like `10Gi`",
    "ip": "an IP address",
    "cidr": "a network address, like `10.0.0.0/8`",
    "containsIP": "an IP address",
    "containsCIDR": "a network address, like `10.0.0.0/8`",
    "url": "an absolute URL",
}
_PARSED_LIKE = {"containsIP": "ip", "containsCIDR": "cidr"}


@dataclass(frozen=True, slots=True)
class LiteralProblem:
    """A literal that fails whenever it is evaluated.

    Attributes:
        column: where the literal stands, in code points.
        end: the first code point after it.
    """

    message: str
    column: int
    end: int


def find_literal_problems(root: Node, expression: str) -> tuple[LiteralProblem, ...]:
    """Return the literals that the API server lets pass and no device survives."""
    problems = (_unparsed(node, expression) for node in walk(root))
    return tuple(problem for problem in problems if problem)


def _unparsed(node: Node, text: str) -> LiteralProblem | None:
    if not isinstance(node, Call) or node.function not in _PARSERS:
        return None
    values = [arg.value for arg in node.args if isinstance(arg, Constant)]
    if not values or len(values) < len(node.args):
        return None
    function = _PARSED_LIKE.get(node.function, node.function)
    if _succeeds(function, False, values):
        return None
    column = node.args[0].column
    message = f"`{values[0]!s}` is not {_PARSERS[node.function]}"
    return LiteralProblem(message, column, literal_end(text, column))


def _succeeds(function: str, member: bool, operands: Iterable[Any]) -> bool:
    from neuron_dra.cel.library.functions import find_function
    from neuron_dra.cel.value import EvaluationError

    try:
        find_function(function, member)(*operands)
    except EvaluationError:
        return False
    return True


def find_invalid_literal(root: Node, text: str) -> CompileError | None:
    """Return the first literal for which the API server refuses an expression."""
    found = [error for check in _CHECKS for error in check(root)]
    if not found:
        return None
    node, message = min(found, key=lambda item: item[0].column)
    if isinstance(node, Constant):
        return CompileError(message, node.column, literal_end(text, node.column))
    from neuron_dra.cel.report import locate

    return CompileError(message, *locate(text, node.column))


Finding = tuple[Node, str]


def _mixed_literals(node: Node) -> Iterator[Finding]:
    """Yield the first element of another type in each list and map, except to be formatted."""
    if isinstance(node, Call) and node.function == "format":
        return
    if isinstance(node, ListLiteral):
        items = [(element, number in node.optional) for number, element in enumerate(node.elements)]
        yield from _other_types(items)
    elif isinstance(node, MapLiteral):
        yield from _other_types([(key, False) for key, _, _ in node.entries])
        yield from _other_types([(value, optional) for _, value, optional in node.entries])
    for child in iter_children(node):
        yield from _mixed_literals(child)


def _other_types(items: list[tuple[Node, bool]]) -> Iterator[Finding]:
    expected: Type | None = None
    for node, optional in items:
        kind = node.type.parameters[0] if optional else node.type
        expected = expected or kind
        if kind != expected:
            yield node, f"expected type `{expected}` but found `{kind}`"
            return


def _conversions(root: Node) -> Iterator[Finding]:
    for node in walk(root):
        if isinstance(node, Call) and node.function in _CONVERSIONS and _is_folded(node):
            problem = _failure(node)
            if problem:
                yield node.args[0], f"invalid argument of `{node.function}`: {problem}"


def _is_folded(node: Node) -> bool:
    """Tell whether a node is a literal, or a conversion of one."""
    if isinstance(node, Call) and node.function in _CONVERSIONS and len(node.args) == 1:
        return _is_folded(node.args[0])
    return isinstance(node, Constant)


def _failure(node: Node) -> str:
    """Return why a node that needs no device fails, or an empty string."""
    from neuron_dra.cel.program import plan
    from neuron_dra.cel.value import EvaluationError

    try:
        plan(node)({})
    except EvaluationError as error:
        return str(error)
    return ""


def _patterns(root: Node) -> Iterator[Finding]:
    """Yield literal patterns that do not compile; `matches(text, pattern)` wants two of them."""
    for node in walk(root):
        if isinstance(node, Call) and node.function in _PATTERN_CALLS:
            for operand in {node.args[0], node.operands[1]}:
                pattern = operand.value if isinstance(operand, Constant) else None
                if isinstance(pattern, str) and not _succeeds("matches", True, ["", pattern]):
                    yield operand, f"`{pattern}` is not a regular expression"


def _doubles(root: Node) -> Iterator[Finding]:
    """Yield doubles that cel-go does not parse, and of which the runtime makes infinity."""
    for node in walk(root):
        if isinstance(node, Constant) and isinstance(node.value, float) and isinf(node.value):
            yield node, "the number is too large for a double"


def _formats(root: Node) -> Iterator[Finding]:
    for node in walk(root):
        yield from find_format_problems(node)


_CHECKS: tuple[Callable[[Node], Iterator[Finding]], ...] = (
    _mixed_literals,
    _doubles,
    _conversions,
    _patterns,
    _formats,
)
