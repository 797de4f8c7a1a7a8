"""The nodes of a cluster's pools as rooms, and the partitions that send claims there.

In: a planned cluster. Out: a `PoolRoom` for each pool and each Neuron driver version that a
partition pins there; an empty node is what the drivers are predicted to publish. A partition whose
selectors read what only a live node knows is left out by name: where its claims go is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from neuron_dra.allocator.allocator import Allocator
from neuron_dra.allocator.features import Features
from neuron_dra.allocator.selectors import Expressions, Selectors
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.cel.environment import environment
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import DeviceClaim
from neuron_dra.plan.capacity.likeness import Likeness, compare_devices
from neuron_dra.plan.capacity.room import Guest, Room
from neuron_dra.plan.cluster import ClusterPlan, TenantPlan
from neuron_dra.plan.empty_node import NODE
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.plan.proof import Prover
from neuron_dra.slices.predict import predict_slices

JUDGE = "1.36"  # the first minor whose search tries every set of devices once


@dataclass(frozen=True, slots=True, eq=False)
class PoolGrant:
    """A partition in a pool.

    Attributes:
        shape: the first of its entries that the pool serves.
        tenants: who is granted it, in the cluster's order.
        guest: its claims.
    """

    planned: PlannedPartition
    shape: PlannedShape
    tenants: tuple[TenantPlan, ...]
    guest: Guest

    @property
    def name(self) -> str:
        return self.planned.partition.metadata.name

    @property
    def chips(self) -> int:
        """How many Neuron devices a claim takes; 1 for a whole node."""
        return self.shape.devices

    @property
    def is_node(self) -> bool:
        """Whether a claim takes a whole node of an UltraServer."""
        return self.shape.ultra_server_nodes is not None


@dataclass(frozen=True, slots=True, eq=False)
class PoolRoom:
    """A node of a pool, and who sends claims there.

    Attributes:
        driver: the Neuron driver version that a partition pins; empty when none does.
        grants: by size, the largest first, then by name.
        unknown: names of partitions whose selectors read what only a live node knows.
        chips: by Neuron device, its bit.
    """

    pool: Pool
    driver: str
    room: Room
    grants: tuple[PoolGrant, ...]
    unknown: tuple[str, ...]
    chips: tuple[int, ...]

    def chips_of(self, placement: int) -> tuple[int, ...]:
        """Return the numbers of the Neuron devices in a placement."""
        return tuple(number for number, bit in enumerate(self.chips) if placement >> bit & 1)

    def grant(self, name: str) -> PoolGrant:
        """Return the grant of a partition that is here."""
        return next(each for each in self.grants if each.name == name)


@dataclass(slots=True)
class RoomMaker:
    """Makes rooms; nodes and claims of equal content share one room."""

    prover: Prover
    _rooms: dict[object, Room] = field(default_factory=dict)
    _claims: dict[str, DeviceClaim] = field(default_factory=dict)
    _texts: dict[int, tuple[object, str]] = field(default_factory=dict)
    _alike: dict[object, Likeness] = field(default_factory=dict)
    _selectors: dict[int, Selectors] = field(default_factory=dict)  # by the id of a room

    def list_rooms(self, cluster: ClusterPlan, pool: Pool) -> tuple[PoolRoom, ...]:
        """Return a pool's node, once for each driver version that a partition pins."""
        grants = self._list_grants(cluster, pool)
        pins = sorted({pin for each in grants if (pin := each.shape.spec.neuron_driver)})
        return tuple(
            self._pool_room(cluster, pool, pin, [each for each in grants if _runs_on(each, pin)])
            for pin in pins or ("",)
            if grants
        )

    def alike(self, room: Room, claims: Sequence[DeviceClaim]) -> Likeness:
        """Return what claims can tell of the devices of a room."""
        key = (id(room), frozenset(map(id, claims)))
        if key not in self._alike:
            self._alike[key] = compare_devices(
                room.devices, claims, room.allocator.classes, self._selectors[id(room)]
            )
        return self._alike[key]

    def _list_grants(self, cluster: ClusterPlan, pool: Pool) -> list[PoolGrant]:
        granted = {id(each): each for tenant in cluster.tenants for each in tenant.partitions}
        grants = [
            PoolGrant(
                planned,
                next(shape for shape in planned.shapes if pool.name in shape.pools),
                tuple(each for each in cluster.tenants if planned in each.partitions),
                Guest(planned.partition.metadata.name, self._intern(planned.claim)),
            )
            for planned in granted.values()
            if pool in planned.pools
        ]
        return sorted(grants, key=lambda each: (-each.chips, -each.shape.efa, each.name))

    def _intern(self, claim: DeviceClaim) -> DeviceClaim:
        return self._claims.setdefault(self._describe(claim), claim)

    def _describe(self, value: object) -> str:
        """Return the content of a value as text; remembers values, so that ids stay theirs."""
        if id(value) not in self._texts:
            self._texts[id(value)] = value, repr(value)
        return self._texts[id(value)][1]

    def _pool_room(
        self, cluster: ClusterPlan, pool: Pool, pin: str, grants: Sequence[PoolGrant]
    ) -> PoolRoom:
        room = self._room(cluster, pool.type, pin)
        unknown = [each for each in grants if self._reads_live(each.planned, pool, cluster.profile)]
        driver = self.prover.nodes.driver.name
        return PoolRoom(
            pool,
            pin,
            room,
            tuple(each for each in grants if each not in unknown),
            tuple(sorted(each.name for each in unknown)),
            tuple(each.index for each in room.devices if each.id.driver == driver),
        )

    def _room(self, cluster: ClusterPlan, kind: InstanceType, pin: str) -> Room:
        profile = cluster.profile
        key = (profile.minor, self._describe(cluster.classes), kind.name, pin)
        if key not in self._rooms:
            known = environment(profile.minor, profile.release.default_gates)
            slices = predict_slices(kind, self.prover.nodes.drivers, NODE.name, self._live(pin))
            allocator, judge = (
                Allocator(
                    Features.of(release.minor, release.default_gates),
                    release.minor,
                    cluster.classes,
                    slices,
                    AllocatedState(),
                    known,
                )
                for release in (
                    profile.release,
                    self.prover.nodes.catalog.kubernetes(JUDGE) or profile.release,
                )
            )
            room = self._rooms[key] = Room(NODE, allocator, judge)
            self._selectors[id(room)] = Selectors(
                Expressions(known), allocator.features, allocator.variant, NODE
            )
        return self._rooms[key]

    def _live(self, pin: str) -> dict[str, str]:
        """Return what is known of a live node: the version of its driver, where one is pinned."""
        return {self.prover.nodes.driver_version: pin} if pin else {}

    def _reads_live(self, planned: PlannedPartition, pool: Pool, profile: Profile) -> bool:
        return any(
            self.prover.live_reads(shape, profile)
            for shape in planned.shapes
            if pool.name in shape.pools
        )


def _runs_on(grant: PoolGrant, pin: str) -> bool:
    return grant.shape.spec.neuron_driver in (None, pin)
