"""Environment variables of the containers that use the devices.

In: how the pods of a group find each other, by controller. Out: variables that stand first in
`env`, so that the user's own values and commands can refer to them. Only what no library sets:

- `NNODES`, `NODE_RANK`, `MASTER_ADDR`, `MASTER_PORT` for torchrun and own launchers, and
  `NEURON_RT_ROOT_COMM_ID` with a fixed port below the ephemeral range, in groups of several pods;
- `CCOM_SOCKET_IFNAME=eth0` there, the pod's own interface;
- `NEURON_LOGICAL_NC_CONFIG` where the claim sets the logical NeuronCore.

A variable of the user takes the place of ours. Never set: `NEURON_RT_VISIBLE_CORES` (torchrun
paths set it per process), `FI_*` and `NCCL_*` (libfabric and its plug-in detect), and
`NEURON_SKIP_EFA_AFFINITY`, which is documented for vLLM alone and belongs into its template.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.workload.template import Data, PodTemplate
from neuron_dra.objects.workload.wiring import Wiring

MASTER_PORT = 29500
# Below the ephemeral ports 32768 to 60999 nothing is free for long, above them it is.
ROOT_PORT = 62182
_EPHEMERAL = range(32768, 61000)
_LNC_VARIABLES = ("NEURON_LOGICAL_NC_CONFIG", "NEURON_RT_VIRTUAL_CORE_SIZE")
_LNC_FLAG = re.compile(r"--?lnc[= ]([0-9]+)")


class Group(NamedTuple):
    """How the pods of a group find each other.

    Attributes:
        sources: variables that the other values refer to; they come first.
        rank: the value of the pod's rank; empty where the launcher gives ranks.
        size: the value of the number of pods.
        master: the address of rank 0.
        root: the shortest address of rank 0, for the Neuron runtime.
    """

    sources: tuple[Data, ...]
    rank: str
    size: str
    master: str
    root: str


def literal(name: str, value: str) -> Data:
    """Return a variable with a value."""
    return {"name": name, "value": value}


def from_label(name: str, label: str) -> Data:
    """Return a variable with the value of one of the pod's labels."""
    return _from_field(name, f"metadata.labels['{label}']")


def from_annotation(name: str, annotation: str) -> Data:
    """Return a variable with the value of one of the pod's annotations."""
    return _from_field(name, f"metadata.annotations['{annotation}']")


def _from_field(name: str, path: str) -> Data:
    return {"name": name, "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": path}}}


def wire_environment(
    wiring: Wiring, template: PodTemplate, containers: tuple[str, ...], group: Group | None
) -> None:
    """Give the containers the variables of the group and the claim."""
    ours = [*_group_variables(group), *_claim_variables(wiring)]
    for index, container in enumerate(template.containers):
        if container["name"] in containers:
            _check(wiring, template, index)
            container["env"] = _merge(ours, container.get("env", []))
            if not container["env"]:
                del container["env"]


def check_logical_neuron_core(wiring: Wiring) -> None:
    """Warn where the claim sets one LNC or another, so that no variable can tell it."""
    sizes = {shape.logical_neuron_core for shape in wiring.plan.partition.shapes}
    if len(sizes) > 1:
        listed = ", ".join(str(size) if size else "none" for size in sorted(sizes, key=_or_zero))
        wiring.report(
            codes.LNC_VARIES.at(
                wiring.span("partition"),
                f"the alternatives of partition `{wiring.spec.partition}` set different logical "
                f"NeuronCores ({listed}): the pods get no `{_LNC_VARIABLES[0]}`",
                help="let the program read the size, or use a partition for each",
            )
        )


def _or_zero(size: int | None) -> int:
    return size or 0


def _group_variables(group: Group | None) -> list[Data]:
    if group is None:
        return []
    rank = [literal("NODE_RANK", group.rank)] if group.rank else []
    return [
        *group.sources,
        literal("NNODES", group.size),
        *rank,
        literal("MASTER_ADDR", group.master),
        literal("MASTER_PORT", str(MASTER_PORT)),
        literal("NEURON_RT_ROOT_COMM_ID", f"{group.root}:{ROOT_PORT}"),
        literal("CCOM_SOCKET_IFNAME", "eth0"),
    ]


def _claim_variables(wiring: Wiring) -> list[Data]:
    size = wiring.logical_neuron_core
    return [] if size is None else [literal("NEURON_LOGICAL_NC_CONFIG", str(size))]


def _merge(ours: list[Data], theirs: list[Data]) -> list[Data]:
    """Return ours before theirs; a variable that both have is theirs.

    It moves to our place, where the values that refer to it can see it, unless it refers to others
    itself.
    """
    own = {variable["name"]: variable for variable in theirs}
    front = [
        own.get(variable["name"], variable)
        for variable in ours
        if "$(" not in own.get(variable["name"], {}).get("value", "")
    ]
    moved = {variable["name"] for variable in front}
    return front + [variable for variable in theirs if variable["name"] not in moved]


def _check(wiring: Wiring, template: PodTemplate, index: int) -> None:
    variables = template.containers[index].get("env", [])
    for position, variable in enumerate(variables):
        where = ("containers", index, "env", position)
        if variable["name"] == "NEURON_RT_VISIBLE_CORES":
            _warn_visible_cores(wiring, template, where)
        elif variable["name"] == "NEURON_RT_ROOT_COMM_ID":
            _check_root_port(wiring, template, where, variables)
        _check_logical_cores(wiring, template, where, variable)


def _warn_visible_cores(
    wiring: Wiring, template: PodTemplate, where: tuple[str | int, ...]
) -> None:
    wiring.report(
        codes.VISIBLE_CORES.at(
            template.span(*where),
            "`NEURON_RT_VISIBLE_CORES` chooses cores by number, but the claim decides which "
            "devices the pod gets, and torchrun sets the variable for each process",
            help="remove it: all cores of the claim are visible",
        )
    )


def _check_logical_cores(
    wiring: Wiring, template: PodTemplate, where: tuple[str | int, ...], variable: Data
) -> None:
    name, value = variable["name"], variable.get("value", "")
    flag = _LNC_FLAG.search(value) if name == "NEURON_CC_FLAGS" else None
    written = flag[1] if flag else value if name in _LNC_VARIABLES else ""
    size = wiring.logical_neuron_core
    if size is not None and written and written != str(size):
        wiring.report(
            codes.LNC_DIFFERS.at(
                template.span(*where, "value"),
                f"`{name}` sets a logical NeuronCore of {written}, "
                f"the claim of partition `{wiring.spec.partition}` sets {size}",
                help=f"write {size}, or use a partition with `logicalNeuronCore: {written}`",
            )
        )


def _check_root_port(
    wiring: Wiring, template: PodTemplate, where: tuple[str | int, ...], variables: list[Data]
) -> None:
    named = {variable["name"]: variable.get("value", "") for variable in variables}
    port = named["NEURON_RT_ROOT_COMM_ID"].rpartition(":")[2]
    if not port.isdecimal():
        return
    if port == named.get("MASTER_PORT", str(MASTER_PORT)):
        reason = "also `MASTER_PORT`"
    elif int(port) in _EPHEMERAL:
        reason = f"an ephemeral port ({_EPHEMERAL.start} to {_EPHEMERAL.stop - 1})"
    else:
        return
    wiring.report(
        codes.ROOT_PORT.at(
            template.span(*where, "value"),
            f"port {port} of `NEURON_RT_ROOT_COMM_ID` is {reason}, and may be taken",
            help=f"use {ROOT_PORT}, or remove the variable: groups of several pods get it",
        )
    )
