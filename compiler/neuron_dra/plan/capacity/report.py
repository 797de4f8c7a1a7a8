"""What the pools of a cluster hold: counts, mixes and worst cases.

In: a planned cluster and its rooms. Out: `PoolCapacity`, of numbers and placements. Words and
pictures are made elsewhere; so are findings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from neuron_dra.plan.capacity.mixes import Counts, Mixer
from neuron_dra.plan.capacity.room import UnknownError
from neuron_dra.plan.capacity.rooms import PoolGrant, PoolRoom, RoomMaker
from neuron_dra.plan.capacity.spread import Demand, spread
from neuron_dra.plan.capacity.worst import Alike, Blockade, find_blockade
from neuron_dra.plan.cluster import ClusterPlan


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """What claims of a small partition can do to a bigger one.

    Attributes:
        blockade: None when they always leave room for it, or when that is not known.
        is_known: whether the search came to an end.
    """

    small: PoolGrant
    big: PoolGrant
    blockade: Blockade | None
    is_known: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The answer about one mix.

    Attributes:
        grants: in the order in which they were named.
        counts: by grant, claims.
        placements: where its claims lie on a node, with the index of the grant; None: they do not
            fit together, or that is not known.
        order: of the grants, in which first fit finds room for all; None: in none.
        left: by partition of the pool, what still fits on the node afterwards; none where the mix
            does not fit.
        nodes: nodes that hold all claims, spread out; None: more than the pool has.
    """

    grants: tuple[PoolGrant, ...]
    counts: Counts
    placements: tuple[tuple[int, int], ...] | None
    is_known: bool
    order: tuple[int, ...] | None
    left: Mapping[str, int]
    nodes: int | None


@dataclass(frozen=True, slots=True, eq=False)
class PoolCapacity:
    """What a pool holds.

    Attributes:
        grants: the partitions that are told of, the largest first.
        counts: by grant, claims on an empty node; None: not known.
        mixes: the maximal mixes of the grants; None: too many to list, or not known.
        pairs: for each partition what smaller ones can do to it, the worst first.
    """

    at: PoolRoom
    grants: tuple[PoolGrant, ...]
    counts: tuple[int | None, ...]
    mixes: tuple[Counts, ...] | None
    pairs: tuple[Pair, ...]
    asked: Asked | None = None


@dataclass(slots=True)
class Surveyor:
    """Measures pools; remembers what equal nodes and claims have shown."""

    rooms: RoomMaker
    _pairs: dict[object, tuple[Blockade | None, bool]] = field(default_factory=dict)

    def measure(
        self,
        cluster: ClusterPlan,
        partitions: Collection[str] = (),
        mix: Mapping[str, int] | None = None,
    ) -> tuple[PoolCapacity, ...]:
        """Return the capacity of every pool that serves a partition.

        Args:
            partitions: tell of these only; of all when there are none.
            mix: ask for this mix in the pools that serve all its partitions.
        """
        return tuple(
            self._measure_room(at, partitions, mix)
            for pool in cluster.profile.pools
            for at in self.rooms.list_rooms(cluster, pool)
        )

    def pair(self, at: PoolRoom, small: PoolGrant, big: PoolGrant) -> Pair:
        """Return the worst that claims of one partition can do to another in a pool."""
        others = [each.guest for each in at.grants if each is not small]
        key = (
            *(id(at.room), id(small.guest.claim), id(big.guest.claim), small.name),
            tuple((id(each.claim), each.name) for each in others),
        )
        if key not in self._pairs:
            claims = small.guest.claim, big.guest.claim
            alike = Alike(
                self.rooms.alike(at.room, claims[:1]),
                self.rooms.alike(at.room, claims[1:]),
                self.rooms.alike(at.room, claims),
            )
            try:
                found = find_blockade(at.room, small.guest, big.guest, alike, others)
                self._pairs[key] = found, True
            except UnknownError:
                self._pairs[key] = None, False
        return Pair(small, big, *self._pairs[key])

    def _measure_room(
        self, at: PoolRoom, partitions: Collection[str], mix: Mapping[str, int] | None
    ) -> PoolCapacity:
        grants = tuple(each for each in at.grants if each.name in partitions or not partitions)
        counts = tuple(count_claims(at, each) for each in grants)
        pairs = [
            self.pair(at, small, big)
            for big in at.grants
            for small in at.grants
            if small.chips < big.chips and {small, big} & set(grants) and count_claims(at, big)
        ]
        mixes = None if None in counts else self._list_mixes(at, grants)
        asked = self._ask(at, mix) if mix else None
        order = {grant: number for number, grant in enumerate(at.grants)}
        pairs.sort(key=lambda pair: (order[pair.big], _rank(pair)))
        return PoolCapacity(at, grants, counts, mixes, tuple(pairs), asked)

    def _mixer(self, at: PoolRoom, grants: Sequence[PoolGrant]) -> Mixer:
        guests = [each.guest for each in grants]
        return Mixer(at.room, guests, self.rooms.alike(at.room, [each.claim for each in guests]))

    def _list_mixes(self, at: PoolRoom, grants: Sequence[PoolGrant]) -> tuple[Counts, ...] | None:
        try:
            return tuple(self._mixer(at, grants).list_maximal())
        except UnknownError:
            return None

    def _ask(self, at: PoolRoom, mix: Mapping[str, int]) -> Asked | None:
        """Return the answer about a mix; None where a partition of it is not served."""
        by_name = {each.name: each for each in at.grants}
        if not set(mix) <= set(by_name):
            return None
        grants, counts = tuple(by_name[name] for name in mix), tuple(mix.values())
        mixer = self._mixer(at, grants)
        try:
            placements, is_known = mixer.arrange(counts), True
        except UnknownError:
            placements, is_known = None, False
        order = mixer.find_order(counts) if placements else None
        held = mixer.fill(counts, order) if order else [each for _, each in placements or ()]
        left = {each.name: at.room.count(each.guest.claim, sum(held)) for each in at.grants}
        nodes = _count_nodes(at, grants, counts)
        return Asked(grants, counts, placements, is_known, order, left if placements else {}, nodes)


def count_claims(at: PoolRoom, grant: PoolGrant) -> int | None:
    """Return how many claims of a partition an empty node holds; None: not known."""
    try:
        return at.room.count(grant.guest.claim)
    except UnknownError:
        return None


def _rank(pair: Pair) -> tuple[int, int, str]:
    if pair.blockade is None:
        return (2 if pair.is_known else 1), 0, pair.small.name
    return 0, len(pair.blockade.placements), pair.small.name


def _count_nodes(at: PoolRoom, grants: Sequence[PoolGrant], counts: Counts) -> int | None:
    """Return the nodes that hold some claims; None: the pool has too few."""
    most = at.pool.most if at.pool.most is not None else sum(counts)
    demands = [
        Demand(each.guest, count, (0,))
        for each, count in sorted(
            zip(grants, counts, strict=True), key=lambda pair: at.grants.index(pair[0])
        )
    ]
    found = spread([(at.room, most)], demands)
    return None if any(found.left_over) else found.used[0]
