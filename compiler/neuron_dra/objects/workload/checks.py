"""What defeats or doubles the allocation of a pod: remains of the device plugin and ways around it.

In: pod templates as the user wrote them. Out: diagnostics. What the API server refuses of any pod
is judged in `refusals`.
"""

from __future__ import annotations

from collections.abc import Iterable

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.kube.untyped import key_place_of
from neuron_dra.objects.workload.template import Data, PodTemplate, Where, all_containers
from neuron_dra.objects.workload.wiring import Wiring

_RESERVED_DOMAIN = "neuron-dra.dev/"
_PLUGIN_RESOURCES = ("aws.amazon.com/neuron", "vpc.amazonaws.com/efa")
_EXTENDED = "deviceclass.resource.kubernetes.io/"  # before the name of a DeviceClass
_PLUGIN_SCHEDULERS = ("my-scheduler", "neuron-scheduler")  # the names of the Neuron documentation
_DEVICE_PATHS = ("/dev/neuron", "/dev/infiniband")


def check_labels(wiring: Wiring, templates: Iterable[PodTemplate]) -> None:
    """Refuse labels of our own domain on pods: the compiler sets them."""
    for template in templates:
        for name in template.data.get("metadata", {}).get("labels", {}):
            if name.startswith(_RESERVED_DOMAIN):
                wiring.report(
                    codes.RESERVED_LABEL.at(
                        key_place_of(template.raw, "metadata", "labels", name),
                        f"the label `{name}` is set by the compiler",
                        help="remove it",
                    )
                )


def check_template(wiring: Wiring, template: PodTemplate, containers: tuple[str, ...]) -> None:
    """Diagnose what does not go with a claim; `containers` are those that use it."""
    if not containers:
        return
    _check_pod(wiring, template)
    _check_own_fields(wiring, template)
    for key, index, container in all_containers(template):
        _check_resources(wiring, template, (key, index, "resources"), container)
        if container.get("securityContext", {}).get("privileged"):
            wiring.report(
                codes.PRIVILEGED.at(
                    template.span(key, index, "securityContext", "privileged"),
                    f"container `{container['name']}` is privileged and reaches all devices of "
                    "its cluster node, those of other pods too",
                    help="neither Neuron nor EFA devices need it",
                )
            )


def _check_pod(wiring: Wiring, template: PodTemplate) -> None:
    spec = template.spec
    if spec.get("hostNetwork") and wiring.plan.partition.has_efa:
        wiring.report(
            codes.HOST_NETWORK.at(
                template.span("hostNetwork"),
                "a pod in the host's network has no network namespace for its EFA interfaces, "
                "and never starts",
                help="remove `hostNetwork`",
            )
        )
    if spec.get("schedulerName") in _PLUGIN_SCHEDULERS:
        wiring.report(
            codes.SCHEDULER_NAME.at(
                template.span("schedulerName"),
                f"`{spec['schedulerName']}` schedules for the Neuron device plugin",
                help="remove `schedulerName`: the default scheduler allocates claims",
            )
        )
    for index, volume in enumerate(spec.get("volumes", ())):
        path = volume.get("hostPath", {}).get("path", "")
        if path.startswith(_DEVICE_PATHS):
            wiring.report(
                codes.BYPASSES_ALLOCATION.at(
                    template.span("volumes", index, "hostPath"),
                    f"volume `{volume['name']}` mounts `{path}` of the host beside the claim",
                    help="remove the volume: the drivers give the pod its devices",
                )
            )


def _check_own_fields(wiring: Wiring, template: PodTemplate) -> None:
    """Refuse fields by which a pod leaves the scheduler, or its peers lose it."""
    owners = {"nodeName": "the scheduler, which allocates the claim"}
    if wiring.spec.size > 1:
        controller = f"`controller: {wiring.spec.controller}`, for the pods of a group"
        owners |= {"hostname": controller, "subdomain": controller}
    for key, owner in owners.items():
        if template.spec.get(key):
            wiring.report(
                codes.FIELD_NOT_ALLOWED.at(
                    template.span(key), f"`{key}` is set by {owner}", help="remove it"
                )
            )


def _check_resources(wiring: Wiring, template: PodTemplate, where: Where, container: Data) -> None:
    resources = container.get("resources", {})
    named: dict[str, str] = {}
    for kind in ("limits", "requests"):
        named |= dict.fromkeys(resources.get(kind, {}), kind)
    for name, kind in sorted(named.items()):
        if name.startswith(_PLUGIN_RESOURCES):
            wiring.report(
                codes.DEVICE_PLUGIN_RESOURCE.at(
                    template.key_span(*where, kind, name),
                    f"container `{container['name']}` asks a device plugin for `{name}` beside "
                    "the claim",
                    help="remove it: the claim gives the devices",
                )
            )
        elif name.startswith(_EXTENDED) or name in wiring.profile.extended_resources.values():
            wiring.report(
                codes.ASKED_TWICE.at(
                    template.key_span(*where, kind, name),
                    f"container `{container['name']}` asks for `{name}`: the pod would get a "
                    "second claim beside that of its partition",
                    help="remove it: the claim gives the devices",
                )
            )
    pages = sorted(name for name in named if name.startswith("hugepages-"))
    if pages and not {"cpu", "memory"} & set(named):
        wiring.report(
            codes.HUGEPAGES.at(
                template.key_span(*where, named[pages[0]], pages[0]),
                f"container `{container['name']}` asks for `{pages[0]}` without cpu or memory",
                help="add a cpu and a memory request; EFA falls back without huge pages",
            )
        )
