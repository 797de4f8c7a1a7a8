"""Deployment: pods that serve alone."""

from __future__ import annotations

TEMPLATE = "template: {spec: {containers: [{name: serve, image: example.com/serve:1}]}}"


def test_rollout(fleet, validate):
    """A rollout frees devices before it asks for them."""
    made = fleet.objects(f"controller: Deployment\nreplicas: 3\n{TEMPLATE}")["Deployment"].data
    validate(made)
    pod = made["spec"].pop("template")

    assert made["apiVersion"] == "apps/v1"
    assert made["spec"] == {
        "progressDeadlineSeconds": 600,
        "replicas": 3,
        "revisionHistoryLimit": 10,
        "selector": {"matchLabels": {"neuron-dra.dev/workload": "train"}},
        "strategy": {
            "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1},
            "type": "RollingUpdate",
        },
    }
    assert pod["metadata"]["labels"]["neuron-dra.dev/workload"] == "train"
    assert pod["spec"]["restartPolicy"] == "Always"
    assert "env" not in pod["spec"]["containers"][0]


def test_groups(fleet):
    """A Deployment knows no groups."""
    diagnostic = fleet.only(f"controller: Deployment\nsize: 2\n{TEMPLATE}")

    assert diagnostic.code.slug == "groups-not-possible"
    assert "`size: 2`" in diagnostic.message
    assert "LeaderWorkerSet" in diagnostic.help


def test_no_pods(fleet):
    """A Deployment may be scaled to nothing."""
    made = fleet.objects(f"controller: Deployment\nreplicas: 0\n{TEMPLATE}")["Deployment"].data

    assert made["spec"]["replicas"] == 0
