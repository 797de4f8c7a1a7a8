"""The user's pod template: read by Kubernetes' types, and kept."""

from __future__ import annotations

import pytest

from neuron_dra.kube.hole import Hole

SPEC = """
controller: Job
template:
  spec:
    containers:
    - name: train
      image: example.com/train:1
"""


def job_of(fleet, spec):
    return fleet.objects(spec)["Job"].data["spec"]["template"]["spec"]


def test_texts_stay_texts(fleet):
    """Scalars mean what their field's type says."""
    spec = SPEC + (
        "      command: [train, --version, 1.30, --fast, no]\n"
        "      env: [{name: MODE, value: 0777}, {name: ON, value: yes}]\n"
        "      ports: [{containerPort: 8000}]\n"
        "      readinessProbe: {httpGet: {path: /, port: 8000}, periodSeconds: 10}\n"
        "      resources: {limits: {cpu: 4, memory: 300Gi}}\n"
        "    terminationGracePeriodSeconds: 600\n"
    )
    pod = job_of(fleet, spec)
    (container,) = pod["containers"]

    assert container["command"] == ["train", "--version", "1.30", "--fast", "no"]
    assert container["env"] == [{"name": "MODE", "value": "0777"}, {"name": "ON", "value": "yes"}]
    assert container["readinessProbe"]["httpGet"] == {"path": "/", "port": 8000}
    assert container["resources"]["limits"] == {"cpu": "4", "memory": "300Gi"}
    assert pod["terminationGracePeriodSeconds"] == 600


def test_order_of_keys(fleet):
    """Keys stand in one order, whoever wrote them in which."""
    first = SPEC + "      command: [a]\n    priorityClassName: high\n    dnsPolicy: Default\n"
    second = """
    controller: Job
    template:
      spec:
        dnsPolicy: Default
        containers:
        - command: [a]
          image: example.com/train:1
          name: train
        priorityClassName: high
    """

    assert str(job_of(fleet, first)) == str(job_of(fleet, second))
    assert list(job_of(fleet, first)["containers"][0])[:3] == ["name", "image", "command"]


def test_service_account(fleet):
    """A pod that names a service account keeps its token."""
    pod = job_of(fleet, SPEC + "    serviceAccountName: trainer\n")

    assert "automountServiceAccountToken" not in pod
    assert job_of(fleet, SPEC)["automountServiceAccountToken"] is False


def test_own_token(fleet):
    """A pod that asks for a token gets it."""
    pod = job_of(fleet, SPEC + "    automountServiceAccountToken: true\n")

    assert pod["automountServiceAccountToken"] is True


def test_misspelt_field(fleet):
    """A field that Kubernetes does not know is told with the closest one."""
    diagnostic = fleet.only(SPEC.replace("image:", "imgae:"))

    assert diagnostic.code.slug == "template-unknown-field"
    assert diagnostic.message == "a Container has no field `imgae`"
    assert diagnostic.help == "did you mean `image`?"
    assert fleet.marked(diagnostic) == "imgae"


def test_wrong_type(fleet):
    """A value of another type is told at its place."""
    diagnostic = fleet.only(SPEC + "    hostNetwork: yes\n")

    assert diagnostic.code.slug == "template-wrong-type"
    assert diagnostic.message == "expected `true` or `false`, found `yes`"
    assert diagnostic.help == "write `true` or `false`"


@pytest.mark.parametrize(
    "template", ["{}", "{metadata: {labels: {a: b}}}", "{spec: {containers: []}}"]
)
def test_no_containers(fleet, template):
    """A template without containers makes no pods."""
    assert fleet.codes(f"controller: Job\ntemplate: {template}") == ["template-missing-field"]


def test_all_problems(fleet):
    """All problems of both templates are told in one run."""
    spec = """
    controller: LeaderWorkerSet
    template: {spec: {containers: [{nmae: a}], nodeName: [x]}}
    leaderTemplate: {spec: {conts: []}}
    """

    assert sorted(fleet.codes(spec)) == [
        "template-missing-field",
        "template-missing-field",
        "template-unknown-field",
        "template-unknown-field",
        "template-wrong-type",
    ]


def test_labels_of_the_cluster(fleet):
    """Labels that a cluster puts on every object are holes: their values differ by cluster."""
    fleet.labels = ("team",)
    job = fleet.objects(SPEC)["Job"].data

    assert isinstance(job["metadata"]["labels"]["team"], Hole)
    assert job["metadata"]["labels"]["team"] == "label:team"
    assert "team" not in job["spec"]["template"]["metadata"]["labels"]
