"""New contents laid ready inside the tree, and the operations that will put them in place.

In: the survey of a unit. Out: files in the staging folder, and what the journal needs to know. A
folder that is not there yet is staged whole and costs one rename; of a folder that is there, only
the files that differ are staged. Nothing outside the staging folder changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from neuron_dra.emit.disk import FileSystem
from neuron_dra.emit.journal import STAGING, Operation
from neuron_dra.emit.layout import list_folders
from neuron_dra.emit.survey import Survey


def stage_unit(fs: FileSystem, root: str, number: int, survey: Survey) -> list[Operation]:
    """Stage what a unit lacks; `number` tells its names in the staging folder from all others."""
    if not (survey.missing or survey.changed):
        return []
    staging = f"{root}/{STAGING}"
    with suppress(FileExistsError):
        fs.mkdir(staging)
    if survey.is_new:
        _stage_folder(fs, f"{staging}/{number}", survey)
        above = survey.absent & list_folders([survey.folder])
        placed = Operation("create", survey.folder, str(number))
        return [*(Operation("mkdir", folder) for folder in above), placed]
    operations = [Operation("mkdir", folder) for folder in survey.absent]
    operations += _stage_files(fs, staging, number, survey)
    return operations


def list_removals(survey: Survey) -> list[Operation]:
    """Return the operations that remove stale files and the folders that may be empty then."""
    if not survey.stale:
        return []
    needed = list_folders([*survey.missing, *survey.changed, *survey.unchanged])
    emptied = list_folders(survey.stale) - needed
    return [
        *(Operation("remove", path) for path in survey.stale),
        *(Operation("rmdir", folder) for folder in emptied),
    ]


def _stage_folder(fs: FileSystem, target: str, survey: Survey) -> None:
    fs.mkdir(target)
    for folder in sorted(list_folders(survey.files)):
        fs.mkdir(f"{target}/{folder}")
    for path, content in survey.files.items():
        fs.write(f"{target}/{path}", content)


def _stage_files(fs: FileSystem, staging: str, number: int, survey: Survey) -> Iterator[Operation]:
    verbs = dict.fromkeys(survey.missing, "create") | dict.fromkeys(survey.changed, "replace")
    for position, (path, verb) in enumerate(verbs.items()):
        staged = f"{number}-{position}"
        fs.write(f"{staging}/{staged}", survey.find_content(path))
        yield Operation(verb, path, staged)
