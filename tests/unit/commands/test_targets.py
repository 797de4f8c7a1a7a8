"""`targets`: what is shown of instance types, and that unknown is not none."""

from __future__ import annotations

import json
import textwrap

import pytest

from neuron_dra.cli import run
from neuron_dra.commands.targets_text import fit_encoding

ORIGIN = "source: a test, date: 2026-01-01"
NEEDED = ", ".join(
    f"neuron.aws.com/{name}" for name in ("instanceType", "resourceType", "neuronDriverVersion")
)
FILES = {
    "chips/chip-a.yaml": f"""
        kind: Chip
        metadata: {{name: chip-a}}
        spec:
          displayName: Chip A
          neuronCores: {{perDevice: 8, version: v9, {ORIGIN}}}
          memory: {{hbmGiB: 10, {ORIGIN}}}
          logicalNeuronCore: {{allowed: [1, 2], default: 2, {ORIGIN}}}
        """,
    "device-maps/map-a.yaml": f"""
        kind: DeviceMap
        metadata: {{name: map-a}}
        spec:
          efa:
            addresses: ["0000:0a:00.0", "0000:0a:00.0", "0000:0b:00.0", "0000:0b:00.0"]
            source: a test
            date: 2026-01-01
          groups: {{ids: {{4: [00000000000000cc]}}, {ORIGIN}}}
        """,
    "instances/a.large.yaml": f"""
        kind: InstanceType
        metadata: {{name: a.large}}
        spec:
          chip: chip-a
          offering: {{status: available, ec2Listed: true, {ORIGIN}}}
          served: {{neuron: true, reason: it is a test, {ORIGIN}}}
          devices: {{count: 4, source: one page; another page, date: 2026-02-02}}
          neuronLink: {{topology: torus, rows: 2, columns: 2, {ORIGIN}}}
          connected: {{sizes: [1, 4], {ORIGIN}}}
          efa: {{interfaces: 2, deviceMap: map-a, {ORIGIN}}}
          published:
            resourceTypes: [neuron_device]
            present:
            - neuron.aws.com/deviceId
            - neuron.aws.com/instanceType
            - neuron.aws.com/resourceType
            - neuron.aws.com/neuronDriverVersion
            - resource.aws.com/devicegroup4_id
            unknown: [neuron.aws.com/topology_x]
            basis: observed
            note: seen once
            source: a test
            date: 2026-01-01
        """,
    "instances/a.node.yaml": f"""
        kind: InstanceType
        metadata: {{name: a.node}}
        spec:
          chip: chip-a
          devices: {{count: 4, {ORIGIN}}}
          efa: {{interfaces: 0, {ORIGIN}}}
          published: {{resourceTypes: [neuron_node], present: [{NEEDED}], {ORIGIN}}}
          ultraServer: {{nodeSizes: [2, 1], serverIdLabels: {{2: example.com/two}}, {ORIGIN}}}
        """,
    "instances/b.rumour.yaml": f"""
        kind: InstanceType
        metadata: {{name: b.rumour}}
        spec:
          chip: chip-a
          offering: {{status: internal-name, ec2Listed: false, {ORIGIN}}}
          devices: {{count: 1, {ORIGIN}}}
        """,
}


@pytest.fixture
def targets(tmp_path, capsys):
    """Run `targets` over a catalogue with three more instance types; return what it says."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("apiVersion: neuron-dra.dev/v1alpha1\n" + textwrap.dedent(text).lstrip())

    def run_targets(*arguments, code=0):
        assert run(["targets", "--catalog", str(tmp_path), *arguments]) == code
        return capsys.readouterr()

    run_targets.folder = tmp_path
    return run_targets


def row_of(table, name):
    (line,) = [line for line in table.splitlines() if line.startswith(f"{name} ")]
    return line.split()


def section(text, title):
    """Return the lines of the section whose title begins so."""
    (found,) = [part for part in text.split("\n\n") if part.startswith(title)]
    return found.splitlines()[1:]


def test_row(targets):
    """A row has the numbers of the whole instance, and a question mark for what nobody knows."""
    row = row_of(targets().out, "a.large")

    assert row == [
        *("a.large", "chip-a", "4", "32", "40", "2", "x", "?"),
        *("1", "4", "-", "yes", "available"),
    ]


def test_none_is_not_unknown(targets):
    """No EFA, no connected sets and no offering are other words than not knowing any."""
    table = targets("--all").out

    assert row_of(table, "a.node")[5:] == ["-", "-", "1", "2", "?", "private"]
    assert row_of(table, "b.rumour")[5:] == ["?", "?", "?", "?", "internal-name"]


def test_hides_internal_names(targets):
    """What nobody can launch and no chart names is counted, and listed when asked for."""
    some, every = targets(), targets("--all")

    hidden = len(every.out.splitlines()) - len(some.out.splitlines())
    assert "b.rumour" not in some.out
    assert f"{hidden} other names are hidden, --all lists them" in some.err
    assert "hidden" not in every.err


def test_lists_what_a_chart_names(targets):
    """A name in the node list of a chart is listed though EC2 does not offer it."""
    kinds = {
        row["name"]: row["status"]
        for row in json.loads(targets("--format", "json").out)["instanceTypes"]
    }

    assert "software-name-only" in kinds.values()


def test_available_first(targets):
    """What can be had stands above what is only a name, and only the latter is dim."""
    lines = targets("--all", "--color", "always").out.splitlines()[1:]

    dim = [line.startswith("\x1b[2m") for line in lines]
    assert dim == sorted(dim)
    assert {line.split()[-1] for line, dimmed in zip(lines, dim, strict=True) if not dimmed} == {
        "available",
        "private",
    }


def test_quiet(targets):
    """With `--quiet` the legend is left out."""
    assert targets("-q").err == ""


def test_every_group_has_its_source(targets):
    """Of one instance type every group of facts is shown with its source, date and basis."""
    text = targets("a.large").out

    assert section(text, "devices\n") == [
        "  count   4",
        "  source  one page",
        "          another page",
        "  date    2026-02-02",
    ]
    assert section(text, "published\n") == [
        "  resourceTypes  neuron_device",
        "  basis          observed",
        "  source         a test",
        "  date           2026-01-01",
        "  note           seen once",
    ]
    assert "  perDevice  8" in section(text, "neuronCores of the chip chip-a")


def test_absent_keys(targets):
    """A key that is absent is marked as unknown, or as none where its absence says so."""
    large, node = targets("a.large").out, targets("a.node").out

    assert "  gbpsPerInterface  ?" in section(large, "efa\n")
    assert "  gbpsPerInterface  -" in section(node, "efa\n")
    assert "  gigabytesPerSecondBetweenNodes  -" in section(large, "neuronLink\n")
    absent = {line.split()[1]: line.split()[0] for line in section(node, "not in the file")}
    assert (absent["offering"], absent["connected"], absent["host"]) == ("-", "-", "?")


def test_attributes(targets):
    """Every attribute of the driver is published, unknown or absent."""
    marks = {
        line.split()[1]: line.split()[0]
        for line in section(targets("a.large").out, "attributes in its slices")
    }

    assert marks["neuron.aws.com/deviceId"] == "yes"
    assert marks["neuron.aws.com/topology_x"] == "?"
    assert marks["neuron.aws.com/topology_y"] == "-"


def test_torus(targets):
    """The torus is drawn with its rows and columns."""
    assert section(targets("a.large").out, "torus") == [
        "         column 0  column 1",
        "            │         │",
        "  row 0 ─── 0 ─────── 1 ────",
        "            │         │",
        "  row 1 ─── 2 ─────── 3 ────",
        "            │         │",
    ]


def test_device_groups(targets):
    """Each device group has its attribute, its id and the interfaces beside its devices."""
    rows = [line.split() for line in section(targets("a.large").out, "device groups")]

    assert rows[1][2:] == ["0000:0a:00.0", "1", "0"]
    assert rows[-1] == [
        *("4", "resource.aws.com/devicegroup4_id", "00000000000000cc", "2"),
        *("0", "1", "2", "3"),
    ]


def test_map_entries_have_lines_of_their_own(targets):
    """Labels by size are one to a line."""
    assert "  serverIdLabels  2: example.com/two" in section(targets("a.node").out, "ultraServer")


def test_json_of_all(targets):
    """For programs, null is unknown and an empty list is none; hidden names are told."""
    content = json.loads(targets("--format", "json").out)

    rows = {row["name"]: row for row in content["instanceTypes"]}
    assert content["schemaVersion"] == 1
    assert "b.rumour" in content["hidden"]
    assert rows["a.large"]["efaGbpsPerInterface"] is None
    assert rows["a.large"]["connectedSizes"] == [1, 4]
    assert rows["a.node"]["connectedSizes"] == []
    assert rows["a.node"]["ultraServerNodeSizes"] == [1, 2]


def test_json_of_one(targets):
    """For programs, one instance type has its facts as written, its torus and its groups."""
    content = json.loads(targets("a.large", "--format", "json").out)

    one = content["instanceType"]
    assert content["schemaVersion"] == 1
    assert one["facts"]["devices"] == {
        "count": 4,
        "source": "one page; another page",
        "date": "2026-02-02",
    }
    assert one["torus"] == [[0, 1], [2, 3]]
    assert one["deviceGroups"][-1]["devices"] == [0, 1, 2, 3]
    assert {each["name"]: each["published"] for each in one["attributes"]}[
        "neuron.aws.com/topology_x"
    ] == "unknown"


def test_unknown_type(targets):
    """A name that is not known gets a suggestion and exits 1."""
    out, err = targets("a.lagre", code=1)

    assert out == ""
    assert err == "error: no such instance type `a.lagre`, did you mean `a.large`?\n"


def test_unsound_file(targets):
    """A file with an error is diagnosed, and the sound ones are shown."""
    path = targets.folder / "instances" / "a.node.yaml"
    path.write_text(path.read_text().replace("count: 4", "count: four"))

    out, err = targets(code=1)

    assert "a.large" in out
    assert "a.node" not in out
    assert "error[ND" in err
    assert targets("a.node", code=1).out == ""


def test_ascii_lines():
    """Where the drawn lines cannot be encoded, plain ones stand for them."""
    assert fit_encoding("─ 0 │", "ascii") == "- 0 |"
    assert fit_encoding("─ 0 │", "utf-8") == "─ 0 │"


def test_hidden_characters_are_shown(targets):
    """No text of a file steers the terminal."""
    path = targets.folder / "instances" / "a.large.yaml"
    path.write_text(path.read_text().replace("note: seen once", 'note: "\\e[31mred"'))

    assert "\x1b" not in targets("a.large").out
