"""A write that is stopped at any step is finished or undone by the next one."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from neuron_dra.emit.disk import FileSystem
from neuron_dra.emit.journal import discard, recover
from neuron_dra.emit.tree import Unit, check_settled, pending, write_tree
from neuron_dra.source import FatalError

STAGING = ".neuron-dra-staging"


class Killed(BaseException):
    """The process is gone; nothing that it would do afterwards happens."""


class Failing(FileSystem):
    """A disk whose changes end at the one with this number, leaving a write half done."""

    def __init__(self, last):
        self.left = last

    def _step(self):
        self.left -= 1
        if self.left < 0:
            self._fail()

    def _fail(self):
        raise Killed

    def write(self, path, content):
        self.left -= 1
        if self.left < 0:
            if self.left == -1:
                super().write(path, content[: len(content) // 2])
            self._fail()
        super().write(path, content)

    def rename(self, source, target):
        self._step()
        super().rename(source, target)

    def unlink(self, path):
        self._step()
        super().unlink(path)

    def mkdir(self, path):
        self._step()
        super().mkdir(path)

    def rmdir(self, path):
        self._step()
        super().rmdir(path)


class Full(Failing):
    """A disk that refuses the one change with this number and takes all others."""

    def _fail(self):
        if self.left == -1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def before(build_unit):
    one = {"a.yaml": "old", "same.yaml": "same", "deep/er/gone.yaml": "x", "kept/gone.yaml": "x"}
    return [
        build_unit("clusters/one", {**one, "becomes": "a folder"}),
        build_unit("clusters/pruned", {"a.yaml": "x", "b/c.yaml": "y"}),
        build_unit("only/pruned", {"a.yaml": "x"}),
        Unit("", {".gitattributes": b"# ours\nold\n"}),
    ]


@pytest.fixture
def after(build_unit):
    one = {"a.yaml": "new", "same.yaml": "same", "made/here/b.yaml": "b", "becomes/c.yaml": "c"}
    return [
        build_unit("clusters/one", one),
        build_unit("clusters/two", {"a.yaml": "x", "b/c.yaml": "y"}),
        build_unit("argocd", {"projects/p.yaml": "x"}),
        Unit("", {".gitattributes": b"# ours\nnew\n"}),
    ]


PRUNED = ("clusters/pruned", "only/pruned")


@pytest.fixture
def make_out(tmp_path, before):
    """Return a function that lays the old tree, with files of others in it, in a fresh folder."""
    original = tmp_path / "original"
    write_tree(original, before)
    (original / "clusters/one/kept/mine.txt").write_text("mine")
    (original / "clusters/pruned/mine").mkdir()
    (original / "mine.txt").write_text("mine")

    def make():
        out = tmp_path / "out"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(original, out)
        return out

    return make


def count_steps(make_out, after):
    fs = Failing(10_000)
    write_tree(make_out(), after, PRUNED, fs=fs)
    return 10_000 - fs.left


def test_killed_at_every_step(make_out, after, read_tree):
    """After a kill at any step the next writer finds the old tree or makes it the new one."""
    steps = count_steps(make_out, after)
    old = read_tree(make_out())
    write_tree(out := make_out(), after, PRUNED)
    new = read_tree(out)
    assert steps > 40
    assert all(path in new for path in old if "mine" in path)
    outcomes = set()
    for step in range(steps):
        out = make_out()
        with pytest.raises(Killed):
            write_tree(out, after, PRUNED, fs=Failing(step))
        found, waits = read_tree(out), pending(out)
        recover(FileSystem(), str(out))

        assert waits or found in (old, new), step
        assert read_tree(out) == (new if waits else found), step
        assert not (out / STAGING).exists()
        assert write_tree(out, after, PRUNED).written in (0, 10)
        assert read_tree(out) == new, step
        outcomes.add((waits, found == old, found == new))
    assert outcomes == {
        (False, True, False),
        (True, True, False),
        (True, False, False),
        (True, False, True),
        (False, False, True),
    }


def test_killed_again_while_finishing(make_out, after, read_tree):
    """A kill at any step of finishing an interrupted write changes nothing about its end."""
    steps = count_steps(make_out, after)
    write_tree(out := make_out(), after, PRUNED)
    new = read_tree(out)
    for step in range(0, steps, 2):
        for second in range(0, steps - step, 5):
            out = make_out()
            with pytest.raises(Killed):
                write_tree(out, after, PRUNED, fs=Failing(step))
            waits = pending(out)
            try:
                recover(Failing(second), str(out))
            except Killed:
                recover(FileSystem(), str(out))
            assert not waits or read_tree(out) == new, (step, second)
            write_tree(out, after, PRUNED)
            assert read_tree(out) == new, (step, second)


def test_full_disk_at_every_step(make_out, after, read_tree):
    """A failing disk leaves the old tree, or one that the message tells to finish."""
    old = read_tree(make_out())
    write_tree(out := make_out(), after, PRUNED)
    new = read_tree(out)
    half = 0
    for step in range(count_steps(make_out, after)):
        out = make_out()
        with pytest.raises(FatalError, match="No space left on device") as caught:
            write_tree(out, after, PRUNED, fs=Full(step))
        if "half written, compile again to finish it" in str(caught.value):
            half += 1
        else:
            assert read_tree(out) == old, step
            assert not (out / STAGING).exists()
            check_settled(out)
        write_tree(out, after, PRUNED)
        assert read_tree(out) == new, step
    assert half > 10


def kill_halfway(out, units, prune=()):
    """Stop a write right after it is announced."""
    for step in range(1000):
        with pytest.raises(Killed):
            write_tree(out, units, prune, fs=Failing(step))
        if pending(out):
            return
    pytest.fail("never announced")


def test_file_made_since(make_out, after, read_tree):
    """Finishing an interrupted write does not overwrite a file that came in between."""
    out = make_out()
    kill_halfway(out, after, PRUNED)
    (out / "clusters/one/made/here").mkdir(parents=True)
    (out / "clusters/one/made/here/b.yaml").write_text("mine")
    (out / "argocd").write_text("mine")
    found = read_tree(out)

    with pytest.raises(
        FatalError, match=r"argocd`, .*made/here/b.yaml` were not written by neuron"
    ):
        write_tree(out, after, PRUNED)
    assert read_tree(out) == found
    (out / "argocd").unlink()
    (out / "clusters/one/made/here/b.yaml").unlink()
    write_tree(out, after, PRUNED)
    assert read_tree(out)["clusters/one/made/here/b.yaml"] == b"b"


def test_link_made_since(make_out, after, tmp_path):
    """Finishing an interrupted write does not follow a link that came in between."""
    out = make_out()
    kill_halfway(out, after, PRUNED)
    shutil.move(out / "clusters/one", tmp_path / "elsewhere")
    (out / "clusters/one").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(FatalError, match="clusters/one` is a symbolic link"):
        write_tree(out, after, PRUNED)
    assert (tmp_path / "elsewhere/deep/er/gone.yaml").exists()


@pytest.mark.parametrize(
    "operation",
    [
        ["remove", "../victim", ""],
        ["remove", "clusters/../../victim", ""],
        ["remove", "VICTIM", ""],
        ["replace", "../victim", "0"],
        ["create", "clusters/x", "../../victim"],
        ["rmdir", "", ""],
        ["chmod", "mine.txt", ""],
        ["remove", "mine.txt", "0"],
        ["remove"],
        ["remove", 1, ""],
        "remove",
    ],
)
def test_forged_journal(make_out, before, tmp_path, operation, read_tree):
    """A journal that no compile wrote, say from a pull request, reaches nothing outside."""
    out = make_out()
    (tmp_path / "victim").write_text("mine")
    text = json.dumps([operation]).replace("VICTIM", str(tmp_path / "victim"))
    found = read_tree(out)
    (out / STAGING).mkdir()
    (out / STAGING / "0").write_text("forged")
    (out / STAGING / "journal").write_text(text)

    write_tree(out, before)

    assert (tmp_path / "victim").read_text() == "mine"
    assert read_tree(out) == found


def test_torn_journal(make_out, before, read_tree):
    """A journal cut short by a power failure counts as none."""
    out = make_out()
    found = read_tree(out)
    (out / STAGING).mkdir()
    (out / STAGING / "journal").write_text('[["remove", "mine.txt"')

    write_tree(out, before)

    assert read_tree(out) == found
    assert not (out / STAGING).exists()


WRITER = """
import sys
from neuron_dra.emit.tree import Unit, write_tree
content = (sys.argv[2] * 1000).encode()
paths = [f"{i % 7}/{i}.yaml" for i in range(40)]
manifest = ('{"files": [%s]}\\n' % ", ".join(f'{{"path": "{p}"}}' for p in paths)).encode()
units = [Unit(f"clusters/{i}", dict.fromkeys(paths, content) | {"manifest.json": manifest})
         for i in range(64)]
print("ready", flush=True)
write_tree(sys.argv[1], units, jobs=2)
"""


def start_writer(out, letter):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(out), letter],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def settle_when_free(out):
    """Write nothing, once no forked child of a killed writer holds the lock any more."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            return write_tree(out, [])
        except FatalError as error:
            if "another neuron-dra compile is writing" not in str(error):
                raise
            time.sleep(0.01)
    return pytest.fail("the lock was never freed")


def list_letters(out):
    return {path.read_bytes()[:1] for path in out.rglob("*.yaml")}


def test_really_killed(tmp_path):
    """A process killed by the system at some moment leaves a tree that the next one settles."""
    out = tmp_path / "out"
    start_writer(out, "a").communicate()
    assert list_letters(out) == {b"a"}
    for letter, delay in (("b", 0.01), ("c", 0.03), ("d", 0.06), ("e", 0.1)):
        process = start_writer(out, letter)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        settle_when_free(out)

        assert len(list_letters(out)) == 1
        assert len(list(out.rglob("*.yaml"))) == 64 * 40
        assert not list(out.glob(".neuron-dra*"))


def test_journal_goes_first(tmp_path):
    """Undoing takes back the announcement before anything that was announced."""
    (tmp_path / STAGING / "0").mkdir(parents=True)
    for name in ("0/a", "1-0", "journal", "zzz"):
        (tmp_path / STAGING / name).write_text("x")

    with pytest.raises(Killed):
        discard(Failing(1), str(tmp_path))

    assert not pending(tmp_path)
    assert len(list((tmp_path / STAGING).rglob("*"))) == 4
