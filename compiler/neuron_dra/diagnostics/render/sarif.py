"""Diagnostics as SARIF 2.1.0, for code scanning.

In: diagnostics. Out: one log with one run: the rules that occur, with their pages, and a result for
each diagnostic. Paths are as the user gave them, so the job has to run at the repository's root.
Columns count code points, and lines end where YAML 1.1 ends them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from neuron_dra import __version__
from neuron_dra.diagnostics import Code, Diagnostic, Edit
from neuron_dra.diagnostics.fingerprint import fingerprint_all
from neuron_dra.diagnostics.pages import load_page
from neuron_dra.diagnostics.render.visible import show_words
from neuron_dra.source import Span

# The errata edition of the standard, 2023-08-28.
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "neuronDra/v1"


def render(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:  # noqa: ARG001 -- JSON has no colours
    """Return the diagnostics as a SARIF log."""
    found = fingerprint_all(diagnostics)
    codes = {each.code.id: each.code for each, _ in found}
    rules = [codes[code_id] for code_id in sorted(codes)]
    numbers = {code.id: number for number, code in enumerate(rules)}
    run = {
        "tool": {"driver": _describe_tool(rules)},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r", "\x85", "\u2028", "\u2029"],
        "results": [_describe(each, numbers[each.code.id], name) for each, name in found],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _describe_tool(rules: Sequence[Code]) -> dict[str, Any]:
    return {
        "name": "neuron-dra",
        "version": __version__,
        "rules": [_describe_rule(code) for code in rules],
    }


def _describe_rule(code: Code) -> dict[str, Any]:
    page = load_page(code.id)
    return {
        "id": code.id,
        "name": code.slug,
        "shortDescription": {"text": code.summary},
        "defaultConfiguration": {"level": code.severity.word},
        "help": {"text": page, "markdown": page},
    }


def _describe(diagnostic: Diagnostic, rule: int, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code.id,
        "ruleIndex": rule,
        "level": diagnostic.severity.word,
        "message": {"text": _join_words(diagnostic)},
        "locations": [_locate(diagnostic.span)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if diagnostic.subject:
        name = show_words(diagnostic.subject)
        result["locations"][0]["logicalLocations"] = [{"fullyQualifiedName": name}]
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, **_locate(related.span), "message": _text(related.message)}
            for number, related in enumerate(diagnostic.related)
        ]
    if diagnostic.edits:
        result["fixes"] = [_describe_fix(diagnostic.edits)]
    return result


def _join_words(diagnostic: Diagnostic) -> str:
    lines = [diagnostic.message, diagnostic.label]
    if diagnostic.help:
        lines += f"help: {diagnostic.help}".split("\n")
    return "\n".join(show_words(line) for line in lines if line)


def _text(text: str) -> dict[str, str]:
    return {"text": show_words(text)}


def _locate(span: Span) -> dict[str, Any]:
    place = {"artifactLocation": _name_file(span), "region": _region(span)}
    return {"physicalLocation": place}


def _name_file(span: Span) -> dict[str, str]:
    """Return the path as a URI reference; no part of it can be taken for a scheme."""
    path = quote(span.path.encode("utf-8", "surrogateescape"))
    return {"uri": f"file://{path}" if path.startswith("/") else path}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line + 1,
        "startColumn": span.column + 1,
        "endLine": span.end_line + 1,
        "endColumn": span.end_column + 1,
    }


def _describe_fix(edits: Iterable[Edit]) -> dict[str, Any]:
    """Return one fix with the changes of each file."""
    by_path: dict[str, list[Edit]] = {}
    for edit in sorted(edits, key=lambda each: each.span.sort_key()):
        by_path.setdefault(edit.span.path, []).append(edit)
    changes = [
        {
            "artifactLocation": _name_file(group[0].span),
            "replacements": [
                {
                    "deletedRegion": _region(edit.span),
                    "insertedContent": {"text": edit.replacement},
                }
                for edit in group
            ],
        }
        for group in by_path.values()
    ]
    return {"description": {"text": "apply the edits"}, "artifactChanges": changes}
