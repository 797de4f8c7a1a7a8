"""Consumable capacity: how much of a device a request takes, and whether that is left.

In: the capacities of a device, requested amounts, and what is taken already. Out: a verdict, or the
amounts. A requested amount is rounded up to what the policy of the device allows. All amounts are
in billionths; the scheduler computes steps in whole numbers of 64 bits, and from 1.37 on, where a
gate allows it, in thousandths. Up to 1.36 a number that needs more bits loses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from neuron_dra.allocator.outcome import AbortError, Cause
from neuron_dra.cel.quantity import NANO
from neuron_dra.kube.amount import billionths
from neuron_dra.kube.slice import CapacityRange, DeviceCapacity

Amounts = Mapping[str, int]

_MILLI = NANO // 1000
_MAX_INT64 = 2**63 - 1
_UNREPRESENTABLE = "capacity request cannot be represented in the device's range arithmetic"


class Arithmetic(NamedTuple):
    """How amounts are computed.

    Attributes:
        fractional: whether steps may be fractions.
        guarded: whether amounts that cannot be computed with are fatal.
    """

    fractional: bool
    guarded: bool


def cmp_request_over_capacity(
    requests: Mapping[str, str] | None,
    capacity: Mapping[str, DeviceCapacity],
    taken: tuple[Amounts, Amounts],
    arithmetic: Arithmetic,
) -> bool:
    """Tell whether a device has what a request takes, beside what is taken already."""
    if requests and not requests.keys() <= capacity.keys():
        return False
    consumed = get_consumed_capacity_from_request(requests, capacity, arithmetic)
    for name, each in capacity.items():
        if violates_policy(consumed[name], each, arithmetic):
            return False
        total = consumed[name] + sum(amounts.get(name, 0) for amounts in taken)
        if total > billionths(each.value):
            return False
    return True


def get_consumed_capacity_from_request(
    requests: Mapping[str, str] | None,
    capacity: Mapping[str, DeviceCapacity],
    arithmetic: Arithmetic,
) -> dict[str, int]:
    """Return what a request takes of each capacity of a device."""
    consumed = {
        name: calculate_consumed_capacity((requests or {}).get(name), each, arithmetic)
        for name, each in capacity.items()
    }
    if arithmetic.guarded:
        for name, amount in consumed.items():
            if amount < 0:
                raise AbortError(Cause.CAPACITY, f'capacity "{name}": capacity value is negative')
    return consumed


def calculate_consumed_capacity(
    requested: str | None, capacity: DeviceCapacity, arithmetic: Arithmetic
) -> int:
    """Return what a request takes of one capacity: nothing requested takes the default or all."""
    policy = capacity.request_policy
    if requested is None:
        return billionths(
            capacity.value if policy is None or policy.default is None else policy.default
        )
    amount = billionths(requested)
    if policy is None:
        return amount
    if policy.valid_range is not None and policy.valid_range.min is not None:
        return round_up_range(amount, policy.valid_range, arithmetic)
    return next(
        (value for value in map(billionths, policy.valid_values) if amount <= value), amount
    )


def round_up_range(amount: int, valid: CapacityRange, arithmetic: Arithmetic) -> int:
    """Return the next amount of a range."""
    least = billionths(valid.min or "0")
    if amount < least:
        return least
    if valid.step is None:
        return amount
    unit = _unit(valid, arithmetic)
    if unit == _MILLI and amount % _MILLI:
        raise AbortError(Cause.CAPACITY, _UNREPRESENTABLE)
    start, step = _int64(least, unit), _int64(billionths(valid.step), unit)
    steps, rest = _divide(_wrap(_int64(amount, unit) - start), step)
    rounded = start + step * (steps + (rest != 0))
    if arithmetic.guarded and max(rounded, amount // unit) > _MAX_INT64:
        raise AbortError(Cause.CAPACITY, _UNREPRESENTABLE)
    return _wrap(rounded) * unit


def violates_policy(amount: int, capacity: DeviceCapacity, arithmetic: Arithmetic) -> bool:
    """Tell whether an amount is none that the device hands out."""
    policy = capacity.request_policy
    if policy is None or (policy.default is not None and amount == billionths(policy.default)):
        return False
    if policy.valid_range is not None:
        return violates_valid_range(amount, policy.valid_range, arithmetic)
    values = [billionths(value) for value in policy.valid_values]
    return bool(values) and amount not in values


def violates_valid_range(amount: int, valid: CapacityRange, arithmetic: Arithmetic) -> bool:
    """Tell whether an amount is above a range or between its steps."""
    if valid.max is not None and amount > billionths(valid.max):
        return True
    if valid.step is None:
        return False
    unit = _unit(valid, arithmetic)
    if unit == _MILLI and amount % _MILLI:
        return True
    start, step = _int64(billionths(valid.min or "0"), unit), _int64(billionths(valid.step), unit)
    _, rest = _divide(_wrap(_int64(amount, unit) - start), step)
    return rest != 0


def _unit(valid: CapacityRange, arithmetic: Arithmetic) -> int:
    """Return what steps are counted in."""
    amounts = [billionths(each) for each in (valid.min, valid.max, valid.step) if each is not None]
    exact = all(not amount % _MILLI and abs(amount // _MILLI) <= _MAX_INT64 for amount in amounts)
    has_steps = valid.step is None or billionths(valid.step) >= _MILLI
    return _MILLI if arithmetic.fractional and exact and has_steps else NANO


def _int64(amount: int, unit: int) -> int:
    """Return an amount in units, rounded up, as the scheduler reads it."""
    return _wrap(-(-amount // unit))


def _wrap(number: int) -> int:
    """Return what 64 bits keep of a number."""
    return (number + _MAX_INT64 + 1) % (1 << 64) - _MAX_INT64 - 1


def _divide(distance: int, step: int) -> tuple[int, int]:
    """Return how many steps there are in a distance, towards zero, and the rest."""
    if step == 0:
        raise AbortError(Cause.CRASH, "integer divide by zero")
    steps = abs(distance) // abs(step) * (1 if (distance < 0) == (step < 0) else -1)
    return steps, distance - steps * step
