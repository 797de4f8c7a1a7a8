"""One allocator for each cluster node, with the slices that can matter there.

In: slices, classes and a Kubernetes minor with its gates. Out: the outcome of an allocation on a
node. A node sees whole pools, so that incomplete ones are known as such; pools of other nodes are
left out, which no allocation notices. A few allocators are kept, since a large cluster has more
than memory holds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from neuron_dra.allocator.allocator import NOTHING_ALLOCATED, Allocator
from neuron_dra.allocator.features import Features
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import Outcome
from neuron_dra.allocator.selectors import Expressions
from neuron_dra.cel.environment import environment
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import DeviceClass, ResourceClaim
from neuron_dra.kube.node import ClusterNode
from neuron_dra.kube.slice import ResourceSlice

KEPT = 256

_PoolID = tuple[str, str]


@dataclass(slots=True)
class Allocators:
    """Allocates on any node of a cluster."""

    minor: str
    gates: Mapping[str, bool]
    classes: Sequence[DeviceClass]
    slices: Sequence[ResourceSlice]
    _reach: _Reach = field(init=False)
    _expressions: Expressions = field(init=False)
    _made: OrderedDict[str, Allocator] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self._reach = _Reach(self.slices)
        self._expressions = Expressions(environment(self.minor, self.gates))

    def allocate(
        self, node: ClusterNode, claims: Sequence[ResourceClaim], state: AllocatedState
    ) -> Outcome:
        """Allocate the claims of a pod on a node."""
        place = Node(node.name, node.labels)
        return self._allocator(node.name).allocate(place, claims, state)

    def _allocator(self, name: str) -> Allocator:
        if name in self._made:
            self._made.move_to_end(name)
            return self._made[name]
        made = self._made[name] = Allocator(
            Features.of(self.minor, self.gates),
            self.minor,
            self.classes,
            self._reach.slices_for(name),
            NOTHING_ALLOCATED,
            environment(self.minor, self.gates),
            self._expressions,
        )
        if len(self._made) > KEPT:
            self._made.popitem(last=False)
        return made


class _Reach:
    """Which slices a node must know: those of pools that are not for other nodes alone."""

    def __init__(self, slices: Sequence[ResourceSlice]) -> None:
        self._slices = slices
        scopes: dict[_PoolID, set[str]] = {}
        for each in slices:
            scopes.setdefault(_pool(each), set()).add(each.node_name)
        self._everywhere: list[int] = []
        self._by_node: dict[str, list[int]] = {}
        for index, each in enumerate(slices):
            scope = scopes[_pool(each)]
            for name in () if "" in scope else scope:
                self._by_node.setdefault(name, []).append(index)
            if "" in scope:
                self._everywhere.append(index)

    def slices_for(self, name: str) -> list[ResourceSlice]:
        """Return the slices for a node, in the order in which they stand."""
        indexes = sorted([*self._everywhere, *self._by_node.get(name, ())])
        return [self._slices[index] for index in indexes]


def _pool(each: ResourceSlice) -> _PoolID:
    return each.driver, each.pool.name
