"""Shared memory: a memory-backed volume at /dev/shm for pods that claim several devices.

In: pod templates. Out: templates with the volume, unless the container mounts something there
already. A container has 64 MiB by default, too little for the workers and data loaders of several
devices. The size limit is 16 GiB a device, the measure of AWS' samples, but never more than half
of the instance's memory, where the kernel ends as well. What is stored there counts into the
container's memory limit; requests and limits themselves stay the user's.
"""

from __future__ import annotations

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.kube.quantity import to_integer
from neuron_dra.objects.workload.template import Data, PodTemplate
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.plan.partition import PlannedShape

VOLUME = "neuron-dra-shm"
_PATH = "/dev/shm"
_GIB_PER_DEVICE = 16
_GIB = 1 << 30


def wire_shared_memory(wiring: Wiring, template: PodTemplate, containers: tuple[str, ...]) -> None:
    """Mount shared memory in the containers that use several devices and have none."""
    limits = [_limit(shape, kind) for shape, kind in wiring.hardware()]
    if min(limits) <= _GIB_PER_DEVICE:
        return
    needing = [
        index
        for index, container in enumerate(template.containers)
        if container["name"] in containers and not _has_mount(container)
    ]
    for index in needing:
        mounts = template.containers[index].setdefault("volumeMounts", [])
        mounts.append({"name": VOLUME, "mountPath": _PATH})
        _compare(wiring, template, index, min(limits))
    if needing:
        volume = {"name": VOLUME, "emptyDir": {"medium": "Memory", "sizeLimit": f"{min(limits)}Gi"}}
        template.spec.setdefault("volumes", []).append(volume)


def _limit(shape: PlannedShape, kind: InstanceType) -> int:
    """Return the size limit in GiB on an instance type."""
    devices = kind.device_count if shape.ultra_server_nodes is not None else shape.devices
    memory = kind.facts.host.memory_gib if kind.facts.host else None
    wanted = _GIB_PER_DEVICE * devices
    return min(wanted, memory // 2) if memory else wanted


def _has_mount(container: Data) -> bool:
    mounts = container.get("volumeMounts", ())
    return any(mount["mountPath"].rstrip("/") == _PATH for mount in mounts)


def _compare(wiring: Wiring, template: PodTemplate, index: int, gib: int) -> None:
    container = template.containers[index]
    memory = container.get("resources", {}).get("limits", {}).get("memory")
    if memory is None or to_integer(memory) >= gib * _GIB:
        return
    wiring.report(
        codes.SHARED_MEMORY.at(
            template.span("containers", index, "resources", "limits", "memory"),
            f"container `{container['name']}` is limited to {memory} of memory, less than the "
            f"{gib}Gi that `{_PATH}` may hold and that count into it",
            help=f"raise the limit, or mount a smaller emptyDir at `{_PATH}`",
        )
    )
