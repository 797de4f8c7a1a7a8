"""Taints of devices and what claims tolerate.

In: one taint or toleration. Out: causes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, invalid, required, unsupported
from neuron_dra.admission.rules import names
from neuron_dra.admission.server import Server

OPERATORS = ("Equal", "Exists")


def check_taint(taint: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check a taint of a device or of a DeviceTaintRule."""
    yield from names.label_key(taint.get("key", ""), f"{field}.key")
    yield from names.label_value(taint.get("value", ""), f"{field}.value")
    effect = taint.get("effect", "")
    if not effect:
        yield required(f"{field}.effect")
    else:
        yield from _check_effect(effect, field, server)


def check_toleration(toleration: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check what a request tolerates."""
    if toleration.get("key"):
        yield from names.label_key(toleration["key"], f"{field}.key")
    operator, value = toleration.get("operator", ""), toleration.get("value", "")
    if operator == "Equal":
        yield from names.label_value(value, f"{field}.value")
    elif operator == "Exists":
        if value:
            yield invalid(f"{field}.value", "must be empty where the operator is `Exists`")
    else:
        yield unsupported(f"{field}.operator", operator, OPERATORS)
    if toleration.get("effect"):
        yield from _check_effect(toleration["effect"], field, server)


def _check_effect(effect: str, field: str, server: Server) -> Iterator[Cause]:
    effects = server.dialect.effects
    if effect not in effects:
        yield unsupported(f"{field}.effect", effect, effects)
