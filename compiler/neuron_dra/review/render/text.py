"""A review for a terminal: counts, then every change with its places and fields.

In: a review. Out: text, folded to a width. Everything that comes from a tree is made visible first,
so that no name or value steers a terminal. Diagnostics are only counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.render.visible import count_cells, show_words
from neuron_dra.review.change import ChangeGroup, ChangeKind, FieldChange, Review
from neuron_dra.review.render import Layout
from neuron_dra.review.render.words import (
    SIGNS,
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

# SGR parameters, ECMA-48 section 8.3.117.
_COLORS = {
    ChangeKind.ADDED: "32",
    ChangeKind.CHANGED: "33",
    ChangeKind.RENAMED: "36",
    ChangeKind.REPLACED: "1;31",
    ChangeKind.REMOVED: "31",
}
_HANG = 2  # further indent of a line that goes on
_LEAST = 20  # cells of text in a line, however deep its indent

Paint = Callable[[str, ChangeKind], str]


def render(review: Review, diagnostics: Sequence[Diagnostic], layout: Layout) -> str:
    """Return a review as text for people."""
    paint = _paint if layout.color else _leave_plain
    head = filter(None, (summarize(review), describe_gaps(diagnostics)))
    blocks = [[line for text in head for line in _fold(text, layout.width, 0)]]
    if layout.stat:
        blocks[0] += _draw_kinds(review)
    else:
        inside, whole = split_whole(review)
        for kind, line in describe_whole(whole, show_words):
            blocks.append(list(_fold(f"{SIGNS[kind]} {line}", layout.width, 0, paint, kind)))
        blocks += [list(_draw_group(group, layout.width, paint)) for group in inside]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _paint(text: str, kind: ChangeKind) -> str:
    return f"\x1b[{_COLORS[kind]}m{text}\x1b[0m"


def _leave_plain(text: str, kind: ChangeKind) -> str:  # noqa: ARG001 -- stands in for `_paint`
    return text


def _draw_kinds(review: Review) -> Iterator[str]:
    kinds = {show_words(name): counter for name, counter in count_kinds(review).items()}
    width = max(map(count_cells, kinds), default=0)
    for name, counter in kinds.items():
        yield f"  {name}{' ' * (width - count_cells(name))}  {describe_counter(counter)}"


def _draw_group(group: ChangeGroup, width: int, paint: Paint) -> Iterator[str]:
    change = group.change
    title = f"{SIGNS[change.kind]} {describe_name(group, show_words)}"
    if change.documents:
        title += f", from {list_names(change.documents, show_words)}"
    if change.immutable:
        title += " (immutable: must be deleted and created anew)"
    yield from _fold(title, width, 0, paint, change.kind)
    for phrase in describe_places(group, show_words):
        yield from _fold(phrase, width, 2)
    for each in change.fields:
        yield from _fold(_describe_field(each), width, 4, paint, each.kind)


def _describe_field(field: FieldChange) -> str:
    path = show_words(field.path)
    old, new = show_words(to_text(field.old)), show_words(to_text(field.new))
    if field.kind is ChangeKind.CHANGED:
        return f"~ {path}: {old} → {new}"
    return f"{SIGNS[field.kind]} {path}: {new if field.kind is ChangeKind.ADDED else old}"


def _fold(
    text: str,
    width: int,
    indent: int,
    paint: Paint = _leave_plain,
    kind: ChangeKind = ChangeKind.CHANGED,
) -> Iterator[str]:
    """Yield a text as lines of a width, broken at spaces; a longer word keeps its line."""
    room = max(_LEAST, width - indent)
    line, cells = "", 0
    start = " " * indent
    for word in text.split(" "):
        size = count_cells(word)
        if line and cells + 1 + size > room:
            yield start + paint(line, kind)
            start, room = " " * (indent + _HANG), max(_LEAST, width - indent - _HANG)
            line, cells = word, size
        else:
            line, cells = (f"{line} {word}", cells + 1 + size) if line else (word, size)
    yield start + paint(line, kind)
