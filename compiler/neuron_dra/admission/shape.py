"""Objects of older API versions in the shape of the newest one, and back for their fields.

In: a decoded object. Out: the object as the server holds it inside: a request's own fields stand in
`exactly`, a device's in the device itself. `field_in` names a field as the object's own version
does. Only `v1beta1` differs; the data is changed in place.
"""

from __future__ import annotations

import re
from typing import Any

from neuron_dra.kube.reading import FLAT_VERSION

# hasAnyMainRequestFieldsSet, pkg/apis/resource/v1beta1/conversion.go, v0.34 to v0.37: a field that
# is `0`, `""` or missing does not count, an empty list does.
_ASKED = (
    *("deviceClassName", "selectors", "allocationMode", "count", "adminAccess"),
    *("tolerations", "capacity", "derivedAttributes"),
)
_COUNTS_WHEN_EMPTY = ("selectors", "adminAccess", "tolerations", "capacity", "derivedAttributes")
_EMPTY_IS_UNSET = ("nodeName", "allNodes")
_EXACTLY = re.compile(r"(\.requests\[\d+\])\.exactly\b")
_DEVICE = re.compile(r"(spec\.devices\[\d+\])\.(?!name\b|basic\b)")


def is_flat(api_version: str) -> bool:
    """Tell whether an API version has the flat shape."""
    return api_version.rpartition("/")[2] == FLAT_VERSION


def unfold_claim(devices: dict[str, Any]) -> None:
    """Move what requests ask for into `exactly`."""
    for request in devices.get("requests") or []:
        asked = {name: request.pop(name) for name in _ASKED if name in request}
        if any(value or name in _COUNTS_WHEN_EMPTY for name, value in asked.items()):
            request["exactly"] = asked


def unfold_slice(spec: dict[str, Any]) -> None:
    """Move what devices have from `basic` into the devices."""
    for name in _EMPTY_IS_UNSET:
        if not spec.get(name):
            spec.pop(name, None)
    for device in spec.get("devices") or []:
        device.update(device.pop("basic", {}))


def field_in(api_version: str, kind: str, field: str) -> str:
    """Return a field as an API version names it."""
    if not is_flat(api_version):
        return field
    if kind == "ResourceSlice":
        return _DEVICE.sub(r"\1.basic.", field)
    return _EXACTLY.sub(r"\1", field)
