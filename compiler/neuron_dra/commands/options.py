"""What verbs have in common: the shape of their help, the arguments and options of the grammar.

In: nothing. Out: decorators; each adds one parameter under the name that its comment gives. Does
not read specs and does not look at terminals.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import click

from neuron_dra.diagnostics.render import FORMATS

Decorated = TypeVar("Decorated", bound=Callable[..., Any] | click.Command)

DEFAULT_SPECS = "specs"

# Titles in the help, by parameter; what is not here belongs to the verb itself.
_SECTIONS = {
    "dump": "Input",
    "claims": "Input",
    "pods": "Input",
    "specs": "Input",
    "selector": "Selection",
    "cluster": "Selection",
    "clusters": "Selection",
    "partitions": "Selection",
    "kubernetes": "Input",
    "feature_gates": "Input",
    "catalog": "Input",
    "instance_type": "Input",
    "format_name": "Output",
    "color": "Output",
    "fail_on": "Output",
    "max_findings": "Output",
    "quiet": "Output",
    "verbose": "Output",
}


class FilesOption(click.Option):
    """An option that takes one or more values: `--dump a.yaml b.yaml`."""


class VerbCommand(click.Command):
    """A command whose options stand in sections, its own first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        takers = {
            name for each in self.params if isinstance(each, FilesOption) for name in each.opts
        }
        return super().parse_args(ctx, list(_repeat(args, takers)))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record and isinstance(parameter, click.Option):
                title = _SECTIONS.get(parameter.name or "", "Options")
                sections.setdefault(title, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def _repeat(args: list[str], takers: set[str]) -> Iterator[str]:
    """Yield arguments with the name of an option before each of its values."""
    taker, has_value = "", True
    for each in args:
        if each.startswith("-") and each != "-":
            name, equals, _ = each.partition("=")
            taker, has_value = (name if name in takers else ""), bool(equals)
        elif taker and has_value:
            yield taker
        else:
            has_value = True
        yield each


def verb(example: str) -> Callable[[Callable[..., int]], VerbCommand]:
    """Make a function that returns an exit code a command, with one example in its help."""
    return click.command(
        cls=VerbCommand,
        epilog=f"Example: {example}",
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _default_specs(
    context: click.Context,
    parameter: click.Parameter,  # noqa: ARG001 -- click's signature
    value: tuple[str, ...],
) -> tuple[str, ...]:
    if value or context.resilient_parsing:
        return value
    if not os.path.isdir(DEFAULT_SPECS):  # noqa: PTH112 -- os.path keeps pathlib off the compile path
        raise click.UsageError(
            f"no SPECS are given, and there is no folder `{DEFAULT_SPECS}` here", context
        )
    return (DEFAULT_SPECS,)


# specs: files, folders, and `-` for standard input; never empty
specs = click.argument(
    "specs", nargs=-1, type=click.Path(), metavar="[SPECS]...", callback=_default_specs
)


def _read_gates(
    _context: click.Context, _parameter: click.Parameter, value: str
) -> dict[str, bool]:
    """Read `Name=true,Other=false`, as Kubernetes' own flag is written."""
    gates: dict[str, bool] = {}
    for part in filter(None, value.split(",")):
        name, _, state = part.partition("=")
        if state.lower() not in ("true", "false"):
            raise click.BadParameter(f"`{part}` is not like `Name=true`")
        gates[name.strip()] = state.lower() == "true"
    return gates


# kubernetes: a minor or a patch version, empty for the newest known minor
kubernetes = click.option(
    "--kubernetes",
    default="",
    metavar="MINOR",
    help="The Kubernetes minor, like 1.36; by default the newest known.",
)
# feature_gates: by name, whether a gate is on; those at their default are left out
feature_gates = click.option(
    "--feature-gates",
    default="",
    metavar="NAME=BOOL,...",
    callback=_read_gates,
    help="Feature gates that differ from the defaults of the minor.",
)
# selector: a label selector as text, empty for none
selector = click.option(
    "-l", "--selector", default="", metavar="LABELS", help="Only clusters with these labels."
)
# clusters: names, empty for all
clusters = click.option(
    "--cluster", "clusters", multiple=True, metavar="NAME", help="Only this cluster; repeatable."
)
# cluster: a name, empty for the only one
one_cluster = click.option(
    "--cluster", default="", metavar="NAME", help="The cluster of the specs, if they have several."
)
# partitions: names, empty for all
partitions = click.option(
    "--partition",
    "partitions",
    multiple=True,
    metavar="NAME",
    help="Only this partition; repeatable.",
)
# catalog: existing folders, in the order in which they are laid over the built-in facts
catalog = click.option(
    "--catalog",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="Lay these facts about hardware over the built-in ones; repeatable.",
)
# instance_type: a name, empty for none
instance_type = click.option(
    "--instance-type",
    default="",
    metavar="TYPE",
    help="Read every pool and partition as this instance type.",
)
# fail_on: `error` or `warning`
fail_on = click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    show_default=True,
    help="The least severity that exits 1.",
)
# max_findings: a number, None where it is not given, zero for all
max_findings = click.option(
    "--max-findings",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the N worst findings and count the rest; the exit code counts all.",
)
# color: `auto`, `always` or `never`
color = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether text has colours.",
)
# quiet: a flag
quiet = click.option("-q", "--quiet", is_flag=True, help="Say less.")
# verbose: a flag
verbose = click.option("-v", "--verbose", is_flag=True, help="Say more.")


def files(name: str, text: str) -> Callable[[Decorated], Decorated]:
    """Add an option of files, and `-` for standard input; its parameter has the same name."""
    return click.option(
        f"--{name}",
        name,
        cls=FilesOption,
        multiple=True,
        type=click.Path(),
        metavar="FILE...",
        help=text,
    )


def choose_format(*names: str) -> Callable[[Decorated], Decorated]:
    """Add `format_name`: one of some names, the first by default."""
    return click.option(
        "--format",
        "format_name",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help="How to write the result.",
    )


# format_name: of a verb whose only result are diagnostics
diagnostics_format = choose_format("text", *sorted(set(FORMATS) - {"text"}))
