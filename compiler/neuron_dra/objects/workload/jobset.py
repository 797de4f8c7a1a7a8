"""JobSet: groups of pods that run to an end and are restarted as a whole.

One replicated Job, one child Job a group, since exclusive placement works per child Job. The
network is explicit, so that peers resolve before they are ready. A failed pod fails its Job at
once (`backoffLimit: 0`, `restartPolicy: Never`; the webhook's default would restart one rank in
place) and the JobSet restarts: without a failure policy the first lost cluster node would end it,
without a limit a broken program would hold its devices for ever, so three times.
`BlockingRecreate` waits until the old pods are gone: they hold all devices that the new ones
want.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.object import KubeObject
from neuron_dra.objects.workload.environment import Group, from_annotation, from_label
from neuron_dra.objects.workload.groups import check_ultraserver
from neuron_dra.objects.workload.job import COMPLETION_INDEX, RANK, job_spec
from neuron_dra.objects.workload.names import check_name, check_root
from neuron_dra.objects.workload.pod import pod_fields
from neuron_dra.objects.workload.template import Data
from neuron_dra.objects.workload.wiring import Wiring

CONSUMER = "jobSet"
OPTIONAL_TEMPLATE = ""
RESTART_POLICIES: tuple[str, ...] = ("Never",)
MAX_RESTARTS = 3

_REPLICATED_JOB = "group"
_EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"


def check(wiring: Wiring) -> None:
    """Diagnose what a JobSet cannot be."""
    groups, size, name = wiring.spec.replicas, wiring.spec.size, wiring.name
    if groups == 0:
        wiring.report(
            codes.GROUPS_NOT_POSSIBLE.at(
                wiring.span("replicas"),
                "`replicas: 0` is not possible: `controller: JobSet` takes at least 1",
                help="remove the workload, or its `template`",
            )
        )
    check_ultraserver(wiring, subgroups=False)
    last = f"{name}-{_REPLICATED_JOB}-{max(groups - 1, 0)}"
    # The webhook adds the five characters by which pods of one index differ.
    if check_name(wiring, "last pod", f"{last}-{size - 1}-xxxxx") and size > 1:
        check_root(wiring, f"{last}-0.{name}")


def group(wiring: Wiring) -> Group:
    """Return how the pods find each other: by the coordinator, or within each of several groups."""
    name = wiring.name
    if wiring.spec.replicas == 1:
        source = from_annotation("JOBSET_COORDINATOR", "jobset.sigs.k8s.io/coordinator")
        address = "$(JOBSET_COORDINATOR)"
    else:
        source = from_label("JOBSET_JOB_INDEX", "jobset.sigs.k8s.io/job-index")
        address = f"{name}-{_REPLICATED_JOB}-$(JOBSET_JOB_INDEX)-0.{name}"
    return Group((COMPLETION_INDEX, source), RANK, str(wiring.spec.size), address, address)


def build(wiring: Wiring, pods: Mapping[str, Data]) -> Iterator[KubeObject]:
    """Yield the JobSet."""
    job = "spec.replicatedJobs[0]"
    fields = {
        f"{job}.replicas": "spec.replicas",
        f"{job}.template.spec.completions": "spec.size",
        f"{job}.template.spec.parallelism": "spec.size",
    }
    spec = {
        "failurePolicy": {"maxRestarts": MAX_RESTARTS, "restartStrategy": "BlockingRecreate"},
        "network": {
            "enableDNSHostnames": True,
            "publishNotReadyAddresses": True,
            "subdomain": wiring.name,
        },
        "replicatedJobs": [
            {
                "name": _REPLICATED_JOB,
                "groupName": "default",
                "replicas": wiring.spec.replicas,
                "template": {"spec": job_spec(wiring.spec.size, pods["template"])},
            }
        ],
        "startupPolicy": {"startupPolicyOrder": "AnyOrder"},
        "successPolicy": {"operator": "All"},
    }
    if wiring.spec.replicas == 1 and wiring.spec.size > 1:
        coordinator = {"replicatedJob": _REPLICATED_JOB, "jobIndex": 0, "podIndex": 0}
        spec["coordinator"] = coordinator
    label = wiring.server_id_label if wiring.nodes_together > 1 else None
    yield wiring.make_object(
        "jobset.x-k8s.io/v1alpha2",
        "JobSet",
        spec,
        fields | pod_fields(f"{job}.template.spec.template"),
        annotations={_EXCLUSIVE: label} if label else None,
    )
