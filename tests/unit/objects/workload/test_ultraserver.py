"""NeuronUltraServerWorkload: what the operator is told to reserve."""

from __future__ import annotations

import pytest

TEMPLATE = "template: {spec: {containers: [{name: train, image: example.com/train:1}]}}"
SPEC = "controller: LeaderWorkerSet\nreplicas: 2\nsize: 8\n"


@pytest.fixture
def ultra(fleet):
    fleet.nodes = 4
    fleet.operator = True
    fleet.devices = 1
    return fleet


def test_reservation(ultra):
    """Whole UltraServers are reserved for all pods; the claim template has the workload's name."""
    objects = ultra.objects(SPEC + TEMPLATE)
    reservation = objects["NeuronUltraServerWorkload"]
    worker = objects["LeaderWorkerSet"].data["spec"]["leaderWorkerTemplate"]["workerTemplate"]

    assert reservation.path == "manifests/namespaces/research/workloads/train.ultraserver.yaml"
    assert reservation.data["apiVersion"] == "neuron.aws.com/v1beta1"
    assert reservation.data["spec"] == {
        "allocationPolicy": {"failureStrategy": "NoOp"},
        "config": {"logicalNeuronCore": 1},
        "instanceType": "a.large",
        "resourceClaimTemplate": {"name": "train"},
        "serverCount": 4,
        "topologySize": 4,
    }
    assert worker["spec"]["resourceClaims"] == [
        {"name": "neuron", "resourceClaimTemplateName": "train"}
    ]


def test_without_template(ultra):
    """A workload whose pods somebody else makes gives the reservation alone."""
    ultra.lnc = 2
    objects = ultra.objects("controller: external\nsize: 4\npodSelector: {matchLabels: {ray: a}}")

    assert list(objects) == ["NeuronUltraServerWorkload"]
    spec = objects["NeuronUltraServerWorkload"].data["spec"]
    assert (spec["serverCount"], spec["config"]) == (1, {"logicalNeuronCore": 2})


def test_no_operator(ultra):
    """Without the operator a workload without template gives nothing, and is told so."""
    ultra.operator = False
    made, diagnostics = ultra.render("controller: LeaderWorkerSet\n")

    assert made == []
    assert [each.code.slug for each in diagnostics] == ["workload-without-objects"]
    assert "workload `research/train` compiles to nothing" in diagnostics[0].message


@pytest.mark.parametrize("key", ["size: 4", "replicas: 2"])
@pytest.mark.parametrize("controller", ["external", "LeaderWorkerSet"])
def test_unused_numbers(ultra, key, controller):
    """Without template and operator nobody reads how many pods there are."""
    ultra.operator = False
    spec = f"controller: {controller}\nnetwork: {{peers: workload}}\n{key}\n"
    diagnostic = ultra.only(spec)

    assert diagnostic.code.slug == "key-needs-another"
    assert ultra.marked(diagnostic) == key.partition(":")[0]


def test_only_policy(ultra):
    """A workload may be nothing but a policy."""
    ultra.operator = False

    assert ultra.codes("controller: external\nnetwork: {peers: workload}") == []


def test_no_pods(ultra):
    """Nothing is reserved for no pods."""
    spec = f"controller: LeaderWorkerSet\nreplicas: 0\nsize: 4\n{TEMPLATE}"

    assert list(ultra.objects(spec)) == ["LeaderWorkerSet"]


def test_part_of_an_ultraserver(ultra):
    """Pods that do not fill their last UltraServer are refused, once."""
    assert ultra.codes("controller: external\nsize: 3\nreplicas: 2") == ["ultraserver-groups"]
    assert ultra.codes(f"controller: LeaderWorkerSet\nsize: 3\n{TEMPLATE}") == [
        "ultraserver-groups"
    ]


def test_several_types(ultra, fleet):
    """The operator reserves one instance type."""
    fleet.kinds.append(type(fleet.kinds[0])(**vars(fleet.kinds[0]) | {"name": "b.large"}))
    objects, (diagnostic,) = ultra.render("controller: external\nsize: 4")

    assert objects == []
    assert diagnostic.code.slug == "ultraserver-type-ambiguous"
    assert "`a.large` and `b.large`" in diagnostic.message
