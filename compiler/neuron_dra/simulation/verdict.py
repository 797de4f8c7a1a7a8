"""What becomes of claims: values only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from neuron_dra.kube.allocation import DeviceRequestAllocationResult

Results = tuple[DeviceRequestAllocationResult, ...]


class Verdict(StrEnum):
    """What the scheduler says of a claim."""

    ALLOCATED = "allocated"
    UNSATISFIABLE = "unsatisfiable"
    ERROR = "error"  # the scheduler gives the pod up, or nobody can tell
    TIMEOUT = "timeout"  # the scheduler stops searching before it knows


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of the claims of a pod, or of one claim alone.

    Attributes:
        results: of each claim, in order; empty when they are not allocated.
        reason: empty when there is nothing to explain.
    """

    verdict: Verdict
    node: str = ""
    results: tuple[Results, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What becomes of one claim.

    Attributes:
        pod: the pod that wants it; empty for a claim alone.
        conflict: the smallest set of its requests and constraints that cannot be had together.
    """

    name: str
    namespace: str
    pod: str
    verdict: Verdict
    node: str = ""
    results: Results = ()
    reason: str = ""
    conflict: tuple[str, ...] = ()
