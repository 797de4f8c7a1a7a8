"""`slices`: the ResourceSlices that drivers are predicted to publish on a node."""

from __future__ import annotations

import click

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.commands import options
from neuron_dra.commands.drivers import choose_driver, known_drivers
from neuron_dra.commands.folder import write_folder
from neuron_dra.commands.output import decide_exit, report, tell, write
from neuron_dra.commands.release import Target, choose_target
from neuron_dra.diagnostics import did_you_mean
from neuron_dra.emit.text import dump
from neuron_dra.kube.reading import VERSIONS
from neuron_dra.kube.slice import ResourceSlice
from neuron_dra.kube.slice_data import slice_data
from neuron_dra.slices.predict import LIVE_PREFIX, predict_slices
from neuron_dra.syntax import formats

KIND = "ResourceSlice"


def _check_node(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if problem := formats.dns_subdomain(value):
        raise click.BadParameter(problem)
    return value


@options.verb(example="neuron-dra slices TYPE --driver neuron -o slices/")
@click.argument("name", metavar="TYPE")
@choose_driver("all", "Whose slices to print.")
@click.option(
    "--node",
    metavar="NAME",
    default="node",
    show_default=True,
    callback=_check_node,
    help="The name of the node.",
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Write each slice to a file in this folder, not to stdout.",
)
@options.kubernetes
@options.catalog
@options.color
def command(
    name: str,
    driver: str,
    node: str,
    output: str | None,
    kubernetes: str,
    catalog: tuple[str, ...],
    color: str,
) -> int:
    """Print the ResourceSlices of a node, as the drivers are predicted to publish them.

    What only a live node knows is a placeholder: `live:` and the attribute's name, the version
    `0.0.0-live`, or -1. The output can be applied as it is, for simulated nodes.

    The drivers publish plain devices with attributes, which every known minor takes alike, as
    resource.k8s.io/v1: `--kubernetes` changes nothing but where `--catalog` adds a minor that
    serves another version.
    """
    facts = open_catalog(catalog)
    version = _served_version(choose_target(facts, kubernetes, {}))
    if name not in facts.instance_type_names():
        hint = did_you_mean(name, facts.instance_type_names())
        tell(f"error: no such instance type `{name}`, {hint}\n")
        return 1
    found = facts.instance_type(name)
    drivers = known_drivers(facts, driver)
    report(facts.diagnostics, color=color)
    if found is None:
        return 1  # its facts are not sound, and the diagnostics say why
    slices = [each for each in predict_slices(found, drivers, node) if each.devices]
    if not slices:
        tell(f"error: no driver is known to publish anything on `{name}`{_reason(found)}\n")
        return 1
    _check_names(slices)
    texts = {each.name: dump(slice_data(each, version), _header(found)) for each in slices}
    if output is None:
        write("---\n".join(texts.values()))
    else:
        paths = write_folder(output, {f"{key}.yaml": text for key, text in texts.items()})
        tell("".join(f"wrote {path}\n" for path in paths))
    return decide_exit(facts.diagnostics)


def _served_version(target: Target) -> str:
    """Return the newest API version of slices that the minor serves by default."""
    for version in VERSIONS:
        if target.release.serves(KIND, version):
            return version
    raise click.BadParameter(
        f"Kubernetes {target.minor} serves no {KIND} that is known here",
        param_hint="'--kubernetes'",
    )


def _check_names(slices: list[ResourceSlice]) -> None:
    """Refuse a node whose slices get names that no API server takes."""
    for each in slices:
        if problem := formats.dns_subdomain(each.name):
            raise click.BadParameter(f"the slice's name {problem}", param_hint="'--node'")


def _reason(kind: InstanceType) -> str:
    return f": {kind.facts.served.reason}" if kind.facts.served else ""


def _header(kind: InstanceType) -> str:
    basis = kind.facts.published.basis if kind.facts.published else "unknown"
    return f"Predicted for {kind.name} ({basis}); {LIVE_PREFIX}... is what only a live node knows."
