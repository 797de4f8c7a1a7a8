"""NeuronUltraServerWorkload: UltraServers that their operator reserves, with a claim template.

In: a workload whose partition the operator serves, with or without pods of ours. Out: the object;
the operator reserves whole UltraServers for all its pods and creates the ResourceClaimTemplate of
the workload's name. The API is v1beta1, the one version that the chart's CRD serves (the
documentation shows `v1`).
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.object import KubeObject
from neuron_dra.objects.workload.wiring import Wiring

API_VERSION = "neuron.aws.com/v1beta1"


def build_reservation(wiring: Wiring) -> Iterator[KubeObject]:
    """Yield the operator's object; a workload without pods reserves nothing."""
    kind, nodes = _only_type(wiring), wiring.nodes_together
    pods = wiring.spec.pods
    if kind is None or not _fills(wiring, pods, nodes) or not pods:
        return
    size = wiring.logical_neuron_core or kind.chip.logical_neuron_core.default
    spec = {
        "allocationPolicy": {"failureStrategy": "NoOp"},
        "config": {"logicalNeuronCore": size},
        "instanceType": kind.name,
        "resourceClaimTemplate": {"name": wiring.plan.claim_template},
        "serverCount": pods // nodes,
        "topologySize": nodes,
    }
    fields = {
        "spec.config.logicalNeuronCore": "spec.partition",
        "spec.instanceType": "spec.partition",
        "spec.serverCount": "spec.size",
        "spec.topologySize": "spec.partition",
    }
    yield wiring.make_object(
        API_VERSION, "NeuronUltraServerWorkload", spec, fields, suffix="ultraserver"
    )


def _only_type(wiring: Wiring) -> InstanceType | None:
    kinds = {kind.name: kind for _, kind in wiring.hardware()}
    if len(kinds) == 1:
        return next(iter(kinds.values()))
    listed = " and ".join(f"`{name}`" for name in sorted(kinds))
    wiring.report(
        codes.ULTRASERVER_TYPE.at(
            wiring.span("partition"),
            f"the UltraServer operator reserves one instance type, but partition "
            f"`{wiring.spec.partition}` is served by {listed}",
            help="use a partition that names its instance type",
        )
    )
    return None


def _fills(wiring: Wiring, pods: int, nodes: int) -> bool:
    """Tell whether the pods fill UltraServers, and say so unless the controller's check does."""
    if pods % nodes == 0:
        return True
    if wiring.spec.template is None:
        wiring.report(
            codes.ULTRASERVER_GROUPS.at(
                wiring.span("size"),
                f"{pods} pods do not fill UltraServers of {nodes} nodes",
                help=f"make `replicas` times `size` a multiple of {nodes}",
            )
        )
    return False
