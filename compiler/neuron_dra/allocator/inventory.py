"""The devices that a cluster node can reach, in the order in which they are tried.

In: pools. Out: an `Inventory` of candidates. It holds nothing about claims, so it serves every
allocation on the node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from neuron_dra.allocator.features import Variant
from neuron_dra.allocator.pools import Pool
from neuron_dra.cel.device import Attribute
from neuron_dra.cel.device import Device as SelectorDevice
from neuron_dra.cel.value import EvaluationError
from neuron_dra.cel.version import Semver
from neuron_dra.kube.slice import LIST_KINDS, Device, DeviceAttribute, DeviceID, ResourceSlice


@dataclass(slots=True, eq=False)
class Candidate:
    """A device with its place.

    Attributes:
        index: its number in the inventory.
        verdicts: by selector, whether it matches, or why nobody can tell.
    """

    index: int
    id: DeviceID
    device: Device
    slice: ResourceSlice
    pool: Pool
    verdicts: dict[str, bool | EvaluationError] = field(default_factory=dict)
    _selector_device: SelectorDevice | EvaluationError | None = None

    def selector_device(self, *, with_sharing: bool) -> SelectorDevice:
        """Return the device as selectors see it; raises `EvaluationError` when they cannot."""
        if self._selector_device is None:
            try:
                self._selector_device = _convert(self.device, self.id.driver, with_sharing)
            except EvaluationError as error:
                self._selector_device = error
        if isinstance(self._selector_device, EvaluationError):
            raise self._selector_device
        return self._selector_device


@dataclass(frozen=True, slots=True)
class Inventory:
    """The candidates of one node, grouped into pools that can give devices.

    Attributes:
        invalid: the first invalid pool, where the search fails at it, and the number of candidates
            that are tried before it.
    """

    pools: tuple[Pool, ...]
    candidates: tuple[Candidate, ...]
    invalid: tuple[int, Pool] | None = None

    @property
    def has_invalid_pools(self) -> bool:
        return any(pool.invalid_reason for pool in self.pools)


def take_inventory(pools: Sequence[Pool], variant: Variant) -> Inventory:
    """Number the devices of pools."""
    candidates: list[Candidate] = []
    invalid: tuple[int, Pool] | None = None
    for pool in pools:
        if pool.invalid_reason:
            if variant.uses_incomplete_pools and invalid is None:
                invalid = len(candidates), pool
        elif not pool.is_incomplete or variant.uses_incomplete_pools:
            candidates += _number(pool, len(candidates))
    return Inventory(tuple(pools), tuple(candidates), invalid)


def _number(pool: Pool, start: int) -> Iterator[Candidate]:
    places = ((each, device) for each in pool.slices for device in each.devices)
    for index, (each, device) in enumerate(places, start):
        yield Candidate(index, DeviceID(*pool.id, device.name), device, each, pool)


def _convert(device: Device, driver: str, with_sharing: bool) -> SelectorDevice:
    return SelectorDevice.of(
        driver,
        {name: selector_value(attribute) for name, attribute in device.attributes.items()},
        {name: capacity.value for name, capacity in device.capacity.items()},
        allow_multiple_allocations=with_sharing and device.allow_multiple_allocations,
    )


def selector_value(attribute: DeviceAttribute) -> Attribute:
    """Return the value of an attribute as selectors see it."""
    kind, value, _ = attribute
    if isinstance(value, tuple):
        items = list(value)
        versions = LIST_KINDS.get(kind) == "version"
        return [Semver(str(item)) for item in items] if versions else items  # type: ignore[return-value]  # items of one kind
    return Semver(str(value)) if kind == "version" else value
