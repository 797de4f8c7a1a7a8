"""Files and places in them: the bottom of every other room.

In: paths, standard input or bytes. Out: `Source` values (bytes with a shown path) and `Span`s.
Does not interpret text; the only reading of the outside world on the input side happens here.
"""

from __future__ import annotations

import os
import re
import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

STANDARD_INPUT = "<stdin>"  # its shown path
SPEC_SUFFIXES = (".yaml", ".yml")
MANIFEST_SUFFIXES = (*SPEC_SUFFIXES, ".json")
# What YAML 1.1 counts as the end of a line, so that numbers agree with the parser's.
_LINE_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_LINE_END_BYTES = re.compile(rb"\r\n|[\r\n]|\xc2\x85|\xe2\x80[\xa8\xa9]")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class FatalError(Exception):
    """The world outside the input is wrong: a missing file, no permission, no Git revision."""


class Source:
    """One text of the input: the path shown to the user and its bytes."""

    __slots__ = ("_lines", "data", "path")

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self._lines: list[str] | None = None

    def __repr__(self) -> str:
        return f"Source({self.path!r})"

    def line(self, number: int) -> str:
        """Return the line with this zero-based number without its line end, or an empty string."""
        if self._lines is None:
            text = self.data.decode("utf-8", errors="replace").removeprefix("\ufeff")
            self._lines = _LINE_END.split(text)
        return self._lines[number] if number < len(self._lines) else ""


class LongSource(Source):
    """A text of many megabytes: lines are found by their offsets, and not kept."""

    __slots__ = ("_offsets",)

    def __init__(self, path: str, data: bytes) -> None:
        super().__init__(path, data.removeprefix(_BYTE_ORDER_MARK))
        self._offsets: array[int] | None = None  # where each line begins

    def line(self, number: int) -> str:
        if self._offsets is None:
            ends = (match.end() for match in _LINE_END_BYTES.finditer(self.data))
            self._offsets = array("Q", [0])
            self._offsets.extend(ends)
        if number >= len(self._offsets):
            return ""
        start = self._offsets[number]
        found = _LINE_END_BYTES.search(self.data, start)
        end = found.start() if found else len(self.data)
        return self.data[start:end].decode("utf-8", errors="replace")


@dataclass(frozen=True, slots=True)
class Span:
    """A range in a source; lines and columns count from zero, the end is exclusive."""

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of_file(cls, source: Source) -> Span:
        """Return the empty span at the start of a source."""
        return cls(source, 0, 0, 0, 0)

    @classmethod
    def of_range(cls, source: Source, start: int, end: int) -> Span:
        """Return the span between two offsets in code points."""
        text = source.data.decode("utf-8", errors="replace")
        return cls(source, *_place(text, start), *_place(text, end))

    @property
    def path(self) -> str:
        return self.source.path

    def sort_key(self) -> tuple[str, int, int, int, int]:
        return (self.source.path, self.line, self.column, self.end_line, self.end_column)

    def __str__(self) -> str:
        return f"{self.source.path}:{self.line + 1}:{self.column + 1}"


def line_starts(text: str) -> list[int]:
    """Return the offset of each line of a text."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def _place(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column of an offset."""
    before = _LINE_END.split(text[:offset])
    return len(before) - 1, len(before[-1])


def read_sources(
    paths: Iterable[str], *, excluded: str = "", suffixes: tuple[str, ...] = SPEC_SUFFIXES
) -> list[Source]:
    """Read files, folders (recursively) and `-` (standard input) in a stable order.

    Args:
        excluded: a folder that is left out where it lies in another.
        suffixes: the ends of the names of files that are read in folders.

    Raises:
        FatalError: a path does not exist or cannot be read.
    """
    found: dict[str, Source] = {}
    for path in paths:
        for source in _read_path(path, excluded, suffixes):
            found.setdefault(source.path, source)
    return [found[path] for path in sorted(found)]


def read_long_sources(paths: Iterable[str]) -> Iterator[Source]:
    """Read files and `-` (standard input) in the given order, each when it is asked for.

    Raises:
        FatalError: a path cannot be read.
    """
    for path in paths:
        read = _read_standard_input() if path == "-" else _read_file(path)
        yield LongSource(read.path, read.data)


def read_file(path: str) -> Source:
    """Read one file.

    Raises:
        FatalError: it cannot be read.
    """
    return _read_file(path)


def find_upwards(paths: Iterable[str], name: str) -> Source | None:
    """Return the file of this name that lies nearest above some files and folders.

    Raises:
        FatalError: it cannot be read, or there is more than one.
    """
    files = {file for path in paths if (file := _nearest(path, name))}
    if len(files) > 1:
        raise FatalError(f"{' and '.join(sorted(files))} both apply; give their specs apart")
    return _read_file(files.pop()) if files else None


def _nearest(path: str, name: str) -> str:
    """Return the path of the nearest file, relative to here where it lies below, else whole."""
    folder = os.path.realpath("." if path == "-" else path)
    while folder != (above := os.path.dirname(folder)):  # noqa: PTH120 -- os.path keeps pathlib off the compile path
        file = os.path.join(folder, name)  # noqa: PTH118 -- as above
        if os.path.isfile(file):  # noqa: PTH113 -- as above
            here = os.path.join(os.path.realpath("."), "")  # noqa: PTH118 -- as above
            return file.removeprefix(here)
        folder = above
    return ""


def lies_inside(output: str, paths: Iterable[str]) -> bool:
    """Tell whether an output folder lies in one of some folders of specs.

    Raises:
        FatalError: it is one of them, and a second run would read its files.
    """
    wanted = os.path.realpath(output)
    folders = [os.path.realpath(path) for path in paths if os.path.isdir(path)]  # noqa: PTH112 -- os.path keeps pathlib off the compile path
    if wanted in folders:
        raise FatalError(f"{output} is a folder of specs; give the output a folder of its own")
    return any(wanted.startswith(os.path.join(folder, "")) for folder in folders)  # noqa: PTH118 -- as above


def _read_path(path: str, excluded: str, suffixes: tuple[str, ...]) -> Iterator[Source]:
    if path == "-":
        yield _read_standard_input()
    elif os.path.isdir(path):  # noqa: PTH112 -- os.path keeps pathlib off the compile path
        for file in _walk(path, os.path.realpath(excluded) if excluded else "", suffixes):
            yield _read_file(file)
    else:
        yield _read_file(path)


def _read_standard_input() -> Source:
    return Source(STANDARD_INPUT, sys.stdin.buffer.read())


def _walk(folder: str, excluded: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    """Yield the spec files below a folder, sorted, leaving hidden names out."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise FatalError(f"cannot read {folder}: {error.strerror}") from None
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            if not excluded or os.path.realpath(entry.path) != excluded:
                yield from _walk(entry.path, excluded, suffixes)
        elif entry.name.endswith(suffixes):
            yield entry.path


def _read_file(path: str) -> Source:
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            data = b"".join(iter(lambda: os.read(descriptor, 1 << 20), b""))
        finally:
            os.close(descriptor)
    except OSError as error:
        raise FatalError(f"cannot read {path}: {error.strerror}") from None
    return Source(os.path.normpath(path).replace(os.sep, "/"), data)


def read_revision(repository: str, revision: str, paths: Iterable[str]) -> list[Source]:
    """Read the spec files of a Git revision without touching the work tree or the index.

    Args:
        repository: any folder inside the Git work tree.
        revision: what `git rev-parse` understands.
        paths: folders or files, relative to `repository`.

    Raises:
        FatalError: Git is missing, or does not know the revision.
    """
    names = _git(
        repository, "ls-tree", "-r", "-z", "--name-only", "--end-of-options", revision, "--", *paths
    )
    sources = []
    for name in sorted(filter(None, names.decode("utf-8", "surrogateescape").split("\0"))):
        hidden = any(part.startswith(".") for part in name.split("/"))
        if name.endswith(SPEC_SUFFIXES) and not hidden:
            sources.append(
                Source(name, _git(repository, "show", "--end-of-options", f"{revision}:./{name}"))
            )
    return sources


def _git(repository: str, *arguments: str) -> bytes:
    import subprocess

    command = ["git", "-C", repository, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise FatalError(f"cannot run git: {error.strerror}") from None
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise FatalError(f"git {arguments[0]} failed: {reason[0] if reason else 'no message'}")
    return done.stdout
