"""Diagnostics as a JUnit report, for CI systems that show tests.

In: diagnostics. Out: one test suite with a test case each, in the class of its file. An error is a
failed test; a warning or a note is a skipped one, since it does not stop the compiler. Whether a
job fails is the exit code's to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from neuron_dra.diagnostics import Diagnostic, Severity, in_order
from neuron_dra.diagnostics.render.summary import count_by_severity
from neuron_dra.diagnostics.render.visible import show_words


def render(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:  # noqa: ARG001 -- XML has no colours
    """Return the diagnostics as a JUnit report."""
    ordered = in_order(diagnostics)
    failures = count_by_severity(ordered)[Severity.ERROR]
    counts = f'tests="{len(ordered)}" failures="{failures}" errors="0"'
    suite = f'<testsuite name="neuron-dra" {counts} skipped="{len(ordered) - failures}">'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {counts}>",
        f"  {suite}",
        *map(_draw_case, ordered),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _draw_case(diagnostic: Diagnostic) -> str:
    span, code = diagnostic.span, diagnostic.code
    name = f"{code.id} {code.slug} at {span.line + 1}:{span.column + 1}"
    head = (
        f"    <testcase classname={_quote(span.path)} name={_quote(name)}"
        f' file={_quote(span.path)} line="{span.line + 1}">'
    )
    return f"{head}\n{_draw_outcome(diagnostic)}\n    </testcase>"


def _draw_outcome(diagnostic: Diagnostic) -> str:
    message, word = _quote(diagnostic.message), diagnostic.severity.word
    if diagnostic.severity is not Severity.ERROR:
        return f"      <skipped message={_quote(f'{word}: {diagnostic.message}')}/>"
    body = escape("\n".join(map(show_words, _list_lines(diagnostic))))
    return f'      <failure type="{word}" message={message}>{body}</failure>'


def _list_lines(diagnostic: Diagnostic) -> list[str]:
    lines = [f"{diagnostic.span}: {diagnostic.message}"]
    lines += [diagnostic.label] if diagnostic.label else []
    lines += [f"{related.span}: {related.message}" for related in diagnostic.related]
    lines += [f"object: {diagnostic.subject}"] if diagnostic.subject else []
    return lines + (f"help: {diagnostic.help}".split("\n") if diagnostic.help else [])


def _quote(text: str) -> str:
    """Return a text as the value of an attribute, without what XML cannot hold."""
    return quoteattr(show_words(text))
