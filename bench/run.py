"""Measure the compiler on a generated fleet, each program in turn, and print ratios.

Usage: python bench/run.py [CLUSTERS] [ROUNDS]

The programs run one after the other in every round, so that a busy machine slows all of them. What
counts is the median of the ratios to the first program of a table, not a time on one machine.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

BENCH = Path(__file__).resolve().parent
WORK = BENCH.parent / "build/bench"
PYTHON = sys.executable
COMPILE = [PYTHON, "-m", "neuron_dra", "compile", "fleet", "--quiet", "-o"]
COPY = "import shutil; shutil.copytree('done', 'copied')"

Program = Callable[[], list[str]]


def fresh(name: str, command: list[str]) -> Program:
    """Return a program that finds no folder of that name."""

    def prepare() -> list[str]:
        shutil.rmtree(WORK / name, ignore_errors=True)
        return command

    return prepare


START = {
    "python -c pass": lambda: [PYTHON, "-c", "pass"],
    "neuron-dra --version": lambda: [PYTHON, "-m", "neuron_dra", "--version"],
}
FLEET = {
    "copy the output tree": fresh("copied", [PYTHON, "-c", COPY]),
    "compile, no output yet": fresh("out", [*COMPILE, "out"]),
    "compile, nothing changed": lambda: [*COMPILE, "done"],
    "check": lambda: [PYTHON, "-m", "neuron_dra", "check", "fleet", "--quiet"],
}


def measure(programs: Mapping[str, Program], rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each program in each round; the first round only warms up."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds + 1):
        for name, prepare in programs.items():
            command = prepare()
            started = time.perf_counter()
            subprocess.run(command, cwd=WORK, check=True, capture_output=True)
            times[name].append(time.perf_counter() - started)
    return {name: seconds[1:] for name, seconds in times.items()}


def show(times: Mapping[str, list[float]]) -> None:
    """Print a table: the median of the seconds, and of the ratios to the first program."""
    first = next(iter(times.values()))
    for name, seconds in times.items():
        ratio = statistics.median(mine / its for mine, its in zip(seconds, first, strict=True))
        print(f"{name:<26}{statistics.median(seconds):8.3f} s {ratio:8.2f}")
    print()


def main(clusters: int, rounds: int) -> None:
    """Generate a fleet and measure."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    generate = [PYTHON, str(BENCH / "fleet.py"), str(clusters), "fleet"]
    subprocess.run(generate, cwd=WORK, check=True)
    subprocess.run([*COMPILE, "done"], cwd=WORK, check=True, capture_output=True)
    files = sum(1 for each in (WORK / "done").rglob("*") if each.is_file())
    print(f"40 partitions in {clusters} clusters, {files} files; median of {rounds} rounds\n")
    show(measure(START, rounds))
    show(measure(FLEET, rounds))


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:3]]
    main(*(given + [250, 7][len(given) :]))
