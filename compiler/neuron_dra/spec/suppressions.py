"""Comments in specs that take a warning back: `# neuron-dra: allow SLUG -- reason`.

In: sources. Out: what they allow at which lines, and diagnostics of comments that cannot be read or
that name an error. Only warnings and notes can be allowed. Does not know what was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from neuron_dra.diagnostics import Code, Diagnostic, Severity, did_you_mean
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.source import Source, Span
from neuron_dra.syntax.comments import Comment, find_comments

BEGINNING = "neuron-dra:"
FORM = f"# {BEGINNING} allow SLUG -- reason"

_WORDS = re.compile(rf"#\s*{BEGINNING}\s*(\S*)\s*(.*)", re.DOTALL)
_ALLOWED = re.compile(r"(.*?)(?:^|\s)--(?:\s(.*))?$")
_SLUG = re.compile(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One slug of a comment.

    Attributes:
        span: the place of the slug.
        line: the line of which the comment speaks, from zero.
    """

    code: Code
    span: Span
    line: int


def read_suppressions(
    sources: Iterable[Source],
) -> tuple[list[Suppression], list[Diagnostic]]:
    """Return what the comments of all sources allow."""
    suppressions: list[Suppression] = []
    diagnostics: list[Diagnostic] = []
    for source in sources:
        for comment in find_comments(source, BEGINNING):
            for each in _read(comment):
                if isinstance(each, Suppression):
                    suppressions.append(each)
                else:
                    diagnostics.append(each)
    return suppressions, diagnostics


def _read(comment: Comment) -> Iterator[Suppression | Diagnostic]:
    words = _WORDS.fullmatch(comment.text)
    assert words is not None  # that is how the comment was found
    parts = _ALLOWED.fullmatch(words[2])
    slugs = list(_SLUG.finditer(words[2], 0, parts.end(1) if parts else len(words[2])))
    problem = _find_problem(words[1], slugs, parts[2] if parts else None)
    if not problem:
        problem = _find_space(words[2], slugs)
    if problem:
        yield codes.MALFORMED_SUPPRESSION.at(comment.span, problem, help=f"write `{FORM}`")
        return
    for slug in slugs:
        yield _read_slug(comment, slug[0], words.start(2) + slug.start())


def _find_problem(verb: str, slugs: list[re.Match[str]], reason: str | None) -> str:
    if verb != "allow":
        return f"a comment can `allow` a finding, not `{verb}`" if verb else "`allow` is missing"
    if not slugs:
        return "the name of the finding is missing"
    return "" if (reason or "").strip() else "the reason is missing"


def _find_space(words: str, slugs: list[re.Match[str]]) -> str:
    for first, second in pairwise(slugs):
        if words[first.end() : second.start()].count(",") != 1:
            return f"one comma belongs between `{first[0]}` and `{second[0]}`"
    return ""


def _read_slug(comment: Comment, slug: str, offset: int) -> Suppression | Diagnostic:
    span = comment.span
    column = span.column + offset
    place = Span(span.source, span.line, column, span.line, column + len(slug))
    known = load_codes()
    by_slug = {code.slug: code for code in known.values()}
    code = by_slug.get(slug)
    if code is None:
        named = known.get(slug.upper())
        hint = f"write its name, `{named.slug}`" if named else did_you_mean(slug, by_slug)
        return codes.MALFORMED_SUPPRESSION.at(
            place, f"there is no finding `{slug}`", help=hint if named or "did" in hint else ""
        )
    if code.severity is Severity.ERROR:
        return codes.SUPPRESSED_ERROR.at(
            place,
            f"`{slug}` is an error: only warnings and notes can be allowed",
            help="correct what the error tells, and remove the comment",
        )
    return Suppression(code, place, comment.target)
