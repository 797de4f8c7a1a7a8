"""`slices`: the ResourceSlices that drivers are predicted to publish on a node."""

from __future__ import annotations

import click

from neuron_dra.catalog.catalog import NEURON
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.commands import options
from neuron_dra.commands.output import decide_exit, report, tell, write
from neuron_dra.diagnostics import did_you_mean
from neuron_dra.emit.text import dump
from neuron_dra.kube.slice_data import slice_data
from neuron_dra.slices.predict import LIVE_PREFIX, predict_slices
from neuron_dra.syntax import formats

EFA = "efa"
DRIVERS = {"all": (NEURON, EFA), NEURON: (NEURON,), EFA: (EFA,)}


def _check_node(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if problem := formats.dns_subdomain(value):
        raise click.BadParameter(problem)
    return value


@options.verb(example="neuron-dra slices TYPE --driver neuron > slices.yaml")
@click.argument("name", metavar="TYPE")
@click.option(
    "--driver",
    type=click.Choice(list(DRIVERS)),
    default="all",
    show_default=True,
    help="Whose slices to print.",
)
@click.option(
    "--node",
    metavar="NAME",
    default="node",
    show_default=True,
    callback=_check_node,
    help="The name of the node.",
)
@options.catalog
@options.color
def command(name: str, driver: str, node: str, catalog: tuple[str, ...], color: str) -> int:
    """Print the ResourceSlices of a node, as the drivers are predicted to publish them.

    What only a live node knows is a placeholder: `live:` and the attribute's name, the version
    `0.0.0-live`, or -1.
    """
    facts = open_catalog(catalog)
    if name not in facts.instance_type_names():
        hint = did_you_mean(name, facts.instance_type_names())
        tell(f"error: no such instance type `{name}`, {hint}\n")
        return 1
    found = facts.instance_type(name)
    drivers = [known for each in DRIVERS[driver] if (known := facts.driver(each)) is not None]
    report(facts.diagnostics, color=color)
    if found is None:
        return 1  # its facts are not sound, and the diagnostics say why
    slices = [each for each in predict_slices(found, drivers, node) if each.devices]
    if not slices:
        tell(f"error: no driver is known to publish anything on `{name}`{_reason(found)}\n")
        return 1
    write("---\n".join(dump(slice_data(each), _header(found)) for each in slices))
    return decide_exit(facts.diagnostics)


def _reason(kind: InstanceType) -> str:
    return f": {kind.facts.served.reason}" if kind.facts.served else ""


def _header(kind: InstanceType) -> str:
    basis = kind.facts.published.basis if kind.facts.published else "unknown"
    return f"Predicted for {kind.name} ({basis}); {LIVE_PREFIX}... is what only a live node knows."
