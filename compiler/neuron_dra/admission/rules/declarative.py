"""Rules that stand in the types of each API version: from 1.37 on they decide beside the code.

In: the causes that the code gives, and a decoded object in the newest shape. Out: both together.
A declared rule names the field as the object's own version does, and takes the place of the cause
of the code that says the same. Earlier minors only compare the two and tell nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, required, too_long, unsupported
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.lists import each, limited, unique
from neuron_dra.admission.rules.requests import MODES
from neuron_dra.admission.rules.taints import OPERATORS
from neuron_dra.admission.server import Server

Declared = Callable[[dict[str, Any], str, Server], Iterator[Cause]]

# DeviceDerivedAttributesMaxSize, k8s.io/api/resource/v1/types.go, v0.37.
_DERIVED_MAX = 32


def join_declared(
    causes: Iterator[Cause],
    declared: Callable[[], Iterator[Cause]],
    server: Server,
    rename: Callable[[str], str],
) -> Iterator[Cause]:
    """Yield the causes of the code and those of the declared rules, each reason once.

    Args:
        rename: gives the field of the newest version its name in the object's own version.
    """
    if not server.dialect.declarative:
        yield from causes
        return
    found = list(declared())
    told = {(cause.type, cause.field) for cause in found}
    yield from (cause for cause in causes if (cause.type, cause.field) not in told)
    yield from (cause._replace(field=rename(cause.field)) for cause in found)


def declared_claim(devices: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Apply the declared rules of a claim."""
    yield from unique(
        devices.get("requests") or [],
        f"{field}.requests",
        server.limits.requests,
        lambda request, place: _request(request, place, server),
        server.dialect,
        "name",
    )
    yield from limited(
        devices.get("constraints") or [],
        f"{field}.constraints",
        server.limits.constraints,
        lambda constraint, place: _constraint(constraint, place, server),
        server.dialect,
    )
    yield from limited(
        devices.get("config") or [],
        f"{field}.config",
        server.limits.configs,
        lambda config, place: _claim_config(config, place, server),
        server.dialect,
    )


def declared_class(spec: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Apply the declared rules of a DeviceClass."""
    yield from _selectors(spec, field, server)
    yield from limited(
        spec.get("config") or [],
        f"{field}.config",
        server.limits.configs,
        lambda config, place: _config(config, place, server),
        server.dialect,
    )


def _request(request: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    if request.get("exactly") is not None:
        yield from _asked(request["exactly"], f"{field}.exactly", server)

    def check(alternative: dict[str, Any], place: str) -> Iterator[Cause]:
        name = alternative.get("deviceClassName", "")
        yield from names.class_name(name, f"{place}.deviceClassName")
        yield from _asked(alternative, place, server)

    alternatives = request.get("firstAvailable") or []
    limit = server.limits.first_available
    yield from unique(alternatives, f"{field}.firstAvailable", limit, check, server.dialect, "name")


def _asked(asked: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    yield from _selectors(asked, field, server)
    mode = asked.get("allocationMode")
    if mode and mode not in MODES:
        yield unsupported(f"{field}.allocationMode", mode, MODES)
    tolerations = asked.get("tolerations") or []
    yield from each(
        tolerations, f"{field}.tolerations", lambda each, place: _toleration(each, place, server)
    )
    derived = asked.get("derivedAttributes") or []
    yield from limited(
        derived,
        f"{field}.derivedAttributes",
        _DERIVED_MAX,
        lambda attribute, place: _derived(attribute, place, server),
        server.dialect,
    )


def _selectors(asked: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    selectors, limit = asked.get("selectors") or [], server.limits.selectors
    yield from limited(selectors, f"{field}.selectors", limit, nothing, server.dialect)


def nothing(_item: Any, _field: str) -> Iterator[Cause]:
    """Check nothing of an item."""
    yield from ()


def _toleration(toleration: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    if toleration.get("key"):
        yield from names.label_key(toleration["key"], f"{field}.key")
    if toleration.get("operator") not in OPERATORS:
        yield unsupported(f"{field}.operator", toleration.get("operator"), OPERATORS)
    effect, effects = toleration.get("effect"), server.dialect.effects
    if effect and effect not in effects:
        yield unsupported(f"{field}.effect", effect, effects)


def _derived(attribute: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    if attribute.get("name"):
        yield from full_name(attribute["name"], f"{field}.name", server)
    else:
        yield required(f"{field}.name")
    if not attribute.get("expression"):
        yield required(f"{field}.expression")


def _constraint(constraint: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    yield from _references(constraint, field, server)
    for name in ("matchAttribute", "distinctAttribute"):
        if constraint.get(name) is not None:
            yield from full_name(constraint[name], f"{field}.{name}", server)


def _references(referring: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    requests, limit = referring.get("requests") or [], server.limits.requests
    yield from unique(requests, f"{field}.requests", limit, nothing, server.dialect)


def _claim_config(config: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    yield from _references(config, field, server)
    yield from _config(config, field, server)


def _config(config: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    if config.get("opaque") is not None:
        name = config["opaque"].get("driver", "")
        yield from names.driver(name, f"{field}.opaque.driver", server.dialect)


def full_name(text: str, field: str, server: Server) -> Iterator[Cause]:
    """Check the name of an attribute with its domain, which may not have upper case letters."""
    domain, slash, name = text.partition("/")
    if not slash or "/" in name:
        yield from names.fully_qualified(text, field, server.dialect)
        return
    if names.size_of(domain) > names.DRIVER_MAX:
        yield too_long(field, names.size_of(domain), names.DRIVER_MAX)
    yield from names.subdomain(domain, field)
    yield from names.identifier(name, field)
