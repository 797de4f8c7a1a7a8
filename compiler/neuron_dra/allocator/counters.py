"""Shared counters: what the devices of a pool take of common amounts.

In: a candidate. Out: whether its pool still has what the device takes; if so it is reserved.
A device fits only if no counter of its pool is overdrawn, also one that it does not take of.
1.34 keeps counters per slice, 1.35 and 1.36 per name of a pool, whatever its driver.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from neuron_dra.allocator.features import Variant
from neuron_dra.allocator.inventory import Candidate
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.amount import billionths
from neuron_dra.kube.slice import CounterSet, Device, DeviceID, ResourceSlice

Counter = tuple[str, str]  # the set and the name
Amounts = dict[Counter, int]  # in billionths


class Counters:
    """The counters of one allocation."""

    def __init__(self, state: AllocatedState, variant: Variant) -> None:
        self._state = state
        self._variant = variant
        self._available: dict[Hashable, Amounts] = {}
        self._consumed: dict[Hashable, Amounts] = {}

    def check_available_counters(self, candidate: Candidate) -> bool:
        """Reserve what a device takes, if that is there."""
        key = self._key(candidate)
        if key not in self._available:
            self._available[key] = self._count_available(candidate)
            self._consumed[key] = {}
        consumed = self._consumed[key]
        for counter, amount in consumption(candidate.device):
            consumed[counter] = consumed.get(counter, 0) + amount
        available = self._available[key]
        if all(consumed.get(counter, 0) <= amount for counter, amount in available.items()):
            return True
        self.deallocate_counters_for_device(candidate)
        return False

    def deallocate_counters_for_device(self, candidate: Candidate) -> None:
        """Give back what a device took."""
        consumed = self._consumed[self._key(candidate)]
        for counter, amount in consumption(candidate.device):
            consumed[counter] -= amount

    def state(self) -> Hashable:
        """Return a value that is equal as long as the same is reserved."""
        if not self._consumed:
            return None
        return tuple(
            (key, tuple(sorted(item for item in amounts.items() if item[1])))
            for key, amounts in self._consumed.items()
        )

    def _key(self, candidate: Candidate) -> Hashable:
        if self._variant.minor < 35:
            return candidate.slice.name
        return candidate.pool.id if self._variant.minor >= 37 else candidate.pool.id.pool

    def _count_available(self, candidate: Candidate) -> Amounts:
        pool = candidate.pool
        if self._variant.minor < 35:
            sets = {each.name: each for each in candidate.slice.shared_counters}
            slices: tuple[ResourceSlice, ...] = (candidate.slice,)
        else:
            sets = dict(pool.counter_sets)
            slices = pool.slices + pool.other_slices
        available = _amounts(sets)
        for each in slices:
            for id_, device in zip(each.device_ids(), each.devices, strict=True):
                if self.is_device_allocated(id_):
                    _subtract(available, device)
        return available

    def is_device_allocated(self, id_: DeviceID) -> bool:
        """Tell whether a device is held, so that it takes of its counters."""
        if id_ in self._state.devices:
            return True
        shared = id_ in self._state.shared or id_ in (self._state.capacity or ())
        return shared and self._variant.counts_shares


def consumption(device: Device) -> Iterator[tuple[Counter, int]]:
    """Yield what a device takes of each counter."""
    for set_name, counters, _ in device.consumes_counters:
        for name, amount in counters.items():
            yield (set_name, name), billionths(amount)


def _amounts(sets: Mapping[str, CounterSet]) -> Amounts:
    return {
        (set_name, name): billionths(amount)
        for set_name, counter_set in sets.items()
        for name, amount in counter_set.counters.items()
    }


def _subtract(available: Amounts, device: Device) -> None:
    """Take what a held device takes; what falls below zero stays there."""
    for counter, amount in consumption(device):
        if counter in available:
            available[counter] -= amount
