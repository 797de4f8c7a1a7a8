"""Claims that a user wired by hand: what nobody would refuse, and what only an event would.

In: pod templates before the compiler adds its claim. Out: diagnostics. That a request exists in
its claim is checked by nobody: a container that names another gets no devices and no error. That a
ResourceClaimTemplate exists is seen when the pod stays Pending.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_dra.diagnostics import closest, did_you_mean
from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.workload.claims import claim_name, own_entries
from neuron_dra.objects.workload.template import Data, PodTemplate, Where, all_containers
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.plan.partition import PlannedPartition

_SOURCE = "resourceClaimTemplateName"


def check_claims(wiring: Wiring, template: PodTemplate, containers: Sequence[str]) -> None:
    """Diagnose the claims of a pod; `containers` are those that shall use the partition's."""
    claim = claim_name(wiring, template)
    if containers:
        _check_conflicts(wiring, template, claim)
        _check_unnamed(wiring, template, containers, claim)
    _check_made(wiring, template, claim if containers else "")
    names = {entry["name"] for entry in template.spec.get("resourceClaims", ())}
    _check_uses(wiring, template, names | ({claim} if containers else set()))


def _entries(template: PodTemplate) -> Iterator[tuple[Where, Data]]:
    for index, entry in enumerate(template.spec.get("resourceClaims", ())):
        yield ("resourceClaims", index), entry


def _uses(template: PodTemplate) -> Iterator[tuple[Where, Data, str]]:
    """Yield every use of a claim with its path and the name of its container."""
    for key, index, container in all_containers(template):
        for position, use in enumerate(container.get("resources", {}).get("claims", ())):
            yield (key, index, "resources", "claims", position), use, container["name"]


def _check_conflicts(wiring: Wiring, template: PodTemplate, claim: str) -> None:
    """Refuse claims of the pod that answer what the workload answers already."""
    wanted = wiring.plan.claim_template
    own = own_entries(wiring, template)
    for where, entry in _entries(template):
        if len(own) > 1 and entry == own[-1]:
            message = f"the pod claims the template `{wanted}` {len(own)} times"
            advice = "keep one of the entries"
        elif entry["name"] == claim and entry not in own:
            message = (
                f"the claim `{claim}` of the pod is not made from the template `{wanted}`, "
                "which the workload's partition gives"
            )
            advice = "remove the entry: it is added where it is missing"
        else:
            continue
        wiring.report(codes.CLAIM_CONFLICT.at(template.span(*where), message, help=advice))


def _check_unnamed(
    wiring: Wiring, template: PodTemplate, containers: Sequence[str], claim: str
) -> None:
    """Refuse containers that use the devices without being named."""
    for where, use, name in _uses(template):
        if where[0] == "containers" and use["name"] == claim and name not in containers:
            wiring.report(
                codes.CLAIM_CONFLICT.at(
                    template.span(*where[:-1]),
                    f"container `{name}` uses the claim `{claim}`, "
                    "but `claimContainers` does not name it",
                    help="name it there, or remove the claim here",
                )
            )


def _check_made(wiring: Wiring, template: PodTemplate, claim: str) -> None:
    """Warn of templates that no partition of the namespace's tenant is, and no extra object."""
    made = {wiring.plan.claim_template, *_partitions(wiring), *wiring.further_templates}
    for where, entry in _entries(template):
        name = entry.get(_SOURCE)
        if name is not None and name not in made and entry["name"] != claim:
            nearest = closest(name, made)
            wiring.report(
                codes.TEMPLATE_NOT_MADE.at(
                    template.span(*where, _SOURCE),
                    f"nothing here makes the ResourceClaimTemplate `{name}` in namespace "
                    f"`{wiring.namespace}`: without it the pod stays Pending",
                    help=f"did you mean `{nearest}`?" if nearest else "put it into `extraObjects`",
                )
            )


def _check_uses(wiring: Wiring, template: PodTemplate, known: set[str]) -> None:
    """Refuse uses of claims that the pod does not have, and of requests that they do not have."""
    requests = _requests(wiring, template)
    seen = set()
    for where, use, container in _uses(template):
        name, request = use["name"], use.get("request", "")
        if name not in known:
            message = f"the pod has no claim `{name}`"
            wiring.report(
                codes.CLAIM_CONFLICT.at(
                    template.span(*where, "name"), message, help=did_you_mean(name, known)
                )
            )
        elif request and name in requests and request not in requests[name]:
            wiring.report(
                codes.UNKNOWN_REQUEST.at(
                    template.span(*where, "request"),
                    f"the claim `{name}` has no request `{request}`: container `{container}` "
                    "would get none of its devices",
                    help=did_you_mean(request, requests[name]),
                )
            )
        if (where[:2], name, request) in seen:
            wiring.report(
                codes.POD_REFUSED.at(
                    template.span(*where), f"container `{container}` uses the claim `{name}` twice"
                )
            )
        seen.add((where[:2], name, request))


def _requests(wiring: Wiring, template: PodTemplate) -> dict[str, tuple[str, ...]]:
    """Return the requests of each claim of a pod, as far as its template is made here.

    A request of alternatives is used by its own name, whichever of them is allocated.
    """
    partitions = _partitions(wiring)
    if not wiring.plan.operator:
        partitions[wiring.plan.claim_template] = wiring.plan.partition
    templates = {claim_name(wiring, template): wiring.plan.claim_template}
    templates |= {entry["name"]: entry.get(_SOURCE, "") for _, entry in _entries(template)}
    return {
        claim: tuple(request.name for request in partitions[name].claim.requests)
        for claim, name in templates.items()
        if name in partitions
    }


def _partitions(wiring: Wiring) -> dict[str, PlannedPartition]:
    """Return the partitions that give templates in the workload's namespace, by template."""
    granted = wiring.plan.tenant.partitions if wiring.plan.tenant else ()
    return {each.name: each for each in granted if not each.operator}
