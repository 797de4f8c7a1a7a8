"""Where verbs write, and what their exit code follows from."""

from __future__ import annotations

import io
import sys

import pytest

from neuron_dra.commands.output import decide_exit, report, tell, wants_color, write
from neuron_dra.diagnostics import Code, Severity
from neuron_dra.source import FatalError, Source, Span

SPAN = Span.of_file(Source("a.yaml", b"a: 1\n"))
BAD = Code("ND2001", "unknown-key", Severity.ERROR, "").at(SPAN, "bad")
ODD = Code("ND5001", "odd-thing", Severity.WARNING, "").at(SPAN, "odd")
HINT = Code("ND5002", "hint", Severity.NOTE, "").at(SPAN, "hint")


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Broken(io.StringIO):
    def __init__(self, error):
        super().__init__()
        self.error = error

    def write(self, text):
        raise self.error


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch):
    for name in ("CI", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_streams(capsys):
    """Results go to stdout, messages to stderr."""
    write("result\n")
    tell("message\n")

    assert capsys.readouterr() == ("result\n", "message\n")


def test_report_text(capsys):
    """Text about diagnostics leaves stdout to the result."""
    report([BAD])

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error[ND2001 unknown-key]: bad\n --> a.yaml:1:1\n")


@pytest.mark.parametrize("name", ["json", "github", "gitlab", "junit", "sarif"])
def test_report_to_programs(capsys, name):
    """Diagnostics for programs are the result."""
    report([BAD], format_name=name)

    out, err = capsys.readouterr()
    assert "ND2001" in out
    assert err == ""


def test_report_in_color(capsys):
    """Colours can be forced into a pipe."""
    report([BAD], color="always")

    assert "\x1b[1;31m" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("diagnostics", "fail_on", "code"),
    [
        ([], "error", 0),
        ([ODD, HINT], "error", 0),
        ([HINT, BAD], "error", 1),
        ([HINT], "warning", 0),
        ([HINT, ODD], "warning", 1),
        ([BAD], "warning", 1),
    ],
)
def test_decide_exit(diagnostics, fail_on, code):
    """A warning fails only where warnings are asked to."""
    assert decide_exit(diagnostics, fail_on) == code


@pytest.mark.parametrize(
    ("color", "stream", "environment", "wanted"),
    [
        ("auto", Terminal(), {}, True),
        ("auto", io.StringIO(), {}, False),
        ("auto", Terminal(), {"NO_COLOR": "1"}, False),
        ("auto", Terminal(), {"NO_COLOR": ""}, True),
        ("auto", Terminal(), {"CI": "true"}, False),
        ("auto", Terminal(), {"CI": "false"}, True),
        ("auto", Terminal(), {"TERM": "dumb"}, False),
        ("always", io.StringIO(), {"NO_COLOR": "1", "CI": "true"}, True),
        ("never", Terminal(), {}, False),
    ],
)
def test_wants_color(monkeypatch, color, stream, environment, wanted):
    """Colours need a terminal and nobody against them, unless the option says otherwise."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert wants_color(color, stream) is wanted


def test_narrow_encoding(monkeypatch):
    """What the stream's encoding lacks is escaped instead of failing."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    write("ü日\n")

    assert raw.getvalue() == b"\\xfc\\u65e5\n"


def test_full_disk(monkeypatch):
    """A stream that cannot be written is a fault of the world outside."""
    monkeypatch.setattr(sys, "stdout", Broken(OSError(28, "No space left on device")))

    with pytest.raises(FatalError, match="cannot write the output: No space left on device"):
        write("result")


def test_reader_gone(monkeypatch):
    """A reader that has gone is no fault, so the caller is told in its own way."""
    monkeypatch.setattr(sys, "stdout", Broken(BrokenPipeError(32, "Broken pipe")))

    with pytest.raises(BrokenPipeError):
        write("result")
