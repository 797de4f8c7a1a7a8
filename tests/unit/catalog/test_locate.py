"""The shipped folder is found, and other folders are laid over it."""

from __future__ import annotations

import hashlib

import pytest

from neuron_dra.catalog import locate
from neuron_dra.catalog.locate import find_targets, open_catalog
from neuron_dra.source import FatalError

ADDRESSES = [f"0000:{number:02x}:00.0" for number in (5, 7, 9, 11, 13, 15, 17, 19)]
INSTANCE = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: InstanceType
metadata: {name: lab1.8xlarge}
spec:
  chip: trainium2
  devices: {count: 8, source: our laboratory, date: 2026-05-01}
  served: {neuron: true, reason: our own node affinity, source: our laboratory, date: 2026-05-01}
  connected: {sizes: [1, 4, 8], source: our laboratory, date: 2026-05-01}
  efa: {interfaces: 8, deviceMap: lab1, source: our laboratory, date: 2026-05-01}
  published:
    resourceTypes: [neuron_device]
    present:
    - neuron.aws.com/instanceType
    - neuron.aws.com/resourceType
    - neuron.aws.com/neuronDriverVersion
    - resource.aws.com/devicegroup4_id
    source: our laboratory
    date: 2026-05-01
"""


def group_id(addresses):
    return hashlib.sha256(",".join(sorted(set(addresses))).encode()).hexdigest()[:16]


def device_map():
    fours = [group_id(ADDRESSES[:4]), group_id(ADDRESSES[4:])]
    shown = ", ".join(f'"{address}"' for address in ADDRESSES)
    return f"""\
apiVersion: neuron-dra.dev/v1alpha1
kind: DeviceMap
metadata: {{name: lab1}}
spec:
  efa: {{addresses: [{shown}], source: our laboratory, date: 2026-05-01}}
  groups:
    ids: {{4: ["{fours[0]}", "{fours[1]}"], 8: ["{group_id(ADDRESSES)}"]}}
    source: our laboratory
    date: 2026-05-01
"""


@pytest.fixture
def overlay(tmp_path):
    """A folder with one invented machine and its device map."""
    (tmp_path / "instances").mkdir()
    (tmp_path / "device-maps").mkdir()
    (tmp_path / "instances/lab1.8xlarge.yaml").write_text(INSTANCE)
    (tmp_path / "device-maps/lab1.yaml").write_text(device_map())
    return tmp_path


def test_an_invented_machine(overlay):
    """A machine of a folder is served like a shipped one, without a change of code."""
    catalog = open_catalog([str(overlay)])
    made = catalog.instance_type("lab1.8xlarge")

    assert catalog.diagnostics == []
    assert made.device_count == 8
    assert made.hbm_gib == 768
    assert made.efa_for(4) == 4
    assert made.group_attribute(4) == "resource.aws.com/devicegroup4_id"
    assert made.connected_sets(4) == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert made.device_map.group_id(4, 5) == group_id(ADDRESSES[4:])
    assert "lab1.8xlarge" in catalog.instance_type_names()


def test_shipped_files_have_a_stable_path():
    """A shipped file is shown below `targets`, wherever the package lies."""
    catalog = open_catalog()
    name = catalog.chip_names()[0]

    assert catalog.chip(name).places.span.path == f"targets/chips/{name}.yaml"


def test_overlays_replace_files(overlay):
    """The last folder that has a file wins, and is shown by its own path."""
    shipped = open_catalog()
    name = shipped.chip_names()[0]
    (overlay / "chips").mkdir()
    file = overlay / f"chips/{name}.yaml"
    file.write_text(shipped.chip(name).places.origin.source.data.decode() + "# ours\n")
    catalog = open_catalog([str(overlay)])

    assert catalog.chip(name).places.span.path == file.as_posix()
    assert catalog.chip_names() == shipped.chip_names()
    assert catalog.digest() != shipped.digest()


def test_the_last_overlay_wins(overlay, tmp_path_factory):
    """Of two folders with the same file the later one is read."""
    other = tmp_path_factory.mktemp("other")
    (other / "instances").mkdir()
    text = INSTANCE.replace("our own node affinity", "another reason")
    (other / "instances/lab1.8xlarge.yaml").write_text(text)

    def reason(*folders):
        catalog = open_catalog([str(folder) for folder in folders])
        return catalog.instance_type("lab1.8xlarge").facts.served.reason

    assert reason(overlay, other) == "another reason"
    assert reason(other, overlay) == "our own node affinity"


def test_digest_does_not_depend_on_the_place(overlay, tmp_path_factory):
    """The same facts in another folder have the same digest."""
    other = tmp_path_factory.mktemp("copy")
    for folder in ("instances", "device-maps"):
        (other / folder).mkdir()
        for file in (overlay / folder).iterdir():
            (other / folder / file.name).write_bytes(file.read_bytes())

    assert open_catalog([str(overlay)]).digest() == open_catalog([str(other)]).digest()


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("instance/lab2.large.yaml", "did you mean `instances`?"),
        ("lab2.large.yaml", "known: "),
        ("instances/lab2.large.yml", "end its name with `.yaml`"),
        ("instances/old/lab2.large.yaml", "end its name with `.yaml`"),
        ("instances/lab2.yaml/large.yaml", "end its name with `.yaml`"),
    ],
)
def test_stray_files(overlay, name, suggestion):
    """A file that nothing would read is told, so that nothing is silently ignored."""
    (overlay / name).parent.mkdir(exist_ok=True)
    (overlay / name).write_text(INSTANCE)

    (found,) = open_catalog([str(overlay)]).diagnostics
    assert found.code.id == "ND6006"
    assert found.help.startswith(suggestion)
    assert found.span.path.startswith(overlay.as_posix())


@pytest.mark.parametrize("name", ["README.md", ".git/config.yaml", "instances/.hidden.yaml"])
def test_files_that_are_no_facts(overlay, name):
    """Hidden files, and other files than YAML beside the folders, are left alone."""
    (overlay / name).parent.mkdir(exist_ok=True)
    (overlay / name).write_text("anything")

    assert open_catalog([str(overlay)]).diagnostics == []


def test_a_folder_that_is_not_there(tmp_path):
    """A missing folder is an error of the world, not of the input."""
    with pytest.raises(FatalError, match=r"cannot read .*nowhere: No such file"):
        open_catalog([str(tmp_path / "nowhere")])


def test_a_broken_installation(tmp_path, monkeypatch):
    """Without its facts the package says so."""
    monkeypatch.setattr(locate, "__file__", str(tmp_path / "a/b/c/locate.py"))

    with pytest.raises(FatalError, match="the installation is broken"):
        find_targets()


@pytest.mark.parametrize("inside", ["site/neuron_dra/targets", "targets"])
def test_both_layouts(tmp_path, monkeypatch, inside):
    """The folder is found inside the installed package and at the root of a checkout."""
    (tmp_path / inside).mkdir(parents=True)
    monkeypatch.setattr(locate, "__file__", str(tmp_path / "site/neuron_dra/catalog/locate.py"))

    assert find_targets() == str(tmp_path / inside)
