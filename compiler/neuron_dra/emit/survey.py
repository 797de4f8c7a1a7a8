"""What stands on disk against what a unit should be, without changing anything.

In: a tree, and a unit or a folder to prune. Out: a `Survey`, which says for each file whether it
is missing, changed, as it should be or no longer produced, and what stands in the way. A file is
ours if the manifest on disk lists it. A file that no manifest lists is in the way, unless it has
the very content that it should get, so that a lost manifest can be made again.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from neuron_dra.emit.disk import FileSystem, Kind
from neuron_dra.emit.layout import MANIFEST, Unit, check_files, list_folders, read_manifest


@dataclass(slots=True)
class Survey:
    """The state of one unit; all paths are relative to the tree."""

    folder: str
    # Content by path relative to `folder`; empty for a folder to prune.
    files: Mapping[str, bytes]
    # The folders that are needed and not there.
    absent: set[str] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    # Listed by the manifest on disk, still there, and no longer produced.
    stale: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        """Tell whether the whole folder is not there."""
        return self.folder in self.absent

    def find_content(self, path: str) -> bytes:
        """Return the content that a path should have."""
        return self.files[path[len(self.folder) + 1 :] if self.folder else path]


def survey_unit(fs: FileSystem, root: str, unit: Unit) -> Survey:
    """Compare a unit with what stands in its place."""
    survey = Survey(unit.folder, dict(unit.files))
    check_files(unit.folder, survey.files)
    if not unit.folder:
        _compare_top(fs, root, survey)
        return survey
    _note_folders(fs, root, survey, list_folders([f"{unit.folder}/"]))
    if survey.is_new:
        survey.missing = [f"{unit.folder}/{path}" for path in survey.files]
    else:
        _compare_unit(fs, root, survey)
    return survey


def survey_pruned(fs: FileSystem, root: str, folder: str) -> Survey:
    """List the files of a folder that is to go, and nothing that is not ours."""
    survey = Survey(folder, {})
    _note_folders(fs, root, survey, list_folders([f"{folder}/"]))
    if not survey.is_new:
        _compare_unit(fs, root, survey)
    return survey


def _compare_unit(fs: FileSystem, root: str, survey: Survey) -> None:
    base = f"{survey.folder}/"
    owned = {base + path for path in _list_owned(fs, root, survey)}
    if survey.links or survey.foreign:
        return
    wanted = {base + path: content for path, content in survey.files.items()}
    stale = owned - wanted.keys()
    needed = list_folders(wanted)
    _note_folders(fs, root, survey, needed | list_folders(stale), stale)
    for path, content in wanted.items():
        if survey.absent and path.rpartition("/")[0] in survey.absent:
            survey.missing.append(path)
        else:
            _compare_file(fs, root, survey, path, content, owned)
    _note_stale(fs, root, survey, stale)
    survey.absent &= needed


def _list_owned(fs: FileSystem, root: str, survey: Survey) -> Set[str]:
    """Return the paths, relative to the unit, that the manifest on disk lists."""
    path = f"{survey.folder}/{MANIFEST}"
    try:
        found = fs.read(f"{root}/{path}")
    except OSError as error:
        _note_obstacle(survey, path, error)
        return frozenset()
    if found is None:
        return frozenset()
    # An equal manifest lists the unit's files; most are equal, and reading them is slow.
    if found == survey.files.get(MANIFEST):
        return survey.files.keys()
    return read_manifest(f"{root}/{path}", found)


def _compare_file(
    fs: FileSystem, root: str, survey: Survey, path: str, content: bytes, owned: Set[str]
) -> None:
    try:
        found = fs.read(f"{root}/{path}", len(content) + 1)
    except OSError as error:
        _note_obstacle(survey, path, error)
        return
    if found == content:
        survey.unchanged.append(path)
    elif found is None:
        survey.missing.append(path)
    elif path in owned:
        survey.changed.append(path)
    else:
        survey.foreign.append(path)


def _compare_top(fs: FileSystem, root: str, survey: Survey) -> None:
    """Compare the files at the top of the tree, leaving alone those with another first line."""
    for path, content in survey.files.items():
        _compare_file(fs, root, survey, path, content, {path})
    survey.foreign.clear()
    survey.changed = [
        path
        for path in survey.changed
        if _first_line(fs.read(f"{root}/{path}")) == _first_line(survey.files[path])
    ]


def _first_line(content: bytes | None) -> bytes:
    return (content or b"").partition(b"\n")[0]


def _note_folders(
    fs: FileSystem,
    root: str,
    survey: Survey,
    folders: Iterable[str],
    leaving: Set[str] = frozenset(),
) -> None:
    """Look at folders from the outside in; `leaving` are files that go and may make place."""
    for folder in sorted(folders):
        if folder.rpartition("/")[0] in survey.absent:
            survey.absent.add(folder)
            continue
        kind = fs.kind(f"{root}/{folder}")
        if kind is Kind.LINK:
            survey.links.append(folder)
        elif kind is Kind.FILE and folder not in leaving:
            survey.foreign.append(folder)
        if kind is not Kind.FOLDER:
            survey.absent.add(folder)


def _note_stale(fs: FileSystem, root: str, survey: Survey, stale: Iterable[str]) -> None:
    for path in sorted(stale):
        if path.rpartition("/")[0] in survey.absent:
            continue
        kind = fs.kind(f"{root}/{path}")
        if kind is Kind.FILE:
            survey.stale.append(path)
        elif kind is Kind.LINK:
            survey.links.append(path)


def _note_obstacle(survey: Survey, path: str, error: OSError) -> None:
    """Note a link or a folder that stands in the place of a file."""
    if error.errno == errno.ELOOP:
        survey.links.append(path)
    elif error.errno == errno.EISDIR:
        survey.foreign.append(path)
    else:
        raise error
