"""What is promised holds for every allocation, also on a used and on a broken node."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.allocator.outcome import Allocated
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import (
    DeviceClaim,
    DeviceConstraint,
    DeviceRequest,
    ExactDeviceRequest,
)
from neuron_dra.plan.promise import Holding, Promise
from neuron_dra.plan.soundness import find_break
from unit.plan.small_proofs import CATALOG, NUMBERING, prove

TRN2 = CATALOG.instance_type("trn2.48xlarge")
TRN1 = CATALOG.instance_type("trn1.32xlarge")
KEPT = Promise(TRN2, connected=True, paired=True)
GROUP = "resource.aws.com/devicegroup{}_id"


def request(name, **counts):
    """A request with an alternative for each count."""
    kind = "neuron-trn2-48xlarge" if name == "neurons" else "neuron-efa"
    return DeviceRequest(
        name,
        first_available=tuple(
            ExactDeviceRequest(kind, count, name=key) for key, count in counts.items()
        ),
    )


def test_alternatives_that_a_scheduler_can_mix():
    """Eight devices of one alternative go with the interfaces of another."""
    claim = DeviceClaim(
        (request("neurons", large=8, small=4), request("efa", large=8, small=4)),
        (
            DeviceConstraint(("neurons/large", "efa/large"), GROUP.format(8)),
            DeviceConstraint(("neurons/small", "efa/small"), GROUP.format(4)),
        ),
    )
    matching = prove("{instanceType: trn2.48xlarge, devices: 4, connected: true, efa: paired}")

    found = find_break(claim, {"large": KEPT, "small": KEPT}, matching.matching, NUMBERING)

    assert found is not None
    assert {name: len(devices) for name, devices in found.choice.items()} == {
        "neurons/large": 8,
        "efa/small": 4,
    }
    assert "devices 0, 1, 2, 3, 4, 5, 6, 7 get other EFA interfaces" in found.reason


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (
            DeviceClaim((request("neurons", only=4),)),
            "devices 0, 1, 2, 4 are not connected",
        ),
        (
            DeviceClaim(
                (request("neurons", only=4),),
                (DeviceConstraint(("neurons",), GROUP.format(8)),),
            ),
            "devices 0, 1, 2, 4 are not connected",
        ),
        (
            DeviceClaim(
                (request("neurons", only=4), request("efa", only=4)),
                (DeviceConstraint(("neurons",), GROUP.format(4)),),
            ),
            "devices 0, 1, 2, 3 get other EFA interfaces",
        ),
    ],
)
def test_constraints_that_say_too_little(claim, reason):
    """Without its constraint, or with a wider group, a claim keeps nothing."""
    proved = prove("{instanceType: trn2.48xlarge, devices: 4, connected: true, efa: paired}")
    promise = Promise(TRN2, connected=True, paired=len(claim.requests) > 1)

    found = find_break(claim, {"only": promise}, proved.matching, NUMBERING)

    assert found is not None
    assert reason in found.reason


SOUND = (
    [
        (
            "trn2.48xlarge",
            "{instanceType: trn2.48xlarge, devices: %s, connected: true, efa: paired}",
            n,
        )
        for n in (1, 4, 8, 16)
    ]
    + [
        (
            "trn1.32xlarge",
            "{instanceType: trn1.32xlarge, devices: %s, connected: true, efa: paired}",
            n,
        )
        for n in (1, 4, 8, 16)
    ]
    + [
        ("trn1.32xlarge", "{instanceType: trn1.32xlarge, devices: %s, efa: paired}", n)
        for n in (2, 5)
    ]
    + [
        (
            "trn2.48xlarge",
            (
                "{firstAvailable: [{instanceType: trn2.48xlarge, devices: 8, connected: true},"
                " {instanceType: trn2.48xlarge, devices: %s, connected: true}]}"
            ),
            4,
        )
    ]
)


@pytest.mark.parametrize(("instance_type", "spec", "number"), SOUND)
@given(data=st.data())
def test_every_allocation_keeps_the_promise(instance_type, spec, number, data):
    """Whatever is used or missing on a node, a claim that is allocated keeps its promise."""
    proved = prove(spec % number, instance_type)
    devices = [each.id for each in proved.matching.devices]
    gone = data.draw(st.sets(st.sampled_from(devices)))
    outcome = proved.node.allocate("p", proved.partition.claim, AllocatedState(frozenset(gone)))
    if not isinstance(outcome, Allocated):
        return
    by_id = {each.id: each for each in proved.matching.devices}
    taken = {}
    for each in outcome.results[0].results:
        unit = each.request.partition("/")[0].partition("-")[2]
        taken.setdefault(unit, []).append(by_id[each.device])
    alternative = outcome.results[0].results[0].request.partition("/")[2]
    index = int(alternative[-1]) if alternative else 0
    shape = proved.partition.shapes[index]
    promise = Promise.of(shape.spec, shape.devices, proved.node.type)

    assert promise.broken([NUMBERING.holding(some) for some in taken.values()]) == ""


def test_what_is_broken():
    """A promise is about hardware: rows for devices, neighbours for interfaces."""
    row, beside = frozenset({4, 5, 6, 7}), TRN1.device_map.efa.addresses[4:8]
    promise = Promise(TRN1, connected=True, paired=True)

    assert promise.broken([Holding(row, frozenset(beside))]) == ""
    assert "are not connected" in promise.broken([Holding(frozenset({4, 5, 8, 9}), frozenset())])
    assert promise.broken([Holding(row, frozenset(beside[:2]))]).endswith(beside[0])
    assert promise.broken([Holding(row, frozenset())]).endswith("beside them: none")
    assert not promise.is_empty
