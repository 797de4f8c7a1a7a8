"""The output tree on disk: write it all or not at all, compare it, tell whether it is settled.

In: units with the bytes of their files. Out: a report of what was written, left and removed, or a
comparison. Only files that differ are replaced, only files that a manifest in the tree lists are
replaced or removed, and links are never followed. It does not know what the files say.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from neuron_dra.emit.disk import FileSystem, Kind
from neuron_dra.emit.fork import can_fork, run_parts
from neuron_dra.emit.journal import Operation, announce, discard, finish, is_pending, recover
from neuron_dra.emit.layout import Unit, check_folders, list_folders, refuse_obstacles
from neuron_dra.emit.lock import lock_tree
from neuron_dra.emit.stage import list_removals, stage_unit
from neuron_dra.emit.survey import Survey, survey_pruned, survey_unit
from neuron_dra.source import FatalError

__all__ = ["Comparison", "Report", "Unit", "check_settled", "compare_tree", "pending", "write_tree"]

_DISK = FileSystem()
# Below this, a fork costs more than it saves.
_UNITS_PER_PROCESS = 32


@dataclass(frozen=True, slots=True)
class Report:
    """What a write did; paths are relative to the tree and sorted."""

    written_paths: tuple[str, ...]
    unchanged_paths: tuple[str, ...]
    removed_paths: tuple[str, ...]

    @property
    def written(self) -> int:
        return len(self.written_paths)

    @property
    def unchanged(self) -> int:
        return len(self.unchanged_paths)

    @property
    def removed(self) -> int:
        return len(self.removed_paths)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a tree differs from what a write would make of it; paths are relative and sorted."""

    missing: tuple[str, ...]
    changed: tuple[str, ...]
    # Written before and no longer produced.
    stale: tuple[str, ...]
    # Not ours, and in the way of a write.
    foreign: tuple[str, ...]

    @property
    def is_current(self) -> bool:
        """Tell whether a write would change nothing."""
        return not (self.missing or self.changed or self.stale or self.foreign)


class _Part(NamedTuple):
    """What one process found and staged, as JSON values."""

    written: list[str]
    unchanged: list[str]
    removed: list[str]
    foreign: list[str]
    links: list[str]
    operations: list[Operation]


def write_tree(
    out: str | os.PathLike[str],
    units: Iterable[Unit],
    prune_folders: Sequence[str] = (),
    *,
    jobs: int = 1,
    fs: FileSystem = _DISK,
) -> Report:
    """Bring a tree to the state of the units, all or nothing, and delete pruned folders.

    An interrupted write before this one is finished or undone first.

    Raises:
        FatalError: another writer is at work, something that is not ours is in the way, or the disk
            refuses. Nothing has changed then, unless the message says so.
    """
    units = tuple(units)
    root = _normalize(out)
    check_folders([unit.folder for unit in units], prune_folders)
    with _fatal_errors("write", root):
        _check_root(root)
        os.makedirs(root, exist_ok=True)  # noqa: PTH103 -- the root is a string everywhere here
        with lock_tree(root):
            recover(fs, root)
            return _replace(fs, root, units, prune_folders, jobs)


def compare_tree(
    out: str | os.PathLike[str],
    units: Iterable[Unit],
    prune_folders: Sequence[str] = (),
    *,
    fs: FileSystem = _DISK,
) -> Comparison:
    """Compare a tree with the units, changing nothing.

    Raises:
        FatalError: an interrupted write is not settled, or the tree cannot be read.
    """
    units = tuple(units)
    root = _normalize(out)
    check_folders([unit.folder for unit in units], prune_folders)
    check_settled(out, fs=fs)
    with _fatal_errors("read", root):
        surveys = [survey_unit(fs, root, unit) for unit in units]
        surveys += (survey_pruned(fs, root, folder) for folder in prune_folders)
    refuse_obstacles(root, [], [path for survey in surveys for path in survey.links])
    return Comparison(
        missing=_sort(path for survey in surveys for path in survey.missing),
        changed=_sort(path for survey in surveys for path in survey.changed),
        stale=_sort(path for survey in surveys for path in survey.stale),
        foreign=_sort({path for survey in surveys for path in survey.foreign}),
    )


def pending(out: str | os.PathLike[str], *, fs: FileSystem = _DISK) -> bool:
    """Tell whether a write into the tree was begun and is not finished."""
    root = _normalize(out)
    with _fatal_errors("read", root):
        return is_pending(fs, root)


def check_settled(out: str | os.PathLike[str], *, fs: FileSystem = _DISK) -> None:
    """Refuse to read a tree that is half old and half new.

    Raises:
        FatalError: a compile was interrupted while it put its files in place, or is doing so.
    """
    root = _normalize(out)
    with _fatal_errors("read", root):
        _check_root(root)
        unfinished = is_pending(fs, root)
    if unfinished:
        raise FatalError(f"a compile into `{root}` is not finished; compile again to finish it")


def _replace(
    fs: FileSystem, root: str, units: Sequence[Unit], pruned: Sequence[str], jobs: int
) -> Report:
    try:
        part = _survey_and_stage(fs, root, units, pruned, jobs)
        refuse_obstacles(root, part.foreign, part.links)
        operations = announce(fs, root, part.operations) if part.operations else []
    except BaseException:
        discard(fs, root)
        raise
    if operations:
        with _unfinished(root):
            finish(fs, root, operations)
    return Report(_sort(part.written), _sort(part.unchanged), _sort(part.removed))


def _survey_and_stage(
    fs: FileSystem, root: str, units: Sequence[Unit], pruned: Sequence[str], jobs: int
) -> _Part:
    """Survey all units and stage what they lack, in several processes if that pays."""
    parts = min(jobs, len(units) // _UNITS_PER_PROCESS)
    parts = parts if parts > 1 and can_fork() else 1
    work = partial(_work_on_part, fs, root, units, parts)
    found = [_Part(*answer) for answer in run_parts(work, parts)]
    surveys = [survey_pruned(fs, root, folder) for folder in pruned]
    found.append(_summarize(surveys, [o for survey in surveys for o in list_removals(survey)]))
    merged = _Part(
        *([item for items in column for item in items] for column in zip(*found, strict=True))
    )
    needed = list_folders(f"{unit.folder}/" for unit in units if unit.folder)
    operations = {Operation(*operation) for operation in merged.operations}
    kept = [o for o in operations if o.verb != "rmdir" or o.target not in needed]
    return merged._replace(operations=kept)


def _work_on_part(fs: FileSystem, root: str, units: Sequence[Unit], parts: int, part: int) -> _Part:
    surveys = []
    operations: list[Operation] = []
    blocked = False
    with _fatal_errors("write", root):
        for number in range(part, len(units), parts):
            survey = survey_unit(fs, root, units[number])
            blocked = blocked or bool(survey.foreign or survey.links)
            if not blocked:
                operations += stage_unit(fs, root, number, survey)
                operations += list_removals(survey)
            survey.files = {}
            surveys.append(survey)
    return _summarize(surveys, operations)


def _summarize(surveys: Sequence[Survey], operations: list[Operation]) -> _Part:
    return _Part(
        written=[path for survey in surveys for path in (*survey.missing, *survey.changed)],
        unchanged=[path for survey in surveys for path in survey.unchanged],
        removed=[path for survey in surveys for path in survey.stale],
        foreign=[path for survey in surveys for path in survey.foreign],
        links=[path for survey in surveys for path in survey.links],
        operations=operations,
    )


def _normalize(out: str | os.PathLike[str]) -> str:
    """Return the tree's path as the user wrote it, without the slash that follows a link."""
    return os.fspath(out).rstrip("/") or "/"


def _check_root(root: str) -> None:
    kind = _DISK.kind(root)
    if kind is Kind.LINK:
        raise FatalError(f"`{root}` is a symbolic link, which neuron-dra does not follow")
    if kind is Kind.FILE:
        raise FatalError(f"`{root}` is no folder")


@contextmanager
def _fatal_errors(verb: str, root: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FatalError(f"cannot {verb} `{error.filename or root}`: {error.strerror}") from error


@contextmanager
def _unfinished(root: str) -> Iterator[None]:
    """Say that a failure left the tree between old and new."""
    try:
        yield
    except OSError as error:
        raise FatalError(
            f"cannot write `{error.filename or root}`: {error.strerror}; `{root}` is half written, "
            "compile again to finish it"
        ) from error


def _sort(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(paths))
