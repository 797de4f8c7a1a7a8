"""Alternatives that one template could mix up: of `firstAvailable`, and the types of a chip.

The scheduler chooses for each request and for each node apart, so what one template promises must
hold whichever alternative it takes. In: shapes with their fits. Out: diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from neuron_dra.catalog.facts import Answer
from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.diagnostics.codes import spec as spec_codes
from neuron_dra.plan.demonstration import Alternative, demonstrate
from neuron_dra.plan.empty_node import EmptyNodes
from neuron_dra.plan.fit import AnyShape, Fit
from neuron_dra.plan.profile import Pool
from neuron_dra.syntax.decode import value_key


def check_alternatives(alternatives: Sequence[Alternative], nodes: EmptyNodes) -> list[Diagnostic]:
    """Refuse alternatives that the scheduler could mix into something nobody asked for."""
    shapes = [each.shape for each in alternatives]
    found = [*_repeated(shapes), *_nodes_together(shapes)]
    if any(each.fit.efa for each in alternatives):
        found += _mixed_efa(alternatives, nodes)
    return found


def _repeated(shapes: Sequence[AnyShape]) -> Iterator[Diagnostic]:
    seen: dict[object, AnyShape] = {}
    for shape in shapes:
        first = seen.setdefault(value_key(shape), shape)
        if first is not shape:
            yield spec_codes.DUPLICATE_ITEM.at(
                shape.places.span,
                "this alternative stands twice",
                related=[Related(first.places.span, "first here")],
            )


def _nodes_together(shapes: Sequence[AnyShape]) -> Iterator[Diagnostic]:
    """Each pod of a group chooses alone, so a group could mix sizes of node sets."""
    for shape in shapes:
        nodes = shape.ultra_server_nodes or 1
        if nodes > 1 and len(shapes) > 1:
            yield codes.UNSOUND_ALTERNATIVES.at(
                shape.places.value("ultraServerNodes"),
                f"{nodes} nodes used together cannot be an alternative: each pod of a group "
                "chooses alone",
                help="make separate partitions",
            )


def _mixed_efa(alternatives: Sequence[Alternative], nodes: EmptyNodes) -> Iterator[Diagnostic]:
    first = alternatives[0]
    for each in alternatives:
        shape, fit = each.shape, each.fit
        if len(fit.units) > 1:
            yield codes.UNSOUND_ALTERNATIVES.at(
                shape.places.value("efa"),
                "EFA interfaces paired with single devices cannot stand in `firstAvailable`",
                help="set `connected: true`, or make separate partitions",
            )
        elif (fit.efa, fit.efa_group) != (first.fit.efa, first.fit.efa_group):
            shown = demonstrate([first, each], nodes)
            yield codes.UNSOUND_ALTERNATIVES.at(
                shape.places.span,
                f"this alternative takes {_efa_words(fit)}, the first {_efa_words(first.fit)}: "
                "the scheduler chooses devices and EFA interfaces apart and may mix them"
                + (f"; {shown}" if shown else ""),
                related=[Related(first.shape.places.span, f"takes {_efa_words(first.fit)}")],
                help="make separate partitions",
            )


def check_promise(
    shape: AnyShape, able: Sequence[Pool], matching: Sequence[Pool], fits: Mapping[str, Fit]
) -> list[Diagnostic]:
    """Find instance types of a chip that could take the claim but keep another promise."""
    first = able[0]
    promise = fits[first.type.name]
    return [
        codes.ALTERNATIVES_DISAGREE.at(
            shape.places.value("chip"),
            f"`{first.type.name}` and `{pool.type.name}` would not serve a claim of this "
            "shape alike, and one template cannot mean both",
            related=[
                Related(
                    each.spec.places.value("instanceType"), _fit_words(fits.get(each.type.name))
                )
                for each in (first, pool)
            ],
            help="name the instance type, or make two partitions",
        )
        for pool in matching
        if fits.get(pool.type.name) != promise and _could_land(shape, promise, pool)
    ]


def _could_land(shape: AnyShape, promise: Fit, pool: Pool) -> bool:
    """Tell whether a claim could be allocated on a pool's nodes by its numbers alone."""
    nodes = shape.ultra_server_nodes is not None
    selected = pool.type.serves_nodes if nodes else pool.type.serves_devices
    if not selected or not pool.neuron_by_dra or pool.most == 0:
        return False
    if promise.efa and not (pool.efa_by_dra and pool.type.efa_interfaces):
        return False
    if not nodes and promise.devices > pool.type.device_count:
        return False
    attribute = promise.group_attribute
    return not attribute or pool.type.publishes(attribute) is not Answer.NO


def _fit_words(fit: Fit | None) -> str:
    if fit is None:
        return "cannot keep the promise, but could be allocated"
    devices = "1 device" if fit.devices == 1 else f"{fit.devices} devices"
    return f"{devices}, {_efa_words(fit)}"


def _efa_words(fit: Fit) -> str:
    interfaces = "1 EFA interface" if fit.efa == 1 else f"{fit.efa or 'no'} EFA interfaces"
    attribute = fit.efa_group.rpartition("/")[2]
    return f"{interfaces} by `{attribute}`" if attribute else interfaces
