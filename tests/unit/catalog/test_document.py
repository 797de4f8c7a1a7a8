"""What surrounds the facts of a document, and the rule that every group says where it is from."""

from __future__ import annotations

import pytest

CHIP = "chips/chip-a.yaml"


def diagnose(files, name="chip-a"):
    catalog = files.open()
    assert catalog.chip(name) is None
    return catalog.diagnostics


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("v1alpha1", "v1", "ND2007", "`neuron-dra.dev/v1` is not `neuron-dra.dev/v1alpha1`"),
        ("kind: Chip", "kind: Chips", "ND2006", "expected kind `Chip`, found `Chips`"),
        (
            "{name: chip-a}",
            "{name: chip-b}",
            "ND6003",
            "`metadata.name` is `chip-b`, and the file is `chip-a.yaml`",
        ),
        ("{name: chip-a}", "{}", "ND2002", "the key `name` is required here"),
        ("displayName", "displyName", "ND2001", "unknown key `displyName`"),
        (
            "source: a test, date: 2026-01-01}\n  memory",
            "date: 2026-01-01}\n  memory",
            "ND6002",
            "this group of facts has no `source`",
        ),
        (
            ", source: a test, date: 2026-01-01}\n  memory",
            "}\n  memory",
            "ND6002",
            "this group of facts has no `source` and no `date`",
        ),
        (
            "date: 2026-01-01}\n  memory",
            "date: 2026-13-01}\n  memory",
            "ND2004",
            "`2026-13-01` is not a date, like `2026-08-21`",
        ),
        (
            "default: 2",
            "default: 4",
            "ND6004",
            "the default 4 is not among the allowed sizes 1, 2",
        ),
    ],
)
def test_wrong_documents(files, old, new, code, message):
    """Each mistake in a file of the catalogue is told by its code."""
    files.edit(CHIP, old, new)

    found = diagnose(files)
    assert (found[0].code.id, found[0].message) == (code, message)


def test_empty_file(files):
    """A file without a document is told at its start."""
    files.files[CHIP] = "# nothing yet\n"

    (found,) = diagnose(files)
    assert found.code.id == "ND6007"
    assert found.message == "a file of the catalogue holds one document, found 0"


def test_two_documents(files):
    """A second document is told where it begins."""
    files.files[CHIP] += "---\n" + files.files[CHIP]

    (found,) = diagnose(files)
    assert (found.code.id, found.span.line) == ("ND6007", 9)


def test_broken_yaml(files):
    """A file that is not YAML is told as such, and gives no facts."""
    files.files[CHIP] = "spec: [\n"

    assert [found.code.id for found in diagnose(files)] == ["ND1002"]


def test_a_source_that_is_empty(files):
    """An empty source is no source."""
    files.edit(CHIP, "hbmGiB: 10, source: a test", "hbmGiB: 10, source: ''")

    assert [found.code.id for found in diagnose(files)] == ["ND6002"]
