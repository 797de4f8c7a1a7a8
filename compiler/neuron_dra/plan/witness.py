"""Witnesses: the devices that a claim gets on a free node.

Values only: `proof` finds them, `check_witness` checks them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.kube.allocation import DeviceRequestAllocationResult


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """The devices that a claim gets on a free node of an instance type.

    Attributes:
        entry: the entry of the partition that is taken, like `firstAvailable[1]`; empty where it
            has no alternatives.
        pools: the pools of that type, in the cluster's order.
        devices: names of devices by `request` or `request/subrequest`, in the order of allocation.
    """

    type: InstanceType
    entry: str
    pools: tuple[str, ...]
    devices: Mapping[str, tuple[str, ...]]

    @property
    def basis(self) -> str:
        """Whether slices of the type were ever seen, or all rests on a prediction."""
        return "observed" if self.type.is_observed else "predicted, not observed"


def names_by_request(
    results: Iterable[DeviceRequestAllocationResult],
) -> dict[str, tuple[str, ...]]:
    """Return the names of allocated devices by request."""
    named: dict[str, tuple[str, ...]] = {}
    for each in results:
        named[each.request] = (*named.get(each.request, ()), each.device.device)
    return named
