"""Diagnostics as a Code Quality report of GitLab.

In: diagnostics. Out: one JSON list, an item each. Paths are as the user gave them, so the job has
to run at the repository's root.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from neuron_dra.diagnostics import Diagnostic, Severity
from neuron_dra.diagnostics.fingerprint import fingerprint_all
from neuron_dra.diagnostics.render.visible import show_words

# The words are GitLab's: info, minor, major, critical, blocker.
_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:  # noqa: ARG001 -- JSON has no colours
    """Return the diagnostics as a Code Quality report."""
    items = [_describe(each, fingerprint) for each, fingerprint in fingerprint_all(diagnostics)]
    return json.dumps(items, indent=2) + "\n"


def _describe(diagnostic: Diagnostic, fingerprint: str) -> dict[str, Any]:
    span, code = diagnostic.span, diagnostic.code
    return {
        "description": show_words(f"{code.id} {code.slug}: {diagnostic.message}"),
        "check_name": code.slug,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {
            "path": show_words(span.path),
            "lines": {"begin": span.line + 1, "end": span.end_line + 1},
        },
    }
