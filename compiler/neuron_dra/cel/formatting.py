"""Whether the arguments of `format` fit a literal format string.

In: calls of `format`. Out: what the API server says of them when it checks a selector.
Arguments of type dyn fit every clause; attributes are of type any and fit none. After cel-go
ext/formatting.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuron_dra.cel.tree import Call, Constant, ListLiteral, MapLiteral, Node, iter_children

_CLAUSE = re.compile(r"%(?:%|(?:\.\d+)?(.?))", re.DOTALL)
_NUMBERS = frozenset({"int", "uint"})
_DECIMALS = frozenset({"double", "string"})
_TEXTS = frozenset({"string", "bytes", "bool", "double", "duration", "timestamp"})
_FITTING = {
    "s": _NUMBERS | _TEXTS | {"list", "map", "null_type", "type"},
    "d": _NUMBERS,
    "o": _NUMBERS,
    "b": _NUMBERS | {"bool"},
    "x": _NUMBERS | {"string", "bytes"},
    "X": _NUMBERS | {"string", "bytes"},
    "f": _DECIMALS,
    "e": _DECIMALS,
}


def find_format_problems(node: Node) -> Iterator[tuple[Node, str]]:
    """Yield what is wrong with a call of `format` whose text and list are literals."""
    match node:
        case Call(
            function="format",
            target=Constant(value=str() as text),
            args=(ListLiteral(elements=elements),),
        ):
            clauses = [match[1] for match in _CLAUSE.finditer(text) if match[0] != "%%"]
            if len(clauses) != len(elements):
                yield node, f"`format` has {len(elements)} arguments for {len(clauses)} clauses"
            else:
                for clause, element in zip(clauses, elements, strict=True):
                    yield from _misfits(clause, element)


def _misfits(clause: str, node: Node) -> Iterator[tuple[Node, str]]:
    if clause not in _FITTING:
        yield node, f"unknown format clause `%{clause}`"
    elif node.type.name not in _FITTING[clause] | {"dyn"}:
        yield node, f"a value of type `{node.type}` cannot be formatted with `%{clause}`"
    elif isinstance(node, ListLiteral | MapLiteral):
        for child in iter_children(node):
            yield from _misfits(clause, child)
