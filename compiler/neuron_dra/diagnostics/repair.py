"""Texts with the edits of diagnostics applied.

In: sources and diagnostics. Out: the new bytes of the sources that change. Everything but the
spans of the edits stays as it is. The edits of one diagnostic go together, and of those that
overlap the first wins: the others are for the next run. Writes no file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from neuron_dra.diagnostics import Diagnostic, Edit, in_order
from neuron_dra.source import Source, Span, line_starts

_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Repair:
    """A source, its new bytes, and how many findings they repair."""

    source: Source
    data: bytes
    count: int


def repair(sources: Iterable[Source], found: Iterable[Diagnostic]) -> list[Repair]:
    """Return the sources that change; edits of other files are left out."""
    texts = {id(source): _Text(source) for source in sources}
    for diagnostic in in_order(found):
        touched = {id(edit.span.source) for edit in diagnostic.edits}
        if len(touched) == 1 and touched <= texts.keys():
            texts[touched.pop()].take(diagnostic.edits)
    return [text.finish() for text in texts.values() if text.count]


class _Text:
    """The accepted edits of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.count = 0
        self._edits: list[tuple[int, int, str]] = []
        self._starts: list[int] = []

    def take(self, edits: Iterable[Edit]) -> None:
        """Accept the edits of a diagnostic, unless one overlaps an accepted one."""
        wanted = [(*self._range(edit.span), edit.replacement) for edit in edits]
        if not any(
            start < end_of_other and start_of_other < end
            for start, end, _ in wanted
            for start_of_other, end_of_other, _ in self._edits
        ):
            self._edits += wanted
            self.count += 1

    def _range(self, span: Span) -> tuple[int, int]:
        """Return the offsets of a span; a byte order mark is in no line."""
        if not self._starts:
            text = self.source.data.decode("utf-8")
            shift = len(text) - len(text.removeprefix(_BYTE_ORDER_MARK))
            self._starts = [shift + start for start in line_starts(text[shift:])]
        start = self._starts[span.line] + span.column
        return start, self._starts[span.end_line] + span.end_column

    def finish(self) -> Repair:
        text = self.source.data.decode("utf-8")
        for start, end, replacement in sorted(self._edits, reverse=True):
            text = text[:start] + replacement + text[end:]
        return Repair(self.source, text.encode("utf-8"), self.count)
