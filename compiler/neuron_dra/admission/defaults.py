"""What the API server fills in before it validates.

In: a decoded object in the newest shape. Out: the same with defaults, changed in place. Only what a
rule reads is filled in: the time at which a taint was added is not.
"""

from __future__ import annotations

from typing import Any

_EXACT = "ExactCount"


def fill_claim(devices: dict[str, Any], *, flat: bool) -> None:
    """Fill in modes, counts and operators (pkg/apis/resource/v1*/defaults.go, v0.34 to v0.37)."""
    for request in devices.get("requests") or []:
        exactly = request.get("exactly")
        if exactly is not None:
            _fill_asked(exactly, is_chosen=not flat or bool(exactly.get("deviceClassName")))
        for alternative in request.get("firstAvailable") or []:
            _fill_asked(alternative, is_chosen=True)


def _fill_asked(asked: dict[str, Any], *, is_chosen: bool) -> None:
    if is_chosen:
        asked["allocationMode"] = asked.get("allocationMode") or _EXACT
        if asked["allocationMode"] == _EXACT:
            asked["count"] = asked.get("count") or 1
    for toleration in asked.get("tolerations") or []:
        toleration["operator"] = toleration.get("operator") or "Equal"
