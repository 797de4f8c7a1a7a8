"""Shapes to claims: requests, constraints and driver parameters, each with its cause.

In: shapes with their fits. Out: the `DeviceClaim` that is judged and rendered, and the map from its
fields to the keys of the partition. The sound forms only: one EFA request and one constraint over
all alternatives, or pairs of single requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from neuron_dra.kube.claim import (
    DeviceClaim,
    DeviceConstraint,
    DeviceRequest,
    DeviceToleration,
    ExactDeviceRequest,
    OpaqueConfig,
)
from neuron_dra.plan.drivers import NeuronDriver
from neuron_dra.plan.fit import AnyShape, Fit
from neuron_dra.plan.names import EFA_CLASS

NEURON_REQUEST, EFA_REQUEST = "neurons", "efa"


@dataclass(frozen=True, slots=True)
class Entry:
    """An alternative of a partition, ready to become a request.

    Attributes:
        path: the entry's path in the partition's spec, empty or like `firstAvailable[1]`.
        name: the subrequest's name; empty when it is the only entry.
    """

    shape: AnyShape
    fit: Fit
    class_name: str
    path: str
    name: str


@dataclass(slots=True)
class _Claim:
    """A claim while it is built."""

    driver: NeuronDriver
    requests: list[DeviceRequest] = field(default_factory=list)
    constraints: list[DeviceConstraint] = field(default_factory=list)
    config: list[OpaqueConfig] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)

    def cause(self, path: str, entry: Entry, *keys: str) -> None:
        """Remember the key of the partition that gave a field: the first that was written."""
        written = [key for key in keys if entry.shape.places.has(key)] or keys[:1]
        self.fields[f"devices.{path}"] = ".".join(filter(None, (entry.path, written[0])))


def build_claim(
    entries: Sequence[Entry], driver: NeuronDriver
) -> tuple[DeviceClaim, dict[str, str]]:
    """Return the claim of a partition and the causes of its fields."""
    claim = _Claim(driver)
    if len(entries) == 1 and not entries[0].name:
        _add_single(entries[0], claim)
    else:
        _add_alternatives(entries, claim)
    made = DeviceClaim(tuple(claim.requests), tuple(claim.constraints), tuple(claim.config))
    return made, claim.fields


def _add_single(entry: Entry, claim: _Claim) -> None:
    units = entry.fit.units
    for index, (devices, efa) in enumerate(units):
        suffix = f"-{index}" if len(units) > 1 else ""
        _add_exact(entry, NEURON_REQUEST + suffix, devices, claim)
        names = [NEURON_REQUEST + suffix]
        if efa:
            _add_efa(entry, EFA_REQUEST + suffix, efa, claim)
        if efa and entry.fit.efa_in_group:
            names.append(EFA_REQUEST + suffix)
        _add_constraint(entry, names, claim)
    names = [request.name for request in claim.requests if request.name.startswith(NEURON_REQUEST)]
    _add_config(entry, names, claim)


def _add_alternatives(entries: Sequence[Entry], claim: _Claim) -> None:
    subrequests = []
    for index, entry in enumerate(entries):
        path = f"requests[0].firstAvailable[{index}]"
        subrequests.append(_neuron_request(entry, path, entry.fit.devices, entry.name, claim))
    claim.requests.append(DeviceRequest(NEURON_REQUEST, first_available=tuple(subrequests)))
    first = entries[0]
    if first.fit.efa:
        _add_efa(first, EFA_REQUEST, first.fit.efa, claim)
    if first.fit.efa_group:
        _add_constraint(first, [NEURON_REQUEST, EFA_REQUEST], claim)
    for entry in entries:
        reference = f"{NEURON_REQUEST}/{entry.name}"
        if not first.fit.efa_group:
            _add_constraint(entry, [reference], claim)
        _add_config(entry, [reference], claim)


def _add_exact(entry: Entry, name: str, devices: int, claim: _Claim) -> None:
    path = f"requests[{len(claim.requests)}].exactly"
    request = _neuron_request(entry, path, devices, "", claim)
    claim.requests.append(DeviceRequest(name, exactly=request))


def _neuron_request(
    entry: Entry, path: str, devices: int, name: str, claim: _Claim
) -> ExactDeviceRequest:
    shape = entry.shape
    claim.cause(f"{path}.deviceClassName", entry, "instanceType", "chip")
    claim.cause(f"{path}.count", entry, "devices", "ultraServerNodes")
    selectors = list(shape.selectors)
    if shape.neuron_driver:
        selectors.insert(0, claim.driver.version_expression(shape.neuron_driver))
        claim.cause(f"{path}.selectors[0]", entry, "neuronDriver")
    for index in range(len(shape.selectors)):
        position = index + len(selectors) - len(shape.selectors)
        claim.cause(f"{path}.selectors[{position}]", entry, f"selectors[{index}]")
    tolerations = tuple(
        DeviceToleration(
            each.key_ or "", each.operator, each.value, each.effect or "", each.toleration_seconds
        )
        for each in shape.tolerations
    )
    if tolerations:
        claim.cause(f"{path}.tolerations", entry, "tolerations")
    return ExactDeviceRequest(entry.class_name, devices, tuple(selectors), tolerations, name)


def _add_efa(entry: Entry, name: str, count: int, claim: _Claim) -> None:
    path = f"requests[{len(claim.requests)}].exactly"
    claim.cause(f"{path}.deviceClassName", entry, "efa")
    claim.cause(f"{path}.count", entry, "efa")
    claim.requests.append(DeviceRequest(name, exactly=ExactDeviceRequest(EFA_CLASS, count)))


def _add_constraint(entry: Entry, names: list[str], claim: _Claim) -> None:
    attribute = entry.fit.group_attribute
    if not attribute:
        return
    claim.cause(f"constraints[{len(claim.constraints)}].matchAttribute", entry, "connected", "efa")
    claim.constraints.append(DeviceConstraint(tuple(names), attribute))


def _add_config(entry: Entry, names: list[str], claim: _Claim) -> None:
    """Add the driver's parameters; each config entry names the Neuron requests only."""
    shape, driver = entry.shape, claim.driver
    parameters = []
    if shape.ultra_server_nodes is not None:
        parameters.append(
            ("ultraServerNodes", driver.ultra_server_config(shape.ultra_server_nodes))
        )
    if shape.logical_neuron_core is not None:
        parameters.append(("logicalNeuronCore", driver.neuron_config(shape.logical_neuron_core)))
    for key, value in parameters:
        claim.cause(f"config[{len(claim.config)}].opaque.parameters", entry, key)
        claim.config.append(OpaqueConfig(tuple(names), driver.name, value))
