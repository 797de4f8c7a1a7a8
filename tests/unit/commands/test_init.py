"""`init`: the first fleet."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest
import yaml

from neuron_dra.api import pipeline as api
from neuron_dra.cli import run
from neuron_dra.commands.init import SCHEMA_FILE, first_fleet
from neuron_dra.diagnostics import Severity

SPECS = ["cluster.yaml", "partitions.yaml", "tenants.yaml", "workloads.yaml"]


def test_writes_the_fleet(tmp_path, capsys):
    """The files are listed, and the next steps are told to whom they are of use."""
    folder = tmp_path / "new fleet"

    assert run(["init", str(folder)]) == 0

    out, err = capsys.readouterr()
    assert sorted(out.splitlines()) == sorted(str(path) for path in folder.iterdir())
    assert {path.name for path in folder.iterdir()} == {*SPECS, SCHEMA_FILE}
    assert f"neuron-dra check '{folder}'" in err


def test_quiet(tmp_path, capsys):
    """With `--quiet` only the files are listed."""
    assert run(["init", "-q", str(tmp_path)]) == 0
    assert capsys.readouterr().err == ""


def test_the_fleet_is_sound(tmp_path):
    """What is written has no problem, not even a warning, and compiles to objects."""
    run(["init", str(tmp_path)])

    build = api.build(api.load([str(tmp_path)]))

    assert [each for each in build.diagnostics if each.severity <= Severity.WARNING] == []
    assert build.contents > 0


@pytest.mark.parametrize("name", SPECS)
def test_the_schema_holds(name):
    """Every document is valid by the schema that its first line names."""
    texts = first_fleet()

    head = texts[name].splitlines()[0]

    assert head == f"# yaml-language-server: $schema=./{SCHEMA_FILE}"
    validator = jsonschema_rs.validator_for(json.loads(texts[SCHEMA_FILE]))
    documents = list(yaml.safe_load_all(texts[name]))
    assert documents
    assert [error.message for each in documents for error in validator.iter_errors(each)] == []


def test_the_schema_is_that_of_the_command(capsys):
    """The schema is what `schema` prints."""
    run(["schema"])

    assert first_fleet()[SCHEMA_FILE] == capsys.readouterr().out


@pytest.mark.parametrize("present", [["tenants.yaml"], ["cluster.yaml", "tenants.yaml"]])
def test_replaces_nothing(tmp_path, capsys, present):
    """Files that are there are named, and nothing is written."""
    for name in present:
        (tmp_path / name).write_text("mine\n")

    assert run(["init", str(tmp_path)]) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert all(str(tmp_path / name) in err for name in present)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(
        present, "mine\n"
    )


def test_does_not_write_through_a_link(tmp_path):
    """A link that leads nowhere is a file that is there."""
    (tmp_path / "cluster.yaml").symlink_to(tmp_path / "elsewhere")

    assert run(["init", str(tmp_path)]) == 2
    assert not (tmp_path / "elsewhere").exists()


def test_cannot_write(tmp_path, capsys):
    """A folder that cannot be made is a fault of the world outside."""
    (tmp_path / "file").touch()

    assert run(["init", str(tmp_path / "file" / "fleet")]) == 2
    assert (
        capsys.readouterr().err == f"error: cannot write {tmp_path}/file/fleet: Not a directory\n"
    )
