"""What a ResourceQuota limits.

In: `spec.hard`. Out: causes, as in pkg/apis/core/validation/validation.go, v1.34 to v1.37. Scopes
are not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, invalid
from neuron_dra.admission.problem import item_field
from neuron_dra.admission.rules.capacity import NANO, amount
from neuron_dra.syntax import formats

_COUNTED = frozenset(
    {
        *("pods", "resourcequotas", "services", "replicationcontrollers", "secrets"),
        *("configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers"),
    }
)
_MEASURED = frozenset(
    {
        *("cpu", "memory", "ephemeral-storage", "requests.storage"),
        *("requests.cpu", "requests.memory", "requests.ephemeral-storage"),
        *("limits.cpu", "limits.memory", "limits.ephemeral-storage"),
    }
)
_HUGE_PAGES = ("hugepages-", "requests.hugepages-")


def check_quota(spec: dict[str, Any], field: str) -> Iterator[Cause]:
    """Check the names and amounts of a quota."""
    for name, quantity in (spec.get("hard") or {}).items():
        place, value = item_field(f"{field}.hard", name), amount(quantity)
        if reason := _check_name(name):
            yield invalid(place, f"`{name}` {reason}")
        if value < 0:
            yield invalid(place, "must not be negative")
        elif value % NANO and (name in _COUNTED or not formats.extended_resource(name)):
            yield invalid(place, "must be a whole number")


def _check_name(name: str) -> str:
    if reason := formats.label_key(name):
        return reason
    if "/" in name or name in _COUNTED | _MEASURED or name.startswith(_HUGE_PAGES):
        return ""
    return "is no resource that a quota can limit"
