"""Configuration for drivers in claims and classes.

In: the `opaque` part of a config. Out: causes. What the parameters mean to a driver is not judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, invalid, required, too_long
from neuron_dra.admission.rules import names
from neuron_dra.admission.server import Server

# What Go's encoder writes as six characters, so that kubectl sends it so.
_ESCAPED = "<>&\u2028\u2029"


def check_config(config: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check one config of a claim or class, but for its `requests`."""
    opaque = config.get("opaque")
    if opaque is None:
        yield required(f"{field}.opaque")
        return
    place = f"{field}.opaque"
    yield from names.driver(opaque.get("driver", ""), f"{place}.driver", server.dialect)
    yield from _check_parameters(opaque.get("parameters"), f"{place}.parameters", server)


def _check_parameters(parameters: Any, field: str, server: Server) -> Iterator[Cause]:
    if parameters is None:
        yield required(field)
        return
    size, limit = json_size(parameters), server.limits.opaque_bytes
    if size > limit:
        yield too_long(field, size, limit)
    elif not isinstance(parameters, dict):
        yield invalid(field, "must be a map")


def json_size(data: Any) -> int:
    """Return the bytes of data as kubectl sends it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    escaped = sum(6 - len(each.encode()) for each in text if each in _ESCAPED)
    return names.size_of(text) + escaped
