"""Two writers never work in one tree."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys

import pytest

from neuron_dra.emit.lock import LOCK, lock_tree
from neuron_dra.emit.tree import compare_tree, write_tree
from neuron_dra.source import FatalError


def test_second_writer_is_refused(tmp_path, build_unit, read_tree):
    """While one writer holds the lock another one is refused at once and a reader is not."""
    unit = build_unit("argocd", {"a.yaml": "x"})
    with lock_tree(str(tmp_path)):
        with pytest.raises(
            FatalError, match=f"another neuron-dra compile is writing to `{tmp_path}`"
        ):
            write_tree(tmp_path, [unit])
        assert len(compare_tree(tmp_path, [unit]).missing) == 2
        assert read_tree(tmp_path) == {}
    assert write_tree(tmp_path, [unit]).written == 2


def test_lock_is_freed(tmp_path):
    """A lock is gone, file and all, when its holder ends, also by an error."""
    with pytest.raises(KeyError), lock_tree(str(tmp_path)):
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    with lock_tree(str(tmp_path)):
        assert (tmp_path / LOCK).exists()


def test_lock_of_a_dead_writer(tmp_path):
    """The lock file of a killed writer stops nobody."""
    script = "import os, sys\nfrom neuron_dra.emit.lock import lock_tree\n"
    script += "with lock_tree(sys.argv[1]): os._exit(0)"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], env=environment, check=True)
    assert (tmp_path / LOCK).exists()

    with lock_tree(str(tmp_path)):
        pass
    assert not (tmp_path / LOCK).exists()


def test_file_replaced_under_the_lock(tmp_path, monkeypatch):
    """A lock on a file that its holder has just deleted counts for nothing, and is tried again."""
    path = tmp_path / LOCK
    calls = []

    def delete_first(_, flags):
        calls.append(flags)
        if len(calls) == 1:
            path.unlink()

    monkeypatch.setattr(fcntl, "flock", delete_first)
    with lock_tree(str(tmp_path)):
        assert path.exists()
    assert len(calls) == 2


def test_link_in_place_of_the_lock(tmp_path, build_unit):
    """A link in the place of the lock file is not followed."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / LOCK).symlink_to(tmp_path / "victim")

    with pytest.raises(FatalError, match=f"cannot write `.*{LOCK}`: Too many levels of symbolic"):
        write_tree(tmp_path / "out", [build_unit("argocd", {"a.yaml": "x"})])
    assert not (tmp_path / "victim").exists()
