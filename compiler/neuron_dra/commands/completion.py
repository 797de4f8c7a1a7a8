"""`completion`: the script that teaches a shell the verbs and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from neuron_dra.commands.group import COMPLETION_VARIABLE
from neuron_dra.commands.options import verb
from neuron_dra.commands.output import write

SHELLS = ("bash", "fish", "zsh")


@verb(example='eval "$(neuron-dra completion bash)"')
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
@click.pass_context
def command(context: click.Context, shell: str) -> int:
    """Print the completion script of a shell."""
    program = context.find_root()
    kind = get_completion_class(shell)
    assert kind is not None
    name = program.info_name or ""
    write(kind(program.command, {}, name, COMPLETION_VARIABLE).source())
    return 0
