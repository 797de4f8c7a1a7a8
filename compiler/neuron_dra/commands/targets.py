"""`targets`: what the catalogue knows of the instance types, all of them or one whole."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from neuron_dra.catalog.catalog import NEURON, Catalog
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.commands import options
from neuron_dra.commands.output import decide_exit, report, tell, wants_color, write
from neuron_dra.commands.targets_data import describe, list_types, summarize
from neuron_dra.commands.targets_text import draw_table, draw_whole, fit_encoding
from neuron_dra.diagnostics import did_you_mean

SCHEMA_VERSION = 1
LEGEND = "? is not known, - is none"


@options.verb(example="neuron-dra targets --all")
@click.argument("name", required=False, metavar="[TYPE]")
@click.option("--all", "everything", is_flag=True, help="List internal names of software too.")
@options.catalog
@options.choose_format("text", "json")
@options.color
@options.quiet
def command(
    name: str | None,
    everything: bool,
    catalog: tuple[str, ...],
    format_name: str,
    color: str,
    quiet: bool,
) -> int:
    """Show the known instance types.

    Without TYPE, those that EC2 offers or a chart names are listed. With TYPE, every fact about it
    is shown with its source.
    """
    facts = open_catalog(catalog)
    if name is None:
        _show_all(facts, everything, format_name, color, quiet)
    elif name not in facts.instance_type_names():
        hint = did_you_mean(name, facts.instance_type_names())
        tell(f"error: no such instance type `{name}`, {hint}\n")
        return 1
    else:
        _show_one(facts, name, format_name, color, quiet)
    report(facts.diagnostics, color=color)
    return decide_exit(facts.diagnostics)


def _show_all(facts: Catalog, everything: bool, format_name: str, color: str, quiet: bool) -> None:
    shown, hidden = list_types(facts, everything=everything)
    if format_name == "json":
        rows = [summarize(each) for each in shown]
        _write_json({"instanceTypes": rows, "hidden": [each.name for each in hidden]})
        return
    _write_text(draw_table(shown, color=wants_color(color, sys.stdout)))
    if not quiet:
        more = f"; {len(hidden)} other names are hidden, --all lists them" if hidden else ""
        tell(f"{LEGEND}{more}\n")


def _show_one(facts: Catalog, name: str, format_name: str, color: str, quiet: bool) -> None:
    found = facts.instance_type(name)
    if found is None:
        return  # its facts are not sound, and the diagnostics say why
    driver = facts.driver(NEURON)
    if format_name == "json":
        _write_json({"instanceType": describe(found, driver)})
        return
    _write_text(draw_whole(found, driver, color=wants_color(color, sys.stdout)))
    if not quiet:
        tell(f"{LEGEND}\n")


def _write_json(content: dict[str, Any]) -> None:
    write(json.dumps({"schemaVersion": SCHEMA_VERSION, **content}, indent=2) + "\n")


def _write_text(text: str) -> None:
    write(fit_encoding(text, sys.stdout.encoding or "utf-8"))
