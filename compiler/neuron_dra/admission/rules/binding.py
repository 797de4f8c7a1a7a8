"""Conditions that a device has to meet before a pod is bound to it.

In: a device. Out: causes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, invalid
from neuron_dra.admission.problem import item_field
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.lists import limited, repeated
from neuron_dra.admission.server import Server

# BindingConditionsMaxSize and BindingFailureConditionsMaxSize, k8s.io/api/resource/v1/types.go,
# v0.34 to v0.37.
CONDITIONS_MAX = 4
NAMES = ("bindingConditions", "bindingFailureConditions")


def check_binding(device: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check both lists of conditions: one needs the other, and they share nothing."""
    for name, other in zip(NAMES, reversed(NAMES), strict=True):
        conditions, place = device.get(name) or [], f"{field}.{name}"
        yield from limited(conditions, place, CONDITIONS_MAX, names.label_key, server.dialect)
        yield from repeated(conditions, place)
        if not conditions and device.get(other):
            yield invalid(place, f"is required where `{other}` is set")
    conditions, failures = (device.get(name) or [] for name in NAMES)
    for index, failure in enumerate(failures):
        if failure in conditions:
            place = item_field(f"{field}.{NAMES[1]}", index)
            yield invalid(place, f"`{failure}` is one of `{NAMES[0]}` too")
