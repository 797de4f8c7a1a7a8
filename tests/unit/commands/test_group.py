"""The table of verbs and the help that is made of it."""

from __future__ import annotations

import pytest

from neuron_dra.cli import run
from neuron_dra.commands import group
from neuron_dra.commands.group import VERBS, Verb, root


def test_help_groups_verbs(capsys):
    """The help lists every verb once, under those whom it is for, in the order of the table."""
    assert run(["--help"]) == 0

    text = capsys.readouterr().out
    places = [text.index(f"\n  {name} ") for name in VERBS]
    assert places == sorted(places)
    assert text.index("For infrastructure engineers:") < places[0]
    assert text.index("For reviewers:") < text.index("\n  diff ")
    assert all(verb.help in text for verb in VERBS.values())
    assert text.endswith("Example: neuron-dra check specs/\n")


def test_missing_module(monkeypatch, capsys):
    """A module that cannot be imported breaks its own verb and nothing else."""
    broken = {**VERBS, "broken": Verb("neuron_dra.commands.nowhere", "Do nothing.", "For nobody")}
    monkeypatch.setattr(group, "VERBS", broken)

    assert run(["--help"]) == 0
    assert "broken" in capsys.readouterr().out
    assert run(["explain", "--help"]) == 0
    assert run(["broken"]) == 3


def test_commands():
    """The group has the commands of the table and no other."""
    with root.make_context("neuron-dra", ["explain"]) as context:
        assert root.list_commands(context) == list(VERBS)
        assert root.get_command(context, "xyzzy") is None


def test_completion():
    """Verbs are completed with their help, and options of the program too."""
    with root.make_context("neuron-dra", ["explain"]) as context:
        items = root.shell_complete(context, "comp")

        assert [(item.value, item.help) for item in items] == [
            (name, VERBS[name].help) for name in ("compile", "completion")
        ]
        assert "--version" in [item.value for item in root.shell_complete(context, "--")]


@pytest.mark.parametrize("name", VERBS)
def test_table(name):
    """The table's texts fit on a line of help and read as a sentence."""
    verb = VERBS[name]

    assert len(verb.help) <= 60
    assert verb.help[0].isupper()
    assert verb.help.endswith(".")
    assert verb.module.startswith("neuron_dra.commands.")


@pytest.mark.parametrize("name", ["explain", "completion"])
def test_help_of_verb(name, capsys):
    """A verb's help begins with the sentence of the table and ends with one example."""
    assert run([name, "--help"]) == 0

    text = capsys.readouterr().out
    assert text.splitlines()[2].strip() == VERBS[name].help
    assert "\n  Example: " in text
