"""What the output tree may look like: units, their files, and which paths are allowed.

In: units and paths as other rooms name them, and manifests found on disk. Out: the folders that a
unit needs, and `FatalError` for a path that some file system could not hold or that would leave the
tree. Touches no disk.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from neuron_dra.source import FatalError

MANIFEST = "manifest.json"
# Every name of the compiler's own in the tree; reserved, so that no unit can write there.
WORK_PREFIX = ".neuron-dra"
# What the file systems of Linux, macOS and Windows share.
NAME_MAX_BYTES = 255
_NO_NAME = re.compile(r"\A\.{0,2}\Z|[\\\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Unit:
    """A folder that is written, compared and pruned on its own, with its manifest in it."""

    # Relative to the tree. "" is its top, whose files stand in no manifest: each is replaced only
    # if its first line is the one that it gets, and never pruned.
    folder: str
    # Content by path relative to `folder`. It is asked for once, when the unit's turn comes, in the
    # process that writes it: a mapping may make its contents only then.
    files: Mapping[str, bytes]


def list_folders(paths: Iterable[str]) -> set[str]:
    """Return every folder above the paths, without the top."""
    direct = {path.rpartition("/")[0] for path in paths}
    folders = set(direct)
    for folder in direct:
        end = folder.rfind("/")
        while end >= 0:
            folders.add(folder[:end])
            end = folder.rfind("/", 0, end)
    return folders - {""}


def check_folders(units: Collection[str], pruned: Collection[str]) -> None:
    """Refuse folders that are no paths, occur twice, or lie inside each other."""
    folders = sorted([*filter(None, units), *pruned])
    above = list_folders(folders)
    _check_names({*folders, *above})
    _check_case([*folders, *above.difference(folders)], "")
    nested = sorted(above.intersection(folders))
    if nested:
        raise FatalError(f"`{nested[0]}` is a folder of its own and cannot hold another one")


def check_files(folder: str, paths: Collection[str]) -> set[str]:
    """Refuse paths that a unit cannot have; return the folders that it needs."""
    folders = list_folders(paths)
    _check_names({*paths, *folders})
    _check_case([*paths, *folders], f"{folder}/" if folder else "")
    if not folder and folders:
        raise FatalError(f"`{min(folders)}` is a folder, and the top of the tree holds only files")
    if folder and MANIFEST not in paths:
        raise ValueError(f"{folder} has no {MANIFEST}")
    return folders


def read_manifest(shown: str, data: bytes) -> set[str]:
    """Return the paths of the files that a manifest lists, itself included."""
    try:
        paths = {MANIFEST, *(entry["path"] for entry in json.loads(data)["files"])}
    except (ValueError, LookupError, TypeError, RecursionError):
        paths = {""}
    if not all(map(is_path, paths)):
        raise FatalError(
            f"`{shown}` is no manifest of neuron-dra; restore it: it says which files may go"
        )
    return paths


def is_path(path: object) -> bool:
    """Tell whether something is a relative path that stays below its folder."""
    return isinstance(path, str) and not any(map(_NO_NAME.search, path.split("/")))


def _check_names(paths: Iterable[str]) -> None:
    """Refuse paths that no file can have; the folders above each path are among the paths."""
    flaws = {path: flaw for path in paths if (flaw := _find_flaw(path))}
    if flaws:
        raise FatalError(flaws[min(flaws)])


def _find_flaw(path: str) -> str | None:
    folder, slash, name = path.rpartition("/")
    if _NO_NAME.search(name) or (slash and not folder):
        return f"`{ascii(path)[1:-1]}` is no path inside the output tree"
    if len(name) > NAME_MAX_BYTES // 4 and len(name.encode()) > NAME_MAX_BYTES:
        return f"`{name}` has {len(name.encode())} bytes, file systems allow {NAME_MAX_BYTES}"
    if name.startswith(WORK_PREFIX):
        return f"`{path}`: names that begin with `{WORK_PREFIX}` are reserved"
    return None


def _check_case(paths: Collection[str], prefix: str) -> None:
    """Refuse two paths that are one on a file system without case, or a file that is a folder."""
    if len({path.casefold() for path in paths}) == len(paths):
        return
    seen: dict[str, str] = {}
    for path in paths:
        folded = path.casefold()
        if folded in seen:
            raise FatalError(
                f"`{prefix}{seen[folded]}` and `{prefix}{path}` are one path on some disks"
            )
        seen[folded] = path


def refuse_obstacles(root: str, foreign: Iterable[str], links: Iterable[str]) -> None:
    """Raise a `FatalError` that names all that stands in the way of a write, if anything does."""
    foreign, links = set(foreign), set(links)
    reasons = []
    if links:
        verb = "is a symbolic link" if len(links) == 1 else "are symbolic links"
        reasons.append(f"{_list_paths(root, links)} {verb}, which neuron-dra does not follow")
    if foreign:
        verb = "was" if len(foreign) == 1 else "were"
        reasons.append(f"{_list_paths(root, foreign)} {verb} not written by neuron-dra")
    if reasons:
        them = "it" if len(foreign) + len(links) == 1 else "them"
        raise FatalError(f"{' and '.join(reasons)}; move {them} away")


def _list_paths(root: str, paths: Collection[str]) -> str:
    return ", ".join(f"`{root}/{path}`" for path in sorted(paths))
