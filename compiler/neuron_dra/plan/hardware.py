"""One shape on one instance type: what a claim of it takes there, or why it cannot be.

This is the first feasibility check, from the numbers of the catalogue. In: a shape and an instance
type. Out: a `Fit`, or diagnostics that point at the spec and at the fact. Knows no cluster.
"""

from __future__ import annotations

from neuron_dra.catalog.facts import Answer
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic, Related, has_errors
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.kube.claim import ALLOCATION_RESULTS_MAX_SIZE
from neuron_dra.plan.efa import all_efa, fit_paired
from neuron_dra.plan.fit import AnyShape, Fit, fact_of


def fit_shape(shape: AnyShape, kind: InstanceType) -> tuple[Fit | None, list[Diagnostic]]:
    """Return what a claim of the shape takes on the instance type, or the reasons why not."""
    found: list[Diagnostic] = []
    if not _is_served(shape, kind, found):
        return None, found
    _check_logical_neuron_core(shape, kind, found)
    fit = _fit_nodes(shape, kind, found)
    if shape.ultra_server_nodes is None:
        fit = _fit_devices(shape, kind, found)
    if fit is not None:
        _check_results(shape, kind, fit, found)
    return (None if has_errors(found) else fit), found


def _is_served(shape: AnyShape, kind: InstanceType, found: list[Diagnostic]) -> bool:
    where = shape.places.value("instanceType" if shape.instance_type else "chip")
    if kind.served is Answer.NO:
        found.append(
            codes.NOT_SERVED.at(
                where,
                f"the Neuron DRA driver does not serve `{kind.name}`: {_reason(kind)}",
                related=[fact_of(kind, "served", "the driver's instance types")],
                help="claim another instance type; pods use this one through the device plugin",
            )
        )
        return False
    if kind.serves_devices or kind.serves_nodes:
        if kind.served is Answer.UNKNOWN:
            found.append(
                codes.DRIVER_UNPROVEN.at(
                    where,
                    f"nobody has seen the Neuron DRA driver serve `{kind.name}`",
                    related=[fact_of(kind, "served", "what is known")],
                    help="look for its ResourceSlices before you rely on it",
                )
            )
        return True
    found.append(
        codes.UNKNOWN_FACT.at(
            where,
            f"it is not known what the Neuron DRA driver publishes on `{kind.name}`",
            related=[fact_of(kind, "served", _reason(kind))],
            help="if you have such a machine, describe it in an InstanceType document",
        )
    )
    return False


def _check_logical_neuron_core(
    shape: AnyShape, kind: InstanceType, found: list[Diagnostic]
) -> None:
    lnc = shape.logical_neuron_core
    if lnc is None:
        return
    where = shape.places.value("logicalNeuronCore")
    sizes = kind.chip.logical_neuron_core
    if lnc not in sizes.allowed:
        allowed = " and ".join(str(size) for size in sizes.allowed)
        found.append(
            codes.LNC_NOT_ALLOWED.at(
                where,
                f"`logicalNeuronCore: {lnc}` is not allowed on `{kind.name}`, only {allowed}",
                related=[Related(sizes.places.key("allowed"), f"allowed: {allowed}")],
            )
        )
    elif kind.accepts_neuron_config is Answer.NO:
        found.append(
            codes.LNC_REFUSED.at(
                where,
                f"the driver refuses `logicalNeuronCore` on `{kind.name}` after scheduling",
                related=[fact_of(kind, "neuronConfig", "not configurable")],
                help=f"remove the key: `{kind.name}` always runs with {sizes.default}",
            )
        )
    elif kind.accepts_neuron_config is Answer.UNKNOWN:
        found.append(
            codes.LNC_UNPROVEN.at(
                where,
                f"nobody has reported that the driver sets `logicalNeuronCore` on `{kind.name}`",
                help=f"try one pod first, or remove the key: the chip's default is {sizes.default}",
            )
        )


def _fit_nodes(shape: AnyShape, kind: InstanceType, found: list[Diagnostic]) -> Fit | None:
    nodes = shape.ultra_server_nodes
    if nodes is None:
        return None
    where = shape.places.value("ultraServerNodes")
    if not kind.serves_nodes:
        found.append(
            codes.NOT_AN_ULTRASERVER.at(
                where,
                f"`{kind.name}` is not part of an UltraServer",
                related=[fact_of(kind, "published", "publishes single devices")],
                help="use `devices`",
            )
        )
        return None
    if nodes not in kind.node_sizes:
        sizes = ", ".join(map(str, kind.node_sizes)) or "not known"
        found.append(
            codes.ULTRASERVER_SIZE.at(
                where,
                f"UltraServers of `{kind.name}` are not used {nodes} nodes together; "
                f"the sizes are {sizes}",
                related=[fact_of(kind, "ultraServer", f"node sets: {sizes}")],
            )
        )
        return None
    efa = all_efa(shape, kind, found) if shape.efa == "all" else 0
    return None if efa is None else Fit(1, efa, "", ((1, efa),))


def _fit_devices(shape: AnyShape, kind: InstanceType, found: list[Diagnostic]) -> Fit | None:
    if not kind.serves_devices:
        found.append(
            codes.NODE_DEVICES_ONLY.at(
                shape.places.value("devices"),
                f"`{kind.name}` publishes whole nodes of an UltraServer; "
                "single devices were never seen there",
                related=[fact_of(kind, "published", "resourceType `neuron_node` only")],
                help="use `ultraServerNodes: 1` to claim a whole node",
            )
        )
        return None
    devices = _device_number(shape, kind, found)
    if devices is None:
        return None
    group = _connected_group(shape, kind, devices, found)
    if group is None:
        return None
    if shape.efa == "paired":
        return fit_paired(shape, kind, devices, group, found)
    efa = all_efa(shape, kind, found) if shape.efa == "all" else 0
    if efa is None:
        return None
    return Fit(devices, efa, group, ((devices, efa),))


def _device_number(shape: AnyShape, kind: InstanceType, found: list[Diagnostic]) -> int | None:
    count, wanted = kind.device_count, shape.devices
    if wanted == "all":
        return count
    assert isinstance(wanted, int)
    if wanted <= count:
        return wanted
    found.append(
        codes.CLAIM_EXCEEDS_DEVICES.at(
            shape.places.value("devices"),
            f"the claim wants {wanted} devices, `{kind.name}` has {count}",
            related=[fact_of(kind, "devices", f"count: {count}")],
            help=f"at most {count}, or `all`",
        )
    )
    return None


def _connected_group(
    shape: AnyShape, kind: InstanceType, devices: int, found: list[Diagnostic]
) -> str | None:
    """Return the attribute that keeps the devices connected; None when nothing can."""
    if devices == 1 or devices == kind.device_count:
        return ""
    if not shape.connected:
        if shape.efa != "paired":
            found.append(
                codes.UNCONNECTED_DEVICES.at(
                    shape.places.value("devices"),
                    f"{devices} devices without `connected: true` may be any {devices} of "
                    f"{kind.device_count}, with gaps between their ids",
                    help="set `connected: true`, or claim single devices",
                )
            )
        return ""
    if devices not in kind.connected_sizes:
        found.append(_wrong_size(shape, kind, devices))
        return None
    attribute = kind.group_attribute(devices)
    if attribute:
        return attribute
    found.append(
        codes.UNKNOWN_FACT.at(
            shape.places.value("connected"),
            f"`{kind.name}` publishes no attribute that groups {devices} devices",
            related=[fact_of(kind, "efa", "no device map")],
            help=f"claim 1 or all {kind.device_count} devices",
        )
    )
    return None


def _wrong_size(shape: AnyShape, kind: InstanceType, devices: int) -> Diagnostic:
    sizes = ", ".join(map(str, kind.connected_sizes)) or "not known"
    larger = [size for size in kind.connected_sizes if size > devices]
    return codes.UNCONNECTED_SIZE.at(
        shape.places.value("devices"),
        f"{devices} devices of `{kind.name}` are never a connected set; the sizes are {sizes}",
        related=[fact_of(kind, "connected", f"connected sets: {sizes}")],
        help=f"claim {larger[0]} devices" if larger else "",
    )


def _check_results(shape: AnyShape, kind: InstanceType, fit: Fit, found: list[Diagnostic]) -> None:
    total = fit.devices + fit.efa
    if total > ALLOCATION_RESULTS_MAX_SIZE:
        found.append(
            codes.CLAIM_EXCEEDS_RESULTS.at(
                shape.places.value("devices"),
                f"{fit.devices} devices and {fit.efa} EFA interfaces of `{kind.name}` are {total} "
                f"in one claim, a ResourceClaim can have {ALLOCATION_RESULTS_MAX_SIZE}",
                help="claim fewer devices, or fewer EFA interfaces",
            )
        )


def _reason(kind: InstanceType) -> str:
    return kind.facts.served.reason if kind.facts.served else "no reason is known"
