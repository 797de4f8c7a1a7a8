"""`check`: everything that `compile` does, but for writing; and what needs all specs at once."""

from __future__ import annotations

import os

import click
from click.core import ParameterSource

from neuron_dra.api.baseline import write_baseline
from neuron_dra.api.capacity import judge_capacity
from neuron_dra.api.pipeline import Build, build, describe, load, visible
from neuron_dra.api.policy import Policy, Settled, describe_settled, find_policy, settle, worst
from neuron_dra.commands import options
from neuron_dra.commands.folder import write_folder
from neuron_dra.commands.output import decide_exit, report, tell, write
from neuron_dra.commands.repairs import draw_difference, plan_repairs, write_repairs
from neuron_dra.diagnostics import Diagnostic, Severity, has_errors
from neuron_dra.diagnostics.render.summary import summarize
from neuron_dra.source import Source, read_file


@options.verb(example="neuron-dra check specs/ --format github")
@options.specs
@click.option(
    "--baseline",
    metavar="FILE",
    help="Do not tell the warnings that this file knows.",
)
@click.option(
    "--update-baseline", is_flag=True, help="Write the warnings of this run to the baseline."
)
@click.option("--fix", is_flag=True, help="Write the repairs that are sure into the specs.")
@click.option("--diff", is_flag=True, help="Show those repairs as a diff, and write nothing.")
@options.catalog
@options.instance_type
@options.diagnostics_format
@options.color
@options.fail_on
@options.max_findings
@options.quiet
@options.verbose
def command(
    specs: tuple[str, ...],
    baseline: str | None,
    update_baseline: bool,
    fix: bool,
    diff: bool,
    catalog: tuple[str, ...],
    instance_type: str,
    format_name: str,
    color: str,
    fail_on: str,
    max_findings: int | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Check specs and write nothing.

    Reads every document, plans it against the hardware catalogue, makes every object and checks it.
    Then quotas and workloads are judged together against the pools that they share. All findings
    come in one run. Notes are shown with `--verbose`.

    `neuron-dra.toml`, in the folder of the specs or above, chooses the severities of warnings and
    notes. Only `--update-baseline` and `--fix` write: the baseline, and specs that are files.
    """
    if diff and format_name != "text":
        raise click.UsageError("`--diff` and `--format` both write to standard output")
    policy = find_policy(specs, _read_baseline(baseline, update_baseline))
    sources = load(specs)
    made, settled = _judge(sources, catalog, instance_type, policy)
    repairs = plan_repairs(sources, settled.diagnostics) if fix or diff else []
    if diff:
        write(draw_difference(repairs))
    elif repairs:
        tell(write_repairs(repairs))
        made, settled = _judge(load(specs), catalog, instance_type, policy)
    if update_baseline and baseline:
        settled = _update(baseline, settled)
    shown = visible(settled.diagnostics, verbose=verbose)
    most = policy.settings.max_findings if max_findings is None else max_findings
    _report(shown, most, format_name, color)
    if verbose and format_name == "text":
        tell(describe_settled(settled))
    if not quiet and format_name == "text" and not _is_told(shown):
        tell(f"{describe(made)}: no problems\n")
    return decide_exit(settled.diagnostics, _choose_limit(fail_on, policy))


def _judge(
    sources: list[Source], catalog: tuple[str, ...], instance_type: str, policy: Policy
) -> tuple[Build, Settled]:
    made = build(sources, catalog, instance_type)
    found = (*made.diagnostics, *judge_capacity(made.analysis))
    return made, settle(sources, found, policy, is_complete=not instance_type)


def _read_baseline(path: str | None, update: bool) -> Source | None:
    """Return the file of known warnings; one that is to be written need not be there."""
    if update and not path:
        raise click.UsageError("`--update-baseline` needs `--baseline FILE`")
    return read_file(path) if path and not update else None


def _update(path: str, settled: Settled) -> Settled:
    """Write the baseline, and return what it does not know."""
    if has_errors(settled.diagnostics):
        tell(f"{path} is not written: an error may hide warnings\n")
        return settled
    folder, name = os.path.split(path)
    text = write_baseline(settled.accepted)
    write_folder(folder or ".", {name: text})
    left = tuple(each for each in settled.accepted if each.severity is not Severity.WARNING)
    known = len(settled.accepted) - len(left)
    return Settled(left, settled.suppressed, settled.switched_off, known, settled.accepted)


def _report(shown: list[Diagnostic], most: int, format_name: str, color: str) -> None:
    """Write as many findings as are asked for, and count the rest."""
    chosen, rest = worst(shown, most)
    report(chosen, format_name=format_name, color=color)
    if rest:
        tell(f"not shown: {summarize(rest).removeprefix('found ')}\n")


def _is_told(shown: list[Diagnostic]) -> bool:
    return any(each.severity <= Severity.WARNING for each in shown)


def _choose_limit(fail_on: str, policy: Policy) -> str:
    """Return the least severity that fails: as given, else as settled, else the default."""
    given = click.get_current_context().get_parameter_source("fail_on")
    is_given = given is not ParameterSource.DEFAULT
    return fail_on if is_given else policy.settings.fail_on or fail_on
