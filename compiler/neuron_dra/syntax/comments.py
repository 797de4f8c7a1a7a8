"""The comments of a YAML text that begin with some words.

In: a `Source`. Out: its comments with their places. libyaml drops comments, so they are read from
the lines: a comment begins at the first `#` that follows a blank or the start of a line and lies in
no scalar, and where scalars lie is known from the nodes. A text that is no YAML has no comments.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from neuron_dra.source import Source, Span
from neuron_dra.syntax.parse import MappingNode, Node, ScalarNode, SequenceNode, parse

_BLOCK_STYLES = ("|", ">")
_BLANKS = " \t"

Place = tuple[int, int]  # a line and a column, from zero


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, from its `#` to the end of its line.

    Attributes:
        is_alone: whether nothing else stands on its line.
    """

    span: Span
    text: str
    is_alone: bool

    @property
    def target(self) -> int:
        """The line that it speaks of: its own, or the next one that holds more than a comment."""
        source, line = self.span.source, self.span.line
        if not self.is_alone:
            return line
        rest = (number for number in count(line + 1) if not _is_comment(source.line(number)))
        return next(rest)


def find_comments(source: Source, beginning: str) -> list[Comment]:
    """Return the comments whose words after `#` begin like this."""
    if beginning.encode() not in source.data:
        return []
    documents, problems = parse(source)
    if problems:
        return []
    scalars = sorted({place for document in documents for place in _scalars(document.root)})
    lines = len(source.data.decode("utf-8").splitlines())
    found = (_comment(source, number, scalars) for number in range(lines))
    return [each for each in found if each and each.text[1:].lstrip().startswith(beginning)]


def _comment(source: Source, number: int, scalars: list[tuple[Place, Place]]) -> Comment | None:
    line = source.line(number)
    for column, character in enumerate(line):
        follows_blank = not column or line[column - 1] in _BLANKS
        if character == "#" and follows_blank and not _lies_in((number, column), scalars):
            text = line[column:].rstrip()
            span = Span(source, number, column, number, column + len(text))
            return Comment(span, text, not line[:column].strip())
    return None


def _lies_in(place: Place, scalars: list[tuple[Place, Place]]) -> bool:
    """Tell whether a place lies in the last scalar that begins before it: they do not overlap."""
    index = bisect_right(scalars, (place, (1 << 62, 0)))
    return index > 0 and place < scalars[index - 1][1]


def _scalars(root: Node) -> Iterator[tuple[Place, Place]]:
    """Yield where the texts of scalars begin and end, each once."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, ScalarNode):
            yield _text_range(node)
        elif isinstance(node, SequenceNode):
            waiting += node.value
        elif isinstance(node, MappingNode):
            waiting += (child for pair in node.value for child in pair)


def _text_range(node: ScalarNode) -> tuple[Place, Place]:
    """Return the range of a scalar's text; a block scalar's begins below its header."""
    start, end = node.start_mark, node.end_mark
    if node.style in _BLOCK_STYLES:
        return (start.line + 1, 0), (end.line, end.column)
    return (start.line, start.column), (end.line, end.column)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")
