"""Dumps of clusters, through the command in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import yaml

# Runs a command and prints the most memory that it held, in bytes.
MEASURE = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
unit = 1 if sys.platform == "darwin" else 1024
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit)
sys.exit(code)
"""
MEGABYTE = 1 << 20
CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: chips}
spec: {selectors: [{cel: {expression: device.driver == "neuron.aws.com"}}]}
"""
CLAIM = """\
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one, namespace: research}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: chips, count: 16}}]}}
"""


@pytest.fixture
def captured(root):
    """The capture of a node's Neuron devices."""
    path = root / "tests/data/captures/trn1.32xlarge/neuron-resourceslice.yaml"
    return path.read_text(encoding="utf-8")


def copies(text, number, write):
    """Return the slices of many nodes."""
    one = json.dumps(yaml.safe_load(text))
    items = (json.loads(one.replace("node-a", f"node-{index:04}")) for index in range(number))
    return write(list(items))


def as_stream(items):
    return "".join(f"---\n{json.dumps(each, indent=2)}\n" for each in items)


def as_list(items):
    return json.dumps({"apiVersion": "v1", "items": items, "kind": "List"}, indent=1)


@pytest.fixture
def measure(program_folder, environment, tmp_path):
    """Return the most memory that a simulation of a dump holds."""
    (tmp_path / "claims.yaml").write_text(CLASS + CLAIM)

    def run(text):
        (tmp_path / "dump.yaml").write_text(text)
        command = [program_folder / "neuron-dra", "simulate", "--dump", "dump.yaml"]
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, *command, "--claims", "claims.yaml"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    return run


@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
@pytest.mark.parametrize("write", [as_stream, as_list])
def test_memory(captured, measure, write):
    """The memory for a long dump grows by little more than the file itself."""
    small, large = copies(captured, 4, write), copies(captured, 400, write)
    grown = (len(large) - len(small)) / MEGABYTE

    more = (measure(large) - measure(small)) / MEGABYTE

    assert grown > 7
    assert more < 5 * grown


def test_standard_input(run_cli, tmp_path, captured):
    """A dump may come from a pipe."""
    (tmp_path / "claims.yaml").write_text(CLASS + CLAIM)

    done = run_cli("simulate", "--dump", "-", "--claims", "claims.yaml", stdin=captured)

    assert done.stdout.startswith("research/one: allocated on node-a: r = neuron-device-6, ")


@pytest.mark.parametrize("text", ["kind: List\nitems:\n- kind: [", "\t", "- a\n- b: c: d", "{"])
def test_broken_dump(run_cli, tmp_path, text):
    """A dump that is cut off or no YAML exits 1 with its place, and without a traceback."""
    (tmp_path / "claims.yaml").write_text(CLASS + CLAIM)

    done = run_cli("simulate", "--dump", "-", "--claims", "claims.yaml", stdin=text, code=1)

    assert done.stdout == ""
    assert "--> <stdin>" in done.stderr
    assert "Traceback" not in done.stderr
