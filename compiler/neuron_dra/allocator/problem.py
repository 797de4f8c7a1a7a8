"""What a search works on.

Values only: checked claims, what a node has, and how long the search may take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from neuron_dra.allocator.constraints import Constraint
from neuron_dra.allocator.effort import Effort
from neuron_dra.allocator.features import Features, Variant
from neuron_dra.allocator.inventory import Inventory
from neuron_dra.allocator.requests import RequestData, RequestKey
from neuron_dra.allocator.selectors import Selectors
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ResourceClaim


@dataclass(slots=True)
class Problem:
    """What a search works on."""

    features: Features
    variant: Variant
    state: AllocatedState
    inventory: Inventory
    claims: Sequence[ResourceClaim]
    requests: Mapping[RequestKey, RequestData]
    constraints: Sequence[Sequence[Constraint]]  # by claim
    selectors: Selectors
    effort: Effort
