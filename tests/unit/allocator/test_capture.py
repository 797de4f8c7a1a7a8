"""Claims on a captured node with 16 Neuron devices and 8 EFA interfaces.

What is expected is what the scheduler's own allocator said of the same slices on each minor.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neuron_dra.allocator.allocator import NOTHING_ALLOCATED, Allocator
from neuron_dra.allocator.features import Features
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import Cause, Fatal, Timeout, Unsatisfiable
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.cel.environment import environment
from neuron_dra.kube.claim import ALL, DeviceClass
from neuron_dra.kube.read_claim import read_claim, read_results
from neuron_dra.kube.read_slice import read_slice
from unit.allocator.small import MINORS, chosen, claim, match, request

CAPTURE = Path(__file__).resolve().parents[2] / "data/captures/trn1.32xlarge"
NODE = Node("node-a")
NEURON, EFA = "neuron.aws.com", "efa-rdma"
CLASSES = [
    DeviceClass(NEURON, ('device.driver == "neuron.aws.com"',)),
    DeviceClass(EFA, ('device.driver == "dra.net" && device.attributes["dra.net"].rdma',)),
]
ROW = "resource.aws.com/devicegroup4_id"
ALL_OF_IT = "resource.aws.com/devicegroup16_id"

# The order of the Neuron devices in the captured slice.
ORDER = (6, 7, 3, 10, 11, 15, 0, 1, 4, 8, 12, 2, 5, 9, 13, 14)


@pytest.fixture(scope="module", params=MINORS)
def minor(request):
    return request.param


@pytest.fixture(scope="module")
def allocator(minor):
    gates = open_catalog().kubernetes(minor).gates.gates
    defaults = {name: gate.default for name, gate in gates.items()}
    slices = [read_capture(f"{name}-resourceslice.yaml", read_slice) for name in ("neuron", "efa")]
    return Allocator(
        Features.of(minor, defaults),
        minor,
        CLASSES,
        slices,
        NOTHING_ALLOCATED,
        environment(minor, defaults),
    )


def read_capture(name, read):
    value, problems = read(yaml.safe_load((CAPTURE / name).read_text(encoding="utf-8")))
    assert problems == []
    return value


def neuron(count, **fields):
    return request("neurons", count, NEURON, **fields)


def efa(count):
    return request("efa", count, EFA)


def test_a_row_with_its_interfaces(allocator):
    """Four devices and two interfaces of one row: the row of the first device in the slice."""
    outcome = allocator.allocate(NODE, [claim(neuron(4), efa(2), match(ROW))])

    assert chosen(outcome) == [
        *("neuron-device-6", "neuron-device-7", "neuron-device-4", "neuron-device-5"),
        *("pci-0000-20-19-0", "pci-0000-90-19-0"),
    ]


@pytest.mark.parametrize("parts", [(neuron(4), efa(4)), (neuron(5),)])
def test_more_than_a_row_has(allocator, parts):
    """Four interfaces or five devices of one row cannot be had, which is known at once."""
    outcome = allocator.allocate(NODE, [claim(*parts, match(ROW))])

    assert isinstance(outcome, Unsatisfiable)


def test_the_whole_node(allocator):
    """All 16 devices can be had, also with all 8 interfaces."""
    devices = [f"neuron-device-{number}" for number in ORDER]

    alone = allocator.allocate(NODE, [claim(neuron(16))])
    paired = allocator.allocate(NODE, [claim(neuron(16), efa(8), match(ALL_OF_IT))])

    assert chosen(alone) == devices
    assert chosen(paired)[:16] == devices
    assert len(chosen(paired)) == 24


def test_one_device_too_many(allocator, minor):
    """17 of 16 devices take the scheduler ten seconds up to 1.35, and no time from 1.36 on."""
    outcome = allocator.allocate(NODE, [claim(neuron(17))])

    assert isinstance(outcome, Timeout if minor in ("1.34", "1.35") else Unsatisfiable)


def test_all_devices_of_one_row(allocator):
    """All devices are never of one row, which is fatal."""
    outcome = allocator.allocate(NODE, [claim(neuron(ALL), match(ROW))])

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.CONSTRAINT
    assert "cannot add device neuron.aws.com/node-a/neuron-device-3 because" in outcome.message


def test_unguarded_and_guarded_selectors(allocator):
    """A selector that reads what the other driver's devices lack is fatal unless it is guarded."""
    unguarded = 'device.attributes["neuron.aws.com"].capacityBlockId == "cb"'
    guarded = f'has(device.attributes["neuron.aws.com"].capacityBlockId) && {unguarded}'

    fatal = allocator.allocate(NODE, [claim(neuron(1, selectors=(unguarded,)))])
    none = allocator.allocate(NODE, [claim(neuron(1, selectors=(guarded,)))])

    assert isinstance(fatal, Fatal)
    assert "no such key: capacityBlockId" in fatal.message
    assert isinstance(none, Unsatisfiable)


def test_what_the_cluster_allocated(allocator):
    """The claim of the captured cluster gets the same devices as there, in the same order."""
    text = (CAPTURE / "allocated-claims.yaml").read_text(encoding="utf-8")
    there = next(
        data
        for data in yaml.safe_load_all(text)
        if read_results(data)[0][0].device.pool == NODE.name
    )
    asked, problems = read_claim(there)
    results, more = read_results(there)
    assert [*problems, *more] == []

    outcome = allocator.allocate(NODE, [asked])

    (result,) = outcome.results
    assert [(each.request, each.device) for each in result.results] == [
        (each.request, each.device) for each in results
    ]


def test_two_rows_then_a_third(allocator):
    """Claims one after the other take one row each, and the fifth finds none."""
    state, rows = NOTHING_ALLOCATED, []
    for _ in range(4):
        outcome = allocator.allocate(NODE, [claim(neuron(4), efa(2), match(ROW))], state)
        rows.append({int(name.rpartition("-")[2]) // 4 for name in chosen(outcome)[:4]})
        state = state.taking(outcome.results[0].results)

    assert rows == [{1}, {0}, {2}, {3}]
    assert isinstance(
        allocator.allocate(NODE, [claim(neuron(4), efa(2), match(ROW))], state), Unsatisfiable
    )
