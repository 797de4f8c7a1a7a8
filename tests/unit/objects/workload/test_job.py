"""Job: the objects of single pods and of groups, and what a Job cannot be."""

from __future__ import annotations

import pytest

TEMPLATE = "template: {spec: {containers: [{name: train, image: example.com/train:1}]}}"
LABELS = {
    "neuron-dra.dev/partition": "row",
    "neuron-dra.dev/tenant": "research",
    "neuron-dra.dev/workload": "train",
}
METADATA = {
    "name": "train",
    "namespace": "research",
    "labels": {"app.kubernetes.io/managed-by": "neuron-dra", **LABELS},
    "annotations": {"argocd.argoproj.io/sync-wave": "0"},
}


def test_group(fleet, validate):
    """A group is an indexed Job whose pods find rank 0 by a headless Service."""
    objects = fleet.objects(f"controller: Job\nsize: 2\n{TEMPLATE}")
    job, service = objects["Job"].data, objects["Service"].data

    assert list(objects) == ["Job", "Service"]
    assert service == {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": METADATA,
        "spec": {
            "clusterIP": "None",
            "internalTrafficPolicy": "Cluster",
            "publishNotReadyAddresses": True,
            "selector": {"batch.kubernetes.io/job-name": "train"},
            "sessionAffinity": "None",
            "type": "ClusterIP",
        },
    }
    assert job == {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": METADATA,
        "spec": {
            "backoffLimit": 0,
            "completionMode": "Indexed",
            "completions": 2,
            "parallelism": 2,
            "podReplacementPolicy": "Failed",
            "template": {
                "metadata": {"labels": LABELS},
                "spec": {
                    "affinity": {
                        "nodeAffinity": {
                            "requiredDuringSchedulingIgnoredDuringExecution": {
                                "nodeSelectorTerms": [
                                    {
                                        "matchExpressions": [
                                            {
                                                "key": "node.kubernetes.io/instance-type",
                                                "operator": "In",
                                                "values": ["a.large"],
                                            }
                                        ]
                                    }
                                ]
                            }
                        }
                    },
                    "automountServiceAccountToken": False,
                    "containers": [
                        {
                            "name": "train",
                            "image": "example.com/train:1",
                            "env": [
                                {
                                    "name": "JOB_COMPLETION_INDEX",
                                    "valueFrom": {
                                        "fieldRef": {
                                            "apiVersion": "v1",
                                            "fieldPath": "metadata.labels["
                                            "'batch.kubernetes.io/job-completion-index']",
                                        }
                                    },
                                },
                                {"name": "NNODES", "value": "2"},
                                {"name": "NODE_RANK", "value": "$(JOB_COMPLETION_INDEX)"},
                                {"name": "MASTER_ADDR", "value": "train-0.train"},
                                {"name": "MASTER_PORT", "value": "29500"},
                                {"name": "NEURON_RT_ROOT_COMM_ID", "value": "train-0.train:62182"},
                                {"name": "CCOM_SOCKET_IFNAME", "value": "eth0"},
                            ],
                            "resources": {"claims": [{"name": "neuron"}]},
                            "volumeMounts": [{"name": "neuron-dra-shm", "mountPath": "/dev/shm"}],
                        }
                    ],
                    "resourceClaims": [{"name": "neuron", "resourceClaimTemplateName": "row"}],
                    "restartPolicy": "Never",
                    "subdomain": "train",
                    "volumes": [
                        {
                            "name": "neuron-dra-shm",
                            "emptyDir": {"medium": "Memory", "sizeLimit": "64Gi"},
                        }
                    ],
                },
            },
        },
    }
    validate(job)
    validate(service)


def test_single_pod(fleet, validate):
    """A single pod needs no index, no Service and no address of rank 0."""
    objects = fleet.objects(f"controller: Job\n{TEMPLATE}")
    spec = objects["Job"].data["spec"]
    pod = spec["template"]["spec"]

    assert list(objects) == ["Job"]
    assert (spec["completionMode"], spec["completions"]) == ("NonIndexed", 1)
    assert spec["backoffLimit"] == 6
    assert "subdomain" not in pod
    assert "env" not in pod["containers"][0]
    validate(objects["Job"].data)


def test_files(fleet):
    """The objects of a workload lie side by side, in files that no other workload can have."""
    objects = fleet.objects(f"controller: Job\nsize: 2\n{TEMPLATE}")
    folder = "manifests/namespaces/research/workloads"

    assert objects["Job"].path == f"{folder}/train.yaml"
    assert objects["Service"].path == f"{folder}/train.service.yaml"


def test_causes(fleet):
    """An object names the documents that caused it, and the keys behind its fields."""
    job = fleet.objects(f"controller: Job\nsize: 2\n{TEMPLATE}")["Job"]
    workload = "NeuronWorkload/research/train"

    assert job.documents == (workload, "Partition/row", "Tenant/research")
    assert job.fields["spec.parallelism"] == f"{workload} spec.size"
    assert job.fields["spec.template.spec.resourceClaims"] == f"{workload} spec.partition"


def test_several_groups(fleet):
    """A Job is one group; a JobSet makes several."""
    diagnostic = fleet.only(f"controller: Job\nreplicas: 3\n{TEMPLATE}")

    assert diagnostic.code.slug == "groups-not-possible"
    assert diagnostic.message == "`replicas: 3` is not possible: `controller: Job` takes 1"
    assert "JobSet" in diagnostic.help
    assert fleet.marked(diagnostic) == "3"


def test_ultraserver(fleet):
    """A Job cannot keep its pods in one UltraServer."""
    fleet.nodes = 4
    diagnostic = fleet.only(f"controller: Job\nsize: 4\n{TEMPLATE}")

    assert diagnostic.code.slug == "ultraserver-groups"
    assert "LeaderWorkerSet" in diagnostic.help


@pytest.mark.parametrize(
    ("size", "policy", "slugs"),
    [
        (1, "OnFailure", []),
        (1, "Never", []),
        (1, "Always", ["restart-policy-not-allowed"]),
        (2, "OnFailure", ["restart-policy-not-allowed"]),
    ],
)
def test_restart_policy(fleet, size, policy, slugs):
    """A group must fail as a whole, a single pod may restart in place."""
    spec = f"""
    controller: Job
    size: {size}
    template:
      spec:
        restartPolicy: {policy}
        containers: [{{name: train, image: example.com/train:1}}]
    """

    assert fleet.codes(spec) == slugs


@pytest.mark.parametrize(("length", "slugs"), [(30, []), (31, ["root-address-too-long"])])
def test_root_address(fleet, length, slugs):
    """The address `<job>-0.<job>` of rank 0 may have 63 characters."""
    name = "a" * length
    fleet_spec = f"controller: Job\nsize: 2\n{TEMPLATE}"

    assert rename(fleet, name, fleet_spec) == slugs


def test_root_address_help(fleet):
    """The help counts both places where the name stands in the address."""
    workload = renamed("a" * 33)
    diagnostic = fleet.only(f"controller: Job\nsize: 2\n{TEMPLATE}", workload=workload)

    assert "has 69" not in diagnostic.message
    assert "with 69 characters" in diagnostic.message
    assert diagnostic.help == "shorten the workload's name by 3 characters"


def test_host_name(fleet):
    """A host name that is too long is told once, without the address that holds it."""
    assert rename(fleet, "a" * 62, f"controller: Job\nsize: 2\n{TEMPLATE}") == [
        "derived-name-invalid"
    ]


def test_first_letter(fleet):
    """The Service of a group cannot begin with a digit, the Job of a single pod can."""
    workload = renamed("7b-train")
    diagnostic = fleet.only(f"controller: Job\nsize: 2\n{TEMPLATE}", workload=workload)

    assert diagnostic.help == "begin the workload's name with a letter"
    assert fleet.codes(f"controller: Job\n{TEMPLATE}", workload=workload) == []


def renamed(name):
    return f"""
apiVersion: neuron-dra.dev/v1alpha1
kind: NeuronWorkload
metadata: {{name: {name}, namespace: research}}
spec:
  cluster: prod
  partition: row
"""


def rename(fleet, name, spec):
    return fleet.codes(spec, workload=renamed(name))
