"""`init`: a first fleet of specs, with comments that say what each part is for.

In: the files of `templates/small` and the schema of the spec language. Out: a folder that `check`
accepts. Replaces no file.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path

import click

from neuron_dra.commands import options
from neuron_dra.commands.output import tell, write
from neuron_dra.commands.schema_data import KINDS
from neuron_dra.source import FatalError
from neuron_dra.syntax.schema import make_schema

SCHEMA_FILE = "neuron-dra.schema.json"  # the first line of every template names it
_TEMPLATES = Path(__file__).parents[1] / "templates" / "small"


@options.verb(example="neuron-dra init specs")
@click.argument("folder", type=click.Path(file_okay=False), metavar="DIR")
@options.quiet
def command(folder: str, quiet: bool) -> int:
    """Write a first fleet of specs.

    One cluster, one partition, one team and one job, each in a file with comments, and the schema
    for editors. A file that is there already is an error, and nothing is written then.
    """
    texts = first_fleet()
    _write_new(folder, texts)
    write("".join(f"{os.path.join(folder, name)}\n" for name in texts))  # noqa: PTH118 -- as it was given
    if not quiet:
        tell(_describe_next(shlex.quote(folder)))
    return 0


def first_fleet() -> dict[str, str]:
    """Return the files of a first fleet by their names, in order."""
    schema = json.dumps(make_schema(KINDS.values()), indent=2, ensure_ascii=False) + "\n"
    texts = {path.name: path.read_text(encoding="utf-8") for path in _TEMPLATES.glob("*.yaml")}
    return dict(sorted({**texts, SCHEMA_FILE: schema}.items()))


def _write_new(folder: str, texts: Mapping[str, str]) -> None:
    """Write files; none when one of them is there already.

    Raises:
        FatalError: a file is there, or cannot be written.
    """
    paths = {Path(folder, name): text for name, text in texts.items()}
    present = [str(path) for path in paths if os.path.lexists(path)]
    if present:
        raise FatalError(
            f"{', '.join(present)} exist{'' if present[1:] else 's'}; nothing is written"
        )
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, text in paths.items():
            with path.open("x", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
    except OSError as error:
        raise FatalError(f"cannot write {error.filename or folder}: {error.strerror}") from None


def _describe_next(folder: str) -> str:
    steps = {
        f"neuron-dra check {folder}": "find what is wrong, write nothing",
        f"neuron-dra compile {folder} -o out": "write the objects",
        f"neuron-dra diff out {folder}": "after a change: what it does to the objects",
        f"neuron-dra schema > {folder}/{SCHEMA_FILE}": "after an upgrade: what editors go by",
    }
    width = max(map(len, steps))
    lines = [f"  {step:{width}}  # {reason}\n" for step, reason in steps.items()]
    return "".join(["\nNext, read the files, then:\n", *lines])
