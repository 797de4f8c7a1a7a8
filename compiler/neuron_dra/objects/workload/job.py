"""Job: one group of pods that run to an end.

A single pod, or an indexed Job whose pods start together. Job makes no Service, so a group gets a
headless one that also answers for pods that are not ready: ranks look for rank 0 while they
start. A group fails with its first pod (`backoffLimit: 0`, `restartPolicy: Never`): a pod that is
replaced or restarts alone does not restart its peers, which wait in the collective. A single pod
may be tried again. `podReplacementPolicy: Failed`, for a pod that still ends holds its devices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.objects.object import KubeObject
from neuron_dra.objects.workload.environment import Group, from_label
from neuron_dra.objects.workload.groups import refuse_ultraserver, require_single
from neuron_dra.objects.workload.names import check_name, check_root
from neuron_dra.objects.workload.pod import pod_fields
from neuron_dra.objects.workload.selector import pod_labels
from neuron_dra.objects.workload.template import Data
from neuron_dra.objects.workload.wiring import Wiring

CONSUMER = ""
OPTIONAL_TEMPLATE = ""
RESTART_POLICIES: tuple[str, ...] = ("Never", "OnFailure")
RETRIES = 6  # of a single pod, the default of Kubernetes

# The controller appends this variable last, where no other value can refer to it; declared by the
# user of the API it stays where it is.
COMPLETION_INDEX = from_label("JOB_COMPLETION_INDEX", "batch.kubernetes.io/job-completion-index")
RANK = "$(JOB_COMPLETION_INDEX)"


def check(wiring: Wiring) -> None:
    """Diagnose what a Job cannot be."""
    require_single(
        wiring, "replicas", wiring.spec.replicas, "use `controller: JobSet` for several groups"
    )
    refuse_ultraserver(wiring)
    name, size = wiring.name, wiring.spec.size
    if size > 1 and check_name(wiring, "last pod's host", f"{name}-{size - 1}"):
        check_root(wiring, f"{name}-0.{name}")


def group(wiring: Wiring) -> Group:
    """Return how the pods find each other."""
    address = f"{wiring.name}-0.{wiring.name}"
    return Group((COMPLETION_INDEX,), RANK, str(wiring.spec.size), address, address)


def build(wiring: Wiring, pods: Mapping[str, Data]) -> Iterator[KubeObject]:
    """Yield the Job, and the Service of a group."""
    pod = pods["template"]
    fields = {"spec.parallelism": "spec.size", "spec.completions": "spec.size"}
    if wiring.spec.size > 1:
        pod = {**pod, "spec": {**pod["spec"], "subdomain": wiring.name}}
    spec = job_spec(wiring.spec.size, pod)
    if wiring.spec.size == 1:
        spec |= {"backoffLimit": RETRIES, "completionMode": "NonIndexed"}
    yield wiring.make_object("batch/v1", "Job", spec, fields | pod_fields("spec.template"))
    if wiring.spec.size > 1:
        yield _build_service(wiring)


def job_spec(size: int, pod: Data) -> dict[str, Any]:
    """Return the spec of an indexed Job whose pods start and fail together."""
    return {
        "backoffLimit": 0,
        "completionMode": "Indexed",
        "completions": size,
        "parallelism": size,
        "podReplacementPolicy": "Failed",
        "template": pod,
    }


def _build_service(wiring: Wiring) -> KubeObject:
    spec = {
        "clusterIP": "None",
        "internalTrafficPolicy": "Cluster",
        "publishNotReadyAddresses": True,
        "selector": pod_labels(wiring.plan.workload),
        "sessionAffinity": "None",
        "type": "ClusterIP",
    }
    return wiring.make_object(
        "v1", "Service", spec, {"spec.selector": "metadata.name"}, suffix="service"
    )
