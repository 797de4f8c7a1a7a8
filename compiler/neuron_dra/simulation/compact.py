"""Slices in little memory: equal texts and attributes are one object.

In: a slice. Out: an equal one, which shares its parts with those before it. A cluster's slices say
mostly the same, and a dump may hold tens of thousands of devices.
"""

from __future__ import annotations

from dataclasses import replace
from sys import intern

from neuron_dra.kube.slice import Device, DeviceAttribute, ResourceSlice


class Sharing:
    """The parts that slices have in common."""

    def __init__(self) -> None:
        self._attributes: dict[tuple[str, object], DeviceAttribute] = {}

    def share(self, each: ResourceSlice) -> ResourceSlice:
        """Return an equal slice whose parts are shared."""
        return replace(each, devices=tuple(self._share(device) for device in each.devices))

    def _share(self, device: Device) -> Device:
        attributes = {
            intern(name): self._attribute(attribute)
            for name, attribute in device.attributes.items()
        }
        return replace(device, name=intern(device.name), attributes=attributes)

    def _attribute(self, attribute: DeviceAttribute) -> DeviceAttribute:
        return self._attributes.setdefault((attribute.kind, attribute.value), attribute)
