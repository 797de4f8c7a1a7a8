"""What comes of an allocation, and what ends one early.

Values only. `Fatal` ends the whole scheduling attempt of a pod, whatever other cluster nodes have;
the other failures concern one node.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from neuron_dra.kube.allocation import AllocationResult

CANNOT_ALLOCATE = "cannot allocate all claims"
INVALID_POOLS = "invalid resource pools were encountered"
TIMED_OUT = "timed out trying to allocate devices"


class Cause(StrEnum):
    """The kinds of fatal failures."""

    CLASS = "class"  # a device class is missing
    SELECTOR = "selector"  # an expression cannot be compiled or evaluated
    CONSTRAINT = "constraint"  # of no known kind, or not satisfied by all devices
    POOL = "pool"  # incomplete or invalid, where every device was asked for
    LIMIT = "limit"  # more devices than a claim may have
    FEATURE = "feature"  # something asked for is switched off
    REQUEST = "request"  # of no known kind
    CAPACITY = "capacity"  # an amount that cannot be computed with
    NODE_SELECTOR = "node-selector"  # of a slice
    CRASH = "crash"  # the scheduler itself stops at an index out of range


@dataclass(frozen=True, slots=True)
class Allocated:
    """Every claim got its devices.

    Attributes:
        results: one for each claim, in order.
        steps: how often the scheduler would call `allocateOne`.
    """

    results: tuple[AllocationResult, ...]
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """No choice of devices on this node serves all claims."""

    reason: str
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Fatal:
    """The scheduler gives the pod up, in the words of its event."""

    cause: Cause
    message: str


@dataclass(frozen=True, slots=True)
class Timeout:
    """The scheduler stops searching before it knows.

    Attributes:
        steps: how many it would need, or as many as were counted.
    """

    steps: int


@dataclass(frozen=True, slots=True)
class Undecided:
    """The search is too long for us, and not known to be too long for the scheduler."""

    steps: int


Outcome = Allocated | Unsatisfiable | Fatal | Timeout | Undecided


class AbortError(Exception):
    """Ends an allocation; never leaves this room."""

    def __init__(self, cause: Cause, message: str) -> None:
        super().__init__(message)
        self.outcome = Fatal(cause, message)
