"""The claims of a pod, and what its containers take of them.

In: the spec of a pod or of the template of one. Out: causes. Whether the claims exist, and whether
a claim has the request that a container names, is checked by nobody before the pod is scheduled
(pkg/apis/core/validation/validation.go, v1.34 to v1.37).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, duplicate, invalid, not_found, required
from neuron_dra.admission.rules import names

_SOURCES = ("resourceClaimName", "resourceClaimTemplateName")
_CONTAINERS = ("initContainers", "containers")


def check_pod_claims(spec: dict[str, Any], field: str) -> Iterator[Cause]:
    """Check the claims of a pod and the references of its containers."""
    claims = spec.get("resourceClaims") or []
    seen: set[str] = set()
    for index, claim in enumerate(claims):
        yield from _check_claim(claim, f"{field}.resourceClaims[{index}]", seen)
    known = {claim.get("name", "") for claim in claims} - {""}
    for kind in _CONTAINERS:
        for index, container in enumerate(spec.get(kind) or []):
            taken = (container.get("resources") or {}).get("claims") or []
            place = f"{field}.{kind}[{index}].resources.claims"
            yield from _check_taken(taken, place, known)


def _check_claim(claim: dict[str, Any], field: str, seen: set[str]) -> Iterator[Cause]:
    name = claim.get("name", "")
    if not name:
        yield required(f"{field}.name")
    elif name in seen:
        yield duplicate(f"{field}.name", name)
    else:
        yield from names.label(name, f"{field}.name")
        seen.add(name)
    sources = [source for source in _SOURCES if claim.get(source) is not None]
    if len(sources) != 1:
        yield invalid(
            field, "needs exactly one of `resourceClaimName`, `resourceClaimTemplateName`"
        )
    for source in sources:
        yield from names.subdomain(claim[source], f"{field}.{source}")


def _check_taken(taken: list[Any], field: str, known: set[str]) -> Iterator[Cause]:
    """Check the claims of a container: none twice, neither whole and in part."""
    seen: set[tuple[str, str]] = set()
    for index, each in enumerate(taken):
        place, name, request = f"{field}[{index}]", each.get("name", ""), each.get("request", "")
        if not name:
            yield required(place)
            continue
        if request and (name, "") not in seen:
            yield from names.label(request, f"{place}.request")
        is_whole = not request and any(other == name for other, _ in seen)
        if is_whole or {(name, ""), (name, request)} & seen:
            yield duplicate(place, f"{name}/{request}" if request else name)
        seen.add((name, request))
        if name not in known:
            yield not_found(place, name, "is none of the pod's `resourceClaims`")
