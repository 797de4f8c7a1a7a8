"""Diagnostics as workflow commands of GitHub Actions: annotations on the lines of a pull request.

In: diagnostics. Out: one `::error …::` line each. Paths are as the user gave them, so the job has
to run at the repository's root. Gives no summary: GitHub counts annotations itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from neuron_dra.diagnostics import Diagnostic, Severity, in_order
from neuron_dra.diagnostics.render.visible import show_words

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:  # noqa: ARG001 -- GitHub colours them
    """Return the diagnostics as workflow commands."""
    return "".join(f"{_draw_command(diagnostic)}\n" for diagnostic in in_order(diagnostics))


def _draw_command(diagnostic: Diagnostic) -> str:
    properties = ",".join(
        f"{name}={_escape_property(show_words(str(value)))}"
        for name, value in _list_properties(diagnostic).items()
    )
    message = _escape("\n".join(show_words(line) for line in _list_lines(diagnostic)))
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{message}"


def _list_properties(diagnostic: Diagnostic) -> dict[str, str | int]:
    span, code = diagnostic.span, diagnostic.code
    properties: dict[str, str | int] = {"file": span.path, "line": span.line + 1}
    if span.line == span.end_line:
        properties |= {
            "col": span.column + 1,
            "endLine": span.end_line + 1,
            "endColumn": span.end_column + 1,
        }
    else:  # columns cannot be given for several lines: actions/toolkit, AnnotationProperties
        properties["endLine"] = span.end_line + 1
    return properties | {"title": f"{code.id} {code.slug}"}


def _list_lines(diagnostic: Diagnostic) -> list[str]:
    lines = [diagnostic.message]
    if diagnostic.label:
        lines.append(diagnostic.label)
    lines += [f"{related.span}: {related.message}" for related in diagnostic.related]
    if diagnostic.subject:
        lines.append(f"object: {diagnostic.subject}")
    if diagnostic.help:
        lines += f"help: {diagnostic.help}".split("\n")
    return lines


def _escape(text: str) -> str:
    """Escape the message of a command (actions/toolkit, packages/core/src/command.ts)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
