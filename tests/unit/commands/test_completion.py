"""`completion`: scripts for shells."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from neuron_dra.cli import run
from neuron_dra.commands.completion import SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_script(shell, capsys):
    """The script names the program and the variable that the program listens to."""
    assert run(["completion", shell]) == 0

    out = capsys.readouterr().out
    assert "neuron-dra" in out
    assert f"_NEURON_DRA_COMPLETE={shell}_complete" in out


@pytest.mark.parametrize("shell", SHELLS)
def test_script_parses(shell, capsys, tmp_path):
    """The shell itself accepts the script."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    run(["completion", shell])
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out, encoding="utf-8")

    assert subprocess.run([program, "-n", str(script)], check=False).returncode == 0
