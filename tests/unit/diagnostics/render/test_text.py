"""The text that people read, exactly as it is written."""

from __future__ import annotations

import re
from textwrap import dedent

from neuron_dra.diagnostics import Code, Related, Severity
from neuron_dra.diagnostics.render import render
from neuron_dra.source import Source, Span

BAD = Code("ND2001", "unknown-key", Severity.ERROR, "A key is not part of the language.")
ODD = Code("ND5001", "odd-thing", Severity.WARNING, "A thing is odd.")
HINT = Code("ND5002", "hint", Severity.NOTE, "Something to know.")
SGR = re.compile(r"\x1b\[[0-9;]*m")


def make_source(text, path="specs/fleet.yaml"):
    return Source(path, text.encode("utf-8"))


def find(source, word, occurrence=0):
    """Return the span of the n-th occurrence of a word."""
    matches = list(re.finditer(re.escape(word), source.data.decode("utf-8")))
    before = source.data.decode("utf-8")[: matches[occurrence].start()]
    line = before.count("\n")
    column = len(before) - (before.rfind("\n") + 1)
    return Span(source, line, column, line, column + len(word))


def draw(*diagnostics):
    return render(diagnostics, "text")


def test_one_place():
    """A diagnostic has a headline, its place, the line, carets with the label, and the help."""
    source = make_source("kind: Cluster\nspec:\n  regoin: us-west-2\n")
    found = BAD.at(
        find(source, "regoin"),
        "unknown key `regoin`",
        label="not known here",
        help="did you mean `region`?",
    )

    assert draw(found) == dedent("""\
        error[ND2001 unknown-key]: unknown key `regoin`
         --> specs/fleet.yaml:3:3
          |
        3 |   regoin: us-west-2
          |   ^^^^^^ not known here
          |
          = help: did you mean `region`?

        found 1 error
        """)


def test_no_diagnostics():
    """Nothing is written about nothing."""
    assert draw() == ""


def test_related_places():
    """Related places of one file share an excerpt; one line between is shown, more are left out."""
    source = make_source("a: 1\nb: 2\na: 3\nc: 4\nd: 5\na: 6\n")
    found = BAD.at(
        find(source, "a", 1),
        "the key `a` stands three times",
        related=[
            Related(find(source, "a"), "first here"),
            Related(find(source, "a", 2), "again here"),
        ],
    )

    assert draw(found) == dedent("""\
        error[ND2001 unknown-key]: the key `a` stands three times
         --> specs/fleet.yaml:3:1
          |
        1 | a: 1
          | - first here
        2 | b: 2
        3 | a: 3
          | ^
        ...
        6 | a: 6
          | - again here

        found 1 error
        """)


def test_two_files():
    """Both ends of a conflict are shown, the primary one first, with one gutter for both."""
    spec = make_source("devices: 24\n")
    fact = make_source("\n" * 11 + "devices: 16\n", path="targets/chip.yaml")
    found = BAD.at(
        find(spec, "24"),
        "24 devices are more than the 16 of one node",
        related=[Related(find(fact, "16"), "the node has 16")],
        subject="ResourceClaimTemplate research/row spec",
        help="ask for 16",
    )

    assert draw(found) == dedent("""\
        error[ND2001 unknown-key]: 24 devices are more than the 16 of one node
          --> specs/fleet.yaml:1:10
           |
         1 | devices: 24
           |          ^^
           |
          ::: targets/chip.yaml:12:10
           |
        12 | devices: 16
           |          -- the node has 16
           |
           = object: ResourceClaimTemplate research/row spec
           = help: ask for 16

        found 1 error
        """)


def test_order_and_summary():
    """Diagnostics are sorted by place, told once each, and counted by severity."""
    source = make_source("a: 1\nb: 2\n")
    first, second = find(source, "a"), find(source, "b")
    found = [
        ODD.at(second, "odd"),
        HINT.at(second, "look"),
        BAD.at(second, "bad"),
        ODD.at(first, "odd"),
        ODD.at(first, "odd"),
    ]
    text = draw(*found)
    headlines = [line for line in text.splitlines() if "[" in line]

    assert headlines == [
        "warning[ND5001 odd-thing]: odd",
        "error[ND2001 unknown-key]: bad",
        "warning[ND5001 odd-thing]: odd",
        "note[ND5002 hint]: look",
    ]
    assert text.endswith("\n\nfound 1 error, 2 warnings and 1 note\n")
    assert text == draw(*reversed(found))


def test_multi_line_span():
    """A span of several lines is marked under its first and its last line."""
    source = make_source("spec: {\n  a: 1,\n  b: 2,\n  c: 3\n}\nnext: 1\n")

    assert draw(BAD.at(Span(source, 0, 6, 4, 1), "bad map", label="ends here")) == dedent("""\
        error[ND2001 unknown-key]: bad map
         --> specs/fleet.yaml:1:7
          |
        1 | spec: {
          |       ^
        ...
        5 | }
          | ^ ends here

        found 1 error
        """)


def test_span_ending_in_blank_lines():
    """A block text ends, for its reader, with its last line that says something."""
    source = make_source("text: |\n  one\n\n\nnext: 1\n")

    assert draw(BAD.at(Span(source, 0, 6, 4, 0), "bad text")) == dedent("""\
        error[ND2001 unknown-key]: bad text
         --> specs/fleet.yaml:1:7
          |
        1 | text: |
          |       ^
        2 |   one
          |   ^^^

        found 1 error
        """)


def test_empty_source():
    """A source without text has a path, no excerpt, and loses no words."""
    empty, other = Source("specs", b""), Source("more", b"")
    found = BAD.at(
        Span.of_file(empty),
        "the input holds no documents",
        related=[Related(Span.of_file(other), "nor does this")],
        help="check the path",
    )

    assert draw(found) == dedent("""\
        error[ND2001 unknown-key]: the input holds no documents
         --> specs
         ::: more: nor does this
          = help: check the path

        found 1 error
        """)


def test_place_behind_the_line():
    """A place outside the text is drawn at the nearest end of its line."""
    source = make_source("a: 1")

    assert draw(BAD.at(Span(source, 0, 9, 0, 12), "bad")).splitlines()[3:5] == [
        "1 | a: 1",
        "  |     ^",
    ]
    assert draw(BAD.at(Span(source, 7, 9, 7, 12), "bad")).splitlines()[3:5] == ["8 |", "  | ^"]


def test_tabs():
    """Carets stand below the text that follows a tab."""
    source = make_source("a:\t\tbad # x\n")

    assert draw(BAD.at(find(source, "bad"), "bad")).splitlines()[3:5] == [
        "1 | a:        bad # x",
        "  |           ^^^",
    ]


def test_wide_characters():
    """Wide characters take two cells, combining ones none."""
    source = make_source("k: {日本: e\u0301x, bad: 日本}\n")

    assert draw(BAD.at(find(source, "bad"), "bad")).splitlines()[4] == "  |" + " " * 15 + "^^^"
    assert draw(BAD.at(find(source, "日本", 1), "bad")).splitlines()[4] == "  |" + " " * 20 + "^^^^"


def test_terminal_escapes():
    """Nothing that comes from the input reaches the terminal as a control."""
    evil = "\x1b[31m\x07\x9b1m\u202e\r\n::error::"
    source = Source(f"specs/{evil}.yaml", b"a\x1b[2J: \xe2\x80\xaebad\n")
    found = BAD.at(
        Span(source, 0, 9, 0, 12),
        f"unknown {evil}",
        label=evil,
        related=[Related(Span(source, 0, 0, 0, 1), evil)],
        help=evil,
        subject=evil,
    )
    text = draw(found)

    assert not [character for character in text if ord(character) < 32 and character != "\n"]
    assert not set("\x7f\x9b\u202e") & set(text)
    assert not [line for line in text.splitlines() if line.startswith("::")]
    assert "1 | a␛[2J: <U+202E>bad" in text


def test_long_lines():
    """A long line is cut around its mark, which stays below its text."""
    source = make_source("x" * 500 + " bad " + "y" * 500 + "\n")
    excerpt, marks = draw(BAD.at(find(source, "bad"), "bad")).splitlines()[3:5]

    assert len(excerpt) < 180
    assert excerpt.startswith("1 | ...x")
    assert excerpt.endswith("y...")
    assert excerpt[marks.index("^") : marks.rindex("^") + 1] == "bad"


def test_long_help():
    """Further lines of a help stand below its first."""
    source = make_source("a: 1\n")

    assert draw(BAD.at(find(source, "a"), "bad", help="either this\nor that")).endswith(
        "  = help: either this\n          or that\n\nfound 1 error\n"
    )


def test_colors():
    """Colours only add to the plain text, and only when they are asked for."""
    source = make_source("a: 1\nb: 2\n")
    found = BAD.at(
        find(source, "a"), "bad", related=[Related(find(source, "b"), "here")], help="less"
    )
    colored = render([found], "text", color=True)

    assert "\x1b" not in draw(found)
    assert colored != draw(found)
    assert SGR.sub("", colored) == draw(found)
    assert "\x1b[1;31merror[ND2001 unknown-key]\x1b[0m" in colored
    assert "\x1b[1;31m^\x1b[0m" in colored
