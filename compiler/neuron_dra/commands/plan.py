"""`plan`: what every partition gives on every pool, and on which devices."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from neuron_dra.api.capacity import judge_capacity
from neuron_dra.api.pipeline import Analysis, analyse, load, visible
from neuron_dra.api.policy import find_policy, settle
from neuron_dra.commands import options
from neuron_dra.commands.output import decide_exit, report, tell, wants_color, write
from neuron_dra.commands.plan_data import ClusterView, EntryView, PartitionView, PoolView, Viewer
from neuron_dra.commands.plan_text import draw_views
from neuron_dra.commands.targets_text import fit_encoding
from neuron_dra.diagnostics import did_you_mean

SCHEMA_VERSION = 1
Names = tuple[str, ...]  # none: all


@options.verb(example="neuron-dra plan specs/ --partition trn2-row")
@options.specs
@options.clusters
@options.partitions
@click.option(
    "--consumers",
    "by_consumer",
    is_flag=True,
    help="Show which controllers, autoscalers and nodes can use every partition.",
)
@options.catalog
@options.instance_type
@options.choose_format("text", "json")
@options.color
@options.fail_on
@options.verbose
def command(
    specs: tuple[str, ...],
    clusters: tuple[str, ...],
    partitions: tuple[str, ...],
    by_consumer: bool,
    catalog: tuple[str, ...],
    instance_type: str,
    format_name: str,
    color: str,
    fail_on: str,
    verbose: bool,
) -> int:
    """Show what every partition gives on every pool, and on which devices.

    The devices are those that the scheduler would choose on a free node, claim after claim. A live
    node may list its chips in another order; which chips go together does not change.

    With --consumers, the facts about Kueue, Karpenter, Argo CD and others tell which of them can
    use a partition, in which versions, why not, and what to write instead.
    """
    sources = load(specs)
    analysis = analyse(sources, catalog, instance_type)
    _check_names("--cluster", clusters, analysis.specs.cluster_documents)
    _check_names("--partition", partitions, analysis.specs.partitions)
    if by_consumer:
        shown = _show_consumers(analysis, clusters, partitions, format_name, color)
    else:
        shown = _show_pools(analysis, clusters, partitions, format_name, color)
    told = (*analysis.diagnostics, *judge_capacity(analysis))
    found = settle(sources, told, find_policy(specs)).diagnostics
    report(visible(found, verbose=verbose), color=color)
    _tell_unplanned(analysis, shown, partitions)
    return decide_exit(found, fail_on)


def _check_names(option: str, names: tuple[str, ...], known: Any) -> None:
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise click.BadParameter(
                f"there is no `{name}` in the specs, {hint}", param_hint=option
            )


def _show_pools(
    analysis: Analysis, clusters: Names, partitions: Names, format_name: str, color: str
) -> set[str]:
    """Write the views of pools, and return the partitions that are in them."""
    views = Viewer(analysis).views(clusters, partitions)
    if format_name == "json":
        write(json.dumps(_json(views), indent=1) + "\n")
    else:
        text = draw_views(views, color=wants_color(color, sys.stdout))
        write(fit_encoding(text, sys.stdout.encoding))
    return {each.planned.partition.metadata.name for view in views for each in view.partitions}


def _show_consumers(
    analysis: Analysis, clusters: Names, partitions: Names, format_name: str, color: str
) -> set[str]:
    """Write who can use the partitions, and return the partitions that are judged."""
    from neuron_dra.commands.plan_consumers import consumers_data, view_consumers
    from neuron_dra.commands.plan_consumers_text import LEGEND, draw_consumers

    views = view_consumers(analysis, clusters, partitions)
    if format_name == "json":
        data = {"schemaVersion": SCHEMA_VERSION, "clusters": consumers_data(views)}
        write(json.dumps(data, indent=1) + "\n")
    else:
        write(draw_consumers(views, color=wants_color(color, sys.stdout)))
        tell(f"{LEGEND}\n")
    return set().union(*(view.partitions for view in views))


def _tell_unplanned(analysis: Analysis, shown: set[str], partitions: Names) -> None:
    """Say which partitions are not shown; why is for the diagnostics to say."""
    wanted = partitions or tuple(analysis.specs.partitions)
    missing = sorted(set(wanted) - shown)
    if missing:
        tell(f"note: nowhere granted, or not sound: {', '.join(missing)}\n")


def _json(views: tuple[ClusterView, ...]) -> dict[str, Any]:
    return {
        "schemaVersion": SCHEMA_VERSION,
        "clusters": [
            {
                "names": list(view.names),
                "kubernetes": view.minor,
                "partitions": [_partition(each) for each in view.partitions],
            }
            for view in views
        ],
    }


def _partition(view: PartitionView) -> dict[str, Any]:
    return {
        "name": view.planned.partition.metadata.name,
        "template": view.planned.name,
        "pools": [_pool(each) for each in view.pools],
    }


def _pool(view: PoolView) -> dict[str, Any]:
    pool = view.pool
    named = {"name": pool.name, "instanceType": pool.type.name}
    if view.obstacle:
        return {**named, "fits": False, "reason": view.obstacle}
    most = None if pool.most is None else pool.most * view.per_node
    known = not any(entry.live for entry in view.entries)
    return {
        **named,
        "fits": True,
        "perNode": view.per_node if known else None,
        "inPool": {"min": pool.least * view.per_node, "max": most} if known else None,
        "entries": [_entry(each) for each in view.entries],
        "places": [list(each) for each in view.places],
    }


def _entry(entry: EntryView) -> dict[str, Any]:
    witness = entry.witness
    devices = {name: list(some) for name, some in witness.devices.items()} if witness else None
    return {
        "entry": entry.shape.entry or None,
        **entry.offer.members,
        "basis": witness.basis if witness else None,
        "witness": devices,
        "dependsOn": list(entry.live),
    }
