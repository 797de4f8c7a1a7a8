"""Requests: checked once, before devices are searched for.

In: a request or a subrequest of a claim. Out: `RequestData` with its class and the number of its
devices; a request for all devices gets the list of them here. Whatever makes no sense on any node
raises `AbortError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from neuron_dra.allocator.inventory import Candidate
from neuron_dra.allocator.outcome import AbortError, Cause
from neuron_dra.kube.claim import (
    ALL,
    ALLOCATION_RESULTS_MAX_SIZE,
    EXACT_COUNT,
    DeviceClass,
    DeviceRequest,
    ExactDeviceRequest,
    ResourceClaim,
)


class RequestKey(NamedTuple):
    """What names a request or a subrequest in one allocation."""

    claim: int
    request: int
    subrequest: int


@dataclass(slots=True, eq=False)
class RequestData:
    """What is known of a request or a subrequest.

    Attributes:
        parent: the request of a subrequest, empty otherwise.
        num_devices: how many devices it takes.
        all_devices: these devices, when it asks for all.
        selected: on the first subrequest: the number of the one that was taken.
    """

    key: RequestKey
    request: ExactDeviceRequest
    name: str
    parent: str
    device_class: DeviceClass
    num_devices: int
    all_devices: list[Candidate] = field(default_factory=list)
    selected: int = 0

    @property
    def takes_all(self) -> bool:
        return self.request.allocation_mode == ALL

    @property
    def base_name(self) -> str:
        """The name of the request, also for a subrequest."""
        return self.parent or self.name

    @property
    def full_name(self) -> str:
        """`request` or `request/subrequest`."""
        return f"{self.parent}/{self.name}" if self.parent else self.name


def alternatives(
    key: RequestKey, request: DeviceRequest
) -> Iterator[tuple[RequestKey, ExactDeviceRequest, str, str]]:
    """Yield a request, or each of its subrequests, with its name and its parent's."""
    for index, alternative in enumerate(request.alternatives):
        name = alternative.name if request.first_available else request.name
        parent = request.name if request.first_available else ""
        yield key._replace(subrequest=index), alternative, name, parent


def check_request(
    claim: ResourceClaim, request: ExactDeviceRequest, name: str, *, admin_access: bool
) -> None:
    """Refuse a request that asks for something switched off, or for nothing known."""
    where = f"claim {claim}, request {name}"
    if request.admin_access is not None and not admin_access:
        raise AbortError(
            Cause.FEATURE, f"{where}: admin access is requested, but the feature is disabled"
        )
    if not request.device_class_name:
        raise AbortError(
            Cause.REQUEST, f"{where}: missing device class name (unsupported request type?)"
        )
    if request.allocation_mode not in (EXACT_COUNT, ALL):
        raise AbortError(
            Cause.REQUEST, f"{where}: unsupported count mode {request.allocation_mode}"
        )


def find_class(
    classes: Mapping[str, DeviceClass], claim: ResourceClaim, request: ExactDeviceRequest, name: str
) -> DeviceClass:
    """Return the class of a request."""
    found = classes.get(request.device_class_name)
    if found is None:
        raise AbortError(
            Cause.CLASS,
            f"claim {claim}, request {name}: could not retrieve device class "
            f"{request.device_class_name}: deviceclass.resource.k8s.io "
            f'"{request.device_class_name}" not found',
        )
    return found


def check_total(
    claim: ResourceClaim, request: str, before: int, devices: int, *, at_once: bool
) -> None:
    """Refuse a request after which a claim takes more devices than its status can list.

    `at_once`: name the request, as the scheduler does when it looks after every request.
    """
    limit = ALLOCATION_RESULTS_MAX_SIZE
    if before + devices <= limit:
        return
    if at_once:
        message = f"request {request}: adding {devices} devices exceeds the claim limit of {limit}"
        raise AbortError(
            Cause.LIMIT, f"claim {claim}, {message}, with {before} already accounted for"
        )
    total = before + devices
    message = f"number of requested devices {total} exceeds the claim limit of {limit}"
    raise AbortError(Cause.LIMIT, f"claim {claim}: {message}")
