"""Lines of a source with marks below them.

In: the marks of one source. Out: rows, each with the number of its line (none below a line) and its
text. A mark of several lines is drawn under its first and its last one; a long line is cut around
its first mark. Knows neither colours nor the gutter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from neuron_dra.diagnostics.render.visible import count_cells, show, show_words
from neuron_dra.source import Source, Span

LINE_MAX = 160  # characters of a source line that are shown
BEFORE_MARK = 60  # characters that stay before the first mark of a line that is cut
CUT = "..."


class Mark(NamedTuple):
    """A place to point at, the words beside it, and the sign to point with."""

    span: Span
    label: str
    sign: str


class Row(NamedTuple):
    """One row of an excerpt: a source line, or the signs below it."""

    number: int | None  # one-based; None below a line, 0 for left out lines
    text: str
    sign: str = ""  # of the marks in this row


class _Segment(NamedTuple):
    """The part of a mark that lies in one line."""

    line: int
    start: int
    end: int
    mark: Mark
    label: str


def draw_excerpt(source: Source, marks: Iterable[Mark]) -> list[Row]:
    """Return the marked lines of a source, each followed by its marks."""
    segments = sorted(
        (segment for mark in marks for segment in _split(mark)),
        key=lambda segment: (segment.line, segment.start),
    )
    rows: list[Row] = []
    previous = segments[0].line if segments else 0
    for line in sorted({segment.line for segment in segments}):
        rows += _bridge(source, previous, line)
        rows += _draw_line(source, line, [each for each in segments if each.line == line])
        previous = line
    return rows


def _split(mark: Mark) -> Iterator[_Segment]:
    first, start = mark.span.line, mark.span.column
    last, end = _last_place(mark.span)
    if last == first:
        yield _Segment(first, start, end, mark, mark.label)
        return
    text = mark.span.source.line(last)
    yield _Segment(first, start, len(mark.span.source.line(first).rstrip()), mark, "")
    yield _Segment(last, len(text) - len(text.lstrip()), end, mark, mark.label)


def _last_place(span: Span) -> tuple[int, int]:
    """Return the last line and the column behind its last character: spans may end in blank."""
    line, column = span.end_line, span.end_column
    while line > span.line and not span.source.line(line)[:column].strip():
        line -= 1
        column = len(span.source.line(line).rstrip())
    return line, column


def _bridge(source: Source, previous: int, line: int) -> list[Row]:
    """Return what stands between two marked lines: one line as it is, more as an ellipsis."""
    between = line - previous - 1
    if between == 1:
        return [Row(previous + 2, show(_cut(source.line(previous + 1), 0)[0]).rstrip())]
    return [Row(0, "")] if between > 1 else []


def _draw_line(source: Source, line: int, segments: list[_Segment]) -> list[Row]:
    text, shift = _cut(source.line(line), segments[0].start)
    rows = [Row(line + 1, show(text).rstrip())]
    for segment in segments:
        start = min(max(segment.start - shift, 0), len(text))
        end = min(max(segment.end - shift, start), len(text))
        indent = count_cells(show(text[:start]))
        width = count_cells(show(text[start:end]))
        signs = " " * indent + segment.mark.sign * max(width, 1)
        label = show_words(segment.label)
        rows.append(Row(None, f"{signs} {label}".rstrip(), segment.mark.sign))
    return rows


def _cut(text: str, column: int) -> tuple[str, int]:
    """Return the part of a line that is shown, and by how much its columns move left."""
    if len(text) <= LINE_MAX:
        return text, 0
    start = max(0, min(column - BEFORE_MARK, len(text) - LINE_MAX))
    part = text[start : start + LINE_MAX]
    before = CUT if start else ""
    after = CUT if start + LINE_MAX < len(text) else ""
    return before + part + after, start - len(before)
