"""Where values stand: origins, the places of a model's keys, and the context of one reading.

In: nodes. Out: spans for diagnostics of any later phase, also across the layers of a merge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.source import Source, Span
from neuron_dra.syntax.parse import MappingNode, Node, SequenceNode, span_of


class Origin(NamedTuple):
    """Which text a value came from: the source and the document's `Kind/name`."""

    source: Source
    document: str


class Context:
    """Collects the diagnostics of one document while it is read."""

    __slots__ = ("diagnostics", "layered", "lowest", "origin")

    def __init__(self, origin: Origin, *, layered: bool = False) -> None:
        self.origin = origin
        self.layered = layered  # keys may be missing, and a `null` removes what a lower layer gave
        self.lowest = False  # no layer lies below, so that a `null` removes nothing
        self.diagnostics: list[Diagnostic] = []

    def span(self, node: Node) -> Span:
        return span_of(self.origin.source, node)

    def add(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)


class Places:
    """Where the keys of a model stand; of a merged model, in which layer."""

    __slots__ = ("below", "entries", "node", "origin")

    def __init__(
        self,
        origin: Origin,
        node: Node,
        entries: Mapping[str, tuple[Origin, Node, Node]],
        below: Places | None = None,
    ) -> None:
        self.origin = origin
        self.node = node
        self.entries = entries
        self.below = below  # the layer that this one was merged over

    @property
    def span(self) -> Span:
        """The place of the whole mapping."""
        return span_of(self.origin.source, self.node)

    def has(self, name: str) -> bool:
        """Tell whether the key was written in any layer."""
        return name in self.entries

    def document(self, name: str) -> str:
        """Return the `Kind/name` of the document that gave a key."""
        entry = self.entries.get(name)
        return entry[0].document if entry else self.origin.document

    def key(self, name: str) -> Span:
        """Return the place of a key, or of the mapping when it was not written."""
        entry = self.entries.get(name)
        return span_of(entry[0].source, entry[1]) if entry else self.span

    def value(self, name: str) -> Span:
        """Return the place of a key's value, or of the mapping when it was not written."""
        entry = self.entries.get(name)
        return span_of(entry[0].source, entry[2]) if entry else self.span

    def item(self, name: str, index: int | str) -> Span:
        """Return the place of an item of a list, or of a value in a map."""
        for places in self._layers():
            entry = places.entries.get(name)
            child = _child(entry[2], index) if entry else None
            if entry and child is not None:
                return span_of(entry[0].source, child)
        return self.value(name)

    def item_key(self, name: str, key: str) -> Span:
        """Return the place of a key in a map."""
        for places in self._layers():
            entry = places.entries.get(name)
            pairs = entry[2].value if entry and isinstance(entry[2], MappingNode) else []
            for key_node, _ in pairs:
                if entry and key_node.value == key:
                    return span_of(entry[0].source, key_node)
        return self.value(name)

    def _layers(self) -> Iterator[Places]:
        places: Places | None = self
        while places is not None:
            yield places
            places = places.below


def _child(node: Node, index: int | str) -> Node | None:
    if isinstance(node, SequenceNode) and isinstance(index, int):
        return node.value[index] if index < len(node.value) else None
    if isinstance(node, MappingNode):
        return next((value for key, value in node.value if key.value == index), None)
    return node if index == 0 else None
