"""`compile`: specs to the output tree, all or nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from neuron_dra.api.pipeline import build, describe, load, visible
from neuron_dra.api.policy import describe_settled, find_policy, settle
from neuron_dra.api.selection import (
    check_selection,
    orphaned_clusters,
    pruned_folders,
    select,
)
from neuron_dra.commands import options
from neuron_dra.commands.output import decide_exit, report, tell, write
from neuron_dra.emit.tree import Comparison, compare_tree, write_tree
from neuron_dra.source import lies_inside

LISTED = 20  # stale files named by --check; the rest is counted


@options.verb(example="neuron-dra compile specs/ -o out/")
@options.specs
@click.option("-o", "--output", required=True, metavar="DIR", help="The output tree.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if DIR is not up to date.")
@click.option(
    "--prune-cluster",
    "pruned",
    multiple=True,
    metavar="NAME",
    help="Remove the folder of a cluster that is no longer in the specs; repeatable.",
)
@options.clusters
@options.selector
@options.catalog
@options.instance_type
@options.diagnostics_format
@options.color
@options.fail_on
@options.quiet
@options.verbose
def command(
    specs: tuple[str, ...],
    output: str,
    check: bool,
    pruned: tuple[str, ...],
    clusters: tuple[str, ...],
    selector: str,
    catalog: tuple[str, ...],
    instance_type: str,
    format_name: str,
    color: str,
    fail_on: str,
    quiet: bool,
    verbose: bool,
) -> int:
    """Compile specs to Kubernetes objects.

    Nothing is written unless every document is sound. A cluster that is no longer in the specs
    keeps its folder until `--prune-cluster` names it. DIR may lie in a folder of specs: it is not
    read as specs.
    """
    selection = select(clusters, selector)
    inside = lies_inside(output, specs)
    sources = load(specs, excluded=output)
    made = build(sources, catalog, instance_type, selection)
    settled = settle(sources, made.diagnostics, find_policy(specs))
    report(visible(settled.diagnostics, verbose=verbose), format_name=format_name, color=color)
    if verbose and format_name == "text":
        tell(describe_settled(settled))
    code = decide_exit(settled.diagnostics, fail_on)
    if code:
        return code
    current = made.analysis.specs.cluster_documents
    check_selection(selection, current)
    folders = pruned_folders(current, pruned, output)
    if check:
        return _tell_comparison(compare_tree(output, made.units, folders), output)
    done = write_tree(output, made.units, folders, jobs=os.cpu_count() or 1)
    if not quiet:
        tell(
            f"{describe(made)}: {done.written} files written, "
            f"{done.unchanged} unchanged, {done.removed} removed in {output}\n"
        )
    if inside and not quiet:
        tell(f"note: {output} lies in a folder of specs; its files are not read as specs\n")
    if selection.is_everything:
        _tell_orphaned(orphaned_clusters(current, pruned, output), output)
    return 0


def _tell_orphaned(names: Sequence[str], output: str) -> None:
    for name in names:
        tell(
            f"note: {output} still holds cluster `{name}`, which is not in the specs; "
            f"remove it with --prune-cluster {name}\n"
        )


def _tell_comparison(found: Comparison, output: str) -> int:
    if found.is_current:
        return 0
    lines = [
        f"{word} {path}\n"
        for word, paths in (
            ("missing", found.missing),
            ("changed", found.changed),
            ("stale", found.stale),
            ("foreign", found.foreign),
        )
        for path in paths
    ]
    write("".join(lines[:LISTED]))
    if len(lines) > LISTED:
        write(f"and {len(lines) - LISTED} more\n")
    tell(f"{output} is not up to date: {len(lines)} files differ\n")
    return 1
