"""Which attributes a selector compares with literals.

In: a compiled selector. Out: the comparisons, in the order of their columns, for judging them
against the values that devices have. A bare boolean attribute counts as `== true`, under `!` as
`== false`. Comparisons with computed values are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from neuron_dra.cel.environment import Compiled
from neuron_dra.cel.places import Bindings, Place, bind, find_place, follow, hide, name_range
from neuron_dra.cel.tree import (
    Call,
    Comprehension,
    Constant,
    ListLiteral,
    Literal,
    Node,
    iter_children,
)

_OPERATORS = {"_==_": "==", "_!=_": "!=", "_<_": "<", "_<=_": "<=", "_>_": ">", "_>=_": ">="}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_LOGIC = {"_&&_", "_||_", "_?_:_", "!_"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison of an attribute or capacity with literals.

    Attributes:
        operator: `==`, `!=`, `<`, `<=`, `>`, `>=` or `in`, with the attribute on its left.
        values: the literals; one, or for `in` any number.
        parser: `semver` or `quantity` when the literals are its arguments, or an empty string.
        required: whether the selector can be true only if this comparison is.
        column: where the attribute's name stands, in code points.
        end: the first code point after it.
    """

    domain: str
    name: str
    operator: str
    values: tuple[Literal, ...]
    parser: str
    required: bool
    column: int
    end: int
    capacity: bool = False


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where a node stands: the names around it and whether it must hold."""

    bound: Bindings
    required: bool
    text: str

    def weaker(self) -> _Scope:
        return _Scope(self.bound, False, self.text)

    def naming(self, bound: Bindings) -> _Scope:
        return _Scope(bound, self.required, self.text)


def find_comparisons(compiled: Compiled) -> tuple[Comparison, ...]:
    """Return the comparisons of attributes with literals."""
    scope = _Scope({}, True, compiled.expression)
    found = set(_condition(compiled.root, scope))
    return tuple(sorted(found, key=lambda item: (item.column, item.operator, repr(item.values))))


def _condition(node: Node, scope: _Scope) -> Iterator[Comparison]:
    """Yield the comparisons of a part that counts as a condition."""
    node, bound = follow(node, scope.bound)
    scope = scope.naming(bound)
    place = find_place(node, bound)
    if place and not place.optional:
        yield _comparison(place, "==", (True,), "", scope)
    match node:
        case Call(function="_&&_"):
            for operand in node.args:
                yield from _condition(operand, scope)
        case Call(function="_||_" | "_?_:_"):
            for operand in node.args:
                yield from _condition(operand, scope.weaker())
        case Call(function="!_", args=(operand,)):
            yield from _negation(operand, scope)
        case Comprehension() if node.is_bind:
            yield from _condition(node.result, scope.naming(bind(node, bound)))
        case _:
            yield from _inside(node, scope)


def _negation(operand: Node, scope: _Scope) -> Iterator[Comparison]:
    place = find_place(*follow(operand, scope.bound))
    if place and not place.optional:
        yield _comparison(place, "==", (False,), "", scope)
    else:
        yield from _condition(operand, scope.weaker())


def _inside(node: Node, scope: _Scope) -> Iterator[Comparison]:
    """Yield the comparison that a node is, and those in its parts."""
    node, bound = follow(node, scope.bound)
    scope = scope.naming(bound)
    if isinstance(node, Call):
        yield from _call(node, scope)
    inner = scope.weaker()
    if isinstance(node, Comprehension):
        names = bind(node, bound) if node.is_bind else hide(node, bound)
        inner = inner.naming(names)
    for child in iter_children(node):
        logic = isinstance(child, Call) and child.function in _LOGIC
        yield from (_condition if logic else _inside)(child, inner)


def _call(node: Call, scope: _Scope) -> Iterator[Comparison]:
    if node.function == "@in":
        yield from _match(node.args[0], "in", node.args[1], scope)
    elif node.function in _OPERATORS:
        operator = _OPERATORS[node.function]
        left, right = node.args
        yield from _match(left, operator, right, scope)
        yield from _match(right, _MIRRORED[operator], left, scope)


def _match(subject: Node, operator: str, values: Node, scope: _Scope) -> Iterator[Comparison]:
    place = find_place(*follow(subject, scope.bound))
    literals = _literals(values, operator == "in")
    if place and literals:
        yield _comparison(place, operator, *literals, scope)


def _literals(node: Node, many: bool) -> tuple[tuple[Literal, ...], str] | None:
    """Return literal values and the function that parses all of them."""
    nodes = node.elements if many and isinstance(node, ListLiteral) else (node,)
    if many and not isinstance(node, ListLiteral):
        return None
    found = [_literal(item) for item in nodes]
    known = [item for item in found if item]
    parsers = {parser for _, parser in known}
    if len(known) < len(found) or len(parsers) > 1:
        return None
    return tuple(value for value, _ in known), next(iter(parsers), "")


def _literal(node: Node) -> tuple[Literal, str] | None:
    match node:
        case Constant(value=value):
            return value, ""
        case Call(function="semver" | "quantity" as parser, args=(Constant(value=value),)):
            return value, parser
        case _:
            return None


def _comparison(
    place: Place, operator: str, values: tuple[Literal, ...], parser: str, scope: _Scope
) -> Comparison:
    column, end = name_range(place, scope.text)
    return Comparison(
        place.domain,
        place.name,
        operator,
        values,
        parser,
        scope.required,
        column,
        end,
        place.capacity,
    )
