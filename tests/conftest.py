"""What tests of the whole command share: the checkout, and the command itself as a process.

The command is the installed `neuron-dra` where one is on PATH, as in `make test` and `make wheel`;
elsewhere a script of that name runs the checkout.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "neuron-dra"


@pytest.fixture(scope="session")
def root():
    """The checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def program_folder(root, tmp_path_factory):
    """A folder that holds the command."""
    installed = shutil.which(PROGRAM)
    if installed:
        return Path(installed).parent
    folder = tmp_path_factory.mktemp("bin")
    script = folder / PROGRAM
    source_root = shlex.quote(str(root / "compiler"))
    python = shlex.quote(sys.executable)
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH={source_root} exec {python} -m neuron_dra "$@"\n', encoding="utf-8"
    )
    script.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def environment(program_folder, tmp_path_factory):
    """The environment of the command: no settings of the person who runs the tests."""
    return {
        "PATH": os.pathsep.join([str(program_folder), os.environ.get("PATH", os.defpath)]),
        "HOME": str(tmp_path_factory.mktemp("home")),
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.fixture
def run_cli(program_folder, environment, tmp_path):
    """Run the command in an empty folder; `code` is what it must exit with."""

    def run(*arguments, code=0, stdin="", cwd=tmp_path, **variables):
        done = subprocess.run(
            [program_folder / PROGRAM, *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=cwd,
            env={**environment, **variables},
            check=False,
            timeout=120,
        )
        assert done.returncode == code, done.stderr
        return done

    return run
