"""How the pods of a workload are found."""

from __future__ import annotations

import pytest

from neuron_dra.objects.workload.render import CONTROLLERS
from neuron_dra.objects.workload.selector import pod_labels, pod_selector
from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents
from neuron_dra.spec.workload import CONTROLLERS as WORDS

DOCUMENT = """
apiVersion: neuron-dra.dev/v1alpha1
kind: NeuronWorkload
metadata: {name: train, namespace: research}
spec:
  cluster: prod
  partition: row
"""


def read(spec):
    specs, problems = read_documents([Source("specs/a.yaml", (DOCUMENT + spec).encode())])
    assert problems == []
    (workload,) = specs.workloads
    return workload


@pytest.mark.parametrize(
    ("controller", "label"),
    [
        ("Deployment", "neuron-dra.dev/workload"),
        ("Job", "batch.kubernetes.io/job-name"),
        ("JobSet", "jobset.sigs.k8s.io/jobset-name"),
        ("LeaderWorkerSet", "leaderworkerset.sigs.k8s.io/name"),
        ("MPIJob", "training.kubeflow.org/job-name"),
        ("external", "neuron-dra.dev/workload"),
    ],
)
def test_labels(controller, label):
    """The pods of a controller carry its own label with the workload's name."""
    workload = read(f"  controller: {controller}\n")

    assert pod_labels(workload) == {label: "train"}
    assert pod_selector(workload) == {"matchLabels": {label: "train"}}


def test_external():
    """The pods of an external controller are those that the user names."""
    workload = read(
        """\
  controller: external
  podSelector:
    matchLabels: {ray.io/cluster: a, app: b}
    matchExpressions:
    - {key: role, operator: In, values: [head, worker]}
    - {key: x, operator: Exists}
"""
    )

    assert pod_labels(workload) == {"app": "b", "ray.io/cluster": "a"}
    assert pod_selector(workload) == {
        "matchLabels": {"app": "b", "ray.io/cluster": "a"},
        "matchExpressions": [
            {"key": "role", "operator": "In", "values": ["head", "worker"]},
            {"key": "x", "operator": "Exists"},
        ],
    }


def test_every_controller_is_wired():
    """Every controller that the language knows is wired, or makes its pods elsewhere."""
    assert {*CONTROLLERS, "external"} == set(WORDS)
    assert list(CONTROLLERS) == sorted(CONTROLLERS)
