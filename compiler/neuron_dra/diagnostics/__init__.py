"""What is told to users about their input: values, never text on a stream.

In: spans and words from any phase. Out: `Diagnostic` values with a total order.
Rendering (`render/`) and the long explanations (`explain/`) are separate; nothing here prints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from neuron_dra.source import Span


class Severity(IntEnum):
    """How bad a diagnostic is; a smaller number is worse."""

    ERROR = 0
    WARNING = 1
    NOTE = 2

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains the first: the other end of a conflict."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the text of a span that would repair the problem."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem in the user's input.

    Attributes:
        code: the row of the code table; gives id, slug and severity.
        message: what is wrong, with the wrong value and the limit; lower case, no full stop.
        span: the primary place.
        label: a few words under the caret; empty when the message says it all.
        related: further places, in reading order.
        help: how to repair it, when known.
        edits: the repair as replacements of text, when it is safe.
        subject: `Kind namespace/name field` when the problem lies in a compiled object.
    """

    code: Code
    message: str
    span: Span
    label: str = ""
    related: tuple[Related, ...] = ()
    help: str = ""
    edits: tuple[Edit, ...] = ()
    subject: str = ""

    @property
    def severity(self) -> Severity:
        return self.code.severity

    def sort_key(self) -> tuple[object, ...]:
        return (*self.span.sort_key(), self.severity, self.code.id, self.message)


@dataclass(frozen=True, slots=True)
class Code:
    """A row of the code table.

    Attributes:
        id: `ND` and four digits; never reused or renumbered.
        slug: names the bad pattern, reads well in "allow SLUG".
        severity: the level at which it is told.
        summary: one sentence for the table of codes.
    """

    id: str
    slug: str
    severity: Severity
    summary: str

    def at(
        self,
        span: Span,
        message: str,
        *,
        label: str = "",
        related: Iterable[Related] = (),
        help: str = "",
        edits: Iterable[Edit] = (),
        subject: str = "",
    ) -> Diagnostic:
        """Return a diagnostic of this code at a place."""
        return Diagnostic(self, message, span, label, tuple(related), help, tuple(edits), subject)


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort by place, severity, code and message, and drop exact repetitions."""
    unique = {diagnostic.sort_key(): diagnostic for diagnostic in diagnostics}
    return [unique[key] for key in sorted(unique)]


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Tell whether any diagnostic is an error."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)


def closest(word: str, known: Iterable[str]) -> str:
    """Return the known word that `word` most likely meant, or an empty string."""
    import difflib

    by_lower = {candidate.lower(): candidate for candidate in sorted(known)}
    matches = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[matches[0]] if matches else ""


def only_close(word: str, known: Iterable[str]) -> str:
    """Return the known word that `word` surely meant, or an empty string.

    It is the same in other letters, or the only one that is near: good enough to be written into a
    file without asking.
    """
    import difflib

    by_lower: dict[str, list[str]] = {}
    for candidate in sorted(set(known)):
        by_lower.setdefault(candidate.lower(), []).append(candidate)
    lower = word.lower()
    near = [lower] if lower in by_lower else difflib.get_close_matches(lower, by_lower, 2, 0.75)
    meant = [each for name in near for each in by_lower[name]]
    return meant[0] if len(meant) == 1 else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean ...` help for a misspelt word, else the known words."""
    names = sorted(set(known))
    match = closest(word, names)
    if match:
        return f"did you mean `{match}`?"
    if not names:
        return ""
    shown = ", ".join(f"`{name}`" for name in names[:12])
    return f"known: {shown}{', ...' if len(names) > 12 else ''}"
