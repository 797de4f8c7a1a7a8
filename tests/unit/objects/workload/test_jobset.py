"""JobSet: groups that restart as a whole, one child Job each."""

from __future__ import annotations

TEMPLATE = "template: {spec: {containers: [{name: train, image: example.com/train:1}]}}"
SERVER_ID = "example.com/server-id-4"


def pod_of(jobset):
    (job,) = jobset["spec"]["replicatedJobs"]
    return job["template"]["spec"]["template"]


def env_of(jobset):
    variables = pod_of(jobset)["spec"]["containers"][0]["env"]
    return {each["name"]: each.get("value", each.get("valueFrom")) for each in variables}


def test_group(fleet):
    """One group has a coordinator, whose address its pods read from their annotations."""
    jobset = fleet.objects(f"controller: JobSet\nsize: 4\n{TEMPLATE}")["JobSet"].data
    pod = pod_of(jobset)
    spec = jobset["spec"]
    spec["replicatedJobs"][0]["template"]["spec"]["template"] = "pod"

    assert jobset["apiVersion"] == "jobset.x-k8s.io/v1alpha2"
    assert spec == {
        "coordinator": {"replicatedJob": "group", "jobIndex": 0, "podIndex": 0},
        "failurePolicy": {"maxRestarts": 3, "restartStrategy": "BlockingRecreate"},
        "network": {
            "enableDNSHostnames": True,
            "publishNotReadyAddresses": True,
            "subdomain": "train",
        },
        "replicatedJobs": [
            {
                "name": "group",
                "groupName": "default",
                "replicas": 1,
                "template": {
                    "spec": {
                        "backoffLimit": 0,
                        "completionMode": "Indexed",
                        "completions": 4,
                        "parallelism": 4,
                        "podReplacementPolicy": "Failed",
                        "template": "pod",
                    }
                },
            }
        ],
        "startupPolicy": {"startupPolicyOrder": "AnyOrder"},
        "successPolicy": {"operator": "All"},
    }
    assert pod["spec"]["restartPolicy"] == "Never"
    assert "subdomain" not in pod["spec"]


def test_coordinator(fleet):
    """The rank is the completion index, the address of rank 0 the coordinator's."""
    env = env_of(fleet.objects(f"controller: JobSet\nsize: 4\n{TEMPLATE}")["JobSet"].data)

    assert env["JOBSET_COORDINATOR"]["fieldRef"]["fieldPath"] == (
        "metadata.annotations['jobset.sigs.k8s.io/coordinator']"
    )
    assert env["MASTER_ADDR"] == "$(JOBSET_COORDINATOR)"
    assert env["NEURON_RT_ROOT_COMM_ID"] == "$(JOBSET_COORDINATOR):62182"
    assert env["NODE_RANK"] == "$(JOB_COMPLETION_INDEX)"
    assert env["NNODES"] == "4"


def test_several_groups(fleet):
    """Each of several groups has its own rank 0, found by the index of its child Job."""
    jobset = fleet.objects(f"controller: JobSet\nsize: 4\nreplicas: 3\n{TEMPLATE}")["JobSet"].data
    env = env_of(jobset)

    assert "coordinator" not in jobset["spec"]
    assert jobset["spec"]["replicatedJobs"][0]["replicas"] == 3
    assert env["MASTER_ADDR"] == "train-group-$(JOBSET_JOB_INDEX)-0.train"
    assert env["JOBSET_JOB_INDEX"]["fieldRef"]["fieldPath"] == (
        "metadata.labels['jobset.sigs.k8s.io/job-index']"
    )


def test_single_pods(fleet):
    """Pods that work alone need no address."""
    jobset = fleet.objects(f"controller: JobSet\nreplicas: 2\n{TEMPLATE}")["JobSet"].data

    assert "env" not in pod_of(jobset)["spec"]["containers"][0]
    assert jobset["spec"]["replicatedJobs"][0]["template"]["spec"]["completionMode"] == "Indexed"


def test_no_groups(fleet):
    """A JobSet without groups has nothing to coordinate."""
    assert fleet.codes(f"controller: JobSet\nreplicas: 0\n{TEMPLATE}") == ["groups-not-possible"]


def test_exclusive_ultraserver(fleet):
    """A group that fills an UltraServer has it alone."""
    fleet.nodes = 4
    fleet.kinds[0].server_id_label = {4: SERVER_ID}.get
    jobset = fleet.objects(f"controller: JobSet\nsize: 4\n{TEMPLATE}")["JobSet"].data

    assert jobset["metadata"]["annotations"] == {
        "alpha.jobset.sigs.k8s.io/exclusive-topology": SERVER_ID,
        "argocd.argoproj.io/sync-wave": "0",
    }


def test_larger_than_an_ultraserver(fleet):
    """Only a LeaderWorkerSet splits a group over several UltraServers."""
    fleet.nodes = 4
    fleet.kinds[0].server_id_label = {4: SERVER_ID}.get
    diagnostic = fleet.only(f"controller: JobSet\nsize: 8\n{TEMPLATE}")

    assert diagnostic.code.slug == "ultraserver-groups"
    assert "`size: 8` is not equal to the 4 nodes" in diagnostic.message
    assert "LeaderWorkerSet" in diagnostic.help


def test_not_installed(fleet):
    """A controller that the cluster does not name is taken as not installed."""
    fleet.replace("    jobSet: {version: 0.11.1}\n", "")
    diagnostic = fleet.only(f"controller: JobSet\n{TEMPLATE}")

    assert diagnostic.code.slug == "controller-not-installed"
    assert "jobSet" in diagnostic.help
    assert fleet.marked(diagnostic) == "JobSet"


def test_no_consumers(fleet):
    """A cluster may name no controllers at all; what Kubernetes has built in is there."""
    start = fleet.text.index("  consumers:")
    fleet.text = fleet.text[:start] + fleet.text[fleet.text.index("  nodePools:") :]

    assert fleet.codes(f"controller: JobSet\n{TEMPLATE}") == ["controller-not-installed"]
    assert fleet.codes(f"controller: Job\n{TEMPLATE}") == []


def test_names(fleet):
    """The name of a pod ends in five characters that the JobSet webhook counts."""
    workload = """
apiVersion: neuron-dra.dev/v1alpha1
kind: NeuronWorkload
metadata: {name: NAME, namespace: research}
spec:
  cluster: prod
  partition: row
"""
    spec = f"controller: JobSet\n{TEMPLATE}"
    fits = workload.replace("NAME", "a" * 47)  # and `-group-0-0-xxxxx`

    assert fleet.codes(spec, workload=fits) == []
    assert fleet.codes(spec, workload=workload.replace("NAME", "a" * 48)) == [
        "derived-name-invalid"
    ]
