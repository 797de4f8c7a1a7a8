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
