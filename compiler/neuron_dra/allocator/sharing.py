"""Devices that several claims share: how much of each is taken while the search goes on.

In: candidates as they are chosen and given back. Out: whether a request still fits on one. A device
that is not shared has its capacity compared too, so that a request for more than it has passes it
by.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from neuron_dra.allocator.capacity import (
    Amounts,
    Arithmetic,
    cmp_request_over_capacity,
    get_consumed_capacity_from_request,
)
from neuron_dra.allocator.features import Features, Variant
from neuron_dra.allocator.inventory import Candidate
from neuron_dra.allocator.outcome import AbortError, Cause
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.slice import Device, DeviceID

Requested = Mapping[str, str] | None

_NOTHING: Amounts = {}


class Sharing:
    """What is taken of devices, by this search and before it."""

    def __init__(self, features: Features, variant: Variant, state: AllocatedState) -> None:
        self.is_on = features.consumable_capacity and variant.knows_capacity
        self._variant = variant
        self._state = state
        self._allocated = state.capacity or {}
        self._allocating: dict[DeviceID, dict[str, int]] = {}
        self._arithmetic = Arithmetic(features.fractional_capacity_range, variant.minor >= 37)

    def is_share(self, candidate: Candidate) -> bool:
        """Tell whether choosing a device takes a share of it only."""
        return self.is_on and candidate.device.allow_multiple_allocations

    def is_shared(self, candidate: Candidate) -> bool:
        """Tell whether a share of a device is taken already."""
        id_ = candidate.id
        if id_ in self._allocated or id_ in self._allocating:
            return True
        return self._variant.minor >= 37 and id_ in self._state.shared

    def fits(self, requested: Requested, candidate: Candidate) -> bool:
        """Tell whether a device has what a request takes."""
        if not (requested or candidate.device.capacity):
            return True
        return self._fits(requested, candidate.device, candidate.id)

    def belongs_to_all(self, requested: Requested, candidate: Candidate) -> bool:
        """Tell whether a device is one of all; from 1.37 on, also one that is used up."""
        if self._variant.minor < 37:
            return self.fits(requested, candidate)
        return self._compare(requested, candidate.device, (_NOTHING, _NOTHING))

    def still_fits(self, requested: Requested, candidate: Candidate, number: int) -> bool:
        """Tell the same again when a device is chosen.

        1.34 looks at another device: at that of the slice that has the number which the chosen one
        has in its request.
        """
        if self._variant.minor >= 35 or not self.is_on:
            return self.fits(requested, candidate)
        devices = candidate.slice.devices
        if number >= len(devices):
            message = f"index out of range [{number}] with length {len(devices)}"
            raise AbortError(Cause.CRASH, message)
        other = devices[number]
        return self._fits(requested, other, candidate.id._replace(device=other.name))

    def take(self, requested: Requested, candidate: Candidate) -> tuple[dict[str, int], bool]:
        """Take a share; return what it is, and whether there was one before."""
        capacity = candidate.device.capacity
        consumed = get_consumed_capacity_from_request(requested, capacity, self._arithmetic)
        was_shared = candidate.id in self._allocating
        amounts = self._allocating.setdefault(candidate.id, {})
        for name, amount in consumed.items():
            amounts[name] = amounts.get(name, 0) + amount
        return consumed, was_shared

    def give_back(self, candidate: Candidate, consumed: Amounts, was_shared: bool) -> None:
        """Give a share back; a device of which nothing is taken is not shared any more."""
        if self._variant.leaks and not consumed:
            return
        amounts = self._allocating.get(candidate.id, {})
        for name, amount in consumed.items():
            amounts[name] -= amount
        if any(amounts.values()):
            return
        self._allocating.pop(candidate.id, None)
        if was_shared and not self._variant.leaks:
            self._allocating[candidate.id] = {}

    def state(self) -> Hashable:
        """Return a value that is equal as long as the same is taken of each device."""
        if not self._allocating:
            return None
        return tuple(
            (id_, tuple(sorted(amounts.items())))
            for id_, amounts in sorted(self._allocating.items())
        )

    def _fits(self, requested: Requested, device: Device, id_: DeviceID) -> bool:
        taken = self._allocated.get(id_, _NOTHING), self._allocating.get(id_, _NOTHING)
        return self._compare(requested, device, taken)

    def _compare(
        self, requested: Requested, device: Device, taken: tuple[Amounts, Amounts]
    ) -> bool:
        if not self.is_on or not (requested or device.capacity):
            return True
        return cmp_request_over_capacity(requested, device.capacity, taken, self._arithmetic)
