"""What defeats or doubles an allocation."""

from __future__ import annotations

import pytest

CONTAINER = "{name: train, image: example.com/train:1, FIELDS}"
SPEC = """
controller: Job
template:
  spec:
    containers: [CONTAINER]
"""


def with_pod(field):
    return SPEC.replace("CONTAINER", CONTAINER.replace(", FIELDS", "")) + f"    {field}\n"


def with_container(fields):
    return SPEC.replace("CONTAINER", CONTAINER.replace("FIELDS", fields))


@pytest.mark.parametrize(
    ("field", "slug", "marked"),
    [
        ("hostNetwork: true", "host-network-with-efa", "true"),
        ("schedulerName: my-scheduler", "device-plugin-scheduler", "my-scheduler"),
        (
            "volumes: [{name: d, hostPath: {path: /dev/neuron0}}]",
            "bypasses-allocation",
            "{path: /dev/neuron0}",
        ),
        (
            "volumes: [{name: d, hostPath: {path: /dev/infiniband}}]",
            "bypasses-allocation",
            "{path: /dev/infiniband}",
        ),
    ],
)
def test_pod(fleet, field, slug, marked):
    """A pod must not reach around its claim, nor want another scheduler."""
    diagnostic = fleet.only(with_pod(field))

    assert diagnostic.code.slug == slug
    assert fleet.marked(diagnostic) == marked


@pytest.mark.parametrize(
    "field",
    [
        "hostNetwork: false",
        "schedulerName: volcano",
        "volumes: [{name: d, hostPath: {path: /data}}]",
    ],
)
def test_sound_pod(fleet, field):
    """What only looks alike is not told."""
    assert fleet.codes(with_pod(field)) == []


@pytest.mark.parametrize(
    ("field", "size", "owner"),
    [
        ("nodeName: n1", 1, "the scheduler"),
        ("nodeName: n1", 2, "the scheduler"),
        ("hostname: first", 2, "`controller: Job`"),
        ("subdomain: peers", 2, "`controller: Job`"),
        ("hostname: first", 1, ""),
    ],
)
def test_fields_of_others(fleet, field, size, owner):
    """A pod does not set what the scheduler or its controller must set."""
    _, diagnostics = fleet.render(with_pod(field) + f"size: {size}\n")

    assert [each.code.slug for each in diagnostics] == ["template-field-not-allowed"] * bool(owner)
    assert all(owner in each.message for each in diagnostics)


def test_host_network_without_efa(fleet):
    """The host's network is in nobody's way without EFA interfaces."""
    fleet.efa = 0

    assert fleet.codes(with_pod("hostNetwork: true")) == []


@pytest.mark.parametrize(
    ("fields", "slug", "marked"),
    [
        (
            "resources: {limits: {aws.amazon.com/neuron: 4}}",
            "device-plugin-resource",
            "aws.amazon.com/neuron",
        ),
        (
            "resources: {requests: {vpc.amazonaws.com/efa: 8}}",
            "device-plugin-resource",
            "vpc.amazonaws.com/efa",
        ),
        (
            "resources: {limits: {hugepages-2Mi: 5120Mi}}",
            "hugepages-without-memory",
            "hugepages-2Mi",
        ),
        ("securityContext: {privileged: true}", "privileged-container", "true"),
    ],
)
def test_container(fleet, fields, slug, marked):
    """A container must not ask for devices beside the claim."""
    diagnostic = fleet.only(with_container(fields))

    assert diagnostic.code.slug == slug
    assert fleet.marked(diagnostic) == marked


def test_asked_twice(fleet):
    """A resource in limits and requests is told once."""
    fields = "resources: {limits: {aws.amazon.com/neuron: 4}, requests: {aws.amazon.com/neuron: 4}}"

    assert fleet.codes(with_container(fields)) == ["device-plugin-resource"]


def test_hugepages_with_memory(fleet):
    """Huge pages go with a cpu or memory request."""
    fields = "resources: {limits: {hugepages-2Mi: 5120Mi, cpu: 4}}"

    assert fleet.codes(with_container(fields)) == []


def test_init_container(fleet):
    """Init containers are looked at too."""
    spec = with_pod(
        "initContainers: [{name: i, image: example.com/i:1, resources: "
        "{limits: {aws.amazon.com/neuroncore: 1}}}]"
    )

    assert fleet.codes(spec) == ["device-plugin-resource"]


def test_launcher(fleet):
    """A launcher without devices may do as it likes."""
    spec = """
    controller: MPIJob
    template: {spec: {containers: [{name: worker, image: example.com/mpi:1}]}}
    leaderTemplate:
      spec:
        hostNetwork: true
        containers: [{name: launcher, image: example.com/mpi:1}]
    """

    assert fleet.codes(spec) == []


def test_reserved_label(fleet):
    """A label of the compiler's domain is refused on pods."""
    spec = """
    controller: Job
    template:
      metadata: {labels: {neuron-dra.dev/workload: other}}
      spec: {containers: [{name: train, image: example.com/train:1}]}
    """
    diagnostic = fleet.only(spec)

    assert diagnostic.code.slug == "reserved-label"
    assert fleet.marked(diagnostic) == "neuron-dra.dev/workload"


@pytest.mark.parametrize(
    "resource", ["example.com/a-large", "deviceclass.resource.kubernetes.io/neuron-a-large"]
)
def test_extended_resource(fleet, resource):
    """A resource that a DeviceClass gives would be a second claim of the pod."""
    fleet.replace("nodePools:", "extendedResources: {a.large: example.com/a-large}\n  nodePools:")
    diagnostic = fleet.only(with_container(f"resources: {{limits: {{{resource}: 4}}}}"))

    assert diagnostic.code.slug == "devices-asked-twice"
    assert fleet.marked(diagnostic) == resource


def test_other_resource(fleet):
    """A resource of others goes with a claim."""
    assert fleet.codes(with_container("resources: {limits: {example.com/gpu: 4}}")) == []


def test_labels(fleet):
    """Labels of the workload are put on its object, labels of the template on the pods."""
    workload = """
apiVersion: neuron-dra.dev/v1alpha1
kind: NeuronWorkload
metadata: {name: train, namespace: research, labels: {kueue.x-k8s.io/queue-name: ml}}
spec:
  cluster: prod
  partition: row
"""
    spec = """
    controller: Job
    template:
      metadata: {labels: {app: train}, annotations: {note: "yes"}}
      spec: {containers: [{name: train, image: example.com/train:1}]}
    """
    job = fleet.objects(spec, workload=workload)["Job"].data
    pod = job["spec"]["template"]["metadata"]

    assert job["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] == "ml"
    assert "app" not in job["metadata"]["labels"]
    assert pod["labels"] == {
        "app": "train",
        "neuron-dra.dev/partition": "row",
        "neuron-dra.dev/tenant": "research",
        "neuron-dra.dev/workload": "train",
    }
    assert pod["annotations"] == {"note": "yes"}
