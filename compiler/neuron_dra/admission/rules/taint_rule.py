"""The spec of a DeviceTaintRule.

In: `spec`. Out: causes. A selector without fields matches every device, which is allowed. The rules
are read from pkg/apis/resource/validation/validation.go, v1.34 to v1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.selectors import check_selectors
from neuron_dra.admission.rules.taints import check_taint
from neuron_dra.admission.server import Server


def check_taint_rule(spec: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check which devices a rule selects, and the taint that it gives them."""
    selector = spec.get("deviceSelector")
    if selector is not None:
        yield from _check_selector(selector, f"{field}.deviceSelector", server)
    yield from check_taint(spec.get("taint") or {}, f"{field}.taint", server)


def _check_selector(selector: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check a selector of devices; classes and expressions exist in 1.34 only."""
    if selector.get("deviceClassName") is not None:
        yield from names.subdomain(selector["deviceClassName"], f"{field}.deviceClassName")
    if selector.get("driver") is not None:
        yield from names.driver(selector["driver"], f"{field}.driver", server.dialect)
    if selector.get("pool") is not None:
        yield from names.pool(selector["pool"], f"{field}.pool")
    if selector.get("device") is not None:
        yield from names.label(selector["device"], f"{field}.device")
    yield from check_selectors(selector.get("selectors") or [], f"{field}.selectors", server)
