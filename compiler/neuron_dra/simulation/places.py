"""Where a field of an object stands.

In: the node of an object, and the path of a field as problems of reading name it. Out: a place, of
the nearest field that was written. Paths have no quotes: a key may hold dots, and the longest key
that fits is meant.
"""

from __future__ import annotations

import re

from neuron_dra.source import Source, Span
from neuron_dra.syntax.parse import MappingNode, Node, SequenceNode, span_of

_INDEX = re.compile(r"\[([0-9]+)\]\.?")


def find_place(source: Source, node: Node, path: str) -> Span:
    """Return the place of a field."""
    while path:
        found = _step(node, path)
        if found is None:
            break
        node, path = found
    return span_of(source, node)


def _step(node: Node, path: str) -> tuple[Node, str] | None:
    """Return the next node on the way, and what is left of the path."""
    if isinstance(node, SequenceNode):
        index = _INDEX.match(path)
        if index is None or int(index[1]) >= len(node.value):
            return None
        return node.value[int(index[1])], path[index.end() :]
    if not isinstance(node, MappingNode):
        return None
    fitting = [pair for pair in node.value if _begins(path, pair[0].value)]
    if not fitting:
        return None
    key, value = max(fitting, key=lambda pair: len(pair[0].value))
    return value, path[len(key.value) :].removeprefix(".")


def _begins(path: str, key: object) -> bool:
    return (
        isinstance(key, str)
        and path.startswith(key)
        and path[len(key) : len(key) + 1] in ("", ".", "[")
    )
