"""`capacity`: what the pools of clusters hold, in the best order and in the worst."""

from __future__ import annotations

import json
import re
import sys

import click

from neuron_dra.api.capacity import judge_capacity, measure_capacity
from neuron_dra.api.pipeline import analyse, load, visible
from neuron_dra.api.policy import find_policy, settle
from neuron_dra.api.selection import check_selection, select
from neuron_dra.commands import options
from neuron_dra.commands.capacity_data import describe_class
from neuron_dra.commands.capacity_text import draw_class
from neuron_dra.commands.output import decide_exit, report, write
from neuron_dra.commands.targets_text import fit_encoding
from neuron_dra.diagnostics import did_you_mean
from neuron_dra.source import FatalError
from neuron_dra.spec.documents import Specs

SCHEMA_VERSION = 1
_PART = re.compile(r"\s*(?P<name>[^=\s]+)\s*=\s*(?P<count>[0-9]{1,4})\s*")


def _read_mix(_context: click.Context, _parameter: click.Parameter, value: str) -> dict[str, int]:
    """Read `a=2,b=6`."""
    mix: dict[str, int] = {}
    for part in filter(None, value.split(",")):
        found = _PART.fullmatch(part)
        if found is None:
            raise click.BadParameter(f"`{part}` is not like `PARTITION=2`")
        if found["name"] in mix:
            raise click.BadParameter(f"`{found['name']}` is named twice")
        if int(found["count"]):
            mix[found["name"]] = int(found["count"])
    return mix


@options.verb(example="neuron-dra capacity specs/ --mix trn2-row=2,trn2-one=6")
@options.specs
@click.option(
    "--mix",
    default="",
    metavar="PARTITION=NUMBER,...",
    callback=_read_mix,
    help="Ask whether these claims fit together.",
)
@options.selector
@options.clusters
@options.partitions
@options.catalog
@options.instance_type
@options.choose_format("text", "json")
@options.color
@options.fail_on
@options.verbose
def command(
    specs: tuple[str, ...],
    mix: dict[str, int],
    selector: str,
    clusters: tuple[str, ...],
    partitions: tuple[str, ...],
    catalog: tuple[str, ...],
    instance_type: str,
    format_name: str,
    color: str,
    fail_on: str,
    verbose: bool,
) -> int:
    """Show how many claims the pools of clusters hold.

    For every pool: how many claims of each partition fit, which mixes fit on one node, and the
    worst case: the fewest claims of a small partition that leave no room for a bigger one, drawn
    where they lie. Equal clusters are told once.
    """
    sources = load(specs)
    analysis = analyse(sources, catalog, instance_type)
    selection = select(clusters, selector)
    check_selection(selection, analysis.specs.cluster_documents)
    _check_partitions((*partitions, *mix), analysis.specs)
    told = (*analysis.diagnostics, *judge_capacity(analysis))
    found = settle(sources, told, find_policy(specs)).diagnostics
    if analysis.is_sound:
        classes = measure_capacity(analysis, selection, partitions, mix)
        if format_name == "json":
            content = [describe_class(each) for each in classes]
            made = {"schemaVersion": SCHEMA_VERSION, "clusters": content}
            write(json.dumps(made, indent=2) + "\n")
        else:
            text = "\n".join(draw_class(each) for each in classes)
            write(fit_encoding(text, sys.stdout.encoding or "utf-8"))
    report(visible(found, verbose=verbose), color=color)
    return decide_exit(found, fail_on)


def _check_partitions(names: tuple[str, ...], specs: Specs) -> None:
    """Refuse names of no partition.

    Raises:
        FatalError: a name is no Partition of the specs.
    """
    for name in names:
        if name not in specs.partitions:
            hint = did_you_mean(name, specs.partitions)
            raise FatalError(f"there is no Partition `{name}` in the specs{hint and f', {hint}'}")
