"""`explain`: pages and the table of codes."""

from __future__ import annotations

import pytest

from neuron_dra.cli import run
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.diagnostics.pages import load_page


@pytest.mark.parametrize(
    "text",
    ["ND2001", "nd2001", "unknown-key", "error[ND2001 unknown-key]: unknown key `regoin`"],
)
def test_page(text, capsys):
    """A page is found by id, by slug, or by a message that was pasted."""
    assert run(["explain", text]) == 0
    assert capsys.readouterr() == (load_page("ND2001"), "")


@pytest.mark.parametrize("arguments", [["explain"], ["explain", "--list"]])
def test_list(arguments, capsys):
    """Without a code, every code is one line of a table, in order."""
    assert run(arguments) == 0

    out, err = capsys.readouterr()
    rows = [line.split(maxsplit=3) for line in out.splitlines()]
    assert err == ""
    assert rows == [
        [code.id, code.severity.word, code.slug, code.summary] for code in load_codes().values()
    ]
    assert len({line.index(row[3]) for line, row in zip(out.splitlines(), rows, strict=True)}) == 1


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("unknwon-key", "did you mean `unknown-key`?"),
        ("ND201", "did you mean `ND2"),
        ("ND9999", "`neuron-dra explain` lists all"),
        ("quite something else", "`neuron-dra explain` lists all"),
    ],
)
def test_unknown_code(text, hint, capsys):
    """An unknown code gets a suggestion and exits 1."""
    assert run(["explain", text]) == 1

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: no such code `{text}`, {hint}")


def test_message(capsys):
    """A message finds the codes behind it: at most five, the rest counted."""
    assert run(["explain", "0/3 nodes are available: 3 cannot allocate all claims"]) == 0

    out, err = capsys.readouterr()
    rows = [line.split()[0] for line in out.splitlines() if line.startswith("ND")]
    assert err == ""
    assert rows[0] == "ND3001"
    assert len(rows) == 5
    assert "more; `neuron-dra check` says which it is\n" in out
    assert out.endswith("\n\n`neuron-dra explain ND3001` shows the page of the first\n")


def test_message_of_one_code(capsys):
    """A message of few codes counts no others."""
    assert run(["explain", "LNC value is not configurable for instance type x"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("ND3010  error    logical-neuron-core-refused  ")
    assert " more" not in out


def test_near_messages(capsys):
    """A text that is no message gets the nearest ones and exits 1."""
    assert run(["explain", "could not allocate the claims of all nodes"]) == 1

    out, err = capsys.readouterr()
    assert out == ""
    assert "did you mean one of these messages?\n  ND" in err
    assert "cannot allocate all claims" in err
