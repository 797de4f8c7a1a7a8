"""The pod template that every controller wires alike.

In: a template of the user. Out: the same with labels, claims, placement, shared memory,
environment and restart policy. Containers' own requests, probes, security contexts and volumes
stay the user's. A pod that names no service account gets no token of the API server: nothing of
Neuron or EFA in it talks to the API.
"""

from __future__ import annotations

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.workload.checks import check_template
from neuron_dra.objects.workload.claim_checks import check_claims
from neuron_dra.objects.workload.claims import wire_claims
from neuron_dra.objects.workload.environment import Group, wire_environment
from neuron_dra.objects.workload.host import check_host
from neuron_dra.objects.workload.memory import wire_shared_memory
from neuron_dra.objects.workload.placement import find_open_pools, wire_placement
from neuron_dra.objects.workload.refusals import check_refusals
from neuron_dra.objects.workload.security import check_security
from neuron_dra.objects.workload.template import Data, PodTemplate
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.objects.workload.zones import check_zones


def wire_pod(
    wiring: Wiring,
    template: PodTemplate,
    containers: tuple[str, ...],
    group: Group | None,
    restart_policies: tuple[str, ...],
) -> Data:
    """Return the wired pod template.

    Args:
        containers: those that use the claim; none in a launcher that only starts the others.
        restart_policies: what the controller allows, the one to emit first.
    """
    _check(wiring, template, containers)
    _wire_restart_policy(wiring, template, restart_policies)
    if containers:
        wire_claims(wiring, template, containers)
        wire_placement(wiring, template)
        wire_shared_memory(wiring, template, containers)
    wire_environment(wiring, template, containers or _first(template), group)
    if "serviceAccountName" not in template.spec:
        template.spec.setdefault("automountServiceAccountToken", False)
    metadata = template.data.get("metadata", {})
    labels = metadata.get("labels", {}) | wiring.labels
    return {"metadata": {**metadata, "labels": labels}, "spec": template.spec}


def _check(wiring: Wiring, template: PodTemplate, containers: tuple[str, ...]) -> None:
    check_refusals(wiring, template)
    check_template(wiring, template, containers)
    check_security(wiring, template)
    check_claims(wiring, template, containers)
    if containers:
        pools = find_open_pools(wiring, template)
        check_host(wiring, template, pools)
        if template.key == "template":
            check_zones(wiring, template, pools)


def pod_fields(path: str, key: str = "template") -> dict[str, str]:
    """Return the causes of a wired pod template's fields.

    Args:
        path: where the controller has the template.
        key: where the workload has it.
    """
    return {
        path: f"spec.{key}",
        f"{path}.spec.affinity": "spec.partition",
        f"{path}.spec.resourceClaims": "spec.partition",
        f"{path}.spec.tolerations": "spec.partition",
    }


def _first(template: PodTemplate) -> tuple[str, ...]:
    return (template.containers[0]["name"],)


def _wire_restart_policy(wiring: Wiring, template: PodTemplate, allowed: tuple[str, ...]) -> None:
    policy = template.spec.setdefault("restartPolicy", allowed[0])
    if policy in allowed:
        return
    choices = " or ".join(f"`{each}`" for each in allowed)
    groups = f" with `size: {wiring.spec.size}`" if wiring.spec.size > 1 else ""
    wiring.report(
        codes.RESTART_POLICY.at(
            template.span("restartPolicy"),
            f"`restartPolicy: {policy}` does not go with `controller: "
            f"{wiring.spec.controller}`{groups}, only {choices}",
            help="remove it",
        )
    )
