"""Proof that a planned claim can be had: it is allocated on an empty node of every instance type.

In: a planned partition in its profile. Out: diagnostics of claims that the scheduler's allocator
refuses there, and how many claims a node holds where numbers cannot say. The devices are those that
the drivers are predicted to publish; a selector that reads what only a live node knows
proves nothing, and nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from neuron_dra.allocator.allocator import Allocator
from neuron_dra.allocator.features import Features
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import Allocated, Fatal, Outcome, Undecided, Unsatisfiable
from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.driver import Driver
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.cel.environment import Compiled, environment
from neuron_dra.cel.reads import find_reads
from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ResourceClaim
from neuron_dra.plan.classes import ClassPlanner, used_chips
from neuron_dra.plan.drivers import NeuronDriver, efa_driver
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.profile import Profile
from neuron_dra.slices.predict import predict_slices

NODE = Node("node", {})


@dataclass(slots=True)
class Prover:
    """Allocates planned claims; remembers the nodes that it predicted."""

    catalog: Catalog
    driver: NeuronDriver
    _allocators: dict[object, Allocator] = field(default_factory=dict)

    def prove(self, planned: PlannedPartition, profile: Profile) -> list[Diagnostic]:
        """Refuse a claim that an empty node of a type that should serve it cannot take."""
        found = []
        for shape, kind in _served(planned):
            if not self._depends_on_live(planned, kind, profile):
                outcome = self._allocate(planned, shape, kind, profile, AllocatedState())
                if not isinstance(outcome, Allocated | Undecided):
                    found.append(_refused(shape, kind, outcome))
        return found

    def count(self, planned: PlannedPartition, profile: Profile) -> dict[str, int]:
        """Return by instance type how many claims an empty node holds, where numbers cannot say.

        That is where selectors narrow the devices, or where each claim takes the first of several
        alternatives.
        """
        return {
            kind.name: self._fill(planned, shape, kind, profile)
            for shape, kind in _served(planned)
            if _needs_search(planned, kind) and not self._depends_on_live(planned, kind, profile)
        }

    def _fill(
        self, planned: PlannedPartition, shape: PlannedShape, kind: InstanceType, profile: Profile
    ) -> int:
        number, state = 0, AllocatedState()
        while isinstance(
            outcome := self._allocate(planned, shape, kind, profile, state), Allocated
        ):
            number, state = number + 1, state.taking(outcome.results[0].results)
        return number

    def _allocate(
        self,
        planned: PlannedPartition,
        shape: PlannedShape,
        kind: InstanceType,
        profile: Profile,
        state: AllocatedState,
    ) -> Outcome:
        allocator = self._allocator(planned, shape, kind, profile)
        return allocator.allocate(NODE, [ResourceClaim(planned.name, planned.claim)], state)

    def _allocator(
        self, planned: PlannedPartition, shape: PlannedShape, kind: InstanceType, profile: Profile
    ) -> Allocator:
        """Return an allocator for an empty node, which runs the driver that the shape pins."""
        pin = shape.spec.neuron_driver
        key = (id(profile), frozenset(used_chips([planned])), kind.name, pin)
        if key not in self._allocators:
            classes = ClassPlanner(self.driver, efa_driver(self.catalog)).plan(profile, [planned])
            live = {f"{self.driver.name}/{self.driver.driver_version}": pin} if pin else {}
            gates = profile.release.default_gates
            self._allocators[key] = Allocator(
                Features.of(profile.minor, gates),
                profile.minor,
                classes,
                predict_slices(kind, self._drivers(), NODE.name, live),
                AllocatedState(),
                environment(profile.minor, gates),
            )
        return self._allocators[key]

    def _drivers(self) -> list[Driver]:
        drivers = (self.catalog.driver(name) for name in ("neuron", "efa"))
        return [driver for driver in drivers if driver is not None]

    def _depends_on_live(
        self, planned: PlannedPartition, kind: InstanceType, profile: Profile
    ) -> bool:
        return any(self._reads_live(shape, profile) for shape in _shapes_on(planned, kind))

    def _reads_live(self, shape: PlannedShape, profile: Profile) -> bool:
        """Tell whether a selector reads what only a live node knows, but for a pinned version."""
        pinned = shape.spec.neuron_driver is not None
        live = {
            name
            for driver in self._drivers()
            if driver.attributes
            for name, attribute in driver.attributes.names.items()
            if attribute.live
        }
        if pinned:
            live.discard(f"{self.driver.name}/{self.driver.driver_version}")
        return any(name in live for name in _reads(shape, profile))


def _shapes_on(planned: PlannedPartition, kind: InstanceType) -> list[PlannedShape]:
    return [shape for shape in planned.shapes if kind in shape.types]


def _needs_search(planned: PlannedPartition, kind: InstanceType) -> bool:
    shapes = _shapes_on(planned, kind)
    return len(shapes) > 1 or any(shape.spec.selectors for shape in shapes)


def _served(planned: PlannedPartition) -> Iterator[tuple[PlannedShape, InstanceType]]:
    """Yield each instance type that serves the partition with the first shape that it serves."""
    seen: set[str] = set()
    for shape in planned.shapes:
        for kind in shape.types:
            if kind.name not in seen:
                seen.add(kind.name)
                yield shape, kind


def _reads(shape: PlannedShape, profile: Profile) -> Iterator[str]:
    for expression in shape.spec.selectors:
        gates = profile.release.default_gates
        compiled = environment(profile.minor, gates).compile(expression)
        if isinstance(compiled, Compiled):
            for read in find_reads(compiled):
                yield f"{read.domain}/{read.name}"


def _refused(shape: PlannedShape, kind: InstanceType, outcome: Outcome) -> Diagnostic:
    spec = shape.spec
    where = spec.places.value("selectors") if spec.selectors else spec.places.span
    published = kind.facts.places.key("published")
    return codes.CLAIM_NEVER_ALLOCATED.at(
        where,
        f"an empty node of `{kind.name}` cannot take this claim: {_reason(shape, outcome)}",
        related=[Related(published, "what is published there")],
        help="ask for fewer devices, or loosen the selectors" if spec.selectors else "",
    )


def _reason(shape: PlannedShape, outcome: Outcome) -> str:
    match outcome:
        case Fatal(_, message):
            return f"the scheduler gives the pod up with `{message}`"
        case Unsatisfiable() if shape.spec.selectors:
            wanted = f"{shape.devices} devices" if shape.devices > 1 else "1 device"
            tied = " that belong together" if shape.group_attribute else ""
            return f"the selectors leave less than {wanted}{tied}"
        case Unsatisfiable(reason):
            return reason
        case _:
            return "the scheduler runs out of time searching for devices"
