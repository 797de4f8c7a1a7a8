"""`explain`: the page of a code, or the table of all codes."""

from __future__ import annotations

import re
from collections.abc import Mapping

import click

from neuron_dra.commands.options import verb
from neuron_dra.commands.output import tell, write
from neuron_dra.diagnostics import Code, closest
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.diagnostics.pages import load_page


@verb(example="neuron-dra explain ND2001")
@click.argument("code", required=False, metavar="[CODE|SLUG]")
@click.option("--list", "list_all", is_flag=True, help="List all codes.")
def command(code: str | None, list_all: bool) -> int:
    """Explain a diagnostic code.

    Without a code, all codes are listed.
    """
    codes = load_codes()
    if code is None or list_all:
        write(_draw_table(codes))
        return 0
    found = _find(code, codes)
    if found is None:
        match = closest(code, [*codes, *(each.slug for each in codes.values())])
        hint = f"did you mean `{match}`?" if match else "`neuron-dra explain` lists all"
        tell(f"error: no such code `{code}`, {hint}\n")
        return 1
    write(load_page(found.id))
    return 0


def _find(text: str, codes: Mapping[str, Code]) -> Code | None:
    """Return the code that a text names: by slug, by id, or by an id inside a pasted message."""
    pasted = re.search(r"\bND[0-9]{4}\b", text.upper())
    if pasted:
        return codes.get(pasted.group())
    return next((code for code in codes.values() if code.slug == text), None)


def _draw_table(codes: Mapping[str, Code]) -> str:
    width = max(len(code.slug) for code in codes.values())
    return "".join(
        f"{code.id}  {code.severity.word:7}  {code.slug:{width}}  {code.summary}\n"
        for code in codes.values()
    )
