"""LeaderWorkerSet: groups that serve together or fill UltraServers."""

from __future__ import annotations

import pytest

TEMPLATE = "template: {spec: {containers: [{name: serve, image: example.com/serve:1}]}}"
SERVER_ID = "example.com/server-id-4"
DOMAIN = "leaderworkerset.sigs.k8s.io"


@pytest.fixture
def ultra(fleet):
    fleet.nodes = 4
    fleet.kinds[0].server_id_label = {4: SERVER_ID}.get
    return fleet


def find_object(fleet, spec):
    return fleet.objects(spec)["LeaderWorkerSet"].data


def test_group(fleet):
    """A group restarts as a whole and a rollout needs no spare devices."""
    made = find_object(fleet, f"controller: LeaderWorkerSet\nreplicas: 3\nsize: 2\n{TEMPLATE}")
    worker = made["spec"]["leaderWorkerTemplate"].pop("workerTemplate")

    assert made["apiVersion"] == "leaderworkerset.x-k8s.io/v1"
    assert made["spec"] == {
        "leaderWorkerTemplate": {"restartPolicy": "RecreateGroupOnPodRestart", "size": 2},
        "networkConfig": {"subdomainPolicy": "Shared"},
        "replicas": 3,
        "rolloutStrategy": {
            "rollingUpdateConfiguration": {"maxSurge": 0, "maxUnavailable": 1, "partition": 0},
            "type": "RollingUpdate",
        },
        "startupPolicy": "LeaderCreated",
    }
    assert worker["spec"]["restartPolicy"] == "Always"
    assert worker["spec"]["containers"][0]["env"] == [
        {
            "name": "LWS_GROUP_INDEX",
            "valueFrom": {
                "fieldRef": {
                    "apiVersion": "v1",
                    "fieldPath": f"metadata.labels['{DOMAIN}/group-index']",
                }
            },
        },
        {"name": "NNODES", "value": "$(LWS_GROUP_SIZE)"},
        {"name": "NODE_RANK", "value": "$(LWS_WORKER_INDEX)"},
        {"name": "MASTER_ADDR", "value": "$(LWS_LEADER_ADDRESS)"},
        {"name": "MASTER_PORT", "value": "29500"},
        {"name": "NEURON_RT_ROOT_COMM_ID", "value": "train-$(LWS_GROUP_INDEX).train:62182"},
        {"name": "CCOM_SOCKET_IFNAME", "value": "eth0"},
    ]


def test_leader_template(fleet):
    """A leader with a template of its own claims devices as the workers do."""
    leader = TEMPLATE.replace("template:", "leaderTemplate:").replace("serve:1", "lead:1")
    made = find_object(fleet, f"controller: LeaderWorkerSet\nsize: 2\n{TEMPLATE}\n{leader}")
    templates = made["spec"]["leaderWorkerTemplate"]

    for key in ("leaderTemplate", "workerTemplate"):
        assert templates[key]["spec"]["resourceClaims"] == [
            {"name": "neuron", "resourceClaimTemplateName": "row"}
        ]
    assert templates["leaderTemplate"]["spec"]["containers"][0]["image"] == "example.com/lead:1"


def test_ultraserver(ultra):
    """A group as large as an UltraServer has one alone."""
    made = find_object(ultra, f"controller: LeaderWorkerSet\nreplicas: 2\nsize: 4\n{TEMPLATE}")

    assert made["metadata"]["annotations"][f"{DOMAIN}/exclusive-topology"] == SERVER_ID
    assert "subGroupPolicy" not in made["spec"]["leaderWorkerTemplate"]


def test_several_ultraservers(ultra):
    """A larger group is split into sub-groups, each alone in an UltraServer."""
    made = find_object(ultra, f"controller: LeaderWorkerSet\nsize: 16\n{TEMPLATE}")
    annotations = made["metadata"]["annotations"]

    assert annotations[f"{DOMAIN}/subgroup-exclusive-topology"] == SERVER_ID
    assert f"{DOMAIN}/exclusive-topology" not in annotations
    assert made["spec"]["leaderWorkerTemplate"]["subGroupPolicy"] == {
        "subGroupPolicyType": "LeaderWorker",
        "subGroupSize": 4,
    }


@pytest.mark.parametrize("size", [2, 6])
def test_part_of_an_ultraserver(ultra, size):
    """A group that leaves an UltraServer partly empty is refused at its size."""
    diagnostic = ultra.only(f"controller: LeaderWorkerSet\nsize: {size}\n{TEMPLATE}")

    assert diagnostic.code.slug == "ultraserver-groups"
    assert f"`size: {size}` is not a multiple of the 4 nodes" in diagnostic.message
    assert ultra.marked(diagnostic) == str(size)


def test_unknown_label(ultra):
    """Without a known node label nothing can keep a group together, except the operator."""
    ultra.kinds[0].server_id_label = {}.get
    spec = f"controller: LeaderWorkerSet\nsize: 4\n{TEMPLATE}"

    assert ultra.codes(spec) == ["ultraserver-groups"]
    ultra.operator = True
    made = find_object(ultra, spec)
    assert list(made["metadata"]["annotations"]) == ["argocd.argoproj.io/sync-wave"]


def test_names(fleet):
    """The pods' revision label has the name of a StatefulSet and ten characters more."""
    workload = """
apiVersion: neuron-dra.dev/v1alpha1
kind: NeuronWorkload
metadata: {name: NAME, namespace: research}
spec:
  cluster: prod
  partition: row
"""
    spec = f"controller: LeaderWorkerSet\n{TEMPLATE}"

    assert fleet.codes(spec, workload=workload.replace("NAME", "a" * 52)) == []
    assert fleet.codes(spec, workload=workload.replace("NAME", "a" * 53)) == [
        "derived-name-invalid"
    ]


def test_restart_policy(fleet):
    """Pods of a StatefulSet always restart."""
    spec = """
    controller: LeaderWorkerSet
    template:
      spec:
        restartPolicy: Never
        containers: [{name: serve, image: example.com/serve:1}]
    """
    diagnostic = fleet.only(spec)

    assert diagnostic.code.slug == "restart-policy-not-allowed"
    assert "only `Always`" in diagnostic.message
