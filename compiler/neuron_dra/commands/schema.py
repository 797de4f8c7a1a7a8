"""`schema`: the JSON Schema of specs, for editors."""

from __future__ import annotations

import json

import click

from neuron_dra.commands.options import verb
from neuron_dra.commands.output import tell, write
from neuron_dra.commands.schema_data import KINDS
from neuron_dra.diagnostics import did_you_mean
from neuron_dra.syntax.schema import make_kind_schema, make_schema


@verb(example="neuron-dra schema > neuron-dra.schema.json")
@click.argument("name", required=False, metavar="[KIND]")
def command(name: str | None) -> int:
    """Print the JSON Schema of specs.

    Without KIND, the schema holds for documents of every kind. An editor takes it from a first line
    like `# yaml-language-server: $schema=neuron-dra.schema.json`.
    """
    if name is None:
        schema = make_schema(KINDS.values())
    elif name in KINDS:
        schema = make_kind_schema(KINDS[name])
    else:
        tell(f"error: no such kind `{name}`, {did_you_mean(name, KINDS)}\n")
        return 1
    write(json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
    return 0
