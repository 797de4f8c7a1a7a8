"""One workload in one cluster: its controller with wired pods, and what that needs beside it.

In: the plan, the profile and the definitions of its Kubernetes minor. Out: objects, and
diagnostics. A workload without `template` gives no controller, for somebody else makes its pods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import spec as spec_codes
from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.kube.definitions import Definitions
from neuron_dra.objects.object import KubeObject
from neuron_dra.objects.workload import deployment, job, jobset, leaderworkerset, mpijob
from neuron_dra.objects.workload.checks import check_labels
from neuron_dra.objects.workload.claims import choose_containers
from neuron_dra.objects.workload.environment import Group, check_logical_neuron_core
from neuron_dra.objects.workload.pod import wire_pod
from neuron_dra.objects.workload.template import Data, PodTemplate, read_templates
from neuron_dra.objects.workload.ultraserver import build_reservation
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.plan.cluster import WorkloadPlan
from neuron_dra.plan.profile import Profile
from neuron_dra.spec.cluster import Consumers


class Controller(Protocol):
    """What makes pods, as a module.

    Attributes:
        CONSUMER: its key among a cluster's `consumers`; empty where Kubernetes has it built in.
        OPTIONAL_TEMPLATE: the template whose pods may do without devices; empty for none.
        RESTART_POLICIES: what a pod template may say; pods of a group only the first.
    """

    CONSUMER: str
    OPTIONAL_TEMPLATE: str
    RESTART_POLICIES: tuple[str, ...]

    def check(self, wiring: Wiring, /) -> None:
        """Diagnose what the controller cannot do."""

    def group(self, wiring: Wiring, /) -> Group | None:
        """Return how the pods of a group of several find each other."""

    def build(self, wiring: Wiring, pods: Mapping[str, Data], /) -> Iterator[KubeObject]:
        """Yield the objects, with the wired pod templates by their keys in the workload."""


CONTROLLERS: Mapping[str, Controller] = {
    "Deployment": deployment,
    "Job": job,
    "JobSet": jobset,
    "LeaderWorkerSet": leaderworkerset,
    "MPIJob": mpijob,
}


def render_workload(
    plan: WorkloadPlan,
    profile: Profile,
    definitions: Definitions,
    further_templates: Iterable[str] = (),
) -> tuple[list[KubeObject], list[Diagnostic]]:
    """Return the objects of a workload, and what is wrong with it.

    Args:
        further_templates: ResourceClaimTemplates that extra objects give its namespace.
    """
    wiring = Wiring(plan, profile, further_templates)
    if plan.workload.spec.template is None:
        _check_without_template(wiring)
    objects = list(build_reservation(wiring)) if plan.operator else []
    templates = read_templates(wiring, definitions)
    check_labels(wiring, (templates or {}).values())
    if templates:
        objects += _render_controller(wiring, templates)
    return objects, wiring.diagnostics


def _render_controller(
    wiring: Wiring, templates: Mapping[str, PodTemplate]
) -> Iterator[KubeObject]:
    controller = CONTROLLERS[wiring.spec.controller]
    _check_installed(wiring, controller.CONSUMER)
    chosen = choose_containers(wiring, templates, controller.OPTIONAL_TEMPLATE)
    wiring.claiming = frozenset(key for key, containers in chosen.items() if containers)
    check_logical_neuron_core(wiring)
    controller.check(wiring)
    alone = wiring.spec.size == 1
    group = None if alone else controller.group(wiring)
    policies = controller.RESTART_POLICIES if alone else controller.RESTART_POLICIES[:1]
    pods = {
        key: wire_pod(wiring, template, chosen[key], group, policies)
        for key, template in templates.items()
    }
    if controller.OPTIONAL_TEMPLATE in ("", *pods):
        yield from controller.build(wiring, pods)


def _check_without_template(wiring: Wiring) -> None:
    """Diagnose keys that nothing reads, and a workload that nothing is made of."""
    if wiring.plan.operator:
        return
    for key in ("replicas", "size"):
        if wiring.spec.places.has(key):
            wiring.report(
                spec_codes.KEY_NEEDS_KEY.at(
                    wiring.spec.places.key(key),
                    f"`{key}` needs `template`, or an UltraServer operator that reserves nodes of "
                    f"partition `{wiring.spec.partition}`",
                    help="remove it: who makes the pods decides how many there are",
                )
            )
    if wiring.spec.network is None:
        wiring.report(
            codes.NO_OBJECTS.at(
                wiring.name_span,
                f"workload `{wiring.namespace}/{wiring.name}` compiles to nothing: it has no "
                "`template` and no `network`",
                help="write one of them, or remove the workload",
            )
        )


def _check_installed(wiring: Wiring, consumer: str) -> None:
    declared = wiring.profile.consumers
    if not consumer:
        return
    if declared is not None and getattr(declared, Consumers.KEYS[consumer].attribute) is not None:
        return
    wiring.report(
        codes.CONTROLLER_NOT_INSTALLED.at(
            wiring.span("controller"),
            f"`controller: {wiring.spec.controller}` needs a controller that the cluster does "
            f"not name under `consumers`",
            help=f"add `consumers: {{{consumer}: {{version: ...}}}}` to the cluster if it is there",
        )
    )
