"""How many diagnostics there are of each severity, as numbers and as words.

In: diagnostics. Out: counts by severity, worst first, and one line. Drops no repetitions.
"""

from __future__ import annotations

from collections.abc import Iterable

from neuron_dra.diagnostics import Diagnostic, Severity


def count_by_severity(diagnostics: Iterable[Diagnostic]) -> dict[Severity, int]:
    """Return the number of diagnostics of every severity, worst first."""
    counts = dict.fromkeys(Severity, 0)
    for diagnostic in diagnostics:
        counts[diagnostic.severity] += 1
    return counts


def summarize(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a line like `found 3 errors and 1 warning`."""
    counts = count_by_severity(diagnostics)
    parts = [
        f"{count} {severity.word}{'' if count == 1 else 's'}"
        for severity, count in counts.items()
        if count
    ]
    if len(parts) > 1:
        parts = [", ".join(parts[:-1]), parts[-1]]
    return f"found {' and '.join(parts) or 'no problems'}"
