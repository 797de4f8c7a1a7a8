"""`validate`: the API server's verdict on anybody's objects, without a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from neuron_dra.admission.manifests import Manifest, read_manifests
from neuron_dra.admission.run import Judge, Outcome, collect_existing, collect_namespaces
from neuron_dra.admission.server import Server
from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.commands import options
from neuron_dra.commands.output import report, tell, write
from neuron_dra.commands.release import choose_target
from neuron_dra.commands.validate_data import describe_runs
from neuron_dra.commands.validate_text import merge_diagnostics, summarize, tabulate
from neuron_dra.source import MANIFEST_SUFFIXES, read_sources

# The outcomes of all objects, by Kubernetes minor.
Runs = Mapping[str, Sequence[Outcome]]


@options.verb(example="neuron-dra validate templates/ --kubernetes 1.36")
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option(
    "--old",
    multiple=True,
    type=click.Path(exists=True),
    metavar="FILE",
    help="The objects that are there already: check the update too; repeatable.",
)
@click.option("--all-versions", is_flag=True, help="Ask every known Kubernetes minor.")
@options.kubernetes
@options.feature_gates
@options.catalog
@options.choose_format("text", "json")
@options.color
@options.quiet
def command(
    files: tuple[str, ...],
    old: tuple[str, ...],
    all_versions: bool,
    kubernetes: str,
    feature_gates: dict[str, bool],
    catalog: tuple[str, ...],
    format_name: str,
    color: str,
    quiet: bool,
) -> int:
    """Tell what the API server would say of objects.

    FILE is YAML or JSON with any Kubernetes objects, a folder of such files, or `-` for standard
    input. Each object is refused, accepted, accepted with a field quietly dropped, or not checked.
    """
    if all_versions and kubernetes:
        raise click.UsageError("give --kubernetes or --all-versions, not both")
    facts = open_catalog(catalog)
    versions = facts.minors() if all_versions else (kubernetes,)
    servers = [_make_server(facts, version, feature_gates) for version in versions]
    manifests = _read(files)
    runs = _judge(manifests, _read(old), servers, facts)
    if format_name == "json":
        write(describe_runs(runs, all_versions=all_versions))
    else:
        _print(runs, color=color, quiet=quiet, all_versions=all_versions)
    if not manifests:
        tell("error: no objects in the files\n")
        return 1
    return int(any(outcome.is_bad for outcomes in runs.values() for outcome in outcomes))


def _make_server(facts: Catalog, version: str, gates: Mapping[str, bool]) -> Server:
    target = choose_target(facts, version, gates)
    return Server(target.release, target.gates)


def _read(paths: Sequence[str]) -> list[Manifest]:
    return list(read_manifests(read_sources(paths, suffixes=MANIFEST_SUFFIXES)))


def _judge(
    manifests: Sequence[Manifest],
    old: Sequence[Manifest],
    servers: Sequence[Server],
    facts: Catalog,
) -> Runs:
    namespaces, existing = collect_namespaces([*old, *manifests]), collect_existing(old)
    return {
        server.minor: list(map(Judge(server, facts, namespaces, existing).outcome, manifests))
        for server in servers
    }


def _print(runs: Runs, *, color: str, quiet: bool, all_versions: bool) -> None:
    if diagnostics := merge_diagnostics(runs):
        report(diagnostics, color=color)
    if quiet:
        return
    if all_versions:
        write(tabulate(runs))
    for minor, outcomes in runs.items():
        write(summarize(minor, outcomes))
