"""How `plan --consumers` reads: a table of consumers and partitions, and the reasons below it.

In: views. Out: text. Partitions with equal verdicts share a column under a letter, so that the
table keeps its width however long their names are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_dra.catalog.facts import Answer
from neuron_dra.commands.plan_consumers import ConsumersView, Judged
from neuron_dra.commands.plan_text import LETTERS, bold, cluster_names, wrapped
from neuron_dra.consumers.columns import Column
from neuron_dra.consumers.judge import Reason, Usable

WORDS = {Answer.YES: "yes", Answer.NO: "no", Answer.UNKNOWN: "?"}
LEGEND = "yes: can use the partition; no: cannot; ?: not known"
TABLE_COLUMNS = 10  # groups of partitions side by side


def draw_consumers(views: Sequence[ConsumersView], *, color: bool) -> str:
    """Return the text of all views."""
    sections = [section for view in views for section in _sections(view, color)]
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n" if sections else ""


def _sections(view: ConsumersView, color: bool) -> Iterator[list[str]]:
    yield [bold(f"cluster {cluster_names(view.names)}, Kubernetes {view.minor}", color)]
    if not view.groups:
        yield ["  no partition is granted here"]
        return
    yield list(_legend(view))
    for start in range(0, len(view.groups), TABLE_COLUMNS):
        yield list(_table(view, range(start, min(start + TABLE_COLUMNS, len(view.groups)))))
    for index, column in enumerate(view.columns):
        lines = list(_reasons(view, index))
        if lines:
            yield [f"  {bold(_title(column), color)}", *lines]


def _letter(index: int) -> str:
    return LETTERS[index] if index < len(LETTERS) else str(index + 1)


def _legend(view: ConsumersView) -> Iterator[str]:
    for index, group in enumerate(view.groups):
        yield from wrapped(f"  {_letter(index):3}", ", ".join(map(_name, group.judged)))


def _name(judged: Judged) -> str:
    where = "" if judged.everywhere else f" in {cluster_names(judged.clusters)}"
    return f"{judged.partition}{where}"


def _table(view: ConsumersView, shown: range) -> Iterator[str]:
    titles = [_title(column) for column in view.columns]
    width = max(map(len, titles))
    yield f"  {'CONSUMER':{width}}  {''.join(f'{_letter(index):4}' for index in shown)}".rstrip()
    for row, title in enumerate(titles):
        words = (WORDS[view.groups[index].verdicts[row].answer] for index in shown)
        yield f"  {title:{width}}  {''.join(f'{word:4}' for word in words)}".rstrip()


def _title(column: Column) -> str:
    named = f"{column.consumer.title} {column.title}".rstrip()
    way = column.consumer.ways[column.way].title
    return f"{named}, {way}" if way else named


def _reasons(view: ConsumersView, column: int) -> Iterator[str]:
    """Yield why groups are not handled, each reason once, and what a consumer needs."""
    verdicts = [group.verdicts[column] for group in view.groups]
    release = view.columns[column].release
    if release is not None and release.needs and any(each.answer for each in verdicts):
        yield from wrapped("    needs ", release.needs)
    told: dict[tuple[str, ...], list[int]] = {}
    for index, verdict in enumerate(verdicts):
        for reason in verdict.reasons:
            told.setdefault(tuple(_words(reason)), []).append(index)
    for lines, groups in told.items():
        yield from wrapped("    ", f"{_subject(groups, verdicts)}{lines[0]}")
        for line in lines[1:]:
            yield from wrapped("      ", line)
    yield from _ways(view.columns[column], verdicts)


def _words(reason: Reason) -> Iterator[str]:
    parts = f"{', '.join(reason.parts)}: " if reason.parts else ""
    yield f"{parts}{reason.words}"
    if reason.says:
        yield f"it says: {reason.says}"
    if reason.rewrite:
        yield f"instead: {reason.rewrite}"


def _ways(column: Column, verdicts: Sequence[Usable]) -> Iterator[str]:
    """Yield the ways of the consumer that handle what this one does not."""
    told: dict[tuple[str, ...], list[int]] = {}
    for index, verdict in enumerate(verdicts):
        if verdict.ways:
            told.setdefault(verdict.ways, []).append(index)
    for ways, groups in told.items():
        titles = " or ".join(column.consumer.ways[way].title or way for way in ways)
        yield from wrapped("    ", f"{_subject(groups, verdicts)}what works: {titles}")


def _subject(groups: Sequence[int], verdicts: Sequence[Usable]) -> str:
    """Name the groups of which something is said; nothing where it is all of them."""
    return "" if len(groups) == len(verdicts) else f"{', '.join(map(_letter, groups))}: "
