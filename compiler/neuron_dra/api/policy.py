"""What a team settles for itself: the findings that are told in the end.

In: sources and everything that was found in them, the settings of a team, and a baseline. Out: the
findings to tell, and how many were taken back. What would be refused, stay Pending or fail is an
error, and errors stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from neuron_dra.api.baseline import leave_known
from neuron_dra.diagnostics import Diagnostic, Severity, has_errors, in_order
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.source import Source, find_upwards
from neuron_dra.spec.settings import FILE_NAME, Settings, read_settings
from neuron_dra.spec.suppressions import Suppression, read_suppressions


@dataclass(frozen=True, slots=True)
class Settled:
    """The findings of a run after everything that a team says about them.

    Attributes:
        suppressed: how many findings comments in the specs take back.
        switched_off: how many the settings take back.
        known: how many the baseline knows.
        accepted: all findings but for the baseline, which is made of them.
    """

    diagnostics: tuple[Diagnostic, ...]
    suppressed: int = 0
    switched_off: int = 0
    known: int = 0
    accepted: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """What a team says about the findings of all of its specs.

    Attributes:
        problems: what is wrong with the settings.
        baseline: the file of known warnings, if there is one.
    """

    settings: Settings = field(default_factory=Settings)
    problems: tuple[Diagnostic, ...] = ()
    baseline: Source | None = None


EVERYTHING_TOLD = Policy()


def find_policy(paths: Sequence[str], baseline: Source | None = None) -> Policy:
    """Read the settings that lie in the folder of the specs or in one above it."""
    source = find_upwards(paths, FILE_NAME)
    if source is None:
        return Policy(baseline=baseline)
    settings, problems = read_settings(source)
    return Policy(settings, tuple(problems), baseline)


def settle(
    sources: Iterable[Source],
    found: Iterable[Diagnostic],
    policy: Policy = EVERYTHING_TOLD,
    *,
    is_complete: bool = False,
) -> Settled:
    """Return what is left to tell.

    Args:
        is_complete: whether everything was looked for, so that a comment which takes nothing back
            is of no use.
    """
    found = in_order(found)
    is_complete = is_complete and not has_errors(found)
    suppressions, problems = read_suppressions(sources)
    told, used = _suppress(found, suppressions)
    if is_complete:
        problems += _find_unused(suppressions, used)
    judged = [*told, *problems]
    leveled = _level(judged, policy.settings.severities)
    accepted = tuple(in_order((*leveled, *policy.problems)))
    left, stale = list(accepted), list[Diagnostic]()
    if policy.baseline is not None:
        left, stale = leave_known(accepted, policy.baseline, is_complete=is_complete)
    return Settled(
        tuple(in_order((*left, *_level(stale, policy.settings.severities)))),
        suppressed=len(found) - len(told),
        switched_off=len(judged) - len(leveled),
        known=len(accepted) - len(left),
        accepted=accepted,
    )


def _level(
    found: Iterable[Diagnostic], severities: Mapping[str, Severity | None]
) -> list[Diagnostic]:
    """Return the findings at the severities that were chosen, without those that are off."""
    leveled = []
    for each in found:
        severity = severities.get(each.code.id, each.severity)
        if severity is each.severity:
            leveled.append(each)
        elif severity is not None:
            leveled.append(replace(each, code=replace(each.code, severity=severity)))
    return leveled


def describe_settled(settled: Settled) -> str:
    """Return lines that count what is not told."""
    counts = (
        (settled.suppressed, "allowed by comments in the specs"),
        (settled.switched_off, f"off by {FILE_NAME}"),
        (settled.known, "known to the baseline"),
    )
    return "".join(
        f"{count} {'finding is' if count == 1 else 'findings are'} {words}\n"
        for count, words in counts
        if count
    )


def worst(found: Sequence[Diagnostic], most: int) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the findings that are shown, the worst of all, and the rest; zero stands for all."""
    by_severity = sorted(found, key=lambda each: (each.severity, each.sort_key()))
    shown = by_severity[: most or len(by_severity)]
    return in_order(shown), by_severity[len(shown) :]


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
