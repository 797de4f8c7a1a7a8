"""`validate`: exit codes, the summary, the table of versions, and JSON for programs."""

from __future__ import annotations

import json

import pytest

from neuron_dra.cli import run

CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %s, namespace: team}
spec:
  devices:
    requests:
    - name: a
      exactly: {deviceClassName: c, %s}
"""
SOUND = CLAIM % ("sound", "count: 1")
WRONG = CLAIM % ("wrong", "count: -1")
WEAKER = CLAIM % ("weaker", "capacity: {requests: {m: 1}}")
WEAKER_STILL = CLAIM % ("weaker", "capacity: {requests: {m: 1}}, tolerations: [{operator: Exists}]")
OTHERS = """apiVersion: v1
kind: Pod
metadata: {name: p, namespace: team}
spec: {containers: [{name: c, image: i}]}
---
apiVersion: x.y/v1
kind: Thing
metadata: {name: t}
"""


@pytest.fixture
def validate(tmp_path, capsys, monkeypatch):
    """Run the command on texts, in an empty folder; `code` is what it must exit with."""
    monkeypatch.chdir(tmp_path)

    def ask(*texts, code=0, arguments=(), old=""):
        files = [tmp_path / f"{index}.yaml" for index in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        if old:
            (tmp_path / "old.yml").write_text(old)
            arguments = (*arguments, "--old", "old.yml")
        assert run(["validate", *(file.name for file in files), *arguments]) == code
        return capsys.readouterr()

    return ask


def test_summary(validate):
    """The summary counts verdicts, and says what was checked how far."""
    out, err = validate(SOUND, OTHERS, arguments=("--kubernetes", "1.36"))

    assert err == ""
    assert out == (
        "Kubernetes 1.36: 3 objects: 2 accepted, 1 not checked\n"
        "  checked by all rules: 1 ResourceClaim\n"
        "  checked by schema, metadata and claims only: 1 Pod\n"
        "  not checked: 1 Thing (x.y/v1)\n"
    )


def test_refused(validate):
    """A refused object is told on stderr and exits 1; what cannot be read is counted too."""
    out, err = validate(WRONG, "- 1\n", code=1, arguments=("--kubernetes", "1.36"))

    assert "error[ND4073 object-refused]: `spec.devices.requests[0].exactly.count`" in err
    assert out.startswith("Kubernetes 1.36: 2 objects: 2 refused\n")
    assert "  not readable: 1 document\n" in out


def test_newest_minor_by_default(validate):
    """Without a minor the newest known one is asked, with its gates or others."""
    out, _ = validate(SOUND)
    assert out.startswith("Kubernetes 1.37: 1 object: 1 accepted\n")

    gate = ("--feature-gates", "DRAConsumableCapacity=false")
    out, err = validate(WEAKER, code=1, arguments=gate)
    assert "`DRAConsumableCapacity` is off" in err
    assert "1 losing fields" in out


def test_all_versions(validate):
    """The table has a row for each object; what versions say alike is told once."""
    out, err = validate(WRONG, WEAKER, WEAKER_STILL, code=1, arguments=("--all-versions",))
    rows = [line.split("  ") for line in out.splitlines()[:4]]
    cells = [[cell.strip() for cell in row if cell.strip()][2:] for row in rows]

    assert cells == [
        ["1.34", "1.35", "1.36", "1.37"],
        ["refused"] * 4,
        ["drops capacity", "drops capacity", "accepted", "accepted"],
        ["drops capacity", "drops capacity, tolerations", "accepted", "accepted"],
    ]
    assert err.count("ND4073") == 1
    assert "(the same in 1.35, 1.36, 1.37)" in err


def test_versions_that_are_off(validate):
    """A version that is off is marked in the table, and does not change the exit code."""
    flat = SOUND.replace("k8s.io/v1", "k8s.io/v1beta2")
    out, err = validate(flat, arguments=("--all-versions",))

    assert out.splitlines()[1].count("accepted, off") == 4
    assert err.count("warning[ND4075") == 1


def test_update(validate):
    """With the objects that are there already, an update that changes a claim is refused."""
    changed = SOUND.replace("count: 1", "count: 2")

    out, err = validate(changed, code=1, old=SOUND, arguments=("--quiet",))
    assert out == ""
    assert "`spec`: may not be changed after creation" in err
    validate(SOUND, old=SOUND)


def test_nothing(validate, tmp_path):
    """Files without objects are an error, so that silence says nothing."""
    _, err = validate("# nothing\n", code=1)

    assert err == "error: no objects in the files\n"
    (tmp_path / "empty").mkdir()
    assert run(["validate", "empty"]) == 1


def test_folders(tmp_path, capsys):
    """A folder is read with its YAML and JSON files."""
    (tmp_path / "a.json").write_text(json.dumps({"apiVersion": "x.y/v1", "kind": "Thing"}))
    (tmp_path / "b.yml").write_text(SOUND)
    (tmp_path / "c.txt").write_text("[")

    assert run(["validate", str(tmp_path)]) == 0
    assert "2 objects: 1 accepted, 1 not checked" in capsys.readouterr().out


def test_usage(capsys):
    """One version and all versions cannot both be asked for."""
    assert run(["validate", "x.yaml", "--all-versions", "--kubernetes", "1.36"]) == 2
    assert "not both" in capsys.readouterr().err


def test_json(validate):
    """A program gets the verdict with causes as the server names them, and their places."""
    out, err = validate(
        WRONG, WEAKER, code=1, arguments=("--kubernetes", "1.35", "--format", "json")
    )
    document = json.loads(out)
    wrong, weaker = document["objects"]

    assert err == ""
    assert (document["schemaVersion"], document["kubernetes"]) == (1, "1.35")
    assert wrong == {
        "file": "0.yaml",
        "line": 1,
        "column": 1,
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "namespace": "team",
        "name": "wrong",
        "verdict": "refused",
        "causes": [
            {
                "type": "FieldValueInvalid",
                "field": "spec.devices.requests[0].exactly.count",
                "detail": "is -1, must be greater than zero",
                "line": 8,
                "column": 44,
            }
        ],
        "dropped": [],
        "problems": [],
        "findings": [],
        "served": True,
        "checked": "rules",
    }
    assert weaker["verdict"] == "dropped"
    assert weaker["dropped"] == ["spec.devices.requests[0].exactly.capacity"]


def test_json_of_all_versions(validate):
    """With all versions each object names the minor."""
    out, _ = validate(SOUND, OTHERS, arguments=("--all-versions", "--format", "json"))
    document = json.loads(out)

    assert "kubernetes" not in document
    assert [each["kubernetes"] for each in document["objects"][::3]] == [
        "1.34",
        "1.35",
        "1.36",
        "1.37",
    ]
    assert [each["checked"] for each in document["objects"][:3]] == ["rules", "schema", "nothing"]


def test_json_of_what_is_not_read(validate):
    """What the decoder or YAML does not take has problems and no causes."""
    unknown = SOUND.replace("count:", "Count:")
    out, _ = validate(unknown, "[1\n", code=1, arguments=("--format", "json"))
    unread, broken = json.loads(out)["objects"]

    assert (unread["verdict"], broken["verdict"]) == ("refused", "refused")
    assert unread["causes"] == broken["causes"] == []
    (problem,) = unread["problems"]
    assert (problem["line"], problem["column"]) == (8, 37)
    assert problem["field"] == "spec.devices.requests[0].exactly.Count"
    assert [each["field"] for each in broken["problems"]] == [""]


def test_json_of_findings(validate):
    """What a driver fails on stands beside the verdict, and exits 1."""
    parameters = "{apiVersion: neuron.aws.com/v1, kind: NeuronConfig, logicalNeuronCore: 3}"
    config = f"    config: [{{opaque: {{driver: neuron.aws.com, parameters: {parameters}}}}}]\n"
    out, _ = validate(SOUND + config, code=1, arguments=("--format", "json"))
    (made,) = json.loads(out)["objects"]

    assert made["verdict"] == "accepted"
    assert [each["code"] for each in made["findings"]] == ["ND4076"]
