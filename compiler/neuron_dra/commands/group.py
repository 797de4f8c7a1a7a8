"""The table of verbs, and the group that imports a verb when it is called.

In: the name of a verb. Out: its click command. Help and completion come from the table alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import click

from neuron_dra import __version__
from neuron_dra.diagnostics import did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# click looks for `_PROGRAM_COMPLETE`; the scripts of `completion` set it.
COMPLETION_VARIABLE = "_NEURON_DRA_COMPLETE"

ENGINEERS = "For infrastructure engineers"
REVIEWERS = "For reviewers"
BRINGERS = "For those who bring YAML"
FACTS = "For those who want the facts"
EVERYBODY = "For everybody"


class Verb(NamedTuple):
    """A row of the table: the module that holds `command`, the first line of its help, for whom."""

    module: str
    help: str
    audience: str


# In the order of the help.
VERBS: Mapping[str, Verb] = {
    "init": Verb("neuron_dra.commands.init", "Write a first fleet of specs.", ENGINEERS),
    "check": Verb("neuron_dra.commands.check", "Check specs and write nothing.", ENGINEERS),
    "compile": Verb("neuron_dra.commands.compile", "Compile specs to objects.", ENGINEERS),
    "plan": Verb("neuron_dra.commands.plan", "Show what partitions give, and where.", ENGINEERS),
    "capacity": Verb(
        "neuron_dra.commands.capacity", "Show what pools hold, at worst too.", ENGINEERS
    ),
    "diff": Verb("neuron_dra.commands.diff", "Show what a change of specs means.", REVIEWERS),
    "validate": Verb(
        "neuron_dra.commands.validate", "Tell what the API server would say.", BRINGERS
    ),
    "targets": Verb("neuron_dra.commands.targets", "Show the known instance types.", FACTS),
    "slices": Verb("neuron_dra.commands.slices", "Print predicted ResourceSlices.", FACTS),
    "cel": Verb("neuron_dra.commands.cel", "Try a device selector.", FACTS),
    "simulate": Verb(
        "neuron_dra.commands.simulate", "Show what claims would get on a cluster.", FACTS
    ),
    "drift": Verb("neuron_dra.commands.drift", "Compare a real cluster with its specs.", FACTS),
    "explain": Verb("neuron_dra.commands.explain", "Explain a code or a message.", EVERYBODY),
    "schema": Verb("neuron_dra.commands.schema", "Print the JSON Schema of specs.", EVERYBODY),
    "completion": Verb(
        "neuron_dra.commands.completion", "Print the completion script of a shell.", EVERYBODY
    ),
}


class VerbGroup(click.Group):
    """A group whose commands are the rows of the table."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(VERBS[cmd_name].module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in VERBS and not ctx.resilient_parsing:
            hint = did_you_mean(args[0], VERBS)
            raise click.UsageError(f"no such command `{args[0]}`, {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        audiences: dict[str, list[tuple[str, str]]] = {}
        for name, verb in VERBS.items():
            audiences.setdefault(verb.audience, []).append((name, verb.help))
        width = max(map(len, VERBS))
        for audience, rows in audiences.items():
            with formatter.section(audience):
                formatter.write_dl([(name.ljust(width), text) for name, text in rows])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        verbs = [
            CompletionItem(name, help=verb.help)
            for name, verb in VERBS.items()
            if name.startswith(incomplete)
        ]
        return verbs + click.Command.shell_complete(self, ctx, incomplete)


@click.group(
    cls=VerbGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: neuron-dra check specs/",
)
@click.version_option(__version__, "-V", "--version", message=f"neuron-dra {__version__}")
def root() -> None:
    """Compile a small spec of Trainium clusters into checked Kubernetes objects."""
