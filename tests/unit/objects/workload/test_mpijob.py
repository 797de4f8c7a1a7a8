"""MPIJob: a launcher and the workers that it starts."""

from __future__ import annotations

SPEC = """
controller: MPIJob
size: 2
template: {spec: {containers: [{name: worker, image: example.com/mpi:1}]}}
leaderTemplate: {spec: {containers: [{name: launcher, image: example.com/mpi:1}]}}
"""


def find_object(fleet, spec):
    return fleet.objects(spec)["MPIJob"].data


def env_of(replicas):
    (container,) = replicas["template"]["spec"]["containers"]
    return {each["name"]: each["value"] for each in container["env"]}


def test_workers(fleet):
    """The workers claim the devices and end with the launcher, which starts when they are ready."""
    made = find_object(fleet, SPEC)
    replicas = made["spec"].pop("mpiReplicaSpecs")
    worker = replicas["Worker"]["template"]["spec"]

    assert made["apiVersion"] == "kubeflow.org/v2beta1"
    assert made["spec"] == {
        "launcherCreationPolicy": "WaitForWorkersReady",
        "mpiImplementation": "OpenMPI",
        "runLauncherAsWorker": False,
        "runPolicy": {"backoffLimit": 0, "cleanPodPolicy": "Running", "suspend": False},
        "slotsPerWorker": 8,
        "sshAuthMountPath": "/root/.ssh",
    }
    assert replicas["Worker"]["replicas"] == 2
    assert replicas["Worker"]["restartPolicy"] == "Never"
    assert "restartPolicy" not in worker
    assert worker["resourceClaims"] == [{"name": "neuron", "resourceClaimTemplateName": "row"}]
    assert worker["containers"][0]["resources"] == {"claims": [{"name": "neuron"}]}
    assert "command" not in worker["containers"][0]


def test_launcher(fleet):
    """A launcher that only starts the workers holds no devices and is free to land anywhere."""
    replicas = find_object(fleet, SPEC)["spec"]["mpiReplicaSpecs"]
    launcher = replicas["Launcher"]

    assert launcher["replicas"] == 1
    assert launcher["template"] == {
        "metadata": {
            "labels": {
                "neuron-dra.dev/partition": "row",
                "neuron-dra.dev/tenant": "research",
                "neuron-dra.dev/workload": "train",
            }
        },
        "spec": {
            "automountServiceAccountToken": False,
            "containers": [
                {
                    "name": "launcher",
                    "image": "example.com/mpi:1",
                    "env": [
                        {"name": "NNODES", "value": "2"},
                        {"name": "MASTER_ADDR", "value": "train-worker-0.train"},
                        {"name": "MASTER_PORT", "value": "29500"},
                        {"name": "NEURON_RT_ROOT_COMM_ID", "value": "train-worker-0.train:62182"},
                        {"name": "CCOM_SOCKET_IFNAME", "value": "eth0"},
                    ],
                }
            ],
        },
    }
    assert env_of(launcher) == env_of(replicas["Worker"])


def test_computing_launcher(fleet):
    """A launcher that uses devices is one of the group, and its rank 0."""
    made = find_object(fleet, SPEC + "claimContainers: [worker, launcher]\n")
    replicas = made["spec"]["mpiReplicaSpecs"]

    assert made["spec"]["runLauncherAsWorker"] is True
    assert replicas["Worker"]["replicas"] == 1
    assert "resourceClaims" in replicas["Launcher"]["template"]["spec"]
    assert env_of(replicas["Worker"])["MASTER_ADDR"] == "train-launcher.train"
    assert env_of(replicas["Worker"])["NNODES"] == "2"


def test_computing_launcher_alone(fleet):
    """A launcher that uses devices needs a worker beside it."""
    spec = SPEC.replace("size: 2", "size: 1") + "claimContainers: [worker, launcher]\n"

    assert fleet.codes(spec) == ["groups-not-possible"]


def test_restart_policy(fleet):
    """A policy of the pod template is told beside it, where the operator reads it."""
    containers = "containers: [{name: worker"
    spec = SPEC.replace(containers, f"restartPolicy: OnFailure, {containers}")
    replicas = find_object(fleet, spec.replace("size: 2", "size: 1"))["spec"]["mpiReplicaSpecs"]

    assert replicas["Worker"]["restartPolicy"] == "OnFailure"
    assert replicas["Launcher"]["restartPolicy"] == "Never"
    assert "restartPolicy" not in replicas["Worker"]["template"]["spec"]
    assert fleet.codes(spec) == ["restart-policy-not-allowed"]


def test_missing_launcher(fleet):
    """There is no MPIJob without the template of its launcher."""
    spec = SPEC[: SPEC.index("leaderTemplate")]
    objects, (diagnostic,) = fleet.render(spec)

    assert diagnostic.code.slug == "leader-template-needed"
    assert objects == []


def test_slots(fleet):
    """A host has a slot for each logical NeuronCore of the claim."""
    fleet.lnc = 2
    made = find_object(fleet, SPEC)

    assert made["spec"]["slotsPerWorker"] == 4
    assert env_of(made["spec"]["mpiReplicaSpecs"]["Worker"])["NEURON_LOGICAL_NC_CONFIG"] == "2"


def test_several_groups(fleet):
    """An MPIJob is one group."""
    assert fleet.codes(SPEC + "replicas: 2\n") == ["groups-not-possible"]
