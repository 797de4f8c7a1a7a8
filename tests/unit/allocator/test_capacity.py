"""Consumable capacity: shares of devices, and amounts as policies round them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neuron_dra.allocator.capacity import (
    Arithmetic,
    calculate_consumed_capacity,
    cmp_request_over_capacity,
    violates_policy,
)
from neuron_dra.allocator.features import Variant
from neuron_dra.allocator.inventory import take_inventory
from neuron_dra.allocator.outcome import AbortError, Cause, Fatal, Unsatisfiable
from neuron_dra.allocator.pools import Pool, PoolID
from neuron_dra.allocator.sharing import Sharing
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.amount import billionths
from neuron_dra.kube.claim import ALL
from neuron_dra.kube.slice import CapacityPolicy, CapacityRange, DeviceCapacity, DeviceID
from unit.allocator.small import (
    EVERYTHING,
    allocate,
    chosen,
    claim,
    counter_slice,
    device,
    devices,
    ids,
    node_slice,
    request,
)

WHOLE_NUMBERS = Arithmetic(fractional=False, guarded=False)
GUARDED = Arithmetic(fractional=False, guarded=True)
FRACTIONS = Arithmetic(fractional=True, guarded=True)

FROM_1_35 = ("1.35", "1.36", "1.37")
MEM = "x/mem"


def ranged(default="1Gi", low="1Gi", high=None, step=None, value="8Gi"):
    return DeviceCapacity(value, CapacityPolicy(default, (), CapacityRange(low, high, step)))


def valued(default, *values, value="8Gi"):
    return DeviceCapacity(value, CapacityPolicy(default, values))


def share(name, capacity, **fields):
    return device(name, capacity={MEM: capacity}, allow_multiple_allocations=True, **fields)


def asking(amount, count=1, name="r"):
    return request(name, count, capacity={MEM: amount})


@pytest.mark.parametrize(
    ("requested", "capacity", "consumed"),
    [
        (None, DeviceCapacity("8Gi"), "8Gi"),
        (None, ranged("2Gi"), "2Gi"),
        (None, valued("2Gi", "1Gi", "2Gi"), "2Gi"),
        ("3Gi", DeviceCapacity("8Gi"), "3Gi"),
        ("512Mi", ranged(), "1Gi"),
        ("1536Mi", ranged(), "1536Mi"),
        ("1536Mi", ranged(step="1Gi"), "2Gi"),
        ("1Gi", ranged(step="1Gi"), "1Gi"),
        ("5Gi", ranged(low="2Gi", step="2Gi"), "6Gi"),
        ("512Mi", valued("1Gi", "1Gi", "2Gi", "4Gi"), "1Gi"),
        ("2Gi", valued("1Gi", "1Gi", "2Gi", "4Gi"), "2Gi"),
        ("3Gi", valued("1Gi", "1Gi", "2Gi", "4Gi"), "4Gi"),
        ("5Gi", valued("1Gi", "1Gi", "2Gi", "4Gi"), "5Gi"),
        ("1500m", ranged(low="1", step="1", value="8"), "2"),
    ],
)
def test_rounding(requested, capacity, consumed):
    """A request takes the default or all, or what it says, rounded up as the policy wants."""
    found = calculate_consumed_capacity(requested, capacity, WHOLE_NUMBERS)

    assert found == billionths(consumed)


@pytest.mark.parametrize(
    ("amount", "capacity", "expected"),
    [
        ("1Gi", DeviceCapacity("8Gi"), False),
        ("2Gi", ranged(high="4Gi"), False),
        ("5Gi", ranged(high="4Gi"), True),
        ("1536Mi", ranged(step="1Gi"), True),
        ("2Gi", ranged(step="1Gi"), False),
        ("2Gi", valued("1Gi", "1Gi", "2Gi"), False),
        ("3Gi", valued("1Gi", "1Gi", "2Gi"), True),
        ("3Gi", valued("3Gi", "1Gi", "2Gi"), False),
        ("3Gi", DeviceCapacity("8Gi", CapacityPolicy("1Gi")), False),
    ],
)
def test_policies(amount, capacity, expected):
    """An amount violates a policy when it is none of what the device hands out."""
    assert violates_policy(billionths(amount), capacity, WHOLE_NUMBERS) == expected


def test_fractions():
    """With the feature of 1.37 steps may be fractions; without it they count in whole numbers."""
    half_steps = ranged("500m", low="500m", step="500m", value="4")

    assert calculate_consumed_capacity("1200m", half_steps, FRACTIONS) == billionths("1500m")
    assert calculate_consumed_capacity("1200m", half_steps, GUARDED) == billionths("2")
    assert not violates_policy(billionths("1500m"), half_steps, FRACTIONS)
    assert violates_policy(billionths("1200m"), half_steps, FRACTIONS)
    assert violates_policy(billionths("1200100u"), half_steps, FRACTIONS)


@pytest.mark.parametrize(
    ("requested", "capacity", "arithmetic"),
    [
        ("9223372036854775808", ranged(low="1", step="1"), GUARDED),
        ("9223372036854775807", ranged(low="2", step="2"), GUARDED),
        ("1100100u", ranged("500m", low="500m", step="500m"), FRACTIONS),
    ],
)
def test_amounts_that_cannot_be_computed_with(requested, capacity, arithmetic):
    """1.37 refuses amounts beyond its arithmetic."""
    with pytest.raises(AbortError, match="cannot be represented"):
        calculate_consumed_capacity(requested, capacity, arithmetic)


@pytest.mark.parametrize(
    ("requested", "capacity", "consumed"),
    [
        ("9223372036854775807", ranged(low="2", step="2"), "-9223372036854775808"),
        ("18446744073709551620", ranged(low="1", step="2"), "5"),
        ("9223372036854775809", ranged(low="1", step="4"), "-9223372036854775807"),
        ("9223372036854775809", ranged(low="1", step="3"), "-9223372036854775802"),
    ],
)
def test_amounts_beyond_64_bits(requested, capacity, consumed):
    """Up to 1.36 steps are computed with what 64 bits keep of an amount."""
    found = calculate_consumed_capacity(requested, capacity, WHOLE_NUMBERS)

    assert found == billionths(consumed)


@pytest.mark.parametrize("arithmetic", [WHOLE_NUMBERS, GUARDED, FRACTIONS])
def test_a_step_of_nothing(arithmetic):
    """A range with a step of nothing crashes the scheduler."""
    capacity = ranged(low="1", step="0")

    with pytest.raises(AbortError) as rounding:
        calculate_consumed_capacity("4", capacity, arithmetic)
    with pytest.raises(AbortError) as checking:
        violates_policy(billionths("4"), capacity, arithmetic)

    assert rounding.value.outcome.cause is checking.value.outcome.cause is Cause.CRASH


def test_negative_amounts():
    """1.37 refuses a negative amount."""
    with pytest.raises(AbortError, match="negative"):
        cmp_request_over_capacity({MEM: "-1"}, {MEM: DeviceCapacity("1")}, ({}, {}), GUARDED)


@pytest.mark.parametrize("minor", FROM_1_35)
def test_shares_of_one_device(minor):
    """Requests share a device as long as its capacity lasts."""
    slices = [node_slice(share("d", ranged()))]
    parts = claim(asking("3Gi", name="p"), asking("5Gi", name="q"))

    outcome = allocate(minor, parts, slices)

    (result,) = outcome.results
    assert chosen(outcome) == ["d", "d"]
    assert [each.shared for each in result.results] == [True, True]
    assert [each.consumed_capacity for each in result.results] == [
        {MEM: billionths("3Gi")},
        {MEM: billionths("5Gi")},
    ]
    more = claim(asking("3Gi", name="p"), asking("6Gi", name="q"))
    assert isinstance(allocate(minor, more, slices), Unsatisfiable)


@pytest.mark.parametrize("minor", FROM_1_35)
def test_shares_of_two_claims(minor):
    """Claims share a device too."""
    claims = [claim(asking("4Gi"), name=name) for name in ("c0", "c1")]

    assert chosen(allocate(minor, claims, [node_slice(share("d", ranged()))])) == [["d"], ["d"]]


@pytest.mark.parametrize("minor", FROM_1_35)
def test_what_is_taken_already(minor):
    """Shares that others hold leave less."""
    id_ = DeviceID("a.example", "pool", "d")
    held = AllocatedState(shared=frozenset((id_,)), capacity={id_: {MEM: billionths("6Gi")}})
    slices = [node_slice(share("d", ranged()), share("e", ranged()))]

    def outcome(amount):
        return allocate(minor, claim(asking(amount)), slices, allocated=held)

    assert chosen(outcome("2Gi")) == ["d"]
    assert chosen(outcome("3Gi")) == ["e"]


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_a_request_takes_one_share_of_a_device(minor):
    """A request for two devices gets two devices, not two shares of one."""
    slices = [node_slice(share("d", ranged()), share("e", ranged()))]

    assert chosen(allocate(minor, claim(asking("1Gi", 2)), slices)) == ["d", "e"]
    assert isinstance(allocate(minor, claim(asking("1Gi", 3)), slices), Unsatisfiable)


def test_a_request_takes_several_shares_up_to_1_35():
    """Up to 1.35 a request may get several shares of one device."""
    slices = [node_slice(share("d", ranged()), share("e", ranged()))]

    assert chosen(allocate("1.35", claim(asking("1Gi", 2)), slices)) == ["d", "d"]


@pytest.mark.parametrize("minor", FROM_1_35)
def test_devices_that_are_not_shared(minor):
    """A device that is not shared must be large enough, and is had as a whole."""
    members = [device(name, capacity={MEM: size}) for name, size in (("s", "2Gi"), ("l", "8Gi"))]

    outcome = allocate(minor, claim(asking("4Gi")), [node_slice(*members)])

    assert chosen(outcome) == ["l"]
    assert outcome.results[0].results[0].consumed_capacity is None


@pytest.mark.parametrize("minor", FROM_1_35)
def test_more_than_a_device_hands_out(minor):
    """A device that hands out less at once than is asked for is passed over."""
    slices = [node_slice(share("little", ranged(high="2Gi")), share("much", ranged()))]

    assert chosen(allocate(minor, claim(asking("4Gi")), slices)) == ["much"]


@pytest.mark.parametrize("minor", FROM_1_35)
@pytest.mark.parametrize("name", ["mem", "y/mem", "x/cores"])
def test_names_are_compared_literally(minor, name):
    """A requested amount whose name the device does not have passes it over."""
    wanted = request("r", capacity={name: "1Gi"})

    outcome = allocate(minor, claim(wanted), [node_slice(share("d", ranged()))])

    assert isinstance(outcome, Unsatisfiable)


@pytest.mark.parametrize("minor", FROM_1_35)
def test_nothing_asked(minor):
    """A request without amounts takes the default, or everything."""
    slices = [node_slice(share("some", ranged("3Gi")), share("every", "8Gi"))]

    (result,) = allocate(minor, claim(request("p"), request("q"), request("r")), slices).results

    assert [each.device.device for each in result.results] == ["some", "some", "every"]
    assert result.results[2].consumed_capacity == {MEM: billionths("8Gi")}


@pytest.mark.parametrize("minor", ["1.34", *FROM_1_35])
def test_without_the_feature(minor):
    """Amounts in a request are fatal where the allocator knows of them and they are off."""
    features = replace(EVERYTHING, consumable_capacity=False)

    outcome = allocate(minor, claim(asking("1Gi")), [node_slice(share("d", ranged()))], features)

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.FEATURE
    assert "DRAConsumableCapacity" in outcome.message


def test_unknown_to_the_incubating_allocator_of_1_35():
    """An allocator that does not know amounts ignores them."""
    features = replace(EVERYTHING, consumable_capacity=False, device_binding=False)

    assert chosen(allocate("1.35", claim(asking("9Gi")), [node_slice(*devices(1))], features)) == [
        "d0"
    ]


@pytest.mark.parametrize(("minor", "is_had"), [("1.35", True), ("1.36", True), ("1.37", False)])
def test_all_devices_that_are_used_up(minor, is_had):
    """Up to 1.36 a device that is used up is not one of all; from 1.37 on it makes them fail."""
    id_ = DeviceID("a.example", "pool", "d")
    held = AllocatedState(shared=frozenset((id_,)), capacity={id_: {MEM: billionths("8Gi")}})
    slices = [node_slice(share("d", ranged()), share("e", ranged()), share("f", ranged()))]
    wanted = request("r", ALL, capacity={MEM: "1Gi"})

    outcome = allocate(minor, claim(wanted), slices, allocated=held)

    assert chosen(outcome) == ["e", "f"] if is_had else isinstance(outcome, Unsatisfiable)


@pytest.mark.parametrize("minor", FROM_1_35)
def test_shares_take_counters_once(minor):
    """The first share of a device takes its counters, further ones none."""
    slices = [
        counter_slice({"m": "4"}, slices=2),
        node_slice(share("d", ranged(), counters={"m": "4"}), slices=2),
    ]

    outcome = allocate(minor, claim(asking("1Gi", name="p"), asking("1Gi", name="q")), slices)

    assert chosen(outcome) == ["d", "d"]


@pytest.mark.parametrize("minor", FROM_1_35)
def test_going_back_keeps_the_other_shares(minor):
    """A share that is given back leaves what other shares have taken."""
    slices = [node_slice(share("e", ranged(value="4Gi")), share("d", ranged(value="2Gi")))]
    parts = claim(asking("1Gi", name="p"), asking("1Gi", name="q"), asking("4Gi", name="r"))

    assert chosen(allocate(minor, parts, slices)) == ["d", "d", "e"]


@pytest.mark.parametrize("minor", [35, 36, 37])
def test_devices_without_capacity_are_shared(minor):
    """A device without capacity is shared while a share is out, in 1.35 even after that."""
    member = device("d", allow_multiple_allocations=True)
    pool = Pool(PoolID("a.example", "pool"), slices=(node_slice(member),))
    variant = Variant("experimental", minor)
    (candidate,) = take_inventory([pool], variant).candidates
    sharing = Sharing(EVERYTHING, variant, AllocatedState())

    first, second = sharing.take(None, candidate), sharing.take(None, candidate)
    sharing.give_back(candidate, *second)

    assert (first, second) == (({}, False), ({}, True))
    assert sharing.is_shared(candidate)
    sharing.give_back(candidate, *first)
    assert sharing.is_shared(candidate) == (minor == 35)


def test_the_wrong_device_of_1_34():
    """1.34 looks at the device whose number is that of the wanted one, and crashes without."""
    members = [share("small", ranged(value="1Gi")), share("large", ranged(value="8Gi"))]
    slices = [node_slice(*members)]
    crash = claim(request("r", 2, "a.example"))

    assert isinstance(allocate("1.34", claim(asking("4Gi")), slices, EVERYTHING), Unsatisfiable)
    outcome = allocate(
        "1.34", crash, [node_slice(device("d")), node_slice(device("e"), pool="q")], EVERYTHING
    )
    assert outcome == Fatal(Cause.CRASH, "index out of range [1] with length 1")


def test_held_as_a_whole():
    """A device that others hold as a whole is in use, shared or not."""
    held = AllocatedState(ids("d"))

    outcome = allocate(
        "1.36", claim(asking("1Gi")), [node_slice(share("d", ranged()))], allocated=held
    )

    assert isinstance(outcome, Unsatisfiable)
