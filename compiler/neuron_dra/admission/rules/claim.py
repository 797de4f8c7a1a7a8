"""The spec of a claim, in a ResourceClaim or a ResourceClaimTemplate.

In: `spec.devices`. Out: causes: of requests, of constraints and configs and what they refer to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.admission.cause import Cause, forbidden, invalid, required
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.derived import Budget
from neuron_dra.admission.rules.lists import limited, unique
from neuron_dra.admission.rules.opaque import check_config
from neuron_dra.admission.rules.requests import check_request
from neuron_dra.admission.server import Server

# DRAAdminNamespaceLabelKey, k8s.io/api/resource/v1/types.go.
ADMIN_LABEL = "resource.kubernetes.io/admin-access"
_CONSUMABLE_CAPACITY = "DRAConsumableCapacity"

# The subrequests of a request by name; of one without, none.
RequestNames = Mapping[str, frozenset[str]]


def check_devices(devices: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check everything that a claim asks for."""
    requests, constraints = devices.get("requests") or [], devices.get("constraints") or []
    known = _names_of(requests)
    budget = Budget.from_constraints(constraints)
    yield from unique(
        requests,
        f"{field}.requests",
        server.limits.requests,
        lambda request, place: check_request(request, place, server, budget),
        server.dialect,
        "name",
    )
    yield from limited(
        constraints,
        f"{field}.constraints",
        server.limits.constraints,
        lambda constraint, place: _check_constraint(constraint, place, server, known),
        server.dialect,
    )
    yield from limited(
        devices.get("config") or [],
        f"{field}.config",
        server.limits.configs,
        lambda config, place: _check_claim_config(config, place, server, known),
        server.dialect,
    )


def check_admin_access(
    devices: dict[str, Any], namespace_labels: Mapping[str, str]
) -> Iterator[Cause]:
    """Check that the namespace allows the first request for admin access, if there is one.

    The server names the field as in a ResourceClaim of the oldest version, whatever the object is.
    """
    asking = (
        index
        for index, request in enumerate(devices.get("requests") or [])
        if (request.get("exactly") or {}).get("adminAccess")
    )
    index = next(asking, None)
    if index is not None and namespace_labels.get(ADMIN_LABEL) != "true":
        yield forbidden(
            f"spec.devices.requests[{index}].adminAccess",
            f'needs the label `{ADMIN_LABEL}: "true"` on the namespace',
        )


def _names_of(requests: list[Any]) -> RequestNames:
    return {
        request.get("name", ""): frozenset(
            each.get("name", "") for each in request.get("firstAvailable") or []
        )
        for request in requests
    }


def _check_constraint(
    constraint: dict[str, Any], field: str, server: Server, known: RequestNames
) -> Iterator[Cause]:
    yield from _check_references(constraint, field, server, known)
    for name in ("matchAttribute", "distinctAttribute"):
        if constraint.get(name) is not None:
            yield from names.fully_qualified(constraint[name], f"{field}.{name}", server.dialect)
            return
    if server.is_on(_CONSUMABLE_CAPACITY):
        yield required(field, "needs `matchAttribute` or `distinctAttribute`")
    else:
        yield required(f"{field}.matchAttribute")


def _check_claim_config(
    config: dict[str, Any], field: str, server: Server, known: RequestNames
) -> Iterator[Cause]:
    yield from _check_references(config, field, server, known)
    yield from check_config(config, field, server)


def _check_references(
    referring: dict[str, Any], field: str, server: Server, known: RequestNames
) -> Iterator[Cause]:
    yield from unique(
        referring.get("requests") or [],
        f"{field}.requests",
        server.limits.requests,
        lambda name, place: _check_reference(name, place, known),
        server.dialect,
    )


def _check_reference(name: str, field: str, known: RequestNames) -> Iterator[Cause]:
    request, *rest = name.split("/")
    found = request in known and (not rest or rest[0] in known[request])
    if len(rest) > 1 or not found:
        yield invalid(field, f"`{name}` is neither a request of this claim nor a subrequest of one")
    if len(rest) <= 1:
        for part in (request, *rest):
            yield from names.label(part, field)
