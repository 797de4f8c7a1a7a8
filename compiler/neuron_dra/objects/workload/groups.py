"""Groups of pods: what a controller can make, and whether an UltraServer can hold a group.

In: the sizes of a workload. Out: diagnostics, and the node label that keeps a group together.
"""

from __future__ import annotations

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.workload.wiring import Wiring


def require_single(wiring: Wiring, key: str, number: int, instead: str) -> None:
    """Refuse any number of groups, or of pods in a group, but one."""
    if number != 1:
        wiring.report(
            codes.GROUPS_NOT_POSSIBLE.at(
                wiring.span(key),
                f"`{key}: {number}` is not possible: `controller: {wiring.spec.controller}` "
                f"takes 1",
                help=instead,
            )
        )


def refuse_ultraserver(wiring: Wiring) -> None:
    """Refuse pods that must share an UltraServer, for controllers that place each pod alone."""
    if wiring.nodes_together > 1:
        _refuse(
            wiring,
            "controller",
            f"`controller: {wiring.spec.controller}` cannot keep the pods of a group in one "
            f"UltraServer of {wiring.nodes_together} nodes",
            "use `controller: LeaderWorkerSet`",
        )


def check_ultraserver(wiring: Wiring, *, subgroups: bool) -> None:
    """Refuse groups that do not fill UltraServers.

    Args:
        subgroups: whether the controller can split a group over several of them.
    """
    nodes, size = wiring.nodes_together, wiring.spec.size
    if nodes == 1:
        return
    if size % nodes or (size > nodes and not subgroups):
        rule = "a multiple of" if subgroups else "equal to"
        _refuse(
            wiring,
            "size",
            f"`size: {size}` is not {rule} the {nodes} nodes that a pod's UltraServer has",
            f"set `size: {nodes}`" + ("" if subgroups else " or use `controller: LeaderWorkerSet`"),
        )
    elif wiring.server_id_label is None and not wiring.plan.operator:
        _refuse(
            wiring,
            "partition",
            f"it is not known by which node label UltraServers of {nodes} nodes are told apart",
            "enable `drivers.ultraServerOperator`, where it handles the instance type",
        )


def _refuse(wiring: Wiring, key: str, message: str, advice: str) -> None:
    wiring.report(codes.ULTRASERVER_GROUPS.at(wiring.span(key), message, help=advice))
