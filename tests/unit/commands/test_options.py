"""The arguments and options that verbs share."""

from __future__ import annotations

import click
import pytest

from neuron_dra.commands import options


@options.verb(example="neuron-dra try specs/")
@options.specs
@click.option("--own", is_flag=True, help="Belongs to this verb.")
@options.selector
@options.clusters
@options.catalog
@options.fail_on
@options.diagnostics_format
@options.color
@options.quiet
@options.verbose
def command(**values):
    """Try the options."""
    SEEN.update(values)
    return 1


SEEN: dict[str, object] = {}


def invoke(*arguments):
    SEEN.clear()
    with command.make_context("try", list(arguments)) as context:
        assert command.invoke(context) == 1
    return dict(SEEN)


def test_defaults():
    """Without options everything is taken, as text, and only errors fail."""
    assert invoke("a.yaml", "-") == {
        "specs": ("a.yaml", "-"),
        "own": False,
        "selector": "",
        "clusters": (),
        "catalog": (),
        "fail_on": "error",
        "format_name": "text",
        "color": "auto",
        "quiet": False,
        "verbose": False,
    }


def test_values(tmp_path):
    """Short and long names give the same values."""
    seen = invoke(
        *("x", "-l", "env=prod", "--cluster", "a", "--cluster", "b", "-q", "-v"),
        *("--format", "json", "--color", "never", "--fail-on", "warning"),
        *("--catalog", str(tmp_path)),
    )

    assert seen == {
        "specs": ("x",),
        "own": False,
        "selector": "env=prod",
        "clusters": ("a", "b"),
        "catalog": (str(tmp_path),),
        "fail_on": "warning",
        "format_name": "json",
        "color": "never",
        "quiet": True,
        "verbose": True,
    }


def test_default_specs(tmp_path, monkeypatch):
    """SPECS is the folder `specs` when there is one."""
    (tmp_path / "specs").mkdir()
    monkeypatch.chdir(tmp_path)

    assert invoke()["specs"] == ("specs",)


def test_no_default_specs(tmp_path, monkeypatch):
    """Without that folder, leaving SPECS out is a mistake of usage."""
    monkeypatch.chdir(tmp_path)

    with pytest.raises(click.UsageError, match="there is no folder `specs` here"):
        invoke()


def test_missing_catalog():
    """A catalogue that is not there is a mistake of usage."""
    with pytest.raises(click.BadParameter, match="does not exist"):
        invoke("x", "--catalog", "nowhere")


def test_help_in_sections():
    """The verb's own options come first, the shared ones in sections."""
    with command.make_context("try", [], resilient_parsing=True) as context:
        text = command.get_help(context)

    titles = [line for line in text.splitlines() if line.endswith(":") and line[0] != " "]
    assert titles == ["Options:", "Selection:", "Input:", "Output:"]
    assert text.index("--own") < text.index("--selector") < text.index("--format")
    assert text.endswith("Example: neuron-dra try specs/")


def test_own_format():
    """A verb may have formats of its own; the first is the default."""

    @options.verb(example="neuron-dra try")
    @options.choose_format("markdown", "json")
    def other(format_name):
        SEEN["format_name"] = format_name
        return 0

    with other.make_context("try", []) as context:
        other.invoke(context)

    assert SEEN["format_name"] == "markdown"
    with pytest.raises(click.BadParameter, match="'text' is not one of"):
        other.make_context("try", ["--format", "text"])


@pytest.mark.parametrize(
    ("arguments", "first", "second"),
    [
        ("--one a b c", ("a", "b", "c"), ()),
        ("--one a --two b - --one c", ("a", "c"), ("b", "-")),
        ("--one=a b --two c", ("a", "b"), ("c",)),
        ("--one a --own b", None, None),
        ("", (), ()),
    ],
)
def test_several_values(arguments, first, second):
    """An option of files takes every value up to the next option; no other option does."""
    seen = {}

    @options.verb(example="neuron-dra try --one a b")
    @options.files("one", "First.")
    @options.files("two", "Second.")
    @click.option("--own", is_flag=True)
    def taker(**values):
        seen.update(values)
        return 0

    def call():
        with taker.make_context("try", arguments.split()) as context:
            return taker.invoke(context)

    if first is None:
        with pytest.raises(click.UsageError, match="unexpected extra argument"):
            call()
    else:
        assert call() == 0
        assert (seen["one"], seen["two"]) == (first, second)
