"""Files of the input."""

from __future__ import annotations

import io
import subprocess

import pytest

from neuron_dra.source import (
    FatalError,
    LongSource,
    Source,
    Span,
    find_upwards,
    lies_inside,
    read_long_sources,
    read_revision,
    read_sources,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of specs, the current one, with files of an output in it."""
    for name in ("a.yaml", "sub/b.yaml", "out/c.yaml", "sub/out/d.yaml", ".git/e.yaml", "f.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*paths, excluded=""):
    return [source.path for source in read_sources(paths, excluded=excluded)]


@pytest.mark.parametrize("excluded", ["out", "./out", "out/", "sub/../out"])
def test_excluded(folder, excluded):
    """A folder is left out however it is written; one of the same name elsewhere is read."""
    assert names(".", excluded=excluded) == ["a.yaml", "sub/b.yaml", "sub/out/d.yaml"]
    assert names(str(folder), excluded=excluded) == [
        f"{folder}/{name}" for name in ("a.yaml", "sub/b.yaml", "sub/out/d.yaml")
    ]


def test_excluded_through_a_link(folder):
    """A link to the folder is the folder."""
    (folder / "link").symlink_to("out")

    assert names(".", excluded="link") == ["a.yaml", "sub/b.yaml", "sub/out/d.yaml"]


@pytest.mark.usefixtures("folder")
def test_nothing_excluded():
    """Without an output every folder is read; a file that is named is read in any case."""
    assert names(".") == ["a.yaml", "out/c.yaml", "sub/b.yaml", "sub/out/d.yaml"]
    assert names("out/c.yaml", excluded="out") == ["out/c.yaml"]


@pytest.mark.parametrize(
    ("output", "paths", "expected"),
    [
        ("out", ["."], True),
        ("sub/out", ["out", "sub"], True),
        ("new/out", ["."], True),
        ("out", ["sub"], False),
        (".", ["sub"], False),
        ("subs", ["sub"], False),
        ("out", ["a.yaml", "-"], False),
    ],
)
@pytest.mark.usefixtures("folder")
def test_lies_inside(output, paths, expected):
    """An output lies in a folder of specs or beside them, whether it is there or not."""
    assert lies_inside(output, paths) is expected


@pytest.mark.parametrize("output", [".", "sub/..", "sub"])
@pytest.mark.usefixtures("folder")
def test_output_is_a_folder_of_specs(output):
    """The output has a folder of its own: its files would be read as specs."""
    with pytest.raises(FatalError, match="is a folder of specs"):
        lies_inside(output, [".", "sub"])


@pytest.fixture
def repository(folder):
    """The folder as a Git work tree with one commit, and a change after it."""
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    (folder / ".git/e.yaml").unlink()
    (folder / "a.yaml").write_text("committed")
    for command in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "first")):
        subprocess.run(["git", *identity, *command], check=True)
    (folder / "a.yaml").write_text("changed")
    (folder / "new.yaml").write_text("")
    return folder


def test_revision(repository):
    """A revision is read as it was committed, in the order of a folder."""
    found = read_revision(str(repository), "HEAD", ["."])

    assert [each.path for each in found] == ["a.yaml", "out/c.yaml", "sub/b.yaml", "sub/out/d.yaml"]
    assert found[0].data == b"committed"
    assert (repository / "a.yaml").read_text() == "changed"


def test_revision_of_a_folder(repository):
    """Paths are those of the folder that is asked, which may lie in a work tree."""
    found = read_revision(str(repository / "sub"), "HEAD", ["."])

    assert [each.path for each in found] == ["b.yaml", "out/d.yaml"]


@pytest.mark.parametrize("revision", ["nowhere", "--help", "", "HEAD~7"])
def test_no_such_revision(repository, revision):
    """What Git does not know, or would take for an option, is told."""
    with pytest.raises(FatalError, match="git ls-tree failed"):
        read_revision(str(repository), revision, ["."])


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [(0, 2, (0, 0, 0, 2)), (3, 5, (1, 0, 1, 2)), (1, 4, (0, 1, 1, 1)), (5, 5, (1, 2, 1, 2))],
)
def test_range(start, end, place):
    """A range of code points is a span with lines and columns."""
    span = Span.of_range(Source("a", "é1\nb2".encode()), start, end)

    assert (span.line, span.column, span.end_line, span.end_column) == place


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\r\nb\rc\nd\u2028e\x85f", "\ufeffü\n\nx"])
def test_lines_of_a_long_source(text):
    """A long source has the lines that a short one has, without keeping them."""
    short, long = Source("x", text.encode()), LongSource("x", text.encode())

    assert [long.line(number) for number in range(8)] == [short.line(number) for number in range(8)]


def test_long_sources_in_order(tmp_path):
    """Long sources come in the order in which they are named, and only when asked for."""
    for name in ("b", "a"):
        (tmp_path / name).write_text(name)

    found = read_long_sources([str(tmp_path / "b"), str(tmp_path / "a"), str(tmp_path / "none")])

    assert [next(found).data, next(found).data] == [b"b", b"a"]
    with pytest.raises(FatalError, match="cannot read"):
        next(found)


def test_long_source_from_standard_input(monkeypatch):
    """`-` is standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a: 1")))

    assert [(each.path, each.data) for each in read_long_sources(["-"])] == [("<stdin>", b"a: 1")]


def test_find_upwards(tmp_path, monkeypatch):
    """The nearest file above files and folders is found, and named from here where it can be."""
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/b/c/spec.yaml").write_text("")
    (tmp_path / "a/found.toml").write_text("1")
    (tmp_path / "found.toml").write_text("2")
    monkeypatch.chdir(tmp_path)

    assert find_upwards(["a/b/c/spec.yaml", "a/b"], "found.toml").path == "a/found.toml"
    assert find_upwards(["a"], "found.toml").data == b"1"
    assert find_upwards(["-"], "found.toml").path == "found.toml"
    assert find_upwards(["a/b"], "nowhere.toml") is None
    assert find_upwards([], "found.toml") is None
    monkeypatch.chdir(tmp_path / "a/b")
    assert find_upwards(["c"], "found.toml").path == (tmp_path / "a/found.toml").as_posix()


def test_find_upwards_finds_two(tmp_path):
    """Two files that both apply are for the caller to keep apart."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "found.toml").write_text("")

    with pytest.raises(FatalError, match="both apply"):
        find_upwards([str(tmp_path / "a"), str(tmp_path / "b")], "found.toml")
