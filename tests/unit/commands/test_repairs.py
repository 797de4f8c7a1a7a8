"""Repairs of the files of specs."""

from __future__ import annotations

import stat

import pytest

from neuron_dra.commands.repairs import draw_difference, plan_repairs, write_repairs
from neuron_dra.diagnostics import Edit
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.diagnostics.repair import Repair
from neuron_dra.source import FatalError, Source, Span


def finding(source, replacement):
    span = Span(source, 0, 0, 0, 1)
    return codes.UNKNOWN_KEY.at(span, "bad", edits=[Edit(span, replacement)])


def test_files_only():
    """Standard input is not repaired."""
    source, stdin = Source("a.yaml", b"a: 1\n"), Source("<stdin>", b"a: 1\n")
    found = [finding(source, "b"), finding(stdin, "b")]

    assert [each.source for each in plan_repairs([source, stdin], found)] == [source]


def test_readable():
    """A repair that would make a file unreadable is left out."""
    source = Source("a.yaml", b"a: 1\n")

    assert plan_repairs([source], [finding(source, "'")]) == []


def test_difference():
    """The difference is a unified diff of all files, also without a last line end."""
    repairs = [
        Repair(Source("a.yaml", b"a: 1\nb: 2"), b"a: 1\nb: 3", 1),
        Repair(Source("b/c.yaml", b"x\n"), b"y\n", 1),
    ]

    assert draw_difference(repairs) == (
        "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n a: 1\n"
        "-b: 2\n\\ No newline at end of file\n+b: 3\n\\ No newline at end of file\n"
        "--- a/b/c.yaml\n+++ b/b/c.yaml\n@@ -1 +1 @@\n-x\n+y\n"
    )
    assert draw_difference([]) == ""


def test_write(tmp_path):
    """Files are replaced and keep their permissions; a link stays a link."""
    file, link = tmp_path / "a.yaml", tmp_path / "b.yaml"
    file.write_bytes(b"a: 1\n")
    file.chmod(0o640)
    link.symlink_to(file)

    told = write_repairs([Repair(Source(str(link), b"a: 1\n"), b"b: 1\n", 1)])

    assert told == "repaired 1 finding in 1 file\n"
    assert file.read_bytes() == b"b: 1\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yaml", "b.yaml"]


def test_count(tmp_path):
    """All findings and files are counted."""
    repairs = [Repair(Source(str(tmp_path / name), b""), b"x", 2) for name in ("a", "b")]
    for each in repairs:
        (tmp_path / each.source.path).write_bytes(b"")

    assert write_repairs(repairs) == "repaired 4 findings in 2 files\n"


def test_not_writable(tmp_path):
    """A file that cannot be written is a fault of the world outside."""
    with pytest.raises(FatalError, match=r"cannot write .*nowhere/a\.yaml"):
        write_repairs([Repair(Source(str(tmp_path / "nowhere/a.yaml"), b""), b"x", 1)])
