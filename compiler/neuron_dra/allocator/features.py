"""The features of the allocator, and which of its three variants they lead to.

In: a Kubernetes minor and feature gates. Out: `Features` and `Variant`. The scheduler has a stable,
an incubating and an experimental allocator, and takes the first that supports all features that are
on. `Variant` is the one place that says in what the minors and the variants differ; checked in
k8s.io/dynamic-resource-allocation v0.34.4, v0.35.4, v0.36.3 and v0.37.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import NamedTuple

STABLE, INCUBATING, EXPERIMENTAL = "stable", "incubating", "experimental"

_GATES = {
    "admin_access": "DRAAdminAccess",
    "consumable_capacity": "DRAConsumableCapacity",
    "device_binding": "DRADeviceBindingConditions",
    "device_status": "DRAResourceClaimDeviceStatus",
    "device_taints": "DRADeviceTaints",
    "fractional_capacity_range": "DRAFractionalCapacityRange",
    "list_type_attributes": "DRAListTypeAttributes",
    "partitionable_devices": "DRAPartitionableDevices",
    "prioritized_list": "DRAPrioritizedList",
}
# The scheduler of an older minor does not pass these gates on.
_SINCE = {"fractional_capacity_range": 37, "list_type_attributes": 37}


@dataclass(frozen=True, slots=True)
class Features:
    """The feature gates that concern the allocator."""

    admin_access: bool = False
    consumable_capacity: bool = False
    device_binding: bool = False
    device_status: bool = False
    device_taints: bool = False
    fractional_capacity_range: bool = False
    list_type_attributes: bool = False
    partitionable_devices: bool = False
    prioritized_list: bool = False

    @classmethod
    def of(cls, minor: str, gates: Mapping[str, bool]) -> Features:
        """Return what the scheduler of a minor makes of its gates; those not named are off."""
        number = minor_number(minor)
        enabled = {
            name: gates.get(gate, False) and number >= _SINCE.get(name, 0)
            for name, gate in _GATES.items()
        }
        return cls(**enabled)

    @property
    def binding_conditions(self) -> bool:
        """Whether devices with binding conditions may be allocated."""
        return self.device_binding and self.device_status

    def names(self) -> frozenset[str]:
        """Return the names of the features that are on."""
        return frozenset(field.name for field in fields(self) if getattr(self, field.name))


class Variant(NamedTuple):
    """One variant of the allocator of one minor."""

    name: str
    minor: int

    @property
    def knows_capacity(self) -> bool:
        """Whether it has consumable capacity, distinct attributes and binding to nodes at all."""
        return self.name == EXPERIMENTAL or (self.minor >= 36 and self.name == INCUBATING)

    @property
    def sorts(self) -> bool:
        """Whether pools and slices have an order; otherwise any order is possible."""
        return self.minor >= 36 and self.name != STABLE

    @property
    def combines(self) -> bool:
        """Whether a request takes devices in rising order only, not in every order."""
        return self.sorts

    @property
    def puts_binding_last(self) -> bool:
        """Whether devices without binding conditions come first."""
        return self.knows_capacity

    @property
    def uses_incomplete_pools(self) -> bool:
        """Whether it takes devices of incomplete pools, and fails at invalid ones."""
        return self.minor < 35

    @property
    def always_reads_counters(self) -> bool:
        """Whether slices with shared counters count for every node."""
        return self.minor == 36 or (self.minor == 35 and self.name != STABLE)

    @property
    def hides_shared_counters(self) -> bool:
        """Whether slices with shared counters are ignored without partitionable devices."""
        return self.minor >= 36 or (self.minor == 35 and self.name != STABLE)

    @property
    def ignores_compatibility_groups(self) -> bool:
        """Whether slices with compatibility groups are ignored."""
        return self.minor >= 37

    @property
    def reads_all_counters(self) -> bool:
        """Whether counter sets are looked for in slices of other nodes too."""
        return self.minor >= 37

    @property
    def leaks(self) -> bool:
        """Whether a device that is refused keeps what it had reserved."""
        return self.minor < 36

    @property
    def fails_on_any_taint(self) -> bool:
        """Whether taints of every effect keep a device from being allocated."""
        return self.minor < 35

    @property
    def mixes_up_subrequests(self) -> bool:
        """Whether `All` in a subrequest goes on with the first subrequest after one device.

        There the list of its devices also reuses verdicts of the subrequest before it.
        """
        return self.minor < 36

    @property
    def skips_counters_of_shares(self) -> bool:
        """Whether further shares of a device take no counters."""
        return self.minor >= 35

    @property
    def counts_after_every_request(self) -> bool:
        """Whether the limit of a claim is looked at request by request."""
        return self.minor >= 37

    @property
    def crashes_at_counters_of_all(self) -> bool:
        """Whether a request for all devices crashes the scheduler when one consumes counters."""
        return self.minor == 35

    @property
    def counts_shares(self) -> bool:
        """Whether devices that are held in shares consume counters."""
        return self.minor >= 36

    @property
    def repeats_config(self) -> bool:
        """Whether parameters of a claim are listed once for every request that they name."""
        return self.minor < 37


_SUPPORTED = {
    STABLE: frozenset[str](),
    INCUBATING: frozenset(
        ("admin_access", "prioritized_list", "partitionable_devices", "device_taints")
    ),
}
_BINDING = frozenset(("device_binding", "device_status"))


def choose_variant(minor: str, features: Features) -> Variant:
    """Return the first variant of a minor that supports all features."""
    number = minor_number(minor)
    needed = _needed(number, features)
    stable, incubating = _SUPPORTED[STABLE], _SUPPORTED[INCUBATING]
    if number >= 36:
        stable = incubating
        incubating |= _BINDING | {"consumable_capacity"}
    if number >= 37:
        incubating |= {"fractional_capacity_range"}
    for name, supported in ((STABLE, stable), (INCUBATING, incubating)):
        if needed <= supported:
            return Variant(name, number)
    return Variant(EXPERIMENTAL, number)


def _needed(number: int, features: Features) -> frozenset[str]:
    """Return the features to support; from 1.35 on two of them count only together."""
    names = features.names()
    return names if number < 35 or features.binding_conditions else names - _BINDING


def minor_number(minor: str) -> int:
    """Return 36 for `1.36`."""
    return int(minor.split(".")[1])
