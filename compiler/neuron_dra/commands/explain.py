"""`explain`: the page of a code, the codes behind a message, or the table of all codes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import click

from neuron_dra.commands.options import verb
from neuron_dra.commands.output import tell, write
from neuron_dra.diagnostics import Code, closest
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.diagnostics.pages import load_page, messages
from neuron_dra.diagnostics.search import ENOUGH, Match, rank

LISTED = 5  # codes of a message; the rest is counted


@verb(example="neuron-dra explain 'cannot allocate all claims'")
@click.argument("code", required=False, metavar="[CODE|SLUG|MESSAGE]")
@click.option("--list", "list_all", is_flag=True, help="List all codes.")
def command(code: str | None, list_all: bool) -> int:
    """Explain a code or a message.

    A message is what an API server, a scheduler or a driver said, whole or in part. Names in quotes
    and numbers in it do not matter. Without a code, all codes are listed.
    """
    codes = load_codes()
    if code is None or list_all:
        write(_draw_table(codes.values()))
        return 0
    found = _find(code, codes)
    if found is not None:
        write(load_page(found.id))
        return 0
    matches = rank(code, {code_id: messages(load_page(code_id)) for code_id in codes})
    sure = [codes[match.code_id] for match in matches if match.nearness >= ENOUGH]
    if sure:
        write(_draw_found(sure))
        return 0
    tell(f"error: no such code `{code}`, {_suggest(code, codes, matches)}\n")
    return 1


def _draw_found(found: list[Code]) -> str:
    more = len(found) - LISTED
    rest = f"and {more} more; `neuron-dra check` says which it is\n" if more > 0 else ""
    hint = f"\n`neuron-dra explain {found[0].id}` shows the page of the first\n"
    return _draw_table(found[:LISTED]) + rest + hint


def _suggest(text: str, codes: Mapping[str, Code], matches: list[Match]) -> str:
    """Return the nearest code or messages, if any are near."""
    match = closest(text, [*codes, *(each.slug for each in codes.values())])
    if match:
        return f"did you mean `{match}`?"
    near = "".join(f"\n  {each.code_id}  {each.message}" for each in matches[:LISTED])
    return (
        f"did you mean one of these messages?{near}" if near else "`neuron-dra explain` lists all"
    )


def _find(text: str, codes: Mapping[str, Code]) -> Code | None:
    """Return the code that a text names: by slug, by id, or by an id inside a pasted message."""
    pasted = re.search(r"\bND[0-9]{4}\b", text.upper())
    if pasted:
        return codes.get(pasted.group())
    return next((code for code in codes.values() if code.slug == text), None)


def _draw_table(codes: Iterable[Code]) -> str:
    rows = list(codes)
    width = max(len(code.slug) for code in rows)
    return "".join(
        f"{code.id}  {code.severity.word:7}  {code.slug:{width}}  {code.summary}\n" for code in rows
    )
