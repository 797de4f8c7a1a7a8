"""Repairs of specs: shown as a difference, or written into the files.

In: repairs. Out: a unified diff, or files that are replaced whole, each at once. Standard input is
no file, so that nothing is offered for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.repair import Repair, repair
from neuron_dra.source import STANDARD_INPUT, FatalError, Source
from neuron_dra.syntax.parse import parse

_UNFINISHED = ".{}.unfinished"


def plan_repairs(sources: Iterable[Source], found: Iterable[Diagnostic]) -> list[Repair]:
    """Return the repairs of files, but for those that would make a file unreadable."""
    files = [source for source in sources if source.path != STANDARD_INPUT]
    return [each for each in repair(files, found) if _stays_readable(each)]


def _stays_readable(each: Repair) -> bool:
    return bool(parse(each.source)[1]) or not parse(Source(each.source.path, each.data))[1]


def draw_difference(repairs: Iterable[Repair]) -> str:
    """Return the repairs as a unified diff, which `patch -p1` and `git apply` take."""
    import difflib

    lines: list[str] = []
    for each in repairs:
        old, new = (data.decode("utf-8").splitlines(keepends=True) for data in _sides(each))
        path = each.source.path
        lines += difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_LINE_END}" for line in lines)


_NO_LINE_END = "\\ No newline at end of file\n"


def _sides(each: Repair) -> tuple[bytes, bytes]:
    return each.source.data, each.data


def write_repairs(repairs: Sequence[Repair]) -> str:
    """Write the repaired files, and return a line that counts them.

    Raises:
        FatalError: a file cannot be written; it is as before.
    """
    for each in repairs:
        _replace(each.source.path, each.data)
    count = sum(each.count for each in repairs)
    findings = "1 finding" if count == 1 else f"{count} findings"
    files = "1 file" if len(repairs) == 1 else f"{len(repairs)} files"
    return f"repaired {findings} in {files}\n"


def _replace(path: str, data: bytes) -> None:
    """Replace a file, or what a link leads to, and keep its permissions."""
    import shutil

    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    unfinished = os.path.join(folder, _UNFINISHED.format(name))  # noqa: PTH118 -- as `path` was given
    try:
        with open(unfinished, "wb") as stream:  # noqa: PTH123 -- as above
            stream.write(data)
        shutil.copymode(real, unfinished)
        os.replace(unfinished, real)  # noqa: PTH105 -- as above
    except OSError as error:
        raise FatalError(f"cannot write {path}: {error.strerror}") from None
