"""YAML text to nodes with places.

In: a `Source`. Out: its documents as PyYAML nodes, and diagnostics; it never raises for bad text.
Scalars stay text: libyaml composes without a resolver, so that nothing is guessed before the type
that a value should have is known. Does not look at keys other than merge keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from yaml import MappingNode, Node, ScalarNode, SequenceNode, YAMLError
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # the stubs do not export it
from yaml.error import MarkedYAMLError
from yaml.reader import ReaderError

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import syntax as codes
from neuron_dra.source import Source, Span

__all__ = ["Document", "MappingNode", "Node", "ScalarNode", "SequenceNode", "parse", "span_of"]

# Far above what people write; libyaml itself stops at 1000 levels.
MAX_DEPTH = 100
# An alias may repeat a block in each of hundreds of pools, but not grow exponentially.
MAX_EXPANSION_FACTOR = 20
MAX_EXPANSION_FLOOR = 20_000

_DOCUMENT_START = re.compile(r"^---(?=\s|$)", re.MULTILINE)


class Document(NamedTuple):
    """One YAML document: where it stands and its root node."""

    source: Source
    root: Node


class Composer(CParser):
    """libyaml's composer with PyYAML's resolver switched off: plain scalars keep tag None."""

    def resolve(self, kind: object, value: object, implicit: object) -> None:
        return None

    def descend_resolver(self, parent: object, index: object) -> None:
        return None

    def ascend_resolver(self) -> None:
        return None


def span_of(source: Source, node: Node) -> Span:
    """Return the place of a node; block collections end at their first line."""
    start, end = node.start_mark, node.end_mark
    if isinstance(node, ScalarNode) or getattr(node, "flow_style", None):
        return Span(source, start.line, start.column, end.line, end.column)
    width = len(source.line(start.line).rstrip())
    return Span(source, start.line, start.column, start.line, max(width, start.column))


def parse(source: Source) -> tuple[list[Document], list[Diagnostic]]:
    """Return the documents of a source; a broken document is left out and diagnosed."""
    try:
        text = source.data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        return [], [not_utf8(source, error)]
    try:
        roots = list(_compose(text))
    except (YAMLError, RecursionError) as error:
        return _parse_apart(source, text, error)
    return _sound_documents(source, text, roots)


def _compose(text: str) -> Iterator[Node]:
    composer = Composer(text)
    try:
        while composer.check_node():
            node = composer.get_node()
            assert node is not None
            yield node
    finally:
        composer.dispose()


def _parse_apart(
    source: Source, text: str, error: Exception
) -> tuple[list[Document], list[Diagnostic]]:
    """Parse document by document after the stream failed, so that one error hides no other."""
    documents: list[Document] = []
    diagnostics: list[Diagnostic] = []
    for chunk in _chunks(text):
        try:
            roots = list(_compose(chunk))
        except (YAMLError, RecursionError) as chunk_error:
            diagnostics.append(syntax_problem(source, chunk, chunk_error))
            continue
        sound, problems = _sound_documents(source, chunk, roots)
        documents += sound
        diagnostics += problems
    return documents, diagnostics or [syntax_problem(source, text, error)]


def _chunks(text: str) -> Iterator[str]:
    """Yield each document of a stream, padded so that its lines keep their numbers."""
    starts = [0, *(match.start() for match in _DOCUMENT_START.finditer(text)), len(text)]
    for start, end in pairwise(starts):
        if text[start:end].strip():
            yield "\n" * text.count("\n", 0, start) + text[start:end]


def _sound_documents(
    source: Source, text: str, roots: list[Node]
) -> tuple[list[Document], list[Diagnostic]]:
    """Leave out documents whose aliases would make them endless or enormous."""
    if "*" not in text:
        return [Document(source, root) for root in roots], []
    documents: list[Document] = []
    diagnostics: list[Diagnostic] = []
    for root in roots:
        problem = alias_problem(source, root)
        if problem:
            diagnostics.append(problem)
        else:
            documents.append(Document(source, root))
    return documents, diagnostics


def alias_problem(source: Source, root: Node) -> Diagnostic | None:
    """Return what is wrong with aliases that make a node endless or enormous."""
    sizes: dict[int, int] = {}
    try:
        cycle = _measure(root, sizes, set())
    except RecursionError:
        return too_deep(span_of(source, root))
    if cycle is not None:
        return codes.RECURSIVE_ALIAS.at(
            span_of(source, cycle), "this anchor contains an alias to itself"
        )
    limit = max(MAX_EXPANSION_FLOOR, MAX_EXPANSION_FACTOR * len(sizes))
    if sizes[id(root)] <= limit:
        return None
    return codes.ALIAS_BOMB.at(
        span_of(source, root),
        f"the aliases expand to {sizes[id(root)]} nodes, more than the {limit} allowed",
    )


def _measure(node: Node, sizes: dict[int, int], open_nodes: set[int]) -> Node | None:
    """Store the expanded size of every node once; return a node that contains itself."""
    if id(node) in sizes:
        return None
    if id(node) in open_nodes:
        return node
    open_nodes.add(id(node))
    total = 1
    for child in _children(node):
        cycle = _measure(child, sizes, open_nodes)
        if cycle is not None:
            return cycle
        total += sizes[id(child)]
    open_nodes.discard(id(node))
    sizes[id(node)] = total
    return None


def _children(node: Node) -> Iterator[Node]:
    if isinstance(node, SequenceNode):
        yield from node.value
    elif isinstance(node, MappingNode):
        for key, value in node.value:
            yield key
            yield value


def not_utf8(source: Source, error: UnicodeDecodeError) -> Diagnostic:
    """Return which byte of a source is not UTF-8."""
    before = source.data[: error.start].decode("utf-8", errors="replace")
    line = before.count("\n")
    column = len(before) - (before.rfind("\n") + 1)
    byte = source.data[error.start]
    return codes.NOT_UTF8.at(
        Span(source, line, column, line, column + 1),
        f"byte 0x{byte:02x} at offset {error.start} is not UTF-8",
        help="save the file as UTF-8",
    )


def syntax_problem(source: Source, text: str, error: Exception) -> Diagnostic:
    """Return what is wrong with a text that libyaml refuses."""
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        return _marked_diagnostic(source, text, error)
    if isinstance(error, ReaderError):
        return _reader_diagnostic(source, text)
    return too_deep(Span.of_file(source))


def too_deep(span: Span) -> Diagnostic:
    """Return that a document is nested too deeply."""
    return codes.TOO_DEEP.at(span, f"the document is nested more than {MAX_DEPTH} levels deep")


def _marked_diagnostic(source: Source, text: str, error: MarkedYAMLError) -> Diagnostic:
    problem = str(error.problem or "invalid YAML")
    assert error.problem_mark is not None
    span = _point(source, text, error.problem_mark.line, error.problem_mark.column)
    if "\t" in source.line(span.line)[: span.column + 1] and "alias" not in problem:
        return codes.TAB_INDENTATION.at(
            span, "a tab cannot indent YAML", help="use two spaces for each level"
        )
    if "undefined alias" in problem:
        return codes.UNDEFINED_ALIAS.at(
            span, "this alias names no anchor of its document", help="define it with `&name` first"
        )
    if "nesting depth" in problem:
        return too_deep(span)
    related = []
    if error.context and error.context_mark is not None:
        mark = error.context_mark
        related.append(Related(_point(source, text, mark.line, mark.column), error.context))
    return codes.INVALID_YAML.at(span, problem, related=related, help=_yaml_help(problem))


def _point(source: Source, text: str, line: int, column: int) -> Span:
    """Return the span of one character; an error after the last line is told at its end."""
    last = text.rstrip("\n").count("\n")
    if line > last:
        line, column = last, len(source.line(last))
    return Span(source, line, column, line, column + 1)


def _yaml_help(problem: str) -> str:
    if "mapping values are not allowed" in problem:
        return "quote a text that contains `: `, or check the indentation of this line"
    if "expected '-' indicator" in problem or "expected <block end>" in problem:
        return "align this line with its neighbours"
    if "cannot start any token" in problem:
        return "quote a text that begins with this character"
    return ""


def _reader_diagnostic(source: Source, text: str) -> Diagnostic:
    match = re.search(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    offset = match.start() if match else 0
    line = text.count("\n", 0, offset)
    column = offset - (text.rfind("\n", 0, offset) + 1)
    character = f"U+{ord(text[offset]):04X}" if text else "the text"
    return codes.CONTROL_CHARACTER.at(
        Span(source, line, column, line, column + 1), f"{character} is not allowed in YAML"
    )
