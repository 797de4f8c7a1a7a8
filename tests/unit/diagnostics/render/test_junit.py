"""JUnit reports."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from neuron_dra.diagnostics import Code, Related, Severity
from neuron_dra.diagnostics.render import render
from neuron_dra.source import Source, Span

BAD = Code("ND2001", "unknown-key", Severity.ERROR, "A key is not part of the language.")
ODD = Code("ND5001", "odd-thing", Severity.WARNING, "A thing is odd.")
HINT = Code("ND5002", "hint", Severity.NOTE, "Something to know.")
SOURCE = Source("specs/fleet.yaml", b"spec:\n  regoin: x\n")


def suite_of(*found):
    root = ET.fromstring(render(found, "junit").encode())
    assert root.tag == "testsuites"
    [suite] = root
    assert suite.tag == "testsuite"
    assert int(suite.get("tests")) == len(suite)
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped"))
    assert root.get("failures") == suite.get("failures")
    return suite


def test_failure():
    """An error is a failed test case of its file, with all that is told of it."""
    found = BAD.at(
        Span(SOURCE, 1, 2, 1, 8),
        "unknown key `regoin`",
        label="here",
        related=[Related(Span(SOURCE, 0, 0, 0, 4), "first")],
        subject="Cluster prod",
        help="one\ntwo",
    )
    [case] = suite_of(found)
    [failure] = case

    assert case.attrib == {
        "classname": "specs/fleet.yaml",
        "name": "ND2001 unknown-key at 2:3",
        "file": "specs/fleet.yaml",
        "line": "2",
    }
    assert failure.attrib == {"type": "error", "message": "unknown key `regoin`"}
    assert failure.text.splitlines() == [
        "specs/fleet.yaml:2:3: unknown key `regoin`",
        "here",
        "specs/fleet.yaml:1:1: first",
        "object: Cluster prod",
        "help: one",
        "two",
    ]


@pytest.mark.parametrize("code", [ODD, HINT])
def test_skipped(code):
    """What does not stop the compiler is a skipped test case."""
    [case] = suite_of(code.at(Span.of_file(SOURCE), "told"))

    assert [(each.tag, each.get("message")) for each in case] == [
        ("skipped", f"{code.severity.word}: told")
    ]


def test_escapes():
    """What XML cannot hold is spelled out, and nothing of the input is markup."""
    source = Source('a"<&\x00.yaml', b"x\n")
    [case] = suite_of(
        BAD.at(Span.of_file(source), "]]> </failure> \x1b \ufffe \udc80 \"'", help="<b>\x0b")
    )

    assert case.get("file") == 'a"<&␀.yaml'
    assert case[0].get("message") == "]]> </failure> ␛ <U+FFFE> <U+DC80> \"'"
    assert case[0].text.endswith("help: <b>␋")


def test_no_diagnostics():
    """A report about nothing has a suite without cases."""
    assert len(suite_of()) == 0
