"""`validate` for people: findings of several versions as one, a table, and what was checked.

In: the outcomes of all objects, by Kubernetes minor. Out: diagnostics and texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from neuron_dra.admission.run import ACCEPTED, DROPPED, REFUSED, UNCHECKED, Outcome, describe
from neuron_dra.diagnostics import Diagnostic, Severity

_WORDS = {
    ACCEPTED: "accepted",
    REFUSED: "refused",
    DROPPED: "losing fields",
    UNCHECKED: "not checked",
}
_SHOWN_FIELDS = 2


def merge_diagnostics(runs: Mapping[str, Sequence[Outcome]]) -> list[Diagnostic]:
    """Return what is told of all versions, notes left out; what several say alike is told once."""
    first: dict[tuple[object, ...], Diagnostic] = {}
    others: dict[tuple[object, ...], list[str]] = {}
    for minor, outcomes in runs.items():
        for each in (told for outcome in outcomes for told in outcome.diagnostics):
            key = (each.code.id, each.span.sort_key(), each.subject, _gist_of(each, minor))
            if each.severity is Severity.NOTE:
                continue
            if key not in first:
                first[key], others[key] = each, []
            elif minor not in others[key] and each is not first[key]:
                others[key].append(minor)
    return [_say_where(each, others[key], len(runs)) for key, each in first.items()]


def _gist_of(told: Diagnostic, minor: str) -> str:
    """Return what a message is about, which may be put in other words for another minor."""
    return told.message.replace(f"Kubernetes {minor}", "").partition("`: ")[0]


def _say_where(told: Diagnostic, others: Sequence[str], count: int) -> Diagnostic:
    if count == 1 or not others:
        return told
    return replace(told, message=f"{told.message} (the same in {', '.join(others)})")


def tabulate(runs: Mapping[str, Sequence[Outcome]]) -> str:
    """Return a table of objects and versions."""
    columns = list(runs)
    rows = [
        [
            str(outcomes[0].manifest.place("")),
            describe(outcomes[0].manifest),
            *map(_tell_cell, outcomes),
        ]
        for outcomes in zip(*runs.values(), strict=True)
    ]
    table = [["PLACE", "OBJECT", *columns], *rows]
    widths = [max(len(row[index]) for row in table) for index in range(len(table[0]))]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    )
    return "\n".join(lines) + "\n\n"


def _tell_cell(outcome: Outcome) -> str:
    if outcome.word != DROPPED:
        return outcome.word if outcome.served else f"{outcome.word}, off"
    names = sorted({each.field.rpartition(".")[2] for each in outcome.verdict.dropped})
    rest = ", ..." if len(names) > _SHOWN_FIELDS else ""
    return f"drops {', '.join(names[:_SHOWN_FIELDS])}{rest}"


def summarize(minor: str, outcomes: Sequence[Outcome]) -> str:
    """Return how many objects are refused, and which were checked how far."""
    counts = Counter(outcome.word for outcome in outcomes)
    words = ", ".join(f"{counts[word]} {text}" for word, text in _WORDS.items() if counts[word])
    lines = [f"Kubernetes {minor}: {_plural(len(outcomes), 'object')}: {words or 'nothing'}"]
    for title, is_so in _EXTENTS:
        kinds = Counter(_name_of(outcome) for outcome in outcomes if is_so(outcome))
        if kinds:
            lines.append(f"  {title}: {_join(kinds)}")
    return "\n".join(lines) + "\n"


_EXTENTS: Sequence[tuple[str, Callable[[Outcome], bool]]] = (
    ("checked by all rules", lambda each: each.in_full and bool(each.manifest.kind)),
    ("not readable", lambda each: each.in_full and not each.manifest.kind),
    (
        "checked by schema, metadata and claims only",
        lambda each: not each.in_full and each.word != UNCHECKED,
    ),
    ("not checked", lambda each: each.word == UNCHECKED),
)


def _name_of(outcome: Outcome) -> str:
    manifest = outcome.manifest
    if outcome.word != UNCHECKED:
        return manifest.kind or "document"
    return f"{manifest.kind} ({manifest.api_version})"


def _join(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds))


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
