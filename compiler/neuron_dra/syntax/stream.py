"""Long YAML or JSON texts, object by object.

In: a `Source` of any length, as `kubectl get -o yaml` or `-o json` prints it. Out: the nodes of its
objects, one at a time, and diagnostics; it never raises for bad text. The items of a list are
objects of their own, and the list itself is none, so that no more than one object is in memory.
After a document that is broken the next one is read. Like `parse`, it guesses no types.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from yaml import YAMLError
from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.source import Source, Span
from neuron_dra.syntax.parse import (
    MAX_DEPTH,
    Composer,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    alias_problem,
    not_utf8,
    syntax_problem,
    too_deep,
)

ITEMS = "items"  # the key of a list's objects
_DOCUMENT_START = re.compile(rb"^---(?=\s|$)", re.MULTILINE)
_BLOCK = 1 << 20


class StreamedObject(NamedTuple):
    """An object of a stream.

    Attributes:
        list_fields: `apiVersion` and `kind` of the list that it is an item of, as far as they
            stand before the items; empty outside of a list.
    """

    node: Node
    list_fields: dict[str, str]


class _Place(NamedTuple):
    """A mark, moved by the lines before the part of the text that is parsed."""

    line: int
    column: int


class _TooDeepError(Exception):
    """Ends a document; never leaves this room."""

    def __init__(self, place: _Place) -> None:
        super().__init__()
        self.place = place


def stream_objects(source: Source, found: list[Diagnostic]) -> Iterator[StreamedObject]:
    """Yield the objects of a source; what is wrong with its text is added to `found`."""
    problem = _find_other_encoding(source)
    if problem is not None:
        found.append(problem)
        return
    start: int | None = 0
    while start is not None:
        part = _Part(source, start)
        try:
            yield from part.objects(found)
            start = None
        except (YAMLError, _TooDeepError) as error:
            found.append(part.describe(error))
            start = part.next_document(error)


def _find_other_encoding(source: Source) -> Diagnostic | None:
    """Return which byte is not UTF-8; the text is not kept."""
    decoder, data = codecs.getincrementaldecoder("utf-8")(), source.data
    for start in range(0, len(data) + 1, _BLOCK):
        block = data[start : start + _BLOCK]
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(block, final=start + _BLOCK > len(data))
        except UnicodeDecodeError as error:
            error.start += start - pending
            return not_utf8(source, error)
    return None


class _Part:
    """A source from the start of one of its documents on."""

    def __init__(self, source: Source, start: int) -> None:
        self.source = source
        self._start = start
        self._lines = source.data.count(b"\n", 0, start)
        self._document = -1  # the line of the document that is being read
        self._anchors: dict[str, Node] = {}
        self._has_aliases = False
        data = source.data[start:] if start else source.data
        self._composer = Composer(io.BytesIO(data))

    def objects(self, found: list[Diagnostic]) -> Iterator[StreamedObject]:
        """Yield objects to the end of the source."""
        try:
            self._next()  # the start of the stream
            while type(event := self._next()) is DocumentStartEvent:
                self._document = self._place(event.start_mark).line
                self._anchors.clear()
                yield from self._sound(self._next(), found)
                self._next()  # the end of the document
        finally:
            self._composer.dispose()

    def _sound(self, event: Any, found: list[Diagnostic]) -> Iterator[StreamedObject]:
        """Leave out objects whose aliases would make them endless or enormous."""
        for each in self._object(event, {}):
            problem = alias_problem(self.source, each.node) if self._has_aliases else None
            if problem is None:
                yield each
            else:
                found.append(problem)

    def _object(self, event: Any, list_fields: dict[str, str]) -> Iterator[StreamedObject]:
        if type(event) is not MappingStartEvent:
            yield StreamedObject(self._compose(event, 0), list_fields)
            return
        root = self._open(MappingNode, event)
        is_list, own_fields = False, dict[str, str]()
        while type(key_event := self._next()) is not MappingEndEvent:
            key, value_event = self._compose(key_event, 1), self._next()
            if key.value == ITEMS and type(value_event) is SequenceStartEvent:
                is_list = True
                yield from self._items(dict(own_fields))
                continue
            value = self._compose(value_event, 1)
            root.value.append((key, value))
            if isinstance(key, ScalarNode) and isinstance(value, ScalarNode):
                own_fields[key.value] = value.value
        root.end_mark = self._place(key_event.end_mark)
        if not is_list:
            yield StreamedObject(root, list_fields)

    def _items(self, list_fields: dict[str, str]) -> Iterator[StreamedObject]:
        while type(event := self._next()) is not SequenceEndEvent:
            yield from self._object(event, list_fields)

    def _next(self) -> Any:
        return self._composer.get_event()

    def _compose(self, event: Any, depth: int) -> Node:
        kind = type(event)
        if kind is ScalarEvent:
            node: Node = self._scalar(event)
        elif kind is AliasEvent:
            return self._resolve(event)
        elif depth > MAX_DEPTH:
            raise _TooDeepError(self._place(event.start_mark))
        elif kind is MappingStartEvent:
            node = self._open(MappingNode, event)
            while type(end := self._next()) is not MappingEndEvent:
                key = self._compose(end, depth + 1)
                node.value.append((key, self._compose(self._next(), depth + 1)))
            node.end_mark = self._place(end.end_mark)
        else:
            node = self._open(SequenceNode, event)
            while type(end := self._next()) is not SequenceEndEvent:
                node.value.append(self._compose(end, depth + 1))
            node.end_mark = self._place(end.end_mark)
        return node

    def _scalar(self, event: Any) -> ScalarNode:
        start, end = self._place(event.start_mark), self._place(event.end_mark)
        node = ScalarNode(_tag(event), event.value, start, end, event.style)
        if event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _open(self, cls: type[Node], event: Any) -> Any:
        start = self._place(event.start_mark)
        node = cls(_tag(event), [], start, start, event.flow_style)  # type: ignore[call-arg]  # of collections
        if event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _resolve(self, event: Any) -> Node:
        self._has_aliases = True
        node = self._anchors.get(event.anchor)
        if node is None:
            raise MarkedYAMLError(problem="found undefined alias", problem_mark=event.start_mark)
        return node

    def _place(self, mark: Any) -> Any:
        return _Place(mark.line + self._lines, mark.column) if self._lines else mark

    def describe(self, error: Exception) -> Diagnostic:
        """Return what ended this part."""
        if isinstance(error, _TooDeepError):
            place = error.place
            span = Span(self.source, place.line, place.column, place.line, place.column + 1)
            return too_deep(span)
        if isinstance(error, MarkedYAMLError):
            error.problem_mark = error.problem_mark and self._place(error.problem_mark)
            error.context_mark = error.context_mark and self._place(error.context_mark)
        return syntax_problem(self.source, self.source.data.decode(), error)

    def next_document(self, error: Exception) -> int | None:
        """Return where the document after a broken one begins, or None when nobody can tell."""
        if isinstance(error, _TooDeepError):
            line = error.place.line
        elif isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
            line = error.problem_mark.line
        else:
            return None
        position, number = self._start, self._lines
        for match in _DOCUMENT_START.finditer(self.source.data, self._start):
            number += self.source.data.count(b"\n", position, match.start())
            position = match.start()
            if number >= line and number > self._document and position > self._start:
                return position
        return None


def _tag(event: Any) -> Any:
    """Return a tag that was written, or None, as the composer has it."""
    return None if event.tag == "!" else event.tag
