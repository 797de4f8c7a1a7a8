"""How verbs write: results to stdout, diagnostics to stderr, and the exit code of both.

In: finished texts and diagnostics. Out: text on a stream. Formats nothing itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from neuron_dra.diagnostics import Diagnostic, Severity
from neuron_dra.diagnostics.render import render
from neuron_dra.source import FatalError


def write(text: str) -> None:
    """Write a result to stdout."""
    _write(sys.stdout, text)


def tell(text: str) -> None:
    """Write a message about the run to stderr."""
    _write(sys.stderr, text)


def report(
    diagnostics: Iterable[Diagnostic], *, format_name: str = "text", color: str = "auto"
) -> None:
    """Write diagnostics: as text to stderr; a format for programs is a result, so to stdout."""
    stream = sys.stderr if format_name == "text" else sys.stdout
    _write(stream, render(diagnostics, format_name, color=wants_color(color, stream)))


def decide_exit(diagnostics: Iterable[Diagnostic], fail_on: str = "error") -> int:
    """Return 1 if any diagnostic is at least as bad as `fail_on`, else 0."""
    limit = Severity[fail_on.upper()]
    return int(any(diagnostic.severity <= limit for diagnostic in diagnostics))


def wants_color(color: str, stream: TextIO) -> bool:
    """Decide `auto`: only on a terminal, and not where NO_COLOR or CI ask for plain text."""
    if color != "auto":
        return color == "always"
    plain = os.environ.get("NO_COLOR") or os.environ.get("CI", "") not in ("", "0", "false")
    return not plain and os.environ.get("TERM") != "dumb" and stream.isatty()


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(_encodable(text, stream))
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FatalError(f"cannot write the output: {error.strerror}") from None


def _encodable(text: str, stream: TextIO) -> str:
    """Return the text with the characters escaped that the stream's encoding lacks."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
