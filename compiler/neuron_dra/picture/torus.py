"""A torus of devices as text.

In: its rows and columns, and a short label by device id. Out: lines. Device ids run along the rows:
device d stands in row d div columns and column d mod columns. Links are drawn between neighbours;
the one that closes each row and each column into a ring is left out, so the caller has to say it.
"""

from __future__ import annotations

from collections.abc import Mapping

UNLABELLED = "·"


def draw_torus(rows: int, columns: int, labels: Mapping[int, str]) -> list[str]:
    """Return the lines of a torus; a device without a label is a dot."""
    cells = [labels.get(device, UNLABELLED) for device in range(rows * columns)]
    width = max(map(len, cells))
    lines = []
    for start in range(0, rows * columns, columns):
        if start:
            lines.append(_between(columns, width))
        row = (cell.center(width) for cell in cells[start : start + columns])
        lines.append("──".join(row).rstrip())
    return lines


def draw_row(labels: Mapping[int, str], count: int) -> list[str]:
    """Return the one line of devices whose links nobody knows."""
    cells = [labels.get(device, UNLABELLED) for device in range(count)]
    width = max(map(len, cells), default=1)
    return ["  ".join(cell.center(width) for cell in cells).rstrip()]


def _between(columns: int, width: int) -> str:
    return "  ".join("│".center(width) for _ in range(columns)).rstrip()


def place_beside(left: list[str], right: list[str], gap: int = 3) -> list[str]:
    """Return two pictures or texts side by side."""
    width = max(map(len, left), default=0)
    height = max(len(left), len(right))
    padded = zip(
        left + [""] * (height - len(left)), right + [""] * (height - len(right)), strict=True
    )
    return [f"{a.ljust(width + gap)}{b}".rstrip() for a, b in padded]
