"""What a team settles for itself: the findings that are told in the end.

In: sources and everything that was found in them. Out: the findings to tell, and how many were
taken back. What would be refused, stay Pending or fail is an error, and errors stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from neuron_dra.diagnostics import Diagnostic, has_errors, in_order
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.source import Source
from neuron_dra.spec.suppressions import Suppression, read_suppressions


@dataclass(frozen=True, slots=True)
class Settled:
    """The findings of a run after everything that a team says about them.

    Attributes:
        suppressed: how many findings comments in the specs take back.
    """

    diagnostics: tuple[Diagnostic, ...]
    suppressed: int = 0


def settle(
    sources: Iterable[Source], found: Iterable[Diagnostic], *, is_complete: bool = False
) -> Settled:
    """Return what is left to tell.

    Args:
        is_complete: whether everything was looked for, so that a comment which takes nothing back
            is of no use.
    """
    found = in_order(found)
    suppressions, problems = read_suppressions(sources)
    left, used = _suppress(found, suppressions)
    if is_complete and not has_errors(found):
        problems += _find_unused(suppressions, used)
    return Settled(tuple(in_order((*left, *problems))), len(found) - len(left))


def describe_settled(settled: Settled) -> str:
    """Return a line that counts what is not told, or an empty text."""
    if not settled.suppressed:
        return ""
    findings = "finding is" if settled.suppressed == 1 else "findings are"
    return f"{settled.suppressed} {findings} allowed by comments in the specs\n"


def _suppress(
    found: Sequence[Diagnostic], suppressions: Iterable[Suppression]
) -> tuple[list[Diagnostic], set[tuple[str, str, int]]]:
    """Return what no comment takes back, and which comments take something back."""
    allowed = {(each.code.id, each.span.path, each.line) for each in suppressions}
    keys = [(each.code.id, each.span.path, each.span.line) for each in found]
    left = [each for each, key in zip(found, keys, strict=True) if key not in allowed]
    return left, allowed.intersection(keys)


def _find_unused(
    suppressions: Iterable[Suppression], used: set[tuple[str, str, int]]
) -> list[Diagnostic]:
    return [
        codes.UNUSED_SUPPRESSION.at(
            each.span,
            f"nothing here is `{each.code.slug}`",
            help="remove it, or put it on the line of the finding or on the one above",
        )
        for each in suppressions
        if (each.code.id, each.span.path, each.line) not in used
    ]
