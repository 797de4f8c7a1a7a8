"""A review for programs.

In: a review and diagnostics. Out: one JSON object with `schemaVersion`. Every key is always there,
but for `changes`, which `--stat` leaves out. `{cluster}` in a name or value stands for the name of
each of the change's clusters.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.render.json import to_data
from neuron_dra.review.change import ChangeGroup, FieldChange, Review
from neuron_dra.review.render import Layout
from neuron_dra.review.render.words import count_kinds

SCHEMA_VERSION = 1


def render(review: Review, diagnostics: Sequence[Diagnostic], layout: Layout) -> str:
    """Return a review as a JSON object."""
    document: dict[str, Any] = {
        "schemaVersion": SCHEMA_VERSION,
        "counts": {
            kind.value: {"changes": count.groups, "objects": count.objects}
            for kind, count in review.counts.items()
        },
        "kinds": {
            name: {kind.value: number for kind, number in sorted(counter.items(), key=_by_rank)}
            for name, counter in count_kinds(review).items()
        },
        "clusters": list(review.clusters),
    }
    if not layout.stat:
        document["changes"] = [_describe_group(group) for group in review.groups]
    return json.dumps(document | to_data(diagnostics), indent=2) + "\n"


def _by_rank(item: tuple[Any, int]) -> int:
    rank: int = item[0].rank
    return rank


def _describe_group(group: ChangeGroup) -> dict[str, Any]:
    change = group.change
    return {
        "change": change.kind.value,
        "apiGroup": change.identity.group,
        "kind": change.identity.kind,
        "name": change.identity.name,
        "oldName": change.old_name,
        "places": [
            {name: list(each) for name, each in place._asdict().items()} for place in group.places
        ],
        "wholeClusters": group.whole_clusters,
        "objects": group.objects,
        "immutable": change.immutable,
        "documents": list(change.documents),
        "fields": [_describe_field(each) for each in change.fields],
    }


def _describe_field(field: FieldChange) -> dict[str, Any]:
    return {"path": field.path, "change": field.kind.value, "old": field.old, "new": field.new}
