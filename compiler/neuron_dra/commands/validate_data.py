"""`validate` for programs: one JSON object.

In: the outcomes of all objects, by Kubernetes minor. Out: text. Causes are named as in the status
of the API server; what its decoder refuses has problems instead of causes. Lines and columns count
from one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from neuron_dra.admission.run import REFUSED, UNCHECKED, Outcome, place_of_cause
from neuron_dra.diagnostics.render.json import SCHEMA_VERSION
from neuron_dra.source import Span


def describe_runs(runs: Mapping[str, Sequence[Outcome]], *, all_versions: bool) -> str:
    """Return the outcomes as JSON; of several versions, each object names its own."""
    document: dict[str, Any] = {"schemaVersion": SCHEMA_VERSION}
    if not all_versions:
        document["kubernetes"] = next(iter(runs))
    document["objects"] = [
        {**({"kubernetes": minor} if all_versions else {}), **_describe(outcome)}
        for minor, outcomes in runs.items()
        for outcome in outcomes
    ]
    return json.dumps(document, indent=2) + "\n"


def _describe(outcome: Outcome) -> dict[str, Any]:
    manifest, verdict = outcome.manifest, outcome.verdict
    is_refused = outcome.word == REFUSED
    return {
        "file": manifest.source.path,
        **_locate(manifest.place("")),
        "apiVersion": manifest.api_version,
        "kind": manifest.kind,
        "namespace": manifest.namespace,
        "name": manifest.name,
        "verdict": outcome.word,
        "causes": [
            {**cause._asdict(), **_locate(place_of_cause(manifest, cause.field))}
            for cause in verdict.causes
        ],
        "dropped": [] if is_refused else [each.field for each in verdict.dropped],
        "problems": _describe_problems(outcome),
        "findings": [
            {"code": each.code.id, "message": each.message, **_locate(each.span)}
            for each in outcome.beside
        ],
        "served": outcome.served,
        "checked": _extent_of(outcome),
    }


def _describe_problems(outcome: Outcome) -> list[dict[str, Any]]:
    """Return what the decoder, or the reader of YAML before it, does not take."""
    manifest = outcome.manifest
    unread = [
        {"field": "", "detail": each.message, **_locate(each.span)} for each in manifest.problems
    ]
    return unread + [
        {
            "field": each.field,
            "detail": each.message,
            **_locate(manifest.place(each.field, at_key=each.at_key)),
        }
        for each in outcome.verdict.problems
    ]


def _extent_of(outcome: Outcome) -> str:
    if outcome.word == UNCHECKED:
        return "nothing"
    return "rules" if outcome.in_full else "schema"


def _locate(span: Span) -> dict[str, int]:
    return {"line": span.line + 1, "column": span.column + 1}
