"""Objects in the files that people hand in: YAML or JSON, several documents a file, lists.

In: sources. Out: `Manifest`s: the data as kubectl reads it and the node that it came from, so that
a field has a place. What is no YAML gives diagnostics and a manifest without data, so that nothing
is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.source import Source, Span
from neuron_dra.syntax.mappings import pairs
from neuron_dra.syntax.parse import (
    Document,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    parse,
    span_of,
)
from neuron_dra.syntax.places import Context, Origin
from neuron_dra.syntax.plain import read_plain

_STEP = re.compile(r"\.?([^.\[\]]+)|\[([^\]]*)\]")
# Steps of one version of the API that the server leaves out or adds where it names a field.
_STEPS_BETWEEN = ("exactly", "basic")


@dataclass(frozen=True, slots=True)
class Manifest:
    """One object of a file.

    Attributes:
        data: what stands there; no map if it is no object, None if it cannot be read.
        root: the node of the object, or None where the file is no YAML.
        problems: why it cannot be read.
    """

    source: Source
    data: Any
    root: Node | None
    problems: tuple[Diagnostic, ...] = ()

    def text(self, *path: str) -> str:
        """Return a text inside the object, or an empty one."""
        data = self.data
        for name in path:
            data = data.get(name) if isinstance(data, dict) else None
        return data if isinstance(data, str) else ""

    @property
    def kind(self) -> str:
        return self.text("kind")

    @property
    def api_version(self) -> str:
        return self.text("apiVersion")

    @property
    def namespace(self) -> str:
        return self.text("metadata", "namespace")

    @property
    def name(self) -> str:
        return self.text("metadata", "name") or self.text("metadata", "generateName")

    def place(self, field: str, *, at_key: bool = False) -> Span:
        """Return where a field stands, or the nearest thing around it.

        Args:
            at_key: its name is meant, not its value.
        """
        if self.root is None:
            return self.problems[0].span if self.problems else Span.of_file(self.source)
        return _find(self.source, self.root, field, at_key=at_key)


def read_manifests(sources: Iterable[Source]) -> Iterator[Manifest]:
    """Yield every object of some sources; documents without anything in them are none."""
    for source in sources:
        documents, diagnostics = parse(source)
        for diagnostic in diagnostics:
            yield Manifest(source, None, None, (diagnostic,))
        for document in documents:
            yield from _read(document)


def _read(document: Document) -> Iterator[Manifest]:
    data, problems = read_plain(document.source, document.root)
    if problems:
        yield Manifest(document.source, data, document.root, tuple(problems))
    elif data is not None:
        yield from _items(Manifest(document.source, data, document.root))


def _items(manifest: Manifest) -> Iterator[Manifest]:
    """Yield the objects of a list, or the object itself."""
    items = manifest.data.get("items") if isinstance(manifest.data, dict) else None
    if not manifest.kind.endswith("List") or not isinstance(items, list):
        yield manifest
        return
    assert manifest.root is not None
    node = _child(manifest.source, manifest.root, "items")
    nodes = node.value if isinstance(node, SequenceNode) else []
    for item, root in zip(items, nodes, strict=True):
        yield from _items(Manifest(manifest.source, item, root))


def _find(source: Source, root: Node, field: str, *, at_key: bool) -> Span:
    node, key = root, root
    for name, item in _STEP.findall(field):
        step = name or item
        found = _child_pair(source, node, step) or _child_between(source, node, step)
        if found is not None:
            key, node = found
        elif name not in _STEPS_BETWEEN:
            break
    return span_of(source, node if isinstance(node, ScalarNode) and not at_key else key)


def _child_between(source: Source, node: Node, step: str) -> tuple[Node, Node] | None:
    """Return key and value of a step that lies below one that was left out."""
    for between in _STEPS_BETWEEN:
        inner = _child(source, node, between)
        if inner is not None and (found := _child_pair(source, inner, step)):
            return found
    return None


def _child_pair(source: Source, node: Node, step: str) -> tuple[Node, Node] | None:
    if isinstance(node, SequenceNode):
        index = int(step) if step.isdecimal() else len(node.value)
        return (node.value[index], node.value[index]) if index < len(node.value) else None
    if not isinstance(node, MappingNode):
        return None
    entries = pairs(node, Context(Origin(source, "")))
    return next(((key, value) for name, key, value in entries if name == step), None)


def _child(source: Source, node: Node, step: str) -> Node | None:
    found = _child_pair(source, node, step)
    return found[1] if found else None
