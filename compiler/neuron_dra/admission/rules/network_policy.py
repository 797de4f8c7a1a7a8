"""The spec of a NetworkPolicy.

In: `spec`. Out: causes (pkg/apis/networking/validation/validation.go, v1.34 to v1.37). Address
ranges are read strictly, as from 1.36 on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any

from neuron_dra.admission.cause import Cause, forbidden, invalid, required, unsupported
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.lists import each
from neuron_dra.admission.rules.meta import check_labels
from neuron_dra.syntax import formats

_PROTOCOLS = ("SCTP", "TCP", "UDP")
_TYPES = ("Egress", "Ingress")
_PORTS = range(1, 65536)
_PORT_NAME = re.compile(r"(?!-)(?!.*--)(?=.*[a-z])[a-z0-9-]{1,15}(?<!-)")
_SELECTORS = ("podSelector", "namespaceSelector")
_DIRECTIONS = (("ingress", "from"), ("egress", "to"))


def check_network_policy(spec: dict[str, Any], field: str) -> Iterator[Cause]:
    """Check a policy."""
    yield from check_label_selector(spec.get("podSelector") or {}, f"{field}.podSelector")
    for direction, peers in _DIRECTIONS:
        for index, rule in enumerate(spec.get(direction) or []):
            place = f"{field}.{direction}[{index}]"
            yield from each(rule.get("ports") or [], f"{place}.ports", _check_port)
            yield from each(rule.get(peers) or [], f"{place}.{peers}", _check_peer)
    types = spec.get("policyTypes") or []
    if len(types) > len(_TYPES):
        yield invalid(f"{field}.policyTypes", "may have two types at most")
        return
    for index, name in enumerate(types):
        if name not in _TYPES:
            yield unsupported(f"{field}.policyTypes[{index}]", name, _TYPES)


def check_label_selector(selector: dict[str, Any], field: str) -> Iterator[Cause]:
    """Check a selector of labels."""
    yield from check_labels(selector.get("matchLabels") or {}, f"{field}.matchLabels")
    expressions = selector.get("matchExpressions") or []
    yield from each(expressions, f"{field}.matchExpressions", _check_expression)


def _check_expression(expression: dict[str, Any], field: str) -> Iterator[Cause]:
    operator, values = expression.get("operator", ""), expression.get("values") or []
    if operator in ("In", "NotIn"):
        yield from [] if values else [required(f"{field}.values", f"`{operator}` needs values")]
    elif operator in ("Exists", "DoesNotExist"):
        place = f"{field}.values"
        yield from [forbidden(place, f"`{operator}` has no values")] if values else []
    else:
        yield invalid(f"{field}.operator", f"`{operator}` is no operator")
    yield from names.label_key(expression.get("key", ""), f"{field}.key")
    yield from each(values, f"{field}.values", names.label_value)


def _check_port(port: dict[str, Any], field: str) -> Iterator[Cause]:
    protocol = port.get("protocol")
    if protocol is not None and protocol not in _PROTOCOLS:
        yield unsupported(f"{field}.protocol", protocol, _PROTOCOLS)
    number, end = port.get("port"), port.get("endPort")
    if isinstance(number, int):
        yield from _check_numbers(number, end, field)
        return
    if end is not None:
        yield invalid(f"{field}.endPort", "needs a `port` that is a number")
    if number is not None and not _PORT_NAME.fullmatch(number):
        yield invalid(f"{field}.port", f"`{number}` is no name of a port")


def _check_numbers(number: int, end: int | None, field: str) -> Iterator[Cause]:
    if number not in _PORTS:
        yield invalid(f"{field}.port", f"{number} is no port")
    if end is not None and (end < number or end not in _PORTS):
        yield invalid(f"{field}.endPort", f"{end} is no port, or less than `port`")


def _check_peer(peer: dict[str, Any], field: str) -> Iterator[Cause]:
    selectors = [
        name for name in ("podSelector", "namespaceSelector") if peer.get(name) is not None
    ]
    for name in selectors:
        yield from check_label_selector(peer[name], f"{field}.{name}")
    block = peer.get("ipBlock")
    if block is not None:
        yield from _check_block(block, f"{field}.ipBlock")
        if selectors:
            yield forbidden(field, "may not have both `ipBlock` and a selector")
    elif not selectors:
        yield required(field, "needs a peer")


def _check_block(block: dict[str, Any], field: str) -> Iterator[Cause]:
    cidr = block.get("cidr", "")
    if not cidr:
        yield required(f"{field}.cidr")
        return
    if reason := formats.cidr(cidr):
        yield invalid(f"{field}.cidr", f"`{cidr}` {reason}")
        return
    for index, hole in enumerate(block.get("except") or []):
        if formats.cidr(hole) or not _is_inside(hole, cidr):
            yield invalid(f"{field}.except[{index}]", f"`{hole}` is no range inside `{cidr}`")


def _is_inside(inner: str, outer: str) -> bool:
    """Tell whether a range is a smaller part of another."""
    inside, around = ip_network(inner), ip_network(outer)
    if inside.version != around.version or inside.prefixlen <= around.prefixlen:
        return False
    return inside.network_address in around
