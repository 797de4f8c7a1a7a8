"""MPIJob: a launcher that starts one group of workers over ssh.

The workers claim the devices. The launcher (`leaderTemplate`) claims only if `claimContainers`
names one of its containers; then it is a worker as well (`runLauncherAsWorker`), counted in
`size`, and rank 0. It starts when the workers are ready, or it would spend its tries on ssh.
`cleanPodPolicy: Running` ends the workers with the launcher: by default they live on and keep
their devices. A host has as many slots as its claim has logical NeuronCores; a program with one
process a host sets that in its call of mpirun. Variables go to the launcher too, for `mpirun -x`:
a worker's ssh sessions do not see its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.object import KubeObject
from neuron_dra.objects.workload.environment import Group
from neuron_dra.objects.workload.groups import refuse_ultraserver, require_single
from neuron_dra.objects.workload.names import check_name, check_root
from neuron_dra.objects.workload.pod import pod_fields
from neuron_dra.objects.workload.template import Data
from neuron_dra.objects.workload.wiring import Wiring

CONSUMER = "mpiOperator"
OPTIONAL_TEMPLATE = "leaderTemplate"
RESTART_POLICIES: tuple[str, ...] = ("Never", "OnFailure")


def check(wiring: Wiring) -> None:
    """Diagnose what an MPIJob cannot be."""
    advice = "make one workload for each group"
    require_single(wiring, "replicas", wiring.spec.replicas, advice)
    refuse_ultraserver(wiring)
    if wiring.spec.leader_template is None:
        wiring.report(
            codes.LEADER_TEMPLATE_NEEDED.at(
                wiring.span("controller"),
                "`controller: MPIJob` needs `leaderTemplate`, the pod template of its launcher",
            )
        )
    if _launcher_computes(wiring) and wiring.spec.size == 1:
        wiring.report(
            codes.GROUPS_NOT_POSSIBLE.at(
                wiring.span("size"),
                "`size: 1` is not possible: the launcher uses devices and is counted, and an "
                "MPIJob needs a worker beside it",
                help="set `size: 2`, or use `controller: Job`",
            )
        )
    name = wiring.name
    longest = max(f"{name}-launcher", f"{name}-worker-{_last_worker(wiring)}", key=len)
    if check_name(wiring, "longest pod", longest) and wiring.spec.size > 1:
        check_root(wiring, group(wiring).root)


def group(wiring: Wiring) -> Group:
    """Return how the pods find each other; mpirun gives the ranks."""
    role = "launcher" if _launcher_computes(wiring) else "worker-0"
    address = f"{wiring.name}-{role}.{wiring.name}"
    return Group((), "", str(wiring.spec.size), address, address)


def build(wiring: Wiring, pods: Mapping[str, Data]) -> Iterator[KubeObject]:
    """Yield the MPIJob."""
    replicas = "spec.mpiReplicaSpecs"
    fields = {f"{replicas}.Worker.replicas": "spec.size"}
    fields |= pod_fields(f"{replicas}.Worker.template")
    fields |= {f"{replicas}.Launcher.template": "spec.leaderTemplate"}
    spec = {
        "launcherCreationPolicy": "WaitForWorkersReady",
        "mpiImplementation": "OpenMPI",
        "mpiReplicaSpecs": {
            "Launcher": _replicas(1, pods["leaderTemplate"]),
            "Worker": _replicas(_last_worker(wiring) + 1, pods["template"]),
        },
        "runLauncherAsWorker": _launcher_computes(wiring),
        "runPolicy": {"backoffLimit": 0, "cleanPodPolicy": "Running", "suspend": False},
        "slotsPerWorker": _logical_cores(wiring),
        "sshAuthMountPath": "/root/.ssh",
    }
    yield wiring.make_object("kubeflow.org/v2beta1", "MPIJob", spec, fields)


def _replicas(number: int, pod: Data) -> Data:
    """Return a replica spec; a restart policy left in the pod template would be an event."""
    pod_spec = {key: value for key, value in pod["spec"].items() if key != "restartPolicy"}
    return {
        "replicas": number,
        "restartPolicy": pod["spec"]["restartPolicy"],
        "template": {**pod, "spec": pod_spec},
    }


def _launcher_computes(wiring: Wiring) -> bool:
    return OPTIONAL_TEMPLATE in wiring.claiming


def _last_worker(wiring: Wiring) -> int:
    return max(wiring.spec.size - 1 - _launcher_computes(wiring), 0)


def _logical_cores(wiring: Wiring) -> int:
    """Return the logical NeuronCores of a claim, on the smallest instance type that serves it."""
    return min(
        kind.logical_cores(
            shape.logical_neuron_core or kind.chip.logical_neuron_core.default,
            None if shape.ultra_server_nodes is not None else shape.devices,
        )
        for shape, kind in wiring.hardware()
    )
