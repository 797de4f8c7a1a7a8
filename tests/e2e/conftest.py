"""What the end-to-end tests share: copies of example specs, and output trees as values."""

from __future__ import annotations

import shutil

import pytest


@pytest.fixture
def copy_specs(root, tmp_path):
    """Copy a folder of the example specs into the folder that the command runs in."""

    def copy(name, to="specs"):
        return shutil.copytree(root / "specs" / name, tmp_path / to)

    return copy


@pytest.fixture
def read_tree():
    """Read a folder as a dict from relative paths to bytes; a link counts as what it says."""

    def read(folder):
        return {
            path.relative_to(folder).as_posix(): (
                str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
            )
            for path in sorted(folder.rglob("*"))
            if path.is_symlink() or not path.is_dir()
        }

    return read
