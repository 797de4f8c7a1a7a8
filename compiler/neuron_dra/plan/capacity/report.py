"""What the pools of a cluster hold: counts, mixes and worst cases.

In: a planned cluster and its rooms. Out: `PoolCapacity`, of numbers and placements. Words and
pictures are made elsewhere; so are findings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from neuron_dra.plan.capacity.mixes import Counts, Mixer
from neuron_dra.plan.capacity.room import UnknownError
from neuron_dra.plan.capacity.rooms import Offer, PoolRoom, RoomMaker
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

    small: Offer
    big: Offer
    blockade: Blockade | None
    is_known: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The answer about one mix.

    Attributes:
        counts: by offer.
        placements: where its claims lie on a node, with the index of the offer; None: they do not
            fit together, or that is not known.
        order: of the offers, in which first fit finds room for all; None: in none.
        left: by offer, what still fits after the claims have arrived as they were named.
        nodes: nodes that hold all claims, spread out; None: more than the pool has.
    """

    counts: Counts
    placements: tuple[tuple[int, int], ...] | None
    is_known: bool
    order: tuple[int, ...] | None
    left: Counts
    nodes: int | None


@dataclass(frozen=True, slots=True, eq=False)
class PoolCapacity:
    """What a pool holds.

    Attributes:
        counts: by offer, claims on an empty node; None: not known.
        mixes: the maximal mixes; None: too many to list, or not known.
        pairs: for each partition the worst that smaller ones can do, the fewest claims first.
    """

    at: PoolRoom
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

    def pair(self, at: PoolRoom, small: Offer, big: Offer) -> Pair:
        """Return the worst that claims of one partition can do to another in a pool."""
        others = [each.guest for each in at.offers if each is not small]
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
        counts = tuple(count_claims(at, each) for each in at.offers)
        told = {each.name for each in at.offers if each.name in partitions or not partitions}
        pairs = [
            self.pair(at, small, big)
            for big, count in zip(at.offers, counts, strict=True)
            for small in at.offers
            if count and small.chips < big.chips and told & {small.name, big.name}
        ]
        mixer = Mixer(
            at.room,
            [each.guest for each in at.offers],
            self.rooms.alike(at.room, [each.guest.claim for each in at.offers]),
        )
        return PoolCapacity(
            at,
            counts,
            _list_mixes(mixer, counts),
            tuple(sorted(pairs, key=lambda pair: (at.offers.index(pair.big), _rank(pair)))),
            _ask(mixer, at, mix) if mix else None,
        )


def count_claims(at: PoolRoom, offer: Offer) -> int | None:
    """Return how many claims of a partition an empty node holds; None: not known."""
    try:
        return at.room.count(offer.guest.claim)
    except UnknownError:
        return None


def _rank(pair: Pair) -> tuple[int, int, str]:
    if pair.blockade is None:
        return (2 if pair.is_known else 1), 0, pair.small.name
    return 0, len(pair.blockade.placements), pair.small.name


def _list_mixes(mixer: Mixer, counts: Sequence[int | None]) -> tuple[Counts, ...] | None:
    if None in counts:
        return None
    try:
        return tuple(mixer.list_maximal())
    except UnknownError:
        return None


def _ask(mixer: Mixer, at: PoolRoom, mix: Mapping[str, int]) -> Asked | None:
    names = [each.name for each in at.offers]
    if not set(mix) <= set(names):
        return None
    counts = tuple(mix.get(name, 0) for name in names)
    declared = [names.index(name) for name in mix]
    try:
        placements, is_known = mixer.arrange(counts), True
    except UnknownError:
        placements, is_known = None, False
    order = mixer.find_order(counts, declared) if placements else None
    taken = sum(mixer.fill(counts, order or tuple(declared)))
    left = tuple(at.room.count(each.guest.claim, taken) for each in at.offers)
    return Asked(counts, placements, is_known, order, left, _count_nodes(at, counts))


def _count_nodes(at: PoolRoom, counts: Counts) -> int | None:
    """Return the nodes that hold some claims; None: the pool has too few, or does not say."""
    most = at.pool.most if at.pool.most is not None else sum(counts)
    demands = [
        Demand(each.guest, count, (0,))
        for each, count in zip(at.offers, counts, strict=True)
        if count
    ]
    found = spread([(at.room, most)], demands)
    return None if any(found.left_over) else found.used[0]
