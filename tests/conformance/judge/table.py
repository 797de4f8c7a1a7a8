"""The table of `make judge`: per minor and operation, what cases came to.

In: tallies. Out: text.
"""

from __future__ import annotations

_COLUMNS = {
    "cel": ("match", "no match", "run-time error", "compile error", "too costly"),
    "allocate": ("allocated", "unsatisfiable", "fatal", "timeout"),
    "create": ("accepted", "dropped", "refused", "unread", "panic"),
}


def draw_table(tallies):
    """Return a table for each operation, then what was left out and why."""
    by_operation = {}
    for each in tallies:
        by_operation.setdefault(each.operation, []).append(each)
    return "\n\n".join(
        _draw(operation, _COLUMNS[operation.partition(" ")[0]], chosen)
        for operation, chosen in by_operation.items()
    )


def _draw(operation, columns, tallies):
    heads = ("", "cases", *columns, "left out", "disagreements")
    rows = [heads, *(_row(columns, each) for each in tallies)]
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(heads))]
    lines = [
        "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return "\n".join((operation, *lines, *_details(tallies)))


def _row(columns, tally):
    counts = [_count(tally.kinds, kind) for kind in columns]
    left_out = sum(tally.left_out.values())
    return (tally.minor, tally.cases, *counts, left_out, tally.disagreements)


def _count(kinds, wanted):
    """Return how many cases are of a kind, of whatever cause."""
    return sum(count for kind, count in kinds.items() if kind.partition(":")[0] == wanted)


def _details(tallies):
    for tally in tallies:
        causes = [(kind, count) for kind, count in sorted(tally.kinds.items()) if ":" in kind]
        if causes:
            told = ", ".join(f"{kind.partition(': ')[2]} {count}" for kind, count in causes)
            yield f"  {tally.minor} {causes[0][0].partition(':')[0]}: {told}"
        for reason, count in sorted(tally.left_out.items()):
            yield f"  {tally.minor} left out: {count} {reason}"
