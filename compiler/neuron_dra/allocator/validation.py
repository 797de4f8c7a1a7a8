"""Checks of claims before the search.

In: claims, classes and what a node has. Out: what is known of every request, and the constraints of
every claim. What makes no sense on any node raises `AbortError`, in the order in which the
scheduler finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_dra.allocator.constraints import Constraint, make_constraint
from neuron_dra.allocator.features import Features, Variant
from neuron_dra.allocator.inventory import Candidate, Inventory
from neuron_dra.allocator.outcome import AbortError, Cause
from neuron_dra.allocator.pools import PoolID
from neuron_dra.allocator.requests import (
    RequestData,
    RequestKey,
    alternatives,
    check_request,
    check_total,
    find_class,
)
from neuron_dra.allocator.selectors import Selectors
from neuron_dra.allocator.sharing import Sharing
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import DeviceClass, DeviceRequest, ExactDeviceRequest, ResourceClaim


class Validation:
    """The checks of one allocation.

    Attributes:
        requests: the requests and subrequests checked so far.
    """

    def __init__(
        self,
        features: Features,
        variant: Variant,
        classes: Mapping[str, DeviceClass],
        inventory: Inventory,
        selectors: Selectors,
        state: AllocatedState,
    ) -> None:
        self.requests: dict[RequestKey, RequestData] = {}
        self._features = features
        self._variant = variant
        self._classes = classes
        self._inventory = inventory
        self._selectors = selectors
        self._sharing = Sharing(features, variant, state)

    def check_claim(self, index: int, claim: ResourceClaim) -> list[Constraint]:
        """Check the requests of a claim, and return its constraints."""
        at_once = self._variant.counts_after_every_request
        total = 0
        for number, request in enumerate(claim.devices.requests):
            least = self._check_request(RequestKey(index, number, 0), claim, request)
            if at_once:
                check_total(claim, request.name, total, least, at_once=True)
            total += least
        check_total(claim, "", 0, total, at_once=False)
        return [
            make_constraint(claim, number, self._features, self._variant)
            for number in range(len(claim.devices.constraints))
        ]

    def _check_request(self, key: RequestKey, claim: ResourceClaim, request: DeviceRequest) -> int:
        """Check a request; return how many devices it takes at least."""
        self._check_features(claim, request)
        least = None
        before = key
        for own, alternative, name, parent in alternatives(key, request):
            data = self.validate_device_request(claim, own, alternative, name, parent, before)
            self.requests[own] = data
            least = data.num_devices if least is None else min(least, data.num_devices)
            before = own
        if least is None:
            message = f"claim {claim}, request {request.name}: unknown request type"
            raise AbortError(Cause.REQUEST, message)
        return least

    def _check_features(self, claim: ResourceClaim, request: DeviceRequest) -> None:
        if request.first_available and not self._features.prioritized_list:
            message = "has subrequests, but the DRAPrioritizedList feature is disabled"
            raise AbortError(Cause.FEATURE, f"claim {claim}, request {request.name}: {message}")
        if self._features.consumable_capacity or not self._variant.knows_capacity:
            return
        for each in request.alternatives:
            if each.capacity is not None:
                message = "has capacity requests, but the DRAConsumableCapacity feature is disabled"
                named = f"subrequest {each.name}" if each.name else f"request {request.name}"
                raise AbortError(Cause.FEATURE, f"claim {claim}, {named}: {message}")

    def validate_device_request(
        self,
        claim: ResourceClaim,
        key: RequestKey,
        request: ExactDeviceRequest,
        name: str,
        parent: str,
        before: RequestKey,
    ) -> RequestData:
        """Check a request or subrequest; `before` is the subrequest before it."""
        check_request(claim, request, name, admin_access=self._features.admin_access)
        device_class = find_class(self._classes, claim, request, name)
        data = RequestData(key, request, name, parent, device_class, request.count)
        if data.takes_all:
            remembered = before if self._variant.mixes_up_subrequests else key
            data.all_devices = list(self._find_all(claim, data, remembered))
            data.num_devices = len(data.all_devices)
        return data

    def _find_all(
        self, claim: ResourceClaim, data: RequestData, remembered: RequestKey
    ) -> Iterator[Candidate]:
        """Yield all devices of a request; a pool that is incomplete or invalid ends it."""
        by_pool: dict[PoolID, list[Candidate]] = {}
        for candidate in self._inventory.candidates:
            by_pool.setdefault(candidate.pool.id, []).append(candidate)
        where = f"claim {claim}, request {data.name}: asks for all devices, but resource pool"
        for pool in self._inventory.pools:
            if pool.is_incomplete:
                raise AbortError(Cause.POOL, f"{where} {pool.id} is currently being updated")
            if pool.invalid_reason:
                raise AbortError(Cause.POOL, f"{where} {pool.id} is currently invalid")
            for candidate in by_pool.get(pool.id, ()):
                if self._selectors.is_selectable(
                    remembered, data, candidate, claim
                ) and self._sharing.belongs_to_all(data.request.capacity, candidate):
                    yield candidate
