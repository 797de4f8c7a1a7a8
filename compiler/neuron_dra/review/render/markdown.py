"""A review as a comment on a pull request: the summary first, fields folded away, never too long.

In: a review and diagnostics. Out: Markdown as GitHub and GitLab render it, of at most `LIMIT`
characters; what is left out is counted. Whatever comes from a tree stands in code (a code span, a
fenced block, or `<code>` with HTML escaped), where no mark-up, mention or HTML has any effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.render.visible import show_words
from neuron_dra.review.change import ChangeGroup, ChangeKind, FieldChange, Review
from neuron_dra.review.render import Layout
from neuron_dra.review.render.words import (
    NAMED,
    SIGNS,
    count,
    count_kinds,
    describe_counter,
    describe_gaps,
    describe_name,
    describe_places,
    describe_whole,
    list_names,
    split_whole,
    summarize,
    to_text,
)

LIMIT = 60_000  # GitHub takes 65,536 characters; the rest is for whoever posts the comment
_SUMMARY = 24_000  # characters of LIMIT that the list of changes may take
_DETAIL = 8_000  # characters of the fields of one change
_NAME = 256  # characters of a name; Kubernetes allows 253
_VALUE = 400  # characters of a value
_NOTE = 400  # characters kept for the note on what is left out

_BACKTICKS = re.compile(r"`+")


def render(review: Review, diagnostics: Sequence[Diagnostic], layout: Layout) -> str:
    """Return a review as a Markdown comment."""
    head = f"### neuron-dra: {summarize(review)}\n"
    gaps = describe_gaps(diagnostics)
    if gaps:
        head += f"\n**{gaps}**\n"
    if layout.stat:
        lines = [
            f"- {quote(name)}: {describe_counter(counter)}\n"
            for name, counter in count_kinds(review).items()
        ]
        return _close(head, *_take(lines, _SUMMARY), "more kinds")
    inside, whole = split_whole(review)
    lines = [f"- `{SIGNS[kind]}` {line}\n" for kind, line in describe_whole(whole, quote)]
    lines += map(_draw_line, inside)
    text = _close(head, *_take(lines, _SUMMARY), "more changes")
    details = [_draw_details(group) for group in inside if group.change.fields]
    taken, left = _take(details, LIMIT - len(text) - _NOTE)
    text += "".join(taken)
    if left:
        text += (
            f"\nThe fields of {left} of {count(len(details), 'change')} are left out, since a "
            "comment has a limit; `neuron-dra diff` on the command line shows them all.\n"
        )
    return text


def quote(text: str) -> str:
    """Return a text as a code span, which nothing in it can end."""
    shown = _cut(show_words(text), _NAME)
    ticks = "`" * (1 + max(map(len, _BACKTICKS.findall(shown)), default=0))
    # CommonMark 6.1 takes a space from both ends, unless there is nothing but spaces.
    pad = " " if shown.strip(" ") and (shown[0] in "` " or shown[-1] in "` ") else ""
    return f"{ticks}{pad}{shown or '(empty)'}{pad}{ticks}"


def _quote_html(text: str) -> str:
    """Return a text as code inside a line of HTML."""
    return f"<code>{escape(_cut(show_words(text), _NAME))}</code>"


def _take(pieces: Iterable[str], room: int) -> tuple[list[str], int]:
    """Return the first pieces that have room, and how many are left."""
    pieces = list(pieces)
    taken: list[str] = []
    for piece in pieces:
        room -= len(piece)
        if room < 0:
            break
        taken.append(piece)
    return taken, len(pieces) - len(taken)


def _close(head: str, lines: list[str], left: int, noun: str) -> str:
    """Return the head with its list, and what the list leaves out."""
    text = head + ("\n" + "".join(lines) if lines else "")
    return text + (f"- and {left:,} {noun}\n" if left else "")


def _draw_line(group: ChangeGroup) -> str:
    change = group.change
    line = f"- `{SIGNS[change.kind]}` {describe_name(group, quote)}"
    if change.documents:
        line += f", from {list_names(change.documents, quote)}"
    if change.immutable:
        line += " (**immutable**: must be deleted and created anew)"
    phrases = describe_places(group, quote)
    if len(phrases) == 1:
        return f"{line}, {phrases[0]}\n"
    return f"{line}\n" + "".join(f"  - {phrase}\n" for phrase in phrases)


def _draw_details(group: ChangeGroup) -> str:
    fields = group.change.fields
    title = f"{SIGNS[group.change.kind]} {describe_name(group, _quote_html)}"
    taken, left = _take(map(_draw_field, fields), _DETAIL)
    rest = f"and {count(left, 'more field')}\n" if left else ""
    return (
        f"\n<details><summary>{title}: {count(len(fields), 'field')}</summary>\n\n"
        f"{_list_clusters(group)}```diff\n{''.join(taken)}{rest}```\n\n</details>\n"
    )


def _list_clusters(group: ChangeGroup) -> str:
    """Return the names that the summary only counts."""
    if all(len(place.clusters) <= NAMED for place in group.places):
        return ""
    names = [f"{quote(name)}, " for name in sorted(group.clusters)]
    taken, left = _take(names, _DETAIL)
    rest = f" and {left:,} more" if left else ""
    return f"Clusters: {''.join(taken).removesuffix(', ')}{rest}\n\n"


def _draw_field(field: FieldChange) -> str:
    """Return lines of a fenced block; none begins with what could end it."""
    return "".join(f"{line}\n" for line in _field_lines(field))


def _field_lines(field: FieldChange) -> Iterator[str]:
    yield f"@@ {_cut(show_words(field.path), _NAME)} @@"
    if field.kind is not ChangeKind.ADDED:
        yield f"- {_cut(show_words(to_text(field.old)), _VALUE)}"
    if field.kind is not ChangeKind.REMOVED:
        yield f"+ {_cut(show_words(to_text(field.new)), _VALUE)}"


def _cut(text: str, limit: int) -> str:
    """Return the start of a text that is too long, and how much is left out."""
    left = len(text) - limit
    return text if left <= 0 else f"{text[:limit]}… ({left:,} more characters)"
