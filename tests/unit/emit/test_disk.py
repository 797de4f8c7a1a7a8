"""The calls that touch the disk."""

from __future__ import annotations

import os

import pytest

from neuron_dra.emit.disk import FileSystem, Kind


def test_kinds(tmp_path):
    """An entry is told apart without following it."""
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    names = ["file", "link", "dangling", "pipe", "none", "file/below", ""]

    found = [FileSystem().kind(f"{tmp_path}/{name}") for name in names]

    assert found == [
        *(Kind.FILE, Kind.LINK, Kind.LINK, Kind.FILE, Kind.NOTHING, Kind.NOTHING, Kind.FOLDER)
    ]


@pytest.mark.parametrize("size", [1, 9, 10, 11, 1 << 16])
def test_read(tmp_path, size):
    """A file is read whole, whatever its size was thought to be."""
    (tmp_path / "file").write_bytes(b"0123456789")

    assert FileSystem().read(f"{tmp_path}/file", size) == b"0123456789"
    assert FileSystem().read(f"{tmp_path}/none") is None
    assert FileSystem().read(f"{tmp_path}/file/below") is None


def test_write_is_complete(tmp_path, monkeypatch):
    """Content that the system takes in pieces is written whole."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:3]))

    FileSystem().write(f"{tmp_path}/file", b"0123456789")

    assert (tmp_path / "file").read_bytes() == b"0123456789"


def test_write_does_not_replace(tmp_path):
    """A file that is there is never opened for writing, nor what a link points to."""
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "new")

    for name in ("file", "link"):
        with pytest.raises(FileExistsError):
            FileSystem().write(f"{tmp_path}/{name}", b"x")
    assert (tmp_path / "file").read_text() == "mine"
    assert not (tmp_path / "new").exists()
