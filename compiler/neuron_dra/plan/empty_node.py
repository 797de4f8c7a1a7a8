"""A free node of an instance type, as drivers are predicted to fill it and a scheduler sees it.

In: a partition on an instance type in a class of cluster. Out: an `EmptyNode`, which allocates.
Equal nodes are one object, whichever cluster they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from neuron_dra.allocator.allocator import Allocator
from neuron_dra.allocator.features import Features
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import Outcome
from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.driver import Driver
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.catalog.kubernetes import KubernetesRelease
from neuron_dra.cel.environment import Environment, environment
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import DeviceClaim, DeviceClass, ResourceClaim
from neuron_dra.kube.slice import ResourceSlice
from neuron_dra.plan.classes import ClassPlanner
from neuron_dra.plan.drivers import NeuronDriver, efa_driver
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.profile import Profile
from neuron_dra.slices.predict import predict_slices

NODE = Node("node", {})
NOTHING_TAKEN = AllocatedState()


@dataclass(frozen=True, slots=True, eq=False)
class EmptyNode:
    """A free node.

    Attributes:
        classes: those that claims on it may name.
        slices: what its drivers are predicted to publish.
        environment: compiles selectors.
    """

    type: InstanceType
    classes: tuple[DeviceClass, ...]
    slices: tuple[ResourceSlice, ...]
    environment: Environment
    allocator: Allocator

    def allocate(
        self, name: str, claim: DeviceClaim, state: AllocatedState = NOTHING_TAKEN
    ) -> Outcome:
        """Allocate a claim, maybe beside others."""
        return self.allocator.allocate(NODE, [ResourceClaim(name, claim)], state)


@dataclass(slots=True)
class EmptyNodes:
    """Makes the nodes on which claims are proved; remembers them."""

    catalog: Catalog
    driver: NeuronDriver
    _nodes: dict[object, EmptyNode] = field(default_factory=dict)

    @property
    def drivers(self) -> tuple[Driver, ...]:
        """The drivers whose slices are predicted."""
        drivers = (self.catalog.driver(name) for name in ("neuron", "efa"))
        return tuple(driver for driver in drivers if driver is not None)

    @property
    def driver_version(self) -> str:
        """The attribute that holds the version of the Neuron driver."""
        return f"{self.driver.name}/{self.driver.driver_version}"

    def node(
        self, planned: PlannedPartition, shape: PlannedShape, kind: InstanceType, profile: Profile
    ) -> EmptyNode:
        """Return a free node that runs the driver which a shape pins."""
        pin = shape.spec.neuron_driver
        classes = ClassPlanner(self.driver, efa_driver(self.catalog)).plan(profile, [planned])
        key = (
            profile.minor,
            tuple((each.name, each.selectors) for each in classes),
            kind.name,
            pin,
        )
        if key not in self._nodes:
            self._nodes[key] = self._make(classes, kind, profile.release, pin)
        return self._nodes[key]

    def plain_node(self, kind: InstanceType, kinds: Sequence[InstanceType]) -> EmptyNode:
        """Return a free node of the newest Kubernetes, with the classes of some types."""
        release = self.catalog.kubernetes(self.catalog.minors()[-1])
        assert release is not None
        planner = ClassPlanner(self.driver, efa_driver(self.catalog))
        return self._make(planner.classes_of(kinds), kind, release, None)

    def _make(
        self,
        classes: tuple[DeviceClass, ...],
        kind: InstanceType,
        release: KubernetesRelease,
        pin: str | None,
    ) -> EmptyNode:
        live = {self.driver_version: pin} if pin else {}
        minor, gates = release.minor, release.default_gates
        slices = predict_slices(kind, self.drivers, NODE.name, live)
        compiler = environment(minor, gates)
        features = Features.of(minor, gates)
        allocator = Allocator(features, minor, classes, slices, NOTHING_TAKEN, compiler)
        return EmptyNode(kind, classes, slices, compiler, allocator)
