"""Facts that exclude each other are told with both ends."""

from __future__ import annotations

import pytest

INSTANCE = "instances/a.large.yaml"
CHIP = "chips/chip-a.yaml"
MAP = "device-maps/map-a.yaml"
DRIVER = "drivers/neuron.yaml"

CONFLICTS = [
    (INSTANCE, "hbmGiB: 40", "hbmGiB: 41", "41 GiB is not 4 times 10 GiB", CHIP),
    (CHIP, "hbmGiB: 10", "hbmGiB: 11", "40 GiB is not 4 times 11 GiB", CHIP),
    (INSTANCE, "[4, 1, 2]", "[1, 3]", "4 devices do not make connected sets of 3", INSTANCE),
    (INSTANCE, "[4, 1, 2]", "[1, 8]", "4 devices do not make connected sets of 8", INSTANCE),
    (INSTANCE, "rows: 2", "rows: 3", "a torus of 3 by 2 has 6 devices, not 4", INSTANCE),
    (
        INSTANCE,
        "[[0, 3], [1, 2]]",
        "[[0, 3], [1, 3]]",
        "the NUMA nodes do not hold each of the 4 devices once",
        INSTANCE,
    ),
    (
        INSTANCE,
        "gbpsPerInterface: 100",
        "gbpsPerInterface: 150",
        "2 interfaces of 150 Gbps make 300 Gbps, not 200",
        INSTANCE,
    ),
    (
        INSTANCE,
        "efa: {interfaces: 2, gbpsPerInterface: 100,",
        "efa: {interfaces: 4,",
        "4 EFA interfaces, and the map `map-a` has 2",
        MAP,
    ),
    (INSTANCE, "devices: 16", "devices: 17", "4 nodes of 4 devices have 16, not 17", INSTANCE),
    (INSTANCE, "hbmGiB: 160", "hbmGiB: 170", "16 devices have 160 GiB of HBM, not 170", CHIP),
    (
        INSTANCE,
        "nodeSizes: [4, 2, 1]",
        "nodeSizes: [1, 8]",
        "8 nodes are more than the 4 of the UltraServer",
        INSTANCE,
    ),
    (INSTANCE, "nodeSizes: [4, 2, 1]", "nodeSizes: [3]", "4 nodes do not make sets of 3", INSTANCE),
]


def diagnose(files):
    catalog = files.open()
    assert catalog.instance_type("a.large") is None
    return catalog.diagnostics


@pytest.mark.parametrize(("file", "old", "new", "message", "other"), CONFLICTS)
def test_conflicts(files, file, old, new, message, other):
    """Two numbers that exclude each other are one diagnostic that shows both places."""
    files.edit(file, old, new)

    found = diagnose(files)
    assert [(one.code.id, one.message) for one in found][:1] == [("ND6004", message)]
    assert found[0].related[0].span.path == f"targets/{other}"


def test_map_of_another_size(files):
    """A device map for more devices than the instance has is told at the count."""
    files.edit(INSTANCE, "count: 4, hbmGiB: 40", "count: 2")
    files.edit(INSTANCE, "[4, 1, 2]", "[1, 2]")

    messages = [found.message for found in diagnose(files)]
    assert "2 devices, and the map `map-a` has 4" in messages


def test_groups_of_a_map(files):
    """A table of groups that does not cover the devices is told where it stands."""
    files.edit(MAP, "4: [00000000000000cc]", "4: [00000000000000cc, 00000000000000dd]")

    (found,) = diagnose(files)
    assert found.code.id == "ND6004"
    assert found.message == "2 groups of 4 make 8 devices, the map has 4"


@pytest.mark.parametrize("size", ["1", "04", "two", "0", "²"])
def test_group_sizes(files, size):
    """A group size is an integer above one, written plainly."""
    files.edit(MAP, "4: [", f"{size}: [")

    assert {found.code.id for found in diagnose(files)} == {"ND2004"}


@pytest.mark.parametrize("where", ["present", "unknown"])
def test_unknown_attribute(files, where):
    """An attribute that the driver does not know is told, with the closest name."""
    files.edit(INSTANCE, f"{where}: [", f"{where}: [neuron.example.com/deviceid, ")

    (found,) = diagnose(files)
    assert found.code.id == "ND6005"
    assert found.help == "did you mean `neuron.example.com/deviceId`?"


def test_attribute_present_and_unknown(files):
    """An attribute cannot be published and unknown at once."""
    files.edit(INSTANCE, "unknown: [", "unknown: [neuron.example.com/deviceId, ")

    assert [found.code.id for found in diagnose(files)] == ["ND2005"]


def test_group_attribute_without_a_map(files):
    """A published device group needs a device map that has groups of that size."""
    files.edit(INSTANCE, "deviceMap: map-a, ", "")

    (found,) = diagnose(files)
    assert found.message == (
        "`shared.example.com/group2` is published, and no device map has groups of 2"
    )


def test_row_without_a_torus(files):
    """A published row needs devices in rows."""
    files.edit(INSTANCE, "topology: torus, rows: 2, columns: 2", "topology: switch")
    files.edit(INSTANCE, "present: [", "present: [neuron.example.com/row, ")

    (found,) = diagnose(files)
    assert found.message == (
        "`neuron.example.com/row` is published, and the devices have no rows and columns"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("topology: torus, rows: 2, columns: 2", "topology: torus, rows: 2"),
        ("topology: torus, rows: 2, columns: 2", "topology: ring, rows: 2, columns: 2"),
    ],
)
def test_rows_belong_to_a_torus(files, old, new):
    """Rows and columns stand with a torus, both, and with nothing else."""
    files.edit(INSTANCE, old, new)

    assert {found.code.id for found in diagnose(files)} == {"ND2012"}


NEEDED = [
    "neuron.example.com/instanceType",
    "neuron.example.com/resourceType",
    "neuron.example.com/neuronDriverVersion",
]


def publish(files, present, unknown=(), resource_types="[neuron_device]"):
    """Let the driver have the attributes that selectors read, and the type publish some."""
    known = "".join(f"      {name}: {{type: string}}\n" for name in NEEDED)
    files.edit(DRIVER, "    names:\n", f"    names:\n{known}")
    files.edit(INSTANCE, "present: [", f"present: [{''.join(f'{name}, ' for name in present)}")
    files.edit(INSTANCE, "unknown: [", f"unknown: [{''.join(f'{name}, ' for name in unknown)}")
    files.edit(INSTANCE, "resourceTypes: [neuron_device]", f"resourceTypes: {resource_types}")


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("unknown", [False, True])
def test_attributes_that_selectors_read(files, name, unknown):
    """What every device class reads is on every device that may be published."""
    publish(files, [each for each in NEEDED if each != name], [name] if unknown else [])

    (found,) = diagnose(files)
    assert found.code.id == "ND6009"
    word = "unknown" if unknown else "not published"
    assert found.message.startswith(f"`{name}` is {word}, and device classes")
    assert found.span.source.line(found.span.line)[found.span.column :].startswith(
        name if unknown else "["
    )


@pytest.mark.parametrize(
    ("present", "resource_types"), [(NEEDED, "[neuron_device]"), ([], "[]"), (NEEDED[:1], "[]")]
)
def test_attributes_of_no_device(files, present, resource_types):
    """A type of which nothing can be claimed, or that has them all, is sound."""
    publish(files, present, resource_types=resource_types)
    catalog = files.open()

    assert catalog.instance_type("a.large") is not None
    assert catalog.diagnostics == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("count: 4, hbmGiB: 40", "count: 1000000000000, hbmGiB: 10000000000000"),
        ("interfaces: 2", "interfaces: 1000000000000"),
        ("nodes: 4", "nodes: 1000000000000"),
    ],
)
def test_numbers_of_no_machine(files, old, new):
    """A number that no machine has is refused before anything is counted up to it."""
    files.edit(INSTANCE, old, new)

    assert [(each.code.id, each.message) for each in diagnose(files)] == [
        ("ND2004", "1000000000000 is more than the 1024 allowed")
    ]


def test_without_a_driver_file(files):
    """A catalogue without the Neuron driver knows no attribute names and refuses none."""
    del files.files["drivers/neuron.yaml"]
    catalog = files.open()

    assert catalog.instance_type("a.large").group_attribute(2) is None
    assert catalog.diagnostics == []
