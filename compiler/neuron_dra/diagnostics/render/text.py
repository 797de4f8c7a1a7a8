"""Diagnostics for people: the message, the place, the lines with marks, the help.

In: diagnostics. Out: one block each, a blank line between, and a summary as last line. Everything
that comes from the input is made visible first, so that no text of a spec steers a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from neuron_dra.diagnostics import Diagnostic, Severity, in_order
from neuron_dra.diagnostics.render.excerpt import Mark, Row, draw_excerpt
from neuron_dra.diagnostics.render.summary import summarize
from neuron_dra.diagnostics.render.visible import show_words
from neuron_dra.source import Source

PRIMARY, SECONDARY = "^", "-"

# SGR parameters, ECMA-48 section 8.3.117: bold, then a foreground colour.
_COLORS = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "message": "1",
    "frame": "1;34",
}

Paint = Callable[[str, str], str]


def render(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:
    """Return the diagnostics as text for people."""
    ordered = in_order(diagnostics)
    if not ordered:
        return ""
    paint = _paint if color else _leave_plain
    blocks = ["\n".join(_draw_block(diagnostic, paint)) for diagnostic in ordered]
    return "\n\n".join([*blocks, summarize(ordered)]) + "\n"


def _paint(text: str, color: str) -> str:
    return f"\x1b[{_COLORS[color]}m{text}\x1b[0m" if text else ""


def _leave_plain(text: str, color: str) -> str:  # noqa: ARG001 -- stands in for `_paint`
    return text


def _draw_block(diagnostic: Diagnostic, paint: Paint) -> Iterator[str]:
    code, word = diagnostic.code, diagnostic.severity.word
    headline = paint(f": {show_words(diagnostic.message)}", "message")
    yield paint(f"{word}[{code.id} {code.slug}]", word) + headline
    excerpts = [
        (marks, draw_excerpt(source, marks) if source.data else [])
        for source, marks in _group_marks(diagnostic).items()
    ]
    gutter = max((row.number or 0 for _, rows in excerpts for row in rows), default=0)
    margin = " " * len(str(gutter))
    bar = paint(f"{margin} |", "frame")
    for index, (marks, rows) in enumerate(excerpts):
        yield paint(f"{margin}{'::: ' if index else '--> '}", "frame") + _describe(marks, rows)
        if rows:
            yield bar
            yield from _draw_rows(rows, len(margin), diagnostic.severity, paint)
        if rows and (index + 1 < len(excerpts) or diagnostic.subject or diagnostic.help):
            yield bar
    yield from _draw_notes(diagnostic, margin, paint)


def _group_marks(diagnostic: Diagnostic) -> dict[Source, list[Mark]]:
    """Return the marks by source: the primary place's own first, then in reading order."""
    marks = [Mark(diagnostic.span, diagnostic.label, PRIMARY)]
    marks += [Mark(related.span, related.message, SECONDARY) for related in diagnostic.related]
    grouped: dict[Source, list[Mark]] = {}
    for mark in marks:
        grouped.setdefault(mark.span.source, []).append(mark)
    return grouped


def _describe(marks: list[Mark], rows: list[Row]) -> str:
    """Return the place; a source without text has no lines, so the labels stand beside it."""
    span = marks[0].span
    if rows:
        return show_words(str(span))
    labels = [mark.label for mark in marks if mark.label]
    return show_words(": ".join([span.path, "; ".join(labels)] if labels else [span.path]))


def _draw_rows(rows: list[Row], width: int, severity: Severity, paint: Paint) -> Iterator[str]:
    for row in rows:
        if row.number == 0:
            yield paint("...", "frame")
            continue
        number = " " * width if row.number is None else str(row.number).rjust(width)
        color = severity.word if row.sign == PRIMARY else "frame"
        text = paint(row.text, color) if row.sign else row.text
        yield paint(f"{number} |", "frame") + (f" {text}" if text else "")


def _draw_notes(diagnostic: Diagnostic, margin: str, paint: Paint) -> Iterator[str]:
    for name, text in (("object", diagnostic.subject), ("help", diagnostic.help)):
        first, *rest = text.split("\n")
        if text:
            yield paint(f"{margin} = ", "frame") + paint(f"{name}:", "message") + f" {_line(first)}"
        for line in rest:
            yield f"{margin}   {' ' * len(name)}  {_line(line)}"


def _line(text: str) -> str:
    return show_words(text).rstrip()
