"""Deployment: single pods that serve, each alone.

A rollout takes one pod away before it adds one: with the default surge the new pod would wait for
the devices that the old one holds until it is ready, and so for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_dra.objects.object import KubeObject
from neuron_dra.objects.workload.environment import Group
from neuron_dra.objects.workload.groups import refuse_ultraserver, require_single
from neuron_dra.objects.workload.pod import pod_fields
from neuron_dra.objects.workload.selector import pod_selector
from neuron_dra.objects.workload.template import Data
from neuron_dra.objects.workload.wiring import Wiring

CONSUMER = ""
OPTIONAL_TEMPLATE = ""
RESTART_POLICIES: tuple[str, ...] = ("Always",)


def check(wiring: Wiring) -> None:
    """Diagnose what a Deployment cannot be."""
    advice = "use `controller: LeaderWorkerSet` for pods that work together"
    require_single(wiring, "size", wiring.spec.size, advice)
    refuse_ultraserver(wiring)


def group(_wiring: Wiring) -> Group | None:
    """Return nothing: the pods do not know each other."""
    return None


def build(wiring: Wiring, pods: Mapping[str, Data]) -> Iterator[KubeObject]:
    """Yield the Deployment."""
    rolling = {"maxSurge": 0, "maxUnavailable": 1}
    spec = {
        "progressDeadlineSeconds": 600,
        "replicas": wiring.spec.replicas,
        "revisionHistoryLimit": 10,
        "selector": pod_selector(wiring.plan.workload),
        "strategy": {"rollingUpdate": rolling, "type": "RollingUpdate"},
        "template": pods["template"],
    }
    fields = {"spec.replicas": "spec.replicas"} | pod_fields("spec.template")
    yield wiring.make_object("apps/v1", "Deployment", spec, fields)
