"""Reading of ResourceClaims, ResourceClaimTemplates and DeviceClasses.

In: the plain data of an object in v1, v1beta2 or v1beta1. Out: a value of `claim`, and problems for
what cannot be read of it; None when it is of another kind. What the API server would default is
defaulted. Parameters for drivers are taken as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_dra.kube.allocation import DeviceRequestAllocationResult
from neuron_dra.kube.amount import billionths
from neuron_dra.kube.claim import (
    ALL,
    EXACT_COUNT,
    DeviceClaim,
    DeviceClass,
    DeviceConstraint,
    DeviceRequest,
    DeviceToleration,
    ExactDeviceRequest,
    OpaqueConfig,
    ResourceClaim,
)
from neuron_dra.kube.reading import FLAT_VERSION, Fields, ReadProblem, open_object
from neuron_dra.kube.slice import DeviceID

Problems = list[ReadProblem]


def read_claim(data: Any) -> tuple[ResourceClaim | None, Problems]:
    """Read a ResourceClaim; its status is read by `read_results`."""
    return _read_named(data, "ResourceClaim", ("spec",))


def read_template(data: Any) -> tuple[ResourceClaim | None, Problems]:
    """Read a ResourceClaimTemplate, as the claim that is made of it but for its name."""
    return _read_named(data, "ResourceClaimTemplate", ("spec", "spec"))


def read_class(data: Any) -> tuple[DeviceClass | None, Problems]:
    """Read a DeviceClass."""
    problems: Problems = []
    opened = open_object(data, "DeviceClass", problems)
    if opened is None:
        return None, problems
    fields, _ = opened
    spec = fields.fields("spec")
    made = DeviceClass(
        fields.fields("metadata").text("name", required=True),
        _read_selectors(spec),
        spec.text("extendedResourceName"),
        _read_configs(spec),
    )
    return made, problems


def read_results(data: Any) -> tuple[tuple[DeviceRequestAllocationResult, ...], Problems]:
    """Read the devices that a ResourceClaim has got; none when it is not allocated."""
    problems: Problems = []
    opened = open_object(data, "ResourceClaim", problems)
    if opened is None:
        return (), problems
    devices = opened[0].fields("status").fields("allocation").fields("devices")
    return tuple(_read_result(each) for each in devices.items("results")), problems


def _read_named(
    data: Any, kind: str, path: tuple[str, ...]
) -> tuple[ResourceClaim | None, Problems]:
    problems: Problems = []
    opened = open_object(data, kind, problems)
    if opened is None:
        return None, problems
    fields, version = opened
    spec = fields
    for name in path:
        spec = spec.fields(name)
    metadata = fields.fields("metadata")
    made = ResourceClaim(
        metadata.text("name"),
        _read_devices(spec.fields("devices"), flat=version == FLAT_VERSION),
        metadata.text("namespace"),
    )
    return made, problems


def _read_devices(fields: Fields, *, flat: bool) -> DeviceClaim:
    return DeviceClaim(
        tuple(_read_request(each, flat=flat) for each in fields.items("requests")),
        tuple(
            DeviceConstraint(
                each.texts("requests"),
                each.text("matchAttribute"),
                each.text("distinctAttribute"),
            )
            for each in fields.items("constraints")
        ),
        _read_configs(fields),
    )


def _read_request(fields: Fields, *, flat: bool) -> DeviceRequest:
    name = fields.text("name", required=True)
    subrequests = tuple(
        _read_exact(each, each.text("name", required=True))
        for each in fields.items("firstAvailable")
    )
    if subrequests:
        return DeviceRequest(name, first_available=subrequests)
    if flat:
        return DeviceRequest(name, _read_exact(fields))
    if not fields.has("exactly"):
        fields.problems.append(
            ReadProblem(fields.path, "one of `exactly` and `firstAvailable` is required")
        )
        return DeviceRequest(name)
    return DeviceRequest(name, _read_exact(fields.fields("exactly")))


def _read_exact(fields: Fields, name: str = "") -> ExactDeviceRequest:
    mode = fields.text("allocationMode") or EXACT_COUNT
    count = fields.integer("count")
    capacity = None
    if fields.has("capacity"):
        capacity = fields.fields("capacity").quantities("requests")
    return ExactDeviceRequest(
        device_class_name=fields.text("deviceClassName", required=True),
        count=0 if mode == ALL else count or 1,
        selectors=_read_selectors(fields),
        tolerations=tuple(_read_toleration(each) for each in fields.items("tolerations")),
        name=name,
        allocation_mode=mode,
        admin_access=None if name else fields.boolean("adminAccess"),
        capacity=capacity,
    )


def _read_selectors(fields: Fields) -> tuple[str, ...]:
    return tuple(
        each.fields("cel").text("expression", required=True) for each in fields.items("selectors")
    )


def _read_toleration(fields: Fields) -> DeviceToleration:
    has_seconds = fields.has("tolerationSeconds")
    return DeviceToleration(
        fields.text("key"),
        fields.text("operator", "Equal"),
        fields.text("value"),
        fields.text("effect"),
        fields.integer("tolerationSeconds") if has_seconds else None,
    )


def _read_configs(fields: Fields) -> tuple[OpaqueConfig, ...]:
    return tuple(_read_config(each) for each in fields.items("config"))


def _read_config(fields: Fields) -> OpaqueConfig:
    opaque = fields.fields("opaque")
    parameters: Mapping[str, Any] = opaque.fields("parameters").data
    return OpaqueConfig(fields.texts("requests"), opaque.text("driver", required=True), parameters)


def _read_result(fields: Fields) -> DeviceRequestAllocationResult:
    consumed = fields.quantities("consumedCapacity")
    amounts = {name: billionths(amount) for name, amount in consumed.items()}
    names = (fields.text(name, required=True) for name in ("driver", "pool", "device"))
    return DeviceRequestAllocationResult(
        fields.text("request"),
        DeviceID(*names),
        fields.boolean("adminAccess"),
        fields.has("shareID"),
        amounts if fields.has("consumedCapacity") else None,
        fields.texts("bindingConditions"),
        fields.texts("bindingFailureConditions"),
    )
