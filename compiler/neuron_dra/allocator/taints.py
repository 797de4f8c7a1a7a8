"""Device taints and the tolerations of requests.

In: a device and a request. Out: whether a taint keeps the device from being allocated. Evicting
pods is not judged here.
"""

from __future__ import annotations

from collections.abc import Iterable

from neuron_dra.kube.claim import DeviceToleration
from neuron_dra.kube.slice import Device, DeviceTaint

_PREVENTING = ("NoSchedule", "NoExecute")


def taint_prevents_allocation(
    device: Device, tolerations: Iterable[DeviceToleration], *, any_effect: bool
) -> bool:
    """Tell whether a device has a taint that is not tolerated; unknown effects may be ignored."""
    return any(
        (any_effect or taint.effect in _PREVENTING)
        and not any(tolerates_taint(toleration, taint) for toleration in tolerations)
        for taint in device.taints
    )


def tolerates_taint(toleration: DeviceToleration, taint: DeviceTaint) -> bool:
    """Tell whether a toleration covers a taint."""
    if toleration.effect not in ("", taint.effect) or toleration.key not in ("", taint.key):
        return False
    if toleration.operator in ("", "Equal"):
        return toleration.value == taint.value
    return toleration.operator == "Exists"
