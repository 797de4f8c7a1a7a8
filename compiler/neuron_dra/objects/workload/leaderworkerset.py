"""LeaderWorkerSet: groups of pods that serve, or fill UltraServers.

A group restarts as a whole (`RecreateGroupOnPodRestart`), and its workers do not wait for the
leader to be ready (`LeaderCreated`), for a collective needs all of them. Rollouts surge by no
group: a group more would need free devices, or a spare UltraServer. Where the partition spans N
nodes of an UltraServer, a group of N shares one by the exclusive topology of the group, a larger
group by sub-groups of N. Absent a leader template, the leader is made from the workers' template.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_dra.objects.object import KubeObject
from neuron_dra.objects.workload.environment import Group, from_label
from neuron_dra.objects.workload.groups import check_ultraserver
from neuron_dra.objects.workload.names import check_name, check_root
from neuron_dra.objects.workload.pod import pod_fields
from neuron_dra.objects.workload.template import Data
from neuron_dra.objects.workload.wiring import Wiring

CONSUMER = "leaderWorkerSet"
OPTIONAL_TEMPLATE = ""
RESTART_POLICIES: tuple[str, ...] = ("Always",)

_DOMAIN = "leaderworkerset.sigs.k8s.io"
# A StatefulSet marks its pods with the label `<name>-<hash of at most ten characters>`.
_LONGEST_HASH = "xxxxxxxxxx"


def check(wiring: Wiring) -> None:
    """Diagnose what a LeaderWorkerSet cannot be."""
    check_ultraserver(wiring, subgroups=True)
    last = f"{wiring.name}-{max(wiring.spec.replicas - 1, 0)}"
    workers = wiring.spec.size > 1
    revision = f"{last if workers else wiring.name}-{_LONGEST_HASH}"
    if check_name(wiring, "pods' revision label", revision) and workers:
        check_root(wiring, f"{last}.{wiring.name}")


def group(wiring: Wiring) -> Group:
    """Return how the pods find each other; the controller puts its own variables first."""
    return Group(
        sources=(from_label("LWS_GROUP_INDEX", f"{_DOMAIN}/group-index"),),
        rank="$(LWS_WORKER_INDEX)",
        size="$(LWS_GROUP_SIZE)",
        master="$(LWS_LEADER_ADDRESS)",
        root=f"{wiring.name}-$(LWS_GROUP_INDEX).{wiring.name}",
    )


def build(wiring: Wiring, pods: Mapping[str, Data]) -> Iterator[KubeObject]:
    """Yield the LeaderWorkerSet."""
    root = "spec.leaderWorkerTemplate"
    template: Data = {
        "restartPolicy": "RecreateGroupOnPodRestart",
        "size": wiring.spec.size,
        "workerTemplate": pods["template"],
    }
    fields = {"spec.replicas": "spec.replicas", f"{root}.size": "spec.size"}
    fields |= pod_fields(f"{root}.workerTemplate")
    if "leaderTemplate" in pods:
        template["leaderTemplate"] = pods["leaderTemplate"]
        fields |= pod_fields(f"{root}.leaderTemplate", "leaderTemplate")
    annotations = {}
    label = wiring.server_id_label if wiring.nodes_together > 1 else None
    if label and wiring.spec.size == wiring.nodes_together:
        annotations[f"{_DOMAIN}/exclusive-topology"] = label
    elif label:
        annotations[f"{_DOMAIN}/subgroup-exclusive-topology"] = label
        nodes = wiring.nodes_together
        template["subGroupPolicy"] = {"subGroupPolicyType": "LeaderWorker", "subGroupSize": nodes}
    rollout = {"maxSurge": 0, "maxUnavailable": 1, "partition": 0}
    spec = {
        "leaderWorkerTemplate": template,
        "networkConfig": {"subdomainPolicy": "Shared"},
        "replicas": wiring.spec.replicas,
        "rolloutStrategy": {"rollingUpdateConfiguration": rollout, "type": "RollingUpdate"},
        "startupPolicy": "LeaderCreated",
    }
    api_version = "leaderworkerset.x-k8s.io/v1"
    yield wiring.make_object(api_version, "LeaderWorkerSet", spec, fields, annotations=annotations)
