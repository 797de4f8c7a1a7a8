"""EFA interfaces beside Neuron devices: how many a claim takes, and what ties them together.

In: a shape, an instance type, what the devices are. Out: a `Fit` or a number, or diagnostics.
"""

from __future__ import annotations

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.fit import AnyShape, Fit, fact_of
from neuron_dra.source import Span


def fit_paired(
    shape: AnyShape, kind: InstanceType, devices: int, group: str, found: list[Diagnostic]
) -> Fit | None:
    """Pair EFA interfaces with devices: as one group, as the whole node, or unit by unit."""
    if not _has_pairing(shape, kind, found):
        return None
    whole = devices == kind.device_count
    efa = kind.efa_interfaces if whole else kind.efa_for(devices) if group else None
    if efa is not None:
        return Fit(devices, efa, group, ((devices, efa),), efa_in_group=True)
    per_efa = kind.devices_per_efa or 1
    units = [(per_efa, 1)] * (devices // per_efa) + [(devices % per_efa, 1)] * (
        devices % per_efa > 0
    )
    if devices % per_efa:
        claims = (kind.efa_interfaces or 0) // len(units)
        found.append(
            codes.EFA_SHARED.at(
                shape.places.value("efa"),
                f"{per_efa} devices of `{kind.name}` share one EFA interface: only {claims} "
                f"claims like this fit on a node, which leaves "
                f"{kind.device_count - claims * devices} of {kind.device_count} devices idle",
                related=[fact_of(kind, "efa", f"{kind.efa_interfaces} EFA interfaces")],
                help=f"claim a multiple of {per_efa} devices, or use `efa: none`",
            )
        )
    return Fit(devices, len(units), kind.group_attribute(1) or "", tuple(units), efa_in_group=True)


def _has_pairing(shape: AnyShape, kind: InstanceType, found: list[Diagnostic]) -> bool:
    where = shape.places.value("efa")
    if not kind.efa_interfaces:
        found.append(_no_efa(where, kind))
        return False
    if kind.group_attribute(1):
        return True
    found.append(
        codes.EFA_NOT_PAIRED.at(
            where,
            f"the EFA interfaces of `{kind.name}` are not paired with its devices",
            related=[fact_of(kind, "efa", "no pairing attribute")],
            help=f"use `efa: all` for every interface of the node ({kind.efa_interfaces}), "
            "or `efa: none`",
        )
    )
    return False


def all_efa(shape: AnyShape, kind: InstanceType, found: list[Diagnostic]) -> int | None:
    """Return the number of EFA interfaces of the node, which the shape wants all."""
    if not kind.efa_interfaces:
        found.append(_no_efa(shape.places.value("efa"), kind))
        return None
    return kind.efa_interfaces


def _no_efa(where: Span, kind: InstanceType) -> Diagnostic:
    if kind.efa_interfaces is None:
        return codes.UNKNOWN_FACT.at(
            where,
            f"the number of EFA interfaces of `{kind.name}` is not known",
            related=[fact_of(kind, "efa", "what is known")],
            help="use `efa: none`, or say `efa` in an InstanceType document",
        )
    return codes.NO_EFA.at(
        where,
        f"`{kind.name}` has no EFA interfaces",
        related=[fact_of(kind, "efa", "0 interfaces")],
        help="use `efa: none`",
    )
