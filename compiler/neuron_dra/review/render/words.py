"""What the formats for people have in common: counts, signs, places and values in words.

In: a review, a group, a value. Out: phrases in plain characters, where names go through a function
that makes them safe for the format. Breaks no lines.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from neuron_dra.diagnostics import Diagnostic, Severity
from neuron_dra.review.change import ChangeGroup, ChangeKind, Place, Review

Quote = Callable[[str], str]

SIGNS = {
    ChangeKind.ADDED: "+",
    ChangeKind.CHANGED: "~",
    ChangeKind.REPLACED: "±",
    ChangeKind.RENAMED: ">",
    ChangeKind.REMOVED: "-",
}
ARGO_CD = "argoproj.io"
NO_CHANGES = "no changes"
# Names that are written out; more are counted, and JSON has them all.
NAMED = 8
_ALWAYS_COUNTED = frozenset(
    {ChangeKind.ADDED, ChangeKind.CHANGED, ChangeKind.REPLACED, ChangeKind.REMOVED}
)


def summarize(review: Review) -> str:
    """Return a line like `3 added, 1 changed, 2 replaced, 0 removed in 250 clusters`."""
    counts = review.counts
    changes = sum(count.groups for count in counts.values())
    if not changes:
        return NO_CHANGES
    parts = ", ".join(
        f"{counts[kind].groups} {kind.value}"
        for kind in SIGNS
        if counts[kind].groups or kind in _ALWAYS_COUNTED
    )
    clusters = len(review.clusters)
    where = f" in {count(clusters, 'cluster')}" if clusters else ""
    objects = sum(each.objects for each in counts.values())
    return f"{parts}{where}" + (f" ({count(objects, 'object')})" if objects != changes else "")


def describe_gaps(diagnostics: Sequence[Diagnostic]) -> str:
    """Return a sentence about what could not be compared, or an empty text."""
    errors = sum(each.severity is Severity.ERROR for each in diagnostics)
    if not errors:
        return ""
    return f"incomplete: {count(errors, 'error')}; what is broken may show as removed or added"


def count_kinds(review: Review) -> dict[str, Counter[ChangeKind]]:
    """Return how many objects of every kind changed, by what happened, sorted by kind."""
    kinds: dict[str, Counter[ChangeKind]] = {}
    for group in review.groups:
        change = group.change
        kinds.setdefault(change.identity.kind, Counter())[change.kind] += group.objects
    return dict(sorted(kinds.items()))


def describe_counter(counter: Counter[ChangeKind]) -> str:
    """Return a phrase like `2 added, 1 changed`."""
    return ", ".join(f"{counter[kind]:,} {kind.value}" for kind in SIGNS if counter[kind])


def describe_name(group: ChangeGroup, quote: Quote) -> str:
    """Return kind and name of what changed, and the name that it had."""
    change = group.change
    names = [change.old_name, change.identity.name] if change.old_name else [change.identity.name]
    return f"{quote(change.identity.kind)} {' → '.join(quote(name) for name in names)}"


def describe_places(group: ChangeGroup, quote: Quote) -> list[str]:
    """Return the places of a group in words, a phrase each; those beyond a few are counted."""
    # An object of Argo CD stands in its own namespace, wherever that is.
    link = "for" if group.change.identity.group == ARGO_CD else "of"
    shown = group.places if len(group.places) <= NAMED else group.places[: NAMED - 1]
    phrases = [_describe_place(place, link, quote) for place in shown]
    rest = group.places[len(shown) :]
    if rest:
        objects = count(sum(place.objects for place in rest), "object")
        phrases.append(f"and in {count(len(rest), 'more place')} ({objects})")
    return phrases


def _describe_place(place: Place, link: str, quote: Quote) -> str:
    spaces = list_names(place.namespaces, quote)
    if not place.clusters:
        return f"in {spaces}, shared by clusters" if spaces else "shared by clusters"
    total = len(place.clusters)
    if total == 1:
        where = f"cluster {quote(place.clusters[0])}"
    elif total <= NAMED:
        where = f"{total} clusters: {list_names(place.clusters, quote)}"
    else:
        where = f"{total:,} clusters"
    where = f"in {spaces} {link} {where}" if spaces else f"in {where}"
    if not place.exceptions:
        return where
    if len(place.exceptions) > max(1, min(total, NAMED)):
        return f"{where}; not in {len(place.exceptions):,} others"
    return f"{where}; not in {list_names(place.exceptions, quote)}"


def list_names(names: Sequence[str], quote: Quote) -> str:
    """Return names in words; those beyond a few are counted."""
    shown = names if len(names) <= NAMED else names[: NAMED - 1]
    text = ", ".join(map(quote, shown))
    return text if len(shown) == len(names) else f"{text} and {len(names) - len(shown):,} more"


def split_whole(review: Review) -> tuple[list[ChangeGroup], list[ChangeGroup]]:
    """Return the groups inside clusters of both sides, and those of whole clusters."""
    inside = [group for group in review.groups if not group.whole_clusters]
    return inside, [group for group in review.groups if group.whole_clusters]


def describe_whole(groups: Iterable[ChangeGroup], quote: Quote) -> Iterator[tuple[ChangeKind, str]]:
    """Yield a line about the clusters that were removed, and one about those that were added."""
    groups = list(groups)
    for kind in (ChangeKind.REMOVED, ChangeKind.ADDED):
        found = [group for group in groups if group.change.kind is kind]
        names = sorted({name for group in found for name in group.clusters})
        if names:
            noun = "cluster" if len(names) == 1 else f"{len(names):,} clusters"
            objects = count(sum(group.objects for group in found), "object")
            yield kind, f"{noun} {list_names(names, quote)} {kind.value} with {objects}"


def count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def to_text(value: Any) -> str:
    """Return a value in one line, as JSON: a text and a number cannot be taken for each other."""
    return json.dumps(value, ensure_ascii=False)
