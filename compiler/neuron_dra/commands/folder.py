"""Files that a verb writes into a folder that the user names: all of them, or none.

In: texts by file name. Out: the files, which replace those of the same names; others are left
alone. The folder is made when it is missing. An output tree has rules of its own, in `emit.tree`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from neuron_dra.source import FatalError

_UNFINISHED = ".{}.unfinished"


def write_folder(folder: str, texts: Mapping[str, str]) -> list[str]:
    """Write files and return their paths, as they begin with the folder's name.

    Raises:
        FatalError: a file cannot be written; those that were there are as before.
    """
    paths = {os.path.join(folder, name): text for name, text in texts.items()}  # noqa: PTH118 -- as it was given
    staged = {path: _stage_name(path) for path in paths}
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        _refuse_folders(paths)
        for path, text in paths.items():
            Path(staged[path]).write_text(text, encoding="utf-8", newline="\n")
        for path, unfinished in staged.items():
            Path(unfinished).replace(path)
    except OSError as error:
        raise FatalError(f"cannot write {error.filename or folder}: {error.strerror}") from None
    finally:
        _remove(staged.values())
    return list(paths)


def _stage_name(path: str) -> str:
    place = Path(path)
    return str(place.with_name(_UNFINISHED.format(place.name)))


def _refuse_folders(paths: Iterable[str]) -> None:
    """Find what would stop the last step before the first file is replaced."""
    for path in paths:
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)


def _remove(paths: Iterable[str]) -> None:
    for path in paths:
        with suppress(OSError):
            Path(path).unlink()
