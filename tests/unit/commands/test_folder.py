"""Files that a verb writes into a folder: all or none."""

from __future__ import annotations

import pytest

from neuron_dra.commands.folder import write_folder
from neuron_dra.source import FatalError


def read(folder):
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_makes_the_folder(tmp_path):
    """The folder is made with its parents, and the paths begin as it was given."""
    folder = tmp_path / "a/b"

    paths = write_folder(str(folder), {"x.yaml": "x\n", "y.yaml": "é\n"})

    assert paths == [f"{folder}/x.yaml", f"{folder}/y.yaml"]
    assert read(folder) == {"x.yaml": "x\n", "y.yaml": "é\n"}


def test_replaces_files_of_the_same_names_alone(tmp_path):
    """What was written before is replaced, and other files stay."""
    (tmp_path / "x.yaml").write_text("old\n")
    (tmp_path / "mine").write_text("mine\n")

    write_folder(str(tmp_path), {"x.yaml": "x\n"})

    assert read(tmp_path) == {"x.yaml": "x\n", "mine": "mine\n"}


@pytest.mark.parametrize("obstacle", ["y.yaml", ".y.yaml.unfinished"])
def test_all_or_nothing(tmp_path, obstacle):
    """When one file cannot be written, the others are as they were and nothing is left behind."""
    (tmp_path / "x.yaml").write_text("old\n")
    (tmp_path / obstacle).mkdir()

    with pytest.raises(FatalError, match=r"cannot write .*y\.yaml.*: Is a directory"):
        write_folder(str(tmp_path), {"x.yaml": "x\n", "y.yaml": "y\n"})

    assert read(tmp_path) == {"x.yaml": "old\n"}


def test_a_file_in_the_way(tmp_path):
    """A folder that cannot be made is a fault of the world outside."""
    (tmp_path / "file").touch()

    with pytest.raises(FatalError, match="Not a directory"):
        write_folder(str(tmp_path / "file/slices"), {"x.yaml": "x\n"})
