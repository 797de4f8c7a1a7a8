"""Device maps: which EFA interface sits beside which Neuron device, and the groups of both.

In: a file of `device-maps/`. Out: a `DeviceMap` that answers by device id. The group ids are
facts: they are what the drivers publish, and are not computed here.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_dra.catalog.facts import Facts, Sheet
from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import catalog as codes
from neuron_dra.syntax.containers import ListOf, MapOf
from neuron_dra.syntax.decode import ModelReader, key, model
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import matching

PCI_ADDRESS = matching(
    "a PCI address", r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", "0000:c9:00.0"
)
GROUP_ID = matching("a device group id", r"[0-9a-f]{16}", "13713e551cd37c19")


def check_size(text: str) -> str:
    """Check the size of a device group, a key of `ids`."""
    sound = text.isascii() and text.isdigit() and int(text) > 1 and not text.startswith("0")
    return "" if sound else "is not a group size; sizes are integers above 1"


@model
class EfaAddresses(Facts):
    """The EFA interface beside each Neuron device."""

    addresses: tuple[str, ...] = key(
        ListOf(PCI_ADDRESS, least=1), "PCI addresses, in the order of device ids from 0."
    )


@model
class DeviceGroups(Facts):
    """The ids of the device groups, as the drivers publish them."""

    ids: dict[str, tuple[str, ...]] = key(
        MapOf(ListOf(GROUP_ID, unique=True, least=1), check_size),
        "By group size, the ids in the order of device ids.",
    )


@model
class DeviceMap(Sheet):
    """The pairing of Neuron devices and EFA interfaces in one family of instance types."""

    efa: EfaAddresses = key(ModelReader(EfaAddresses), "EFA interfaces by device id.")
    groups: DeviceGroups = key(ModelReader(DeviceGroups), "Device groups by size.")

    @property
    def device_count(self) -> int:
        return len(self.efa.addresses)

    @property
    def interfaces(self) -> tuple[str, ...]:
        """The PCI addresses of all EFA interfaces, sorted."""
        return tuple(sorted(set(self.efa.addresses)))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of device groups, rising; a single device is a group of its own."""
        return (1, *sorted(int(size) for size in self.groups.ids))

    def group_id(self, size: int, device: int) -> str | None:
        """Return what the drivers publish for a device as its group of a size."""
        if size == 1:
            return self.efa.addresses[device]
        ids = self.groups.ids.get(str(size))
        return ids[device // size] if ids else None

    def efa_per_group(self, size: int) -> int | None:
        """Return how many EFA interfaces every group of a size has; None: no such groups."""
        if size not in self.sizes:
            return None
        addresses = self.efa.addresses
        return min(
            len(set(addresses[start : start + size])) for start in range(0, len(addresses), size)
        )

    def check(self, context: Context) -> None:
        for problem in self._wrong_groups():
            context.add(problem)

    def _wrong_groups(self) -> Iterator[Diagnostic]:
        count = self.device_count
        related = [Related(self.efa.places.key("addresses"), f"{count} devices here")]
        for size, ids in self.groups.ids.items():
            if len(ids) * int(size) != count:
                yield codes.INCONSISTENT_NUMBERS.at(
                    self.groups.places.item("ids", size),
                    f"{len(ids)} groups of {size} make {len(ids) * int(size)} devices,"
                    f" the map has {count}",
                    related=related,
                )
