"""`diff`: what a change of specs, or of an output tree, does to every object."""

from __future__ import annotations

import os
import shutil
import sys

import click

from neuron_dra.api.sides import read_side
from neuron_dra.commands import options
from neuron_dra.commands.output import decide_exit, report, tell, wants_color, write
from neuron_dra.diagnostics import Diagnostic, Severity
from neuron_dra.review.compare import compare
from neuron_dra.review.render import Layout, render
from neuron_dra.review.tree import EMPTY, ObjectTree


@options.verb(example="neuron-dra diff main/specs/ specs/ --format markdown")
@click.argument("old", type=click.Path(), metavar="OLD")
@click.argument("new", type=click.Path(exists=True), metavar="NEW")
@click.option("--exit-code", is_flag=True, help="Exit 1 if anything differs.")
@click.option("--stat", is_flag=True, help="Only count, by kind.")
@options.catalog
@options.choose_format("text", "markdown", "json")
@options.color
def command(
    old: str,
    new: str,
    exit_code: bool,
    stat: bool,
    catalog: tuple[str, ...],
    format_name: str,
    color: str,
) -> int:
    """Show what a change does to every object.

    OLD and NEW are folders of specs or output trees, in any combination. Equal changes in many
    clusters are one. A folder OLD that is missing or empty counts as a tree without objects.
    """
    before, problems = _read_old(old, catalog)
    after, more = read_side(new, catalog)
    review = compare(before, after)
    found = _errors((*problems, *more, *review.diagnostics))
    report(found, color=color)
    width = shutil.get_terminal_size(fallback=(100, 24)).columns
    layout = Layout(stat, wants_color(color, sys.stdout), width)
    write(render(review, format_name, diagnostics=found, layout=layout))
    return decide_exit(found) or int(exit_code and bool(review.groups))


def _read_old(path: str, catalog: tuple[str, ...]) -> tuple[ObjectTree, tuple[Diagnostic, ...]]:
    """Read the old side; there is none before the first compile."""
    if _has_files(path):
        tree, diagnostics = read_side(path, catalog)
        return tree, tuple(diagnostics)
    tell(f"note: {path} is missing or empty, so everything counts as added\n")
    return EMPTY, ()


def _has_files(path: str) -> bool:
    """Tell whether there is anything to read; what cannot be listed is for the reader to tell."""
    try:
        return bool(os.listdir(path))  # noqa: PTH208 -- os keeps pathlib off the compile path
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _errors(diagnostics: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    """Return what makes the comparison incomplete; warnings are for `check` to tell."""
    return [each for each in diagnostics if each.severity is Severity.ERROR]
