"""Alternatives that cannot be mixed soundly are shown to be mixed by the scheduler's algorithm."""

from __future__ import annotations

import pytest

from neuron_dra.plan.demonstration import Alternative, demonstrate
from neuron_dra.plan.hardware import fit_shape
from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents
from unit.plan.small_fleets import HEAD, PARTITION
from unit.plan.small_proofs import CATALOG, NODES


def alternatives(*entries):
    text = HEAD + PARTITION % ("p", f"{{firstAvailable: [{', '.join(entries)}]}}")
    specs, found = read_documents([Source("x.yaml", text.encode())])
    assert found == []
    made = []
    for shape in specs.partitions["p"].spec.first_available:
        kind = CATALOG.instance_type(shape.instance_type)
        fit, _ = fit_shape(shape, kind)
        made.append(Alternative(shape, kind, fit))
    return made


def entry(kind, devices, efa="paired"):
    return f"{{instanceType: {kind}, devices: {devices}, connected: true, efa: {efa}}}"


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        # One dead interface, and eight chips have the four interfaces of a row.
        (
            entry("trn2.48xlarge", 8),
            entry("trn2.48xlarge", 4),
            "on a `trn2.48xlarge` where pci-0000-ca-00-0 is in use, devices 0, 1, 2, 3, 4, 5, 6, 7",
        ),
        (
            entry("trn2.48xlarge", 4),
            entry("trn1.32xlarge", 4),
            "on a `trn2.48xlarge` where",
        ),
        # Four chips whose own interfaces are in use get eight of the other half.
        (
            entry("trn2.48xlarge", 4),
            entry("trn2.48xlarge", 8),
            "on a `trn2.48xlarge` where",
        ),
    ],
)
def test_what_is_shown(first, second, shown):
    """The least that has to be in use is named, with what a claim then gets."""
    assert shown in demonstrate(alternatives(first, second), NODES)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (entry("trn2.48xlarge", 4), entry("trn1n.32xlarge", 4)),
        (entry("trn2.48xlarge", 4, "none"), entry("trn2.48xlarge", 8)),
    ],
)
def test_nothing_to_show(first, second):
    """Alternatives that agree are never mixed; one without EFA has no place in such a claim."""
    assert demonstrate(alternatives(first, second), NODES) == ""
