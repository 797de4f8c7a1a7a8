"""Which folders and files a tree may have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.emit.layout import check_files, check_folders, is_path, list_folders, read_manifest
from neuron_dra.emit.tree import Unit, write_tree
from neuron_dra.source import FatalError

NO_PATHS = [
    *("..", "../x", "a/../b", "a/..", ".", "./a", "a/./b", "/a", "/", "a//b", "a/", "", "a\\b"),
    *("a\nb", "a\x00b", "a\x7f", "\ud800"),
]


@pytest.mark.parametrize("path", NO_PATHS)
def test_paths_outside(path):
    """A path that leaves its folder, or that is none, is refused wherever it stands."""
    assert not is_path(path)
    with pytest.raises(FatalError, match="is no path inside the output tree"):
        check_files("argocd", [path, "manifest.json"])
    if path:
        with pytest.raises(FatalError, match="is no path inside the output tree"):
            check_folders([path], [])


@given(st.lists(st.text(max_size=4), min_size=1, max_size=4))
def test_paths_inside(names):
    """A path is one if each of its names is one."""
    path = "/".join(names)
    bad = {"", ".", ".."}
    expected = not any(name in bad for name in path.split("/")) and not any(
        c == "\\" or c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in path
    )

    assert is_path(path) == expected


@pytest.mark.parametrize("name", ["x" * 256, "é" * 128])
def test_long_names(name):
    """A name longer than file systems take is refused with both numbers, one byte less is not."""
    with pytest.raises(FatalError, match="has 256 bytes, file systems allow 255"):
        check_files("argocd", [f"{name}/a", "manifest.json"])
    check_files("argocd", [f"{name[1:]}/a", "manifest.json"])


@pytest.mark.parametrize(
    "paths",
    [["a.yaml", "A.yaml"], ["a/x", "A/y"], ["a", "a/b"], ["straße", "strasse"], ["A", "a/b"]],
)
def test_one_path_on_some_disks(paths):
    """Two paths that a disk without case cannot hold side by side are refused with both names."""
    with pytest.raises(FatalError, match=r"`argocd/.*` and `argocd/.*` are one path on some disks"):
        check_files("argocd", [*paths, "manifest.json"])


@pytest.mark.parametrize("path", [".neuron-dra-staging/x", "a/.neuron-dra.lock"])
def test_reserved_names(path):
    """The compiler's own names are refused."""
    with pytest.raises(FatalError, match=r"names that begin with `.neuron-dra` are reserved"):
        check_files("argocd", [path, "manifest.json"])


def test_top_holds_only_files():
    """The unit at the top has no folders and needs no manifest."""
    check_files("", [".gitattributes"])
    with pytest.raises(
        FatalError, match="`a` is a folder, and the top of the tree holds only files"
    ):
        check_files("", ["a/b"])


def test_manifest_is_required():
    """A unit without its manifest is a mistake of the caller."""
    with pytest.raises(ValueError, match=r"argocd has no manifest.json"):
        check_files("argocd", ["a.yaml"])


@pytest.mark.parametrize(
    ("units", "pruned", "message"),
    [
        (["a", "a"], [], "one path"),
        (["a"], ["a"], "one path"),
        (["clusters/a", "clusters/A"], [], "one path"),
        (["c/a", "C/b"], [], "one path"),
        (["a", "a/b"], [], "cannot hold another one"),
        (["a/b"], ["a"], "cannot hold another one"),
    ],
)
def test_folders_apart(units, pruned, message):
    """Units and pruned folders are different folders outside of each other."""
    with pytest.raises(FatalError, match=message):
        check_folders(units, pruned)


def test_bad_layout_changes_nothing(tmp_path):
    """A unit with a bad path stops the write before anything is made."""
    bad = Unit("b", {"../x": b"", "manifest.json": b""})

    with pytest.raises(FatalError, match=r"`\.\.` is no path"):
        write_tree(tmp_path, [Unit("a", {"manifest.json": b""}), bad])
    assert list(tmp_path.iterdir()) == []


def test_list_folders():
    """The folders above paths are listed once each, without the top."""
    assert list_folders(["a/b/c", "a/d", "e", "f/"]) == {"a", "a/b", "f"}


def test_read_manifest():
    """A manifest lists its files, and itself goes without saying."""
    data = b'{"files": [{"path": "a/b", "sha256": "x"}], "compiler": "1"}'

    assert read_manifest("m", data) == {"a/b", "manifest.json"}
