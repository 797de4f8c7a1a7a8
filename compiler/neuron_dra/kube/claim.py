"""The values of resource.k8s.io: claims, their requests and constraints, and device classes.

Field names follow k8s.io/api resource/v1 types.go. Rendering to a given API version is the work of
`objects`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Limits of k8s.io/api resource/v1 types.go, read 2026-07-24.
ALLOCATION_RESULTS_MAX_SIZE = 32
DEVICE_REQUESTS_MAX_SIZE = 32
DEVICE_CONSTRAINTS_MAX_SIZE = 32
DEVICE_CONFIG_MAX_SIZE = 32

EXACT_COUNT, ALL = "ExactCount", "All"  # the allocation modes


@dataclass(frozen=True, slots=True)
class DeviceToleration:
    """A toleration of a device taint."""

    key: str
    operator: str  # Equal or Exists
    value: str
    effect: str  # empty: all effects
    toleration_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class ExactDeviceRequest:
    """A request for devices of a class; also a subrequest, with a name."""

    device_class_name: str
    count: int  # of no meaning when the mode is `All`
    selectors: tuple[str, ...] = ()
    tolerations: tuple[DeviceToleration, ...] = ()
    name: str = ""  # of a subrequest, unique in its parent
    allocation_mode: str = EXACT_COUNT
    admin_access: bool | None = None  # None: not written; a subrequest cannot have it
    capacity: Mapping[str, str] | None = None  # requested amounts; None: not written


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """A request: either `exactly` or alternatives in order of preference."""

    name: str
    exactly: ExactDeviceRequest | None = None
    first_available: tuple[ExactDeviceRequest, ...] = ()

    @property
    def alternatives(self) -> tuple[ExactDeviceRequest, ...]:
        return self.first_available or ((self.exactly,) if self.exactly else ())


@dataclass(frozen=True, slots=True)
class DeviceConstraint:
    """All devices of some requests have the same value of an attribute, or all another one."""

    requests: tuple[str, ...]  # `request` or `request/subrequest`; none: all
    match_attribute: str  # empty: not written
    distinct_attribute: str = ""  # of no effect beside `match_attribute`


@dataclass(frozen=True, slots=True)
class OpaqueConfig:
    """Parameters for a driver, for the devices of some requests."""

    requests: tuple[str, ...]  # none: all; a class has none
    driver: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DeviceClaim:
    """What a claim asks for."""

    requests: tuple[DeviceRequest, ...]
    constraints: tuple[DeviceConstraint, ...] = ()
    config: tuple[OpaqueConfig, ...] = ()

    def charges(self) -> dict[str, int]:
        """Return by class how many devices a ResourceQuota counts: of alternatives the most.

        Source: pkg/quota/v1/evaluator/core/resource_claims.go.
        """
        total: dict[str, int] = {}
        for request in self.requests:
            most: dict[str, int] = {}
            for each in request.alternatives:
                counted = ALLOCATION_RESULTS_MAX_SIZE if each.allocation_mode == ALL else each.count
                name = each.device_class_name
                most[name] = max(most.get(name, 0), counted)
            for name, counted in most.items():
                total[name] = total.get(name, 0) + counted
        return total


@dataclass(frozen=True, slots=True)
class DeviceClass:
    """A device class; every selector must match."""

    name: str
    selectors: tuple[str, ...]
    extended_resource_name: str = ""
    config: tuple[OpaqueConfig, ...] = ()


@dataclass(frozen=True, slots=True)
class ResourceClaim:
    """A claim by its name."""

    name: str
    devices: DeviceClaim
    namespace: str = ""

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name
