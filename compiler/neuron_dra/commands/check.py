"""`check`: everything that `compile` does, but for writing; and what needs all specs at once."""

from __future__ import annotations

from neuron_dra.api.capacity import judge_capacity
from neuron_dra.api.pipeline import build, describe, load, visible
from neuron_dra.api.policy import describe_settled, settle
from neuron_dra.commands import options
from neuron_dra.commands.output import decide_exit, report, tell
from neuron_dra.diagnostics import Severity


@options.verb(example="neuron-dra check specs/ --format github")
@options.specs
@options.catalog
@options.instance_type
@options.diagnostics_format
@options.color
@options.fail_on
@options.quiet
@options.verbose
def command(
    specs: tuple[str, ...],
    catalog: tuple[str, ...],
    instance_type: str,
    format_name: str,
    color: str,
    fail_on: str,
    quiet: bool,
    verbose: bool,
) -> int:
    """Check specs and write nothing.

    Reads every document, plans it against the hardware catalogue, makes every object and checks it.
    Then quotas and workloads are judged together against the pools that they share. All findings
    come in one run. Notes are shown with `--verbose`.
    """
    sources = load(specs)
    made = build(sources, catalog, instance_type)
    found = (*made.diagnostics, *judge_capacity(made.analysis))
    settled = settle(sources, found, is_complete=not instance_type)
    shown = visible(settled.diagnostics, verbose=verbose)
    report(shown, format_name=format_name, color=color)
    code = decide_exit(settled.diagnostics, fail_on)
    if verbose and format_name == "text":
        tell(describe_settled(settled))
    if (
        not quiet
        and format_name == "text"
        and not any(each.severity <= Severity.WARNING for each in shown)
    ):
        tell(f"{describe(made)}: no problems\n")
    return code
