"""Same specs, same bytes: whatever the hash seed, the order of files, or a death on the way."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import time

import pytest

KILLS = 20
SEED = 20


@pytest.fixture
def split_specs(root, tmp_path):
    """Write every document of the fleet to a file of its own, in a given order of creation."""

    def split(folder, *, backwards):
        texts = [
            document
            for path in sorted((root / "specs/fleet").iterdir())
            for document in re.split(r"^---\n", path.read_text(), flags=re.MULTILINE)
        ]
        names = [f"{number:03}.yaml" for number in range(len(texts))]
        created = list(zip(names, texts, strict=True))
        (tmp_path / folder).mkdir()
        for name, text in reversed(created) if backwards else created:
            (tmp_path / folder / name).write_text(text)

    return split


@pytest.mark.parametrize("hash_seed", ["0", "1", "12345"])
def test_same_bytes(run_cli, copy_specs, split_specs, read_tree, tmp_path, hash_seed):
    """Hash seeds, file layout and order of creation do not show in the output."""
    copy_specs("fleet")
    split_specs("forwards", backwards=False)
    split_specs("backwards", backwards=True)

    run_cli("compile", "specs", "-o", "expected")
    for folder in ("forwards", "backwards"):
        run_cli("compile", folder, "-o", f"out-{folder}", PYTHONHASHSEED=hash_seed)

    expected = read_tree(tmp_path / "expected")
    assert len(expected) > 100
    assert read_tree(tmp_path / "out-forwards") == expected
    assert read_tree(tmp_path / "out-backwards") == expected


def test_killed_at_any_moment(
    run_cli, copy_specs, read_tree, tmp_path, program_folder, environment
):
    """After a compile was killed, the next one gives exactly the tree that it should."""
    changed = copy_specs("fleet", to="changed") / "tenants.yaml"
    copy_specs("fleet", to="original")
    text = changed.read_text()
    changed.write_text(text.replace("  - fleet-node\n", "").replace("devices: 64", "devices: 65"))
    started = time.monotonic()
    run_cli("compile", "original", "-o", "clean-original")
    duration = time.monotonic() - started
    run_cli("compile", "changed", "-o", "clean-changed")
    expected = {name: read_tree(tmp_path / f"clean-{name}") for name in ("original", "changed")}
    moments = random.Random(SEED)
    name, present = "original", "changed"

    for turn in range(KILLS):
        process = subprocess.Popen(
            [program_folder / "neuron-dra", "compile", name, "-o", "out"],
            cwd=tmp_path,
            env=environment,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        if turn >= KILLS // 4:
            wait_for_write(process, tmp_path / "out")
            time.sleep(moments.uniform(0, duration / 10))
        else:
            time.sleep(moments.uniform(0, duration))
        kill_group(process)
        if moments.random() < 0.5:
            name, present = present, name
        run_cli("compile", name, "-o", "out")
        assert read_tree(tmp_path / "out") == expected[name], f"killed in turn {turn}"
        name, present = present, name


def wait_for_write(process, out):
    """Wait until a compile has begun to write: the part of its life that a kill could spoil."""
    while process.poll() is None and not any(out.glob(".neuron-dra*")):
        time.sleep(0.0005)


def kill_group(process):
    """Kill a process and what it forked."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
