"""The catalogue decodes what is asked for, once, and says what is wrong with it."""

from __future__ import annotations

import pytest

from neuron_dra.source import Source
from neuron_dra.syntax.parse import parse

PRIVATE = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: InstanceType
metadata: {name: lab.large}
spec:
  chip: chip-a
  devices: {count: 2, source: our laboratory, date: 2026-01-01}
  connected: {sizes: [1, 2], source: our laboratory, date: 2026-01-01}
"""


def documents(text, path="specs/lab.yaml"):
    parsed, problems = parse(Source(path, text.encode()))
    assert problems == []
    return parsed


def codes(catalog):
    return [found.code.id for found in catalog.diagnostics]


def test_nothing_is_read_before_it_is_asked_for(files):
    """Opening a catalogue and listing its names reads no file."""
    catalog = files.open()

    assert catalog.instance_type_names() == ("a.large",)
    assert catalog.chip_names() == ("chip-a",)
    assert catalog.driver_names() == ("neuron",)
    assert files.reads == []


def test_each_file_is_read_once(files):
    """A second question about an instance type reads nothing again and gives the same value."""
    catalog = files.open()
    first = catalog.instance_type("a.large")

    assert catalog.instance_type("a.large") is first
    assert catalog.chip("chip-a") is first.chip
    assert sorted(files.reads) == sorted(files.files)


def test_a_sound_catalogue_has_no_diagnostics(files):
    """The catalogue that the other tests start from is sound."""
    catalog = files.open()

    assert catalog.instance_type("a.large") is not None
    assert catalog.diagnostics == []


@pytest.mark.parametrize(
    "question", ["instance_type", "chip", "driver", "kubernetes", "device_map"]
)
@pytest.mark.parametrize("name", ["nothing", "../chips/chip-a", ""])
def test_unknown_names_are_none(files, question, name):
    """A name without a file gives None, no diagnostic, and no read outside the catalogue."""
    catalog = files.open()

    assert getattr(catalog, question)(name) is None
    assert catalog.diagnostics == []
    assert files.reads == []


def test_unsound_files_are_told_once(files):
    """What refers to an unsound chip is None, and only the chip is diagnosed."""
    files.edit("chips/chip-a.yaml", "perDevice: 8", "perDevice: many")
    catalog = files.open()

    assert catalog.instance_type("a.large") is None
    assert catalog.instance_type("a.large") is None
    assert codes(catalog) == ["ND2004"]


@pytest.mark.parametrize(
    ("old", "new", "message", "suggestion"),
    [
        ("chip: chip-a", "chip: chip-b", "there is no chip `chip-b`", "did you mean `chip-a`?"),
        (
            "deviceMap: map-a",
            "deviceMap: map-aa",
            "there is no device map `map-aa`",
            "did you mean `map-a`?",
        ),
    ],
)
def test_unknown_references(files, old, new, message, suggestion):
    """A chip or device map that is not there is diagnosed at its name."""
    files.edit("instances/a.large.yaml", old, new)
    catalog = files.open()

    assert catalog.instance_type("a.large") is None
    (found,) = catalog.diagnostics
    assert (found.code.id, found.message, found.help) == ("ND6001", message, suggestion)
    assert found.span.source.line(found.span.line)[found.span.column :].startswith(new.split()[1])


def test_unknown_driver_that_is_needed(files):
    """A driver that needs one which is not there is diagnosed."""
    files.edit("drivers/neuron.yaml", "spec:", "spec:\n  needs: [neurn]")
    catalog = files.open()

    assert catalog.driver("neuron") is not None
    assert [found.message for found in catalog.diagnostics] == ["there is no driver `neurn`"]


def test_minors_are_in_order_of_numbers(files):
    """Minor versions are sorted as numbers; a patch version finds its minor."""
    text = "apiVersion: neuron-dra.dev/v1alpha1\nkind: KubernetesRelease\n"
    for minor in ("1.9", "1.10", "1.8"):
        files.files[f"kubernetes/{minor}.yaml"] = text
    catalog = files.open()

    assert catalog.minors() == ("1.8", "1.9", "1.10")
    assert catalog.kubernetes("1.10.3") is None
    assert files.reads == ["kubernetes/1.10.yaml"]


def test_instance_types_of_a_chip(files):
    """The instance types of a chip are found by their facts, sorted by name."""
    other = files.files["instances/a.large.yaml"].replace("a.large", "a.huge")
    files.files["instances/a.huge.yaml"] = other
    catalog = files.open()

    assert [made.name for made in catalog.instance_types_of("chip-a")] == ["a.huge", "a.large"]
    assert catalog.instance_types_of("chip-b") == ()


def test_private_instance_types(files):
    """An instance type from a spec is served like one from a file, by a new catalogue only."""
    catalog = files.open()
    extended = catalog.with_instance_types(documents(PRIVATE))

    assert extended.instance_type("lab.large").device_count == 2
    assert extended.instance_type_names() == ("a.large", "lab.large")
    assert extended.instance_type("a.large") is not None
    assert extended.diagnostics == []
    assert catalog.instance_type("lab.large") is None


def test_private_instance_types_are_checked_unused(files):
    """An unsound instance type in a spec is told although nothing asked for it."""
    text = PRIVATE.replace("chip-a", "chip-b")
    extended = files.open().with_instance_types(documents(text))

    (found,) = extended.diagnostics
    assert (found.code.id, str(found.span)) == ("ND6001", "specs/lab.yaml:5:9")
    assert extended.instance_type_names() == ("a.large", "lab.large")
    assert extended.instance_type("lab.large") is None


def test_private_instance_type_that_exists(files):
    """A spec cannot redefine an instance type of the catalogue; both places are shown."""
    text = PRIVATE.replace("lab.large", "a.large")
    extended = files.open().with_instance_types(documents(text))

    (found,) = extended.diagnostics
    assert found.code.id == "ND6008"
    assert str(found.related[0].span) == "targets/instances/a.large.yaml:1:1"
    assert extended.instance_type("a.large").device_count == 4


def test_private_instance_type_twice(files):
    """Two documents of one name are told with both places."""
    extended = files.open().with_instance_types(documents(f"{PRIVATE}---\n{PRIVATE}"))

    (found,) = extended.diagnostics
    assert (found.code.id, found.span.line, found.related[0].span.line) == ("ND6008", 10, 2)


def test_private_document_of_another_kind(files):
    """A document that is no InstanceType is refused."""
    text = PRIVATE.replace("kind: InstanceType", "kind: Chip")
    extended = files.open().with_instance_types(documents(text))

    assert codes(extended) == ["ND2006"]
    assert extended.instance_type_names() == ("a.large",)


def test_digest_depends_on_every_file(files):
    """The digest is the same for the same files, and another when any fact changes."""
    digest = files.open().digest()
    assert files.open().digest() == digest

    for name in list(files.files):
        kept = files.files[name]
        files.files[name] = kept + "# more\n"
        assert files.open().digest() != digest
        files.files[name] = kept
    assert files.open().digest() == digest


def test_digest_is_the_same_after_use(files):
    """What was asked before does not change the digest."""
    catalog = files.open()
    digest = catalog.digest()
    catalog.instance_type("a.large")

    assert catalog.digest() == digest


def test_digest_of_private_facts(files):
    """Private facts count; their comments, their layout and their file do not."""
    catalog = files.open()
    digest = catalog.with_instance_types(documents(PRIVATE)).digest()
    moved = documents(f"# why\n{PRIVATE}".replace("count: 2", "count:    2"), "specs/other.yaml")
    changed = documents(PRIVATE.replace("sizes: [1, 2]", "sizes: [2]"))

    assert digest != catalog.digest()
    assert catalog.with_instance_types(moved).digest() == digest
    assert catalog.with_instance_types(changed).digest() != digest
