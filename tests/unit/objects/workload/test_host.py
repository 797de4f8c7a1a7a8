"""Pods that are larger than every host."""

from __future__ import annotations

import pytest

from unit.objects.workload.conftest import make_type

SPEC = """
controller: Job
claimContainers: [train]
template:
  spec:
    containers:
    - {name: train, image: example.com/train:1, resources: TRAIN}
    - {name: logs, image: example.com/logs:1, resources: LOGS}
"""
INIT = "    initContainers: [{name: warm, image: example.com/warm:1, resources: WARM}]\n"


def requests(cpu=0, memory=0):
    return f"{{requests: {{cpu: {cpu}, memory: {memory}}}}}"


def spec_of(train="{}", logs="{}"):
    return SPEC.replace("TRAIN", train).replace("LOGS", logs)


@pytest.mark.parametrize(
    ("train", "shown", "host", "marked"),
    [
        (requests(cpu=4000), "`cpu: 4000`", "128", "4000"),
        (requests(cpu="128001m"), "`cpu: 128.001`", "128", "128001m"),
        ("{limits: {cpu: 129}}", "`cpu: 129`", "128", "129"),
        (requests(memory="900Ti"), "`memory: 921600Gi`", "512Gi", "900Ti"),
        (requests(memory="600G"), "`memory: 558.794Gi`", "512Gi", "600G"),
    ],
)
def test_too_large(fleet, train, shown, host, marked):
    """A request above the host of every pool is refused, with both numbers."""
    diagnostic = fleet.only(spec_of(train))

    assert diagnostic.code.slug == "requests-exceed-host"
    assert f"requests {shown}, and the host of `a.large` has {host}:" in diagnostic.message
    assert fleet.marked(diagnostic) == marked
    assert diagnostic.related[0].span.source.path == "a.large.yaml"


@pytest.mark.parametrize(
    ("spec", "slugs"),
    [
        (spec_of(requests(128, "512Gi")), []),
        (spec_of(requests(cpu=64), requests(cpu=64)), []),
        (spec_of(requests(cpu="100.6"), requests(cpu="27.4")), []),
        (spec_of(requests(cpu=64), requests(cpu=65)), ["requests-exceed-host"]),
        (
            spec_of(
                "{limits: {cpu: 200}, requests: {cpu: 8}}", "{limits: {cpu: 200, memory: 1Ti}}"
            ),
            ["requests-exceed-host"] * 2,
        ),
        ("    resources: {requests: {cpu: 200}}\n", ["requests-exceed-host"]),
        ("    resources: {requests: {cpu: 100}}\n", []),
        (INIT.replace("WARM", requests(cpu=128)), []),
        (INIT.replace("WARM", requests(cpu=129)), ["requests-exceed-host"]),
        (INIT.replace("WARM}", f"{requests(cpu=128)}, restartPolicy: Always}}"), []),
    ],
)
def test_sum(fleet, spec, slugs):
    """Containers count together, an init container alone; a pod's own request goes before both."""
    if "containers:" not in spec.replace("initContainers:", ""):
        spec = spec_of() + spec

    assert fleet.codes(spec) == slugs


def test_side_car(fleet):
    """An init container that stays is counted with the containers."""
    warm = f"{requests(cpu=64)}, restartPolicy: Always}}"
    spec = spec_of(requests(cpu=65)) + INIT.replace("WARM}", warm)

    assert fleet.only(spec).message.startswith("the pod requests `cpu: 129`")


def test_largest_container(fleet):
    """The largest request of several is the place."""
    diagnostic = fleet.only(spec_of(requests(cpu=30), requests(cpu=120)))

    assert fleet.marked(diagnostic) == "120"


POOLS = """  - {name: main, instanceType: a.large, nodes: 8}
  - {name: more, instanceType: b.large, nodes: 8}
"""


@pytest.mark.parametrize(
    ("vcpu", "selector", "slugs"),
    [
        (64, "", ["requests-exceed-host"]),
        (256, "", []),
        (None, "", []),
        (256, "{node.kubernetes.io/instance-type: a.large}", ["requests-exceed-host"]),
        (256, "{node.kubernetes.io/instance-type: b.large}", []),
    ],
)
def test_several_types(fleet, vcpu, selector, slugs):
    """One host that is large enough, or not known, will do if the template leaves it open."""
    fleet.kinds.append(make_type("b.large", vcpu=vcpu))
    fleet.replace(POOLS.splitlines()[0] + "\n", POOLS)
    spec = spec_of(requests(cpu=200)) + (f"    nodeSelector: {selector}\n" if selector else "")

    assert fleet.codes(spec) == slugs


def test_launcher(fleet):
    """A pod without devices may land on other nodes, which nobody describes."""
    spec = """
    controller: MPIJob
    template: {spec: {containers: [{name: worker, image: example.com/mpi:1}]}}
    leaderTemplate:
      spec:
        containers:
        - {name: launcher, image: example.com/mpi:1, resources: {requests: {cpu: 400}}}
    """

    assert fleet.codes(spec) == []
