"""Work in several processes gives what one process gives."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from neuron_dra.emit.fork import can_fork

# Forking is for processes with one thread, which a test runner may not be.
HEAD = """
import os, sys
from neuron_dra.emit.fork import run_parts
from neuron_dra.emit.tree import Unit, write_tree
from neuron_dra.source import FatalError
"""


def run_script(text, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", HEAD + text, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout, done.stderr


def test_parts():
    """Each part runs in a process of its own and results come in the order of parts."""
    script = "found = run_parts(lambda part: [part, os.getpid(), 'x' * 200_000], 3)\n"
    script += "print([f[0] for f in found], len({f[1] for f in found}), found[0][1] == os.getpid())"

    assert run_script(script) == ("[0, 1, 2] 3 True\n", "")


@pytest.mark.parametrize(
    ("failure", "seen"),
    [
        ("FatalError('no disk')", "FatalError no disk"),
        ("KeyError('bug')", "RuntimeError a child process ended without a result"),
    ],
)
def test_failing_child(failure, seen):
    """A fatal error of a child is raised here; a bug shows its traceback and is an error too."""
    script = f"""
def work(part):
    if part: raise {failure}
try:
    run_parts(work, 2)
except Exception as error:
    print(type(error).__name__, error)
"""
    stdout, stderr = run_script(script)

    assert stdout == seen + "\n"
    assert ("KeyError: 'bug'" in stderr) == ("KeyError" in failure)


def test_failing_parent():
    """When the part of the parent fails no child is left behind."""
    script = """
def work(part):
    if not part: raise FatalError("no disk")
    return "x" * 1_000_000
try:
    run_parts(work, 3)
except FatalError as error:
    print(error)
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("none left")
"""
    assert run_script(script) == ("no disk\nnone left\n", "")


WRITE = """
forks = []
fork = os.fork
os.fork = lambda: forks.append(1) or fork()
def unit(number, letter):
    files = {f"{name}/{number}.yaml": letter for name in "abc"}
    manifest = '{"files": [%s]}' % ", ".join(f'{{"path": "{path}"}}' for path in files)
    return Unit(f"clusters/{number}", {**files, "manifest.json": manifest.encode()})
units = [unit(i, b"x") for i in range(100)]
first = write_tree(sys.argv[1], units, jobs=int(sys.argv[2]))
units[3] = unit(3, b"y")
second = write_tree(sys.argv[1], units[:-1], ["clusters/99"], jobs=int(sys.argv[2]))
print(len(forks), first, second, sep="\\n")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the number of threads")
def test_same_tree_and_report(tmp_path, read_tree):
    """Three processes write the tree and give the report that one does."""
    outputs = {jobs: run_script(WRITE, tmp_path / str(jobs), jobs) for jobs in (1, 3)}
    forks = {jobs: out.partition("\n")[0] for jobs, (out, _) in outputs.items()}
    reports = {jobs: out.partition("\n")[2] for jobs, (out, _) in outputs.items()}

    assert forks == {1: "0", 3: "4"}
    assert reports[1] == reports[3]
    assert read_tree(tmp_path / "1") == read_tree(tmp_path / "3")
    assert len(read_tree(tmp_path / "1")) == 1 + 99 * 8


FOREIGN = """
os.makedirs(sys.argv[1] + "/clusters/1"); os.makedirs(sys.argv[1] + "/clusters/20")
for number in (1, 20):
    open(f"{sys.argv[1]}/clusters/{number}/a", "w").close()
units = [Unit(f"clusters/{i}", {"a": b"x", "manifest.json": b"{}"}) for i in range(70)]
try:
    write_tree(sys.argv[1], units, jobs=2)
except FatalError as error:
    print(error)
"""


def test_obstacles_of_all_parts(tmp_path, read_tree):
    """What stands in the way is named for all processes together, and nothing changes."""
    stdout, stderr = run_script(FOREIGN, tmp_path)

    files = f"`{tmp_path}/clusters/1/a`, `{tmp_path}/clusters/20/a`"
    assert (stdout, stderr) == (f"{files} were not written by neuron-dra; move them away\n", "")
    assert len(read_tree(tmp_path)) == 5


def test_can_fork():
    """A process with a second thread does not fork."""
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert not can_fork()
    finally:
        stop.set()
        thread.join()
