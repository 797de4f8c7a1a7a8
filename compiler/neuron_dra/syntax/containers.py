"""Readers of lists, maps and values of several shapes.

In: the readers of the parts. Out: `Reader` values; a container with an unsound part is INVALID.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from neuron_dra.diagnostics import Related
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.source import Span
from neuron_dra.syntax.decode import INVALID, Reader, read_value
from neuron_dra.syntax.mappings import pairs
from neuron_dra.syntax.parse import MappingNode, Node, ScalarNode, SequenceNode, span_of
from neuron_dra.syntax.places import Context, Origin


class ListOf(Reader):
    """Reads a list as a tuple of one type."""

    def __init__(self, item: Reader, *, unique: bool = False, least: int = 0) -> None:
        self.item = item
        self.unique = unique
        self.least = least
        self.what = "a list"

    def read(self, node: Node, context: Context) -> Any:
        if type(node) is not SequenceNode or node.tag is not None:
            return self.refuse(node, context)
        values = tuple([self.item.read(child, context) for child in node.value])
        if INVALID in values or not self._long_enough(node, context):
            return INVALID
        return INVALID if self.unique and _repeats(node, values, context) else values

    def _long_enough(self, node: SequenceNode, context: Context) -> bool:
        if len(node.value) >= self.least:
            return True
        context.add(
            codes.INVALID_VALUE.at(
                context.span(node), f"the list has {len(node.value)} items, needs {self.least}"
            )
        )
        return False

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "array", "items": self.item.schema()}
        if self.unique:
            schema["uniqueItems"] = True
        if self.least:
            schema["minItems"] = self.least
        return schema


def _repeats(node: SequenceNode, values: tuple[Any, ...], context: Context) -> bool:
    first: dict[Any, Node] = {}
    repeated = False
    for value, child in zip(values, node.value, strict=True):
        name = getattr(value, "name", value)
        if name is None:
            continue  # a layer without the name, which the merge asks for
        if name in first:
            repeated = True
            context.add(
                codes.DUPLICATE_ITEM.at(
                    context.span(child),
                    f"`{name}` stands twice in this list",
                    related=[Related(context.span(first[name]), "first here")],
                )
            )
        first.setdefault(name, child)
    return repeated


class MapOf(Reader):
    """Reads a map with free keys as a dict; `key_check` says what is wrong with a key."""

    def __init__(self, value: Reader, key_check: Callable[[str], str] | None = None) -> None:
        self.value = value
        self.key_check = key_check
        self.what = "a map"

    def read(self, node: Node, context: Context) -> Any:
        if type(node) is not MappingNode or node.tag is not None:
            return self.refuse(node, context)
        values: dict[str, Any] = {}
        sound = True
        for name, key_node, value_node in pairs(node, context):
            problem = self.key_check(name) if self.key_check else ""
            if problem:
                context.add(codes.INVALID_VALUE.at(context.span(key_node), f"`{name}` {problem}"))
            value = read_value(name, self.value, value_node, context)
            sound = sound and not problem and value is not INVALID
            values[name] = value
        return values if sound else INVALID

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.value.schema()}


class ByShape(Reader):
    """Chooses a reader by the shape of the node: scalar, list or map."""

    def __init__(
        self,
        what: str,
        *,
        scalar: Reader | None = None,
        items: Reader | None = None,
        mapping: Reader | None = None,
    ) -> None:
        self.what = what
        self.readers: dict[type, Reader] = {}
        for shape, reader in ((ScalarNode, scalar), (SequenceNode, items), (MappingNode, mapping)):
            if reader is not None:
                self.readers[shape] = reader

    def read(self, node: Node, context: Context) -> Any:
        reader = self.readers.get(type(node))
        return reader.read(node, context) if reader else self.refuse(node, context)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [reader.schema() for reader in self.readers.values()]}


class Raw(NamedTuple):
    """A value that the spec language does not type: part of a foreign object."""

    origin: Origin
    node: Node

    @property
    def span(self) -> Span:
        return span_of(self.origin.source, self.node)


class RawReader(Reader):
    """Keeps a map as it is, for a later phase that knows its type."""

    what = "a map"

    def read(self, node: Node, context: Context) -> Any:
        if type(node) is not MappingNode:
            return self.refuse(node, context)
        return Raw(context.origin, node)

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}
