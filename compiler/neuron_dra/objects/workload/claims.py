"""Claims in the pods: which containers use the devices, and the claim they name.

In: pod templates. Out: per template the names of the containers that use the claim, and templates
with `resourceClaims` and `resources.claims`. One claim a pod: a Neuron core belongs to one
process, so only the containers that compute name it. What the user wired already is kept, never
overwritten; whether it says the same is judged in `claim_checks`.
"""

from __future__ import annotations

from collections.abc import Mapping

from neuron_dra.diagnostics import did_you_mean, has_errors
from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.workload.template import PodTemplate
from neuron_dra.objects.workload.wiring import Wiring

CLAIM = "neuron"
"""The name of the claim inside a pod, where the user gives it none."""


def choose_containers(
    wiring: Wiring, templates: Mapping[str, PodTemplate], optional: str = ""
) -> dict[str, tuple[str, ...]]:
    """Return the containers of each template that use the claim.

    Args:
        optional: a template that uses the claim only if `claimContainers` names its containers.
    """
    before = len(wiring.diagnostics)
    _check_names(wiring, templates)
    if has_errors(wiring.diagnostics[before:]):
        return dict.fromkeys(templates, ())
    return {
        key: _choose(wiring, template, needed=key != optional)
        for key, template in templates.items()
    }


def _check_names(wiring: Wiring, templates: Mapping[str, PodTemplate]) -> None:
    known = [name for template in templates.values() for name in _names(template)]
    for index, name in enumerate(wiring.spec.claim_containers):
        if name not in known:
            wiring.report(
                codes.UNKNOWN_CLAIM_CONTAINER.at(
                    wiring.spec.places.item("claimContainers", index),
                    f"the pod template has no container `{name}`",
                    help=did_you_mean(name, known),
                )
            )


def _choose(wiring: Wiring, template: PodTemplate, *, needed: bool) -> tuple[str, ...]:
    names = _names(template)
    wanted = wiring.spec.claim_containers
    chosen = tuple(name for name in names if name in wanted)
    if chosen or not needed:
        return chosen
    wired = tuple(name for name in names if _uses(template, name, claim_name(wiring, template)))
    if not wanted and (wired or len(names) == 1):
        return wired or tuple(names)
    listed = ", ".join(f"`{name}`" for name in names)
    wiring.report(
        codes.CLAIM_CONTAINERS_NEEDED.at(
            wiring.span("claimContainers") if wanted else template.span("containers"),
            f"nothing says which containers of `{template.key}` use the devices: it has {listed}",
            help=f"name them: `claimContainers: [{', '.join((*wanted, names[0]))}]`",
        )
    )
    return ()


def wire_claims(wiring: Wiring, template: PodTemplate, containers: tuple[str, ...]) -> None:
    """Give the containers the claim of the partition's template."""
    claim = claim_name(wiring, template)
    if not own_entries(wiring, template):
        entry = {"name": claim, "resourceClaimTemplateName": wiring.plan.claim_template}
        template.spec.setdefault("resourceClaims", []).append(entry)
    for container in template.containers:
        if container["name"] in containers and not _uses(template, container["name"], claim):
            resources = container.setdefault("resources", {})
            resources.setdefault("claims", []).append({"name": claim})


def own_entries(wiring: Wiring, template: PodTemplate) -> list[dict[str, str]]:
    """Return the entries by which the user claims the partition's template already."""
    return [
        entry
        for entry in template.spec.get("resourceClaims", ())
        if entry.get("resourceClaimTemplateName") == wiring.plan.claim_template
    ]


def claim_name(wiring: Wiring, template: PodTemplate) -> str:
    """Return the name that the partition's claim has inside the pod."""
    own = own_entries(wiring, template)
    return own[0]["name"] if own else CLAIM


def _names(template: PodTemplate) -> list[str]:
    return list(dict.fromkeys(container["name"] for container in template.containers))


def _uses(template: PodTemplate, container: str, claim: str) -> bool:
    return any(
        entry["name"] == claim
        for each in template.containers
        if each["name"] == container
        for entry in each.get("resources", {}).get("claims", ())
    )
