"""`drift`: how a real cluster differs from its specs."""

from __future__ import annotations

import click

from neuron_dra.commands import options
from neuron_dra.commands.output import report, write
from neuron_dra.commands.planned import read_cluster
from neuron_dra.diagnostics import has_errors
from neuron_dra.simulation.asked import nothing_there
from neuron_dra.simulation.drift.compare import compare
from neuron_dra.simulation.drift.render import render_json, render_text
from neuron_dra.simulation.dump import read_dump
from neuron_dra.source import read_long_sources


@options.verb(example="neuron-dra drift --dump cluster.yaml --specs specs/ --cluster dev")
@options.files(
    "dump", "The cluster: ResourceSlices and Nodes, as `kubectl get -o yaml` prints them."
)
@options.files("specs", "The specs of the cluster.")
@options.one_cluster
@options.catalog
@options.choose_format("text", "json")
@options.color
def command(
    dump: tuple[str, ...],
    specs: tuple[str, ...],
    cluster: str,
    catalog: tuple[str, ...],
    format_name: str,
    color: str,
) -> int:
    """Show how a real cluster differs from its specs.

    The slices of each node are compared with those that its drivers are predicted to publish:
    devices, attributes, device groups, driver versions, and which partitions a difference breaks.
    With Nodes in the dump also labels, taints, kubelet versions and the number of nodes. What only
    a live node knows is never a difference.

    Exits 1 when something differs.
    """
    if not dump or not specs:
        raise click.UsageError("give both `--dump` and `--specs`")
    planned = read_cluster(specs, cluster, catalog, color)
    there, found = read_dump(read_long_sources(dump))
    if not (there.slices or there.nodes or has_errors(found)):
        found.append(nothing_there(there, "ResourceSlice or Node"))
    report(found, color=color)
    if planned is None or has_errors(found):
        return 1
    drift = compare(there, planned.plan, planned.catalog)
    write(render_json(drift) if format_name == "json" else render_text(drift))
    return int(drift.count > 0)
