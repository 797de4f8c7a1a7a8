"""Parts of a tree that name an attribute or a capacity of the device.

In: nodes, and what `cel.bind` has given names to. Out: domain, identifier and where they stand.
A domain or identifier that is computed has no name and is no place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from neuron_dra.cel.tree import Call, Comprehension, Constant, Ident, Node, Select

_MAPS = {"device.attributes": False, "device.capacity": True}
_OPTIONAL = {"_?._", "_[?_]"}
_STRING = re.compile(
    r"""[rR]?(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""", re.DOTALL
)

_FIELD = re.compile(r"\.\??\s*`?\w+`?")
_WORD = re.compile(r"[-+]?[\w.]+")

# What each name of `cel.bind` stands for, with what the names in there stand for.
Bindings = Mapping[str, tuple[Node, "Bindings"]]


@dataclass(frozen=True, slots=True)
class Place:
    """An attribute or capacity that a node names, whether or not the device has it.

    Attributes:
        optional: whether a device that lacks it causes no error here.
        node: the selection, index, optional selection or membership test.
        operand: the domain that it selects from.
    """

    capacity: bool
    domain: str
    name: str
    optional: bool
    node: Node
    operand: Node


def find_place(node: Node, bound: Bindings) -> Place | None:
    """Return what a node names when it selects from a domain by a literal name."""
    step = _step(node)
    domain = _domain(step[0], bound) if step else None
    if not step or not domain:
        return None
    operand, name, optional = step
    capacity, domain_name, domain_optional = domain
    return Place(capacity, domain_name, name, optional or domain_optional, node, operand)


def _step(node: Node) -> tuple[Node, str, bool] | None:
    """Return the operand, the literal key and whether it may be missing without an error."""
    match node:
        case Select():
            return node.operand, node.field, node.test_only
        case Call(function="_[_]" | "_[?_]" | "_?._", args=(operand, Constant(value=str() as key))):
            return operand, key, node.function in _OPTIONAL
        case Call(function="@in", args=(Constant(value=str() as key), operand)):
            return operand, key, True
        case _:
            return None


def _domain(node: Node, bound: Bindings) -> tuple[bool, str, bool] | None:
    """Return whether a domain is one of the capacity, its name, and whether it is optional."""
    node, bound = follow(node, bound)
    step = _step(node)
    if not step:
        return None
    operand, _ = follow(step[0], bound)
    if isinstance(operand, Ident) and operand.name in _MAPS:
        return _MAPS[operand.name], step[1], step[2]
    return None


def follow(node: Node, bound: Bindings) -> tuple[Node, Bindings]:
    """Return what a name of `cel.bind` stands for, and anything else as it is."""
    while isinstance(node, Ident) and node.name in bound:
        node, bound = bound[node.name]
    return node, bound


def bind(node: Comprehension, bound: Bindings) -> Bindings:
    """Return the names inside a `cel.bind`."""
    return {**bound, node.accumulator: (node.start, bound)}


def hide(node: Comprehension, bound: Bindings) -> Bindings:
    """Return the names that the variables of a comprehension leave visible inside it."""
    hidden = (node.variable, node.second, node.accumulator)
    return {name: value for name, value in bound.items() if name not in hidden}


def name_range(place: Place, text: str) -> tuple[int, int]:
    """Return where the name of a place stands, with its quotes."""
    node = place.node
    if isinstance(node, Call) and node.function in ("_[_]", "_[?_]", "@in"):
        key = node.args[0 if node.function == "@in" else 1]
        return key.column, literal_end(text, key.column)
    start = _end(place.operand, text)
    field = re.compile(rf"\s*\)*\s*\.\s*\??\s*(`?{re.escape(place.name)}`?)").match(text, start)
    return (field.start(1), field.end()) if field else (node.column, node.column + 1)


def _end(node: Node, text: str) -> int:
    """Return the first column after a node that can be the operand of a selection."""
    match node:
        case Ident(column=column, name=name):
            return column + len(name.removeprefix("device"))
        case Call(function="_[_]" | "_[?_]", args=(_, key)):
            return text.find("]", literal_end(text, key.column)) + 1
        case _:
            field = _FIELD.match(text, node.column)
            return field.end() if field else node.column


def literal_end(text: str, column: int) -> int:
    """Return the first column after the string, number or word at a column."""
    literal = _STRING.match(text, column) or _WORD.match(text, column)
    return literal.end() if literal else column + 1
