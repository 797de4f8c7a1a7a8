"""Writing and comparing an output tree: what changes, and what is never touched."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping

import pytest

from neuron_dra.emit.disk import FileSystem
from neuron_dra.emit.tree import (
    Comparison,
    Unit,
    check_settled,
    compare_tree,
    pending,
    write_tree,
)
from neuron_dra.source import FatalError

OLD = {"a.yaml": "old", "same.yaml": "same", "deep/er/gone.yaml": "x", "kept/gone.yaml": "x"}
NEW = {"a.yaml": "new", "same.yaml": "same", "made/here/b.yaml": "b"}


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


@pytest.fixture
def old(build_unit):
    return build_unit("clusters/one", OLD)


@pytest.fixture
def new(build_unit):
    return build_unit("clusters/one", NEW)


def list_states(root):
    """Return what a rewrite of any file or folder below the root would change."""
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in root.rglob("*")}


def test_first_write(out, old, read_tree):
    """The first write makes the folder, every file, and leaves no work files."""
    report = write_tree(out, [old, Unit("", {".gitattributes": b"# m\n"})])

    assert (report.written, report.unchanged, report.removed) == (6, 0, 0)
    assert report.written_paths[0] == ".gitattributes"
    assert {path: data for path, data in read_tree(out).items() if data is not None} == {
        ".gitattributes": b"# m\n",
        **{f"clusters/one/{path}": data for path, data in old.files.items()},
    }
    assert sorted(path.name for path in out.iterdir()) == [".gitattributes", "clusters"]


def test_unchanged_run_writes_nothing(out, old):
    """A second run with the same units touches no file and no folder of a unit."""
    write_tree(out, [old])
    before = list_states(out)

    report = write_tree(out, [old])

    assert (report.written, report.unchanged, report.removed) == (0, 5, 0)
    assert list_states(out) == before


def test_only_differences_are_written(out, old, new, read_tree):
    """Changed files are replaced, new ones made, stale ones and their empty folders removed."""
    write_tree(out, [old])
    foreign = out / "clusters/one/kept/mine.txt"
    foreign.write_text("mine")
    same = (out / "clusters/one/same.yaml").stat().st_ino

    report = write_tree(out, [new])

    assert report.written_paths == tuple(
        f"clusters/one/{name}" for name in ("a.yaml", "made/here/b.yaml", "manifest.json")
    )
    assert report.unchanged_paths == ("clusters/one/same.yaml",)
    assert report.removed_paths == (
        "clusters/one/deep/er/gone.yaml",
        "clusters/one/kept/gone.yaml",
    )
    found = read_tree(out)
    assert set(found) == {
        "clusters",
        "clusters/one",
        "clusters/one/kept",
        "clusters/one/kept/mine.txt",
        "clusters/one/made",
        "clusters/one/made/here",
        *(f"clusters/one/{path}" for path in new.files),
    }
    assert found["clusters/one/kept/mine.txt"] == b"mine"
    assert found["clusters/one/a.yaml"] == b"new"
    assert (out / "clusters/one/same.yaml").stat().st_ino == same


def test_other_units_stay(out, build_unit, read_tree):
    """A write of some units leaves the folders of others as they are."""
    write_tree(out, [build_unit("clusters/one", OLD), build_unit("clusters/two", OLD)])
    before = read_tree(out)

    write_tree(out, [build_unit("clusters/one", OLD)])

    assert read_tree(out) == before


def test_file_becomes_folder(out, build_unit, read_tree):
    """A stale file makes place for a folder of the same name."""
    write_tree(out, [build_unit("argocd", {"roots": "x"})])

    write_tree(out, [build_unit("argocd", {"roots/a.yaml": "y"})])

    assert read_tree(out)["argocd/roots/a.yaml"] == b"y"


def test_prune_folder(out, old, build_unit, read_tree):
    """Pruning removes what the manifest lists and then-empty folders, and nothing else."""
    write_tree(out, [old, build_unit("clusters/two", {"a.yaml": "x"})])
    (out / "clusters/one/deep/mine.txt").write_text("mine")

    report = write_tree(out, [], ["clusters/one", "clusters/two", "clusters/never"])

    assert report.removed == 7
    assert set(read_tree(out)) == {
        *("clusters", "clusters/one", "clusters/one/deep", "clusters/one/deep/mine.txt")
    }


def test_prune_beside_a_new_unit(out, old, build_unit, read_tree):
    """A folder emptied by pruning and needed by a new unit stays."""
    write_tree(out, [old])

    write_tree(out, [build_unit("clusters/two", {"a.yaml": "x"})], ["clusters/one"])

    assert set(read_tree(out)) == {
        *("clusters", "clusters/two", "clusters/two/a.yaml", "clusters/two/manifest.json")
    }
    write_tree(out, [], ["clusters/two"])
    assert list(out.iterdir()) == []


def test_foreign_files_stop_a_write(out, old, new, build_unit, read_tree):
    """Files of others in the way are all named, and nothing changes."""
    write_tree(out, [old])
    (out / "clusters/one/made").write_text("a file in the place of a folder")
    (out / "clusters/three").write_text("a file in the place of a unit")
    (out / "clusters/two").mkdir()
    (out / "clusters/two/a.yaml").write_text("mine")
    (out / "clusters/two/b.yaml").mkdir()
    before = read_tree(out)
    two = build_unit("clusters/two", {"a.yaml": "x", "b.yaml": "x"})
    three = build_unit("clusters/three", {"a.yaml": "x"})

    with pytest.raises(FatalError) as caught:
        write_tree(out, [new, two, three])

    names = ["one/made", "three", "two/a.yaml", "two/b.yaml"]
    listed = ", ".join(f"`{out}/clusters/{name}`" for name in names)
    assert str(caught.value) == f"{listed} were not written by neuron-dra; move them away"
    assert read_tree(out) == before
    assert not list(out.glob(".neuron-dra*"))


def test_one_foreign_file(out, build_unit):
    """One foreign file is named in the singular."""
    (out / "argocd").mkdir(parents=True)
    (out / "argocd/a.yaml").write_text("mine")

    with pytest.raises(FatalError, match=r"/a.yaml` was not written by neuron-dra; move it away$"):
        write_tree(out, [build_unit("argocd", {"a.yaml": "x"})])


def test_lost_manifest_is_made_again(out, old):
    """Without its manifest a unit with the very same files is taken up again."""
    write_tree(out, [old])
    (out / "clusters/one/manifest.json").unlink()

    report = write_tree(out, [old])

    assert report.written_paths == ("clusters/one/manifest.json",)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"files": 1}', '{"files": [{}]}', '{"files": [{"path": 1}]}', "<<<<<<<"]
    + [f'{{"files": [{{"path": "{path}"}}]}}' for path in ("../x", "/x", "a//b", "", "a\\\\b")]
    + ["[" * 100_000, "\udcff"],
)
def test_broken_manifest(out, old, new, text, read_tree):
    """A manifest that cannot be one of ours is named, and nothing changes."""
    write_tree(out, [old])
    manifest = out / "clusters/one/manifest.json"
    manifest.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = read_tree(out)

    with pytest.raises(FatalError, match=f"`{manifest}` is no manifest of neuron-dra"):
        write_tree(out, [new])
    assert read_tree(out) == before


@pytest.mark.parametrize(
    ("found", "left"),
    [
        (None, b"# ours\nnew\n"),
        ("# ours\nold\n", b"# ours\nnew\n"),
        ("* text=auto\n", b"* text=auto\n"),
        ("", b""),
    ],
)
def test_top_file(out, found, left):
    """A file at the top is written if it is not there or begins with our line."""
    out.mkdir()
    if found is not None:
        (out / ".gitattributes").write_text(found)

    top = Unit("", {".gitattributes": b"# ours\nnew\n"})
    write_tree(out, [top])

    assert (out / ".gitattributes").read_bytes() == left
    assert compare_tree(out, [top]).is_current


LINKED = [
    *(
        "clusters",
        "clusters/one",
        "clusters/one/deep",
        "clusters/one/deep/er",
        "clusters/one/a.yaml",
    ),
    *("clusters/one/manifest.json", "clusters/one/kept/gone.yaml", "clusters/one/made"),
    *("clusters/two", ".gitattributes", ".neuron-dra-staging"),
]


@pytest.mark.parametrize("place", LINKED)
def test_links_are_not_followed(out, old, new, build_unit, place, tmp_path, read_tree):
    """A link on a path that would be written, read or removed is named, and nothing changes."""
    write_tree(out, [old])
    target, link = tmp_path / "elsewhere", out / place
    if link.exists():
        link.rename(target)
    else:
        target.mkdir()
    link.symlink_to(target)
    before, outside = read_tree(out), read_tree(tmp_path)
    units = [new, build_unit("clusters/two", NEW), Unit("", {".gitattributes": b"# ours\n"})]

    with pytest.raises(FatalError, match=f"`{link}` is a symbolic link"):
        write_tree(out, units)
    if place != ".neuron-dra-staging":
        with pytest.raises(FatalError, match=f"`{link}` is a symbolic link"):
            compare_tree(out, units)
    assert read_tree(out) == before
    assert read_tree(tmp_path) == outside


def test_link_in_a_pruned_folder(out, old, tmp_path):
    """Pruning does not follow a link."""
    write_tree(out, [old])
    (tmp_path / "er").mkdir()
    (tmp_path / "er/gone.yaml").write_text("mine")
    (out / "clusters/one/deep/er/gone.yaml").unlink()
    (out / "clusters/one/deep/er").rmdir()
    (out / "clusters/one/deep/er").symlink_to(tmp_path / "er")

    with pytest.raises(FatalError, match="deep/er` is a symbolic link"):
        write_tree(out, [], ["clusters/one"])
    assert (tmp_path / "er/gone.yaml").exists()


@pytest.mark.parametrize("suffix", ["", "/"])
def test_tree_itself_is_a_link(tmp_path, old, suffix):
    """A tree that is a link is refused, with or without a slash at its end."""
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real")

    for use in (write_tree, compare_tree):
        with pytest.raises(FatalError, match="out` is a symbolic link"):
            use(f"{tmp_path}/out{suffix}", [old])
    assert list((tmp_path / "real").iterdir()) == []


def test_tree_itself_is_a_file(tmp_path, old):
    """A file in the place of the tree is refused."""
    (tmp_path / "out").write_text("mine")

    with pytest.raises(FatalError, match="out` is no folder"):
        write_tree(tmp_path / "out", [old])


def test_named_pipe_does_not_hang(out, old, build_unit):
    """A named pipe in the way is a foreign file."""
    write_tree(out, [old])
    os.mkfifo(out / "clusters/one/made.yaml")

    with pytest.raises(FatalError, match=r"made.yaml` was not written by neuron-dra"):
        write_tree(out, [build_unit("clusters/one", {"made.yaml": "x"})])


def test_compare(out, old, new, build_unit):
    """A comparison names every difference and changes nothing."""
    write_tree(out, [old, build_unit("clusters/two", {"a.yaml": "x"})])
    (out / "clusters/one/made").mkdir()
    (out / "clusters/one/made/c.yaml").write_text("mine")
    before = list_states(out)
    wanted = Unit(new.folder, {**new.files, "made/c.yaml": b"c"})

    found = compare_tree(out, [wanted], ["clusters/two"])

    assert found == Comparison(
        missing=("clusters/one/made/here/b.yaml",),
        changed=("clusters/one/a.yaml", "clusters/one/manifest.json"),
        stale=(
            *("clusters/one/deep/er/gone.yaml", "clusters/one/kept/gone.yaml"),
            *("clusters/two/a.yaml", "clusters/two/manifest.json"),
        ),
        foreign=("clusters/one/made/c.yaml",),
    )
    assert not found.is_current
    assert compare_tree(out, [old]).is_current
    assert list_states(out) == before


def test_compare_without_a_tree(out, old):
    """Where nothing was written everything is missing, and nothing is made."""
    assert len(compare_tree(out, [old]).missing) == 5
    assert not out.exists()


def test_settled(out, old):
    """Readers are told of an announced write that is not finished."""
    write_tree(out, [old])
    assert not pending(out)
    check_settled(out)

    (out / ".neuron-dra-staging").mkdir()
    assert not pending(out)
    (out / ".neuron-dra-staging/journal").write_text("[]")

    assert pending(out)
    for read in (lambda: check_settled(out), lambda: compare_tree(out, [old])):
        with pytest.raises(FatalError, match="not finished; compile again to finish it"):
            read()


def test_folder_in_place_of_a_stale_file(out, old, new, read_tree):
    """A folder where a file was written before is somebody's, and stays."""
    write_tree(out, [old])
    (out / "clusters/one/kept/gone.yaml").unlink()
    (out / "clusters/one/kept/gone.yaml").mkdir()

    write_tree(out, [new])

    assert "clusters/one/kept/gone.yaml" in read_tree(out)


def test_unreadable_file(out, old):
    """A file that the disk does not give back stops a write, which names the reason."""

    class Broken(FileSystem):
        def read(self, path, size=1):
            if path.endswith("same.yaml"):
                raise OSError(errno.EIO, os.strerror(errno.EIO), path)
            return super().read(path, size)

    write_tree(out, [old])
    for verb, use in (("write", write_tree), ("read", compare_tree)):
        with pytest.raises(FatalError, match=rf"cannot {verb} `.*/same.yaml`: Input/output error"):
            use(out, [old], fs=Broken())


def test_unreadable_place(tmp_path, old):
    """A system error names the path and the reason."""
    with pytest.raises(FatalError, match=r"cannot write `.*x*/out`: File name too long"):
        write_tree(tmp_path / ("x" * 300) / "out", [old])


class Lazy(Mapping):
    """Contents that are made when they are asked for."""

    def __init__(self, files):
        self.files = files
        self.asked = []

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, path):
        self.asked.append(path)
        return self.files[path]


def test_contents_are_asked_for_once(out, old):
    """A mapping that makes its contents when asked is asked for each of them once."""
    lazy = Lazy(old.files)

    for _ in range(2):
        lazy.asked.clear()
        write_tree(out, [Unit(old.folder, lazy)])
        assert sorted(lazy.asked) == sorted(old.files)
