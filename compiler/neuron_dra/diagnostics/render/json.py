"""Diagnostics for programs.

In: diagnostics. Out: one JSON object with `schemaVersion`, `diagnostics` and `summary`. Lines and
columns count from one, in characters; an end is exclusive. Every key is always there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from neuron_dra.diagnostics import Diagnostic, in_order
from neuron_dra.diagnostics.render.summary import count_by_severity
from neuron_dra.source import Span

SCHEMA_VERSION = 1


def render(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:  # noqa: ARG001 -- JSON has no colours
    """Return the diagnostics as a JSON object."""
    document = {"schemaVersion": SCHEMA_VERSION, **to_data(diagnostics)}
    return json.dumps(document, indent=2) + "\n"


def to_data(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """Return `diagnostics` and `summary`, for a document that holds more than them."""
    ordered = in_order(diagnostics)
    counts = count_by_severity(ordered)
    return {
        "diagnostics": [_describe(diagnostic) for diagnostic in ordered],
        "summary": {f"{severity.word}s": count for severity, count in counts.items()},
    }


def _describe(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code.id,
        "slug": diagnostic.code.slug,
        "severity": diagnostic.severity.word,
        "message": diagnostic.message,
        **_locate(diagnostic.span),
        "label": diagnostic.label,
        "help": diagnostic.help,
        "object": diagnostic.subject,
        "related": [
            {"message": related.message, **_locate(related.span)} for related in diagnostic.related
        ],
        "edits": [
            {"replacement": edit.replacement, **_locate(edit.span)} for edit in diagnostic.edits
        ],
    }


def _locate(span: Span) -> dict[str, Any]:
    return {
        "path": span.path,
        "line": span.line + 1,
        "column": span.column + 1,
        "endLine": span.end_line + 1,
        "endColumn": span.end_column + 1,
    }
