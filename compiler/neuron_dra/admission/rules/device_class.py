"""The spec of a DeviceClass.

In: `spec`. Out: causes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, invalid
from neuron_dra.admission.rules.lists import limited
from neuron_dra.admission.rules.opaque import check_config
from neuron_dra.admission.rules.selectors import check_selectors
from neuron_dra.admission.server import Server
from neuron_dra.syntax import formats


def check_class_spec(spec: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check the selectors, configs and extended resource of a class."""
    yield from check_selectors(spec.get("selectors") or [], f"{field}.selectors", server)
    yield from limited(
        spec.get("config") or [],
        f"{field}.config",
        server.limits.configs,
        lambda config, place: check_config(config, place, server),
        server.dialect,
    )
    name = spec.get("extendedResourceName")
    if name is not None and (reason := formats.extended_resource(name)):
        yield invalid(f"{field}.extendedResourceName", f"`{name}` {reason}")
