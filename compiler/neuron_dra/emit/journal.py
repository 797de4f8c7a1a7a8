"""All or nothing: a write is staged, announced in a journal, then carried out.

In: a tree and the operations that lead from the old state to the new one. Out: the new state, even
if the process is killed in between. Everything is first staged in one folder inside the tree. Up to
the moment when the journal appears there, by one rename, nothing else has changed, and the next
writer deletes the folder. From that moment on the next writer carries out what is left: each
operation can be told to be done or not, since a staged file is gone once it is in its place.

It defends against a killed process, not against a power cut, which may leave files empty that were
written before it; the next compile compares every byte and repairs them.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from neuron_dra.emit.disk import FileSystem, Kind
from neuron_dra.emit.layout import WORK_PREFIX, is_path, list_folders, refuse_obstacles

STAGING = f"{WORK_PREFIX}-staging"
_JOURNAL = f"{STAGING}/journal"
_UNFINISHED = f"{STAGING}/journal.part"
# In the order in which they are carried out.
VERBS = ("remove", "rmdir", "mkdir", "create", "replace")


class Operation(NamedTuple):
    """One change of the tree."""

    verb: str  # one of VERBS
    target: str  # relative to the tree
    staged: str = (
        ""  # the name in the staging folder that `create` and `replace` move to the target
    )


def is_pending(fs: FileSystem, root: str) -> bool:
    """Tell whether a write was announced and is not carried out to its end."""
    return fs.kind(f"{root}/{_JOURNAL}") is Kind.FILE


def announce(fs: FileSystem, root: str, operations: Iterable[Operation]) -> list[Operation]:
    """Make the staged operations certain to happen; return them in the order to do them."""
    ordered = _order(operations)
    with suppress(FileExistsError):
        fs.mkdir(f"{root}/{STAGING}")
    fs.write(f"{root}/{_UNFINISHED}", json.dumps(ordered).encode())
    fs.rename(f"{root}/{_UNFINISHED}", f"{root}/{_JOURNAL}")
    return ordered


def finish(fs: FileSystem, root: str, operations: Iterable[Operation]) -> None:
    """Do the announced operations and clear the staging folder."""
    for verb, target, staged in operations:
        path = f"{root}/{target}"
        if verb == "remove":
            fs.unlink(path)
        elif verb == "rmdir":
            _remove_if_empty(fs, path)
        elif verb == "mkdir":
            with suppress(FileExistsError):
                fs.mkdir(path)
        else:
            fs.rename(f"{root}/{STAGING}/{staged}", path)
    discard(fs, root)


def recover(fs: FileSystem, root: str) -> None:
    """Finish an announced write, or undo one that was not announced yet.

    Raises:
        FatalError: something that is not ours stands where the write has to go on.
    """
    kind = fs.kind(f"{root}/{STAGING}")
    refuse_obstacles(
        root,
        foreign=[STAGING] if kind is Kind.FILE else [],
        links=[STAGING] if kind is Kind.LINK else [],
    )
    if kind is Kind.NOTHING:
        return
    announced = _read_journal(fs, root)
    left = [operation for operation in announced if _is_left(fs, root, operation)]
    _refuse_changes_since(fs, root, left)
    finish(fs, root, left)


def discard(fs: FileSystem, root: str) -> None:
    """Delete the staging folder, the journal first: without it the rest means nothing."""
    with suppress(FileNotFoundError):
        fs.unlink(f"{root}/{_JOURNAL}")
    with suppress(FileNotFoundError):
        _delete_folder(fs, f"{root}/{STAGING}")


def _order(operations: Iterable[Operation]) -> list[Operation]:
    """Sort by verb, then outer folders before inner ones, or the other way round to delete them."""
    outer_first = sorted(operations, key=lambda operation: operation.target)
    inner_first = outer_first[::-1]
    return [
        operation
        for verb in VERBS
        for operation in (inner_first if verb == "rmdir" else outer_first)
        if operation.verb == verb
    ]


def _remove_if_empty(fs: FileSystem, path: str) -> None:
    try:
        fs.rmdir(path)
    except OSError as error:
        # Some systems say that the folder exists instead of that it is not empty.
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT):
            raise


def _read_journal(fs: FileSystem, root: str) -> list[Operation]:
    """Return the announced operations, none if there is no journal that a compile wrote."""
    data = fs.read(f"{root}/{_JOURNAL}")
    try:
        found = [Operation(*entry) for entry in json.loads(data or b"[]")]
    except (ValueError, TypeError, RecursionError):
        return []
    return found if all(map(_is_sound, found)) else []


def _is_sound(operation: Operation) -> bool:
    """Tell whether an operation stays in the tree: anyone can put a journal into a repository."""
    verb, target, staged = operation
    placed = verb in ("create", "replace")
    return verb in VERBS and is_path(target) and (is_path(staged) if placed else staged == "")


def _is_left(fs: FileSystem, root: str, operation: Operation) -> bool:
    verb, target, staged = operation
    if verb == "remove":
        return fs.kind(f"{root}/{target}") is Kind.FILE
    return not staged or fs.kind(f"{root}/{STAGING}/{staged}") is not Kind.NOTHING


def _refuse_changes_since(fs: FileSystem, root: str, operations: Sequence[Operation]) -> None:
    """Refuse to go on over links and files that came after the write was interrupted."""
    targets = {operation.target for operation in operations}
    kinds = {path: fs.kind(f"{root}/{path}") for path in targets | list_folders(targets)}
    removed = {operation.target for operation in operations if operation.verb == "remove"}
    foreign = [
        operation.target
        for operation in operations
        if (operation.verb == "create" and kinds[operation.target] in (Kind.FILE, Kind.FOLDER))
        or (operation.verb == "mkdir" and kinds[operation.target] is Kind.FILE)
    ]
    links = [path for path, kind in kinds.items() if kind is Kind.LINK]
    refuse_obstacles(root, set(foreign) - removed, links)


def _delete_folder(fs: FileSystem, path: str) -> None:
    for name in fs.names(path):
        inner = f"{path}/{name}"
        if fs.kind(inner) is Kind.FOLDER:
            _delete_folder(fs, inner)
        else:
            fs.unlink(inner)
    fs.rmdir(path)
