"""A claim in parts, as consumers know them: counts, selectors, constraints, and what they are of.

In: a claim. Out: by name of a part, the fields of the claim that have it, in the catalogue's order
of parts. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from neuron_dra.catalog.consumer import Parts
from neuron_dra.kube.claim import ALL, DeviceClaim, DeviceRequest, ExactDeviceRequest
from neuron_dra.plan.names import EFA_CLASS
from neuron_dra.plan.partition import PlannedPartition

Found = tuple[str, str]  # the name of a part, and a field of the claim


def parts_of_partition(planned: PlannedPartition) -> Mapping[str, tuple[str, ...]]:
    """Return the parts of a partition's claim."""
    groups = {shape.group_attribute for shape in planned.shapes}
    return parts_of(planned.claim, {EFA_CLASS}, groups)


def parts_of(
    claim: DeviceClaim,
    efa_classes: Collection[str] = (),
    group_attributes: Collection[str] = (),
    *,
    direct: bool = False,
) -> Mapping[str, tuple[str, ...]]:
    """Return by part the fields of a claim that have it.

    Args:
        efa_classes: the classes of EFA interfaces; all others are of Neuron devices.
        group_attributes: the attributes of device groups.
        direct: whether pods name the claim itself, not a template.
    """
    found: list[Found] = [("directClaim" if direct else "template", "")]
    for index, request in enumerate(claim.requests):
        found += _of_request(request, f"devices.requests[{index}]", efa_classes)
    for index, constraint in enumerate(claim.constraints):
        field = f"devices.constraints[{index}]"
        found.append(("constraints", field))
        if constraint.match_attribute and constraint.match_attribute in group_attributes:
            found.append(("deviceGroups", f"{field}.matchAttribute"))
    found += [("config", f"devices.config[{index}]") for index in range(len(claim.config))]
    return {
        name: tuple(field for part, field in found if part == name)
        for name in Parts.names()
        if any(part == name for part, _ in found)
    }


def _of_request(
    request: DeviceRequest, field: str, efa_classes: Collection[str]
) -> Iterator[Found]:
    if request.first_available:
        yield "firstAvailable", f"{field}.firstAvailable"
    for index, each in enumerate(request.alternatives):
        inner = f"firstAvailable[{index}]" if request.first_available else "exactly"
        yield from _of_exact(each, f"{field}.{inner}", efa_classes)


def _of_exact(
    request: ExactDeviceRequest, field: str, efa_classes: Collection[str]
) -> Iterator[Found]:
    kind = "efa" if request.device_class_name in efa_classes else "neuron"
    yield kind, f"{field}.deviceClassName"
    everything = request.allocation_mode == ALL
    yield ("all", f"{field}.allocationMode") if everything else ("exactCount", f"{field}.count")
    held = {
        "selectors": request.selectors,
        "tolerations": request.tolerations,
        "capacity": request.capacity,
        "adminAccess": request.admin_access,
    }
    yield from ((name, f"{field}.{name}") for name, value in held.items() if value)
