"""How a scheduler would mix two alternatives, shown on a node.

In: two entries of `firstAvailable` that take different EFA interfaces. Out: a sentence about the
least that has to be in use on a node so that the scheduler's own algorithm breaks what an entry
promises. The claim is the one that a person would write: each entry as a subrequest of both
requests, with a constraint of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from neuron_dra.allocator.outcome import Allocated
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import (
    DeviceClaim,
    DeviceConstraint,
    DeviceRequest,
    ExactDeviceRequest,
)
from neuron_dra.kube.slice import DeviceID
from neuron_dra.plan.claims import EFA_REQUEST, NEURON_REQUEST
from neuron_dra.plan.empty_node import EmptyNode, EmptyNodes
from neuron_dra.plan.fit import AnyShape, Fit
from neuron_dra.plan.matching import Matching
from neuron_dra.plan.names import EFA_CLASS, device_class_name
from neuron_dra.plan.promise import Numbering, Promise
from neuron_dra.plan.soundness import find_breaks

LISTED = 2  # devices in use that are named
TRIED = 20  # of the allocations that would break a promise


@dataclass(frozen=True, slots=True)
class Alternative:
    """An entry on an instance type that serves it."""

    shape: AnyShape
    type: InstanceType
    fit: Fit


def demonstrate(alternatives: Sequence[Alternative], nodes: EmptyNodes) -> str:
    """Return how the scheduler breaks a promise, or an empty text where it was not found to."""
    if not all(each.fit.efa for each in alternatives):
        return ""  # an entry without EFA has no place in a request for EFA
    claim = _naive_claim(alternatives)
    kinds = {each.type.name: each.type for each in alternatives}
    for kind in kinds.values():
        node = nodes.plain_node(kind, list(kinds.values()))
        shown = _Demonstration(alternatives, claim, node, Numbering.of(nodes.drivers)).show()
        if shown:
            return shown
    return ""


def _naive_claim(alternatives: Sequence[Alternative]) -> DeviceClaim:
    neurons, efa, constraints = [], [], []
    for name, each in _named(alternatives):
        kind = device_class_name(each.type.name)
        neurons.append(ExactDeviceRequest(kind, each.fit.devices, name=name))
        efa.append(ExactDeviceRequest(EFA_CLASS, each.fit.efa, name=name))
        if each.fit.group_attribute:
            both = (f"{NEURON_REQUEST}/{name}", f"{EFA_REQUEST}/{name}")
            covered = both if each.fit.efa_in_group else both[:1]
            constraints.append(DeviceConstraint(covered, each.fit.group_attribute))
    requests = (
        DeviceRequest(NEURON_REQUEST, first_available=tuple(neurons)),
        DeviceRequest(EFA_REQUEST, first_available=tuple(efa)),
    )
    return DeviceClaim(requests, tuple(constraints))


def _named(alternatives: Sequence[Alternative]) -> Iterator[tuple[str, Alternative]]:
    return ((f"choice-{index}", each) for index, each in enumerate(alternatives))


@dataclass(frozen=True, slots=True)
class _Demonstration:
    alternatives: Sequence[Alternative]
    claim: DeviceClaim
    node: EmptyNode
    numbering: Numbering

    def show(self) -> str:
        matching = Matching(self.node)
        found = find_breaks(self.claim, self._promises(), matching, self.numbering)
        for each in islice(found, TRIED):
            left = {device.id for some in each.choice.values() for device in some}
            used = [device.id for device in matching.devices if device.id not in left]
            if self._broken(used):
                used = self._fewest(used)
                return f"{_where(self.node.type, used)}, {self._broken(used)}"
        return ""

    def _promises(self) -> dict[str, Promise]:
        return {
            name: Promise.of(each.shape, each.fit.devices, self.node.type)
            for name, each in _named(self.alternatives)
        }

    def _broken(self, used: Sequence[DeviceID]) -> str:
        """Return what the scheduler breaks on a node on which devices are in use."""
        outcome = self.node.allocate("claim", self.claim, AllocatedState(frozenset(used)))
        if not isinstance(outcome, Allocated):
            return ""
        results = outcome.results[0].results
        known = {each.id: each for each in Matching(self.node).devices}
        holding = self.numbering.holding(known[each.device] for each in results)
        taken = next(each.request for each in results if each.request.startswith(NEURON_REQUEST))
        return self._promises()[taken.partition("/")[2]].broken([holding])

    def _fewest(self, used: list[DeviceID]) -> list[DeviceID]:
        """Leave out every device whose use does not matter."""
        for each in tuple(used):
            fewer = [other for other in used if other != each]
            if self._broken(fewer):
                used = fewer
        return used


def _where(kind: InstanceType, used: Sequence[DeviceID]) -> str:
    if not used:
        return f"on a free `{kind.name}`"
    names = ", ".join(each.device for each in used[:LISTED])
    more = f" and {len(used) - LISTED} more" if len(used) > LISTED else ""
    return f"on a `{kind.name}` where {names}{more} {'is' if len(used) == 1 else 'are'} in use"
