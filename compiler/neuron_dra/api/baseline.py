"""The warnings that a fleet already has: known, and not told again.

In: a baseline as `check --update-baseline` writes it, and findings. Out: those that it does not
know, and what is wrong with it; or its text. Holds warnings only: an error is always told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from neuron_dra.diagnostics import Diagnostic, Severity
from neuron_dra.diagnostics.codes import settings as codes
from neuron_dra.diagnostics.fingerprint import fingerprint_all
from neuron_dra.source import Source, Span

SCHEMA_VERSION = 1
_FINDINGS, _FINGERPRINT = "findings", "fingerprint"


def write_baseline(found: Iterable[Diagnostic]) -> str:
    """Return the text of a baseline that knows all warnings that were found."""
    entries = [
        {
            "code": diagnostic.code.id,
            "slug": diagnostic.code.slug,
            "path": diagnostic.span.path,
            _FINGERPRINT: fingerprint,
        }
        for diagnostic, fingerprint in fingerprint_all(found)
        if diagnostic.severity is Severity.WARNING
    ]
    entries.sort(key=lambda entry: (entry["path"], entry["code"], entry[_FINGERPRINT]))
    return json.dumps({"schemaVersion": SCHEMA_VERSION, _FINDINGS: entries}, indent=2) + "\n"


def leave_known(
    found: Sequence[Diagnostic], baseline: Source, *, is_complete: bool
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the findings that a baseline does not know, and what is wrong with it.

    Args:
        is_complete: whether everything was looked for, so that an entry which matches nothing is
            of no use.
    """
    try:
        entries = list(_read_entries(json.loads(baseline.data)))
    except (ValueError, TypeError, KeyError, RecursionError):
        problem = codes.INVALID_BASELINE.at(
            Span.of_file(baseline),
            f"the file is no baseline of schemaVersion {SCHEMA_VERSION}",
            help="write it with `--update-baseline`",
        )
        return list(found), [problem]
    known = {fingerprint for _, fingerprint in entries}
    named = fingerprint_all(found)
    warnings = {name for each, name in named if each.severity is Severity.WARNING}
    left = [each for each, name in named if name not in known & warnings]
    stale = [entry for entry in entries if entry[1] not in warnings] if is_complete else []
    return left, [_describe_stale(baseline, *entry) for entry in stale]


def _read_entries(data: Any) -> Iterator[tuple[str, str]]:
    """Yield what each entry is about, and its fingerprint."""
    if data["schemaVersion"] != SCHEMA_VERSION:
        raise ValueError("another version")
    for entry in data[_FINDINGS]:
        words = [entry["slug"], entry["path"], entry[_FINGERPRINT]]
        if not all(isinstance(word, str) for word in words):
            raise TypeError("not a text")
        yield f"`{words[0]}` in {words[1]}", words[2]


def _describe_stale(baseline: Source, about: str, fingerprint: str) -> Diagnostic:
    lines = baseline.data.decode("utf-8").splitlines()
    found = ((number, line.find(fingerprint)) for number, line in enumerate(lines))
    line, column = next(((n, column) for n, column in found if column >= 0), (0, 0))
    return codes.STALE_BASELINE.at(
        Span(baseline, line, column, line, column + len(fingerprint)),
        f"nothing is {about} with this fingerprint",
        help="run `--update-baseline`",
    )
