"""The values of a claim's allocation: which devices it got, with which parameters, on which nodes.

Field names follow k8s.io/api resource/v1 types.go. Amounts are numbers here, in billionths, since
a scheduler computes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from neuron_dra.kube.slice import DeviceID, NodeSelector

FROM_CLASS, FROM_CLAIM = "FromClass", "FromClaim"  # the sources of parameters


@dataclass(frozen=True, slots=True)
class DeviceRequestAllocationResult:
    """A device that a request got.

    Attributes:
        request: `request` or `request/subrequest`.
        shared: whether it is one share of a device that allows several.
        consumed_capacity: what a share takes, in billionths.
    """

    request: str
    device: DeviceID
    admin_access: bool | None = None
    shared: bool = False
    consumed_capacity: Mapping[str, int] | None = None
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceAllocationConfiguration:
    """Parameters that go to a driver with the devices of some requests; of none: of all."""

    source: str
    requests: tuple[str, ...]
    driver: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AllocationResult:
    """What a claim got."""

    results: tuple[DeviceRequestAllocationResult, ...]
    config: tuple[DeviceAllocationConfiguration, ...] = ()
    node_selector: NodeSelector | None = None  # None: usable on every node


@dataclass(frozen=True, slots=True)
class AllocatedState:
    """What claims hold already.

    Attributes:
        devices: held as a whole.
        shared: held in shares.
        capacity: by shared device, the sum of what its shares take, in billionths.
    """

    devices: frozenset[DeviceID] = frozenset()
    shared: frozenset[DeviceID] = frozenset()
    capacity: Mapping[DeviceID, Mapping[str, int]] | None = None

    def taking(self, results: Iterable[DeviceRequestAllocationResult]) -> AllocatedState:
        """Return the state after a claim got some devices."""
        devices, shared = set(self.devices), set(self.shared)
        capacity = {device: dict(amounts) for device, amounts in (self.capacity or {}).items()}
        for result in results:
            if result.admin_access:
                continue  # takes nothing from others
            if not result.shared:
                devices.add(result.device)
                continue
            shared.add(result.device)
            if result.consumed_capacity is not None:
                amounts = capacity.setdefault(result.device, {})
                for name, amount in result.consumed_capacity.items():
                    amounts[name] = amounts.get(name, 0) + amount
        return AllocatedState(frozenset(devices), frozenset(shared), capacity)
