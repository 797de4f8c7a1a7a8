"""The workflow commands that GitHub Actions turns into annotations."""

from __future__ import annotations

from neuron_dra.diagnostics import Code, Related, Severity
from neuron_dra.diagnostics.render import render
from neuron_dra.source import Source, Span

BAD = Code("ND2001", "unknown-key", Severity.ERROR, "A key is not part of the language.")
ODD = Code("ND5001", "odd-thing", Severity.WARNING, "A thing is odd.")
HINT = Code("ND5002", "hint", Severity.NOTE, "Something to know.")


def test_command():
    """A diagnostic is one line with its place, its title and its message."""
    source = Source("specs/fleet.yaml", b"spec:\n  regoin: x\n")

    assert render([BAD.at(Span(source, 1, 2, 1, 8), "unknown key `regoin`")], "github") == (
        "::error file=specs/fleet.yaml,line=2,col=3,endLine=2,endColumn=9,"
        "title=ND2001 unknown-key::unknown key `regoin`\n"
    )


def test_severities():
    """GitHub's word for a note is notice."""
    source = Source("a", b"x\n")
    found = [code.at(Span.of_file(source), "odd") for code in (BAD, ODD, HINT)]
    lines = render(found, "github").splitlines()

    assert [line.split()[0] for line in lines] == ["::error", "::warning", "::notice"]


def test_several_lines():
    """A span of several lines has no columns, which GitHub would refuse."""
    source = Source("a", b"{\n}\n")

    assert "::error file=a,line=1,endLine=2,title=" in render(
        [BAD.at(Span(source, 0, 0, 1, 1), "bad")], "github"
    )


def test_escapes():
    """Nothing in a path or message ends the command or begins another."""
    source = Source("a,b:100%\n::error::.yaml", b"x\n")
    text = render([BAD.at(Span.of_file(source), "50% of: a,b\r\n::error::\x1b[0m")], "github")

    assert text == (
        "::error file=a%2Cb%3A100%25 %3A%3Aerror%3A%3A.yaml,line=1,col=1,endLine=1,endColumn=1,"
        "title=ND2001 unknown-key::50%25 of: a,b ::error::␛[0m\n"
    )


def test_further_lines():
    """Label, related places, object and help follow the message, on lines of their own."""
    source = Source("a.yaml", b"x\ny\n")
    found = BAD.at(
        Span(source, 1, 0, 1, 1),
        "bad",
        label="here",
        related=[Related(Span(source, 0, 0, 0, 1), "first")],
        subject="Cluster prod",
        help="one\ntwo",
    )

    assert render([found], "github").partition("unknown-key::")[2] == (
        "bad%0Ahere%0Aa.yaml:1:1: first%0Aobject: Cluster prod%0Ahelp: one%0Atwo\n"
    )


def test_no_diagnostics():
    """Nothing is written about nothing."""
    assert render([], "github") == ""
