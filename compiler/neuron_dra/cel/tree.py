"""The tree of a type-checked CEL expression.

In: nothing; these are the shapes that `checked` builds. Out: frozen nodes with types and columns.
Macros are expanded: `has` is a `Select` that only tests, `all` and `map` are comprehensions.
A node is compared by identity: two equal texts at two places are two nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Literal = bool | int | float | str | bytes | None


@dataclass(frozen=True, slots=True)
class Type:
    """A CEL type, like `string` or `map(string, any)`."""

    name: str
    parameters: tuple[Type, ...] = ()

    def __str__(self) -> str:
        if not self.parameters:
            return self.name
        return f"{self.name}({', '.join(map(str, self.parameters))})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """A part of an expression.

    Attributes:
        column: offset in code points from the start of the expression; where an operator or a
            parenthesis stands for a call, the field's dot for a selection.
        type: what the checker deduced.
    """

    column: int
    type: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant(Node):
    """A literal; `type` tells `int` from `uint`."""

    value: Literal


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ident(Node):
    """A variable; the variables of a device have dots in their names."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Select(Node):
    """`operand.field`, or `has(operand.field)` when it only tests."""

    operand: Node
    field: str
    test_only: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Call(Node):
    """A function, method or operator; operators have names like `_==_`.

    Attributes:
        overloads: identifiers of the candidates that the checker left.
    """

    function: str
    target: Node | None
    args: tuple[Node, ...]
    overloads: tuple[str, ...]

    @property
    def operands(self) -> tuple[Node, ...]:
        """The target, if there is one, and the arguments."""
        return self.args if self.target is None else (self.target, *self.args)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ListLiteral(Node):
    """`[a, ?b]`; `optional` holds the indices of the elements with a question mark."""

    elements: tuple[Node, ...]
    optional: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MapLiteral(Node):
    """`{a: b, ?c: d}` as triples of key, value and whether there is a question mark."""

    entries: tuple[tuple[Node, Node, bool], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comprehension(Node):
    """A fold over a list or map; what the macros and `cel.bind` expand to.

    Attributes:
        second: the second iteration variable, or an empty string.
    """

    variable: str
    second: str
    range: Node
    accumulator: str
    start: Node
    condition: Node
    step: Node
    result: Node

    @property
    def is_bind(self) -> bool:
        """Whether this is `cel.bind(accumulator, start, result)`."""
        return (
            isinstance(self.range, ListLiteral)
            and not self.range.elements
            and (isinstance(self.condition, Constant) and self.condition.value is False)
        )


def iter_children(node: Node) -> Iterator[Node]:
    """Yield the direct parts of a node in the order in which they are evaluated."""
    match node:
        case Select():
            yield node.operand
        case Call():
            yield from node.operands
        case ListLiteral():
            yield from node.elements
        case MapLiteral():
            for key, value, _ in node.entries:
                yield key
                yield value
        case Comprehension():
            yield from (node.range, node.start, node.condition, node.step, node.result)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything below it, parents first."""
    yield node
    for child in iter_children(node):
        yield from walk(child)
