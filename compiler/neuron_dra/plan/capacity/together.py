"""The workloads of a cluster together against its pools.

In: a planned cluster. Out: a diagnostic when they cannot all be placed on empty nodes at once. An
error only where counting proves it, of workloads that never end: the claims that only some pools
serve are more than those pools hold, in devices, EFA interfaces, claims of one partition, or claims
that each need more than half a node. A warning where jobs take part, since they may wait for each
other, and where no way was found to place everything: there may be one.

Pools that do not say how many nodes they may have, or whose nodes may run several driver versions
that partitions pin, prove nothing: workloads that may land there are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from neuron_dra.diagnostics import Code, Diagnostic, Related
from neuron_dra.diagnostics.codes import capacity as codes
from neuron_dra.plan.capacity.report import count_claims
from neuron_dra.plan.capacity.room import Guest, UnknownError
from neuron_dra.plan.capacity.rooms import PoolRoom, RoomMaker
from neuron_dra.plan.capacity.spread import Demand, spread
from neuron_dra.plan.cluster import ClusterPlan, WorkloadPlan
from neuron_dra.plan.demand import place_of_number

RUN_AT_ALL_TIMES = ("Deployment", "LeaderWorkerSet")  # their pods never end


class Load(NamedTuple):
    """The claims of a workload.

    Attributes:
        rooms: the numbers of the pools that serve them.
        chips, efa: the least that a claim takes.
    """

    plan: WorkloadPlan
    guest: Guest
    rooms: tuple[int, ...]
    chips: int
    efa: int

    @property
    def pods(self) -> int:
        return self.plan.workload.spec.pods

    @property
    def name(self) -> str:
        return self.plan.workload.metadata.name


class Proof(NamedTuple):
    """Why claims cannot be placed: those that count, where they may go, and what is too much."""

    loads: Sequence[Load]
    rooms: Sequence[PoolRoom]
    words: str


def check_together(cluster: ClusterPlan, maker: RoomMaker) -> Iterator[Diagnostic]:
    """Judge the workloads of a cluster that has several."""
    if len(cluster.workloads) < 2:
        return
    rooms = list_known_rooms(cluster, maker)
    loads = [load for plan in cluster.workloads if (load := _weigh(plan, rooms)) is not None]
    lasting = [each for each in loads if each.plan.workload.spec.controller in RUN_AT_ALL_TIMES]
    if proof := _find_proof(lasting, rooms):
        yield _tell(codes.WORKLOADS_EXCEED_FLEET, cluster, proof, "ask for fewer pods")
    elif proof := _find_proof(loads, rooms) or _find_left_over(loads, rooms):
        yield _tell(codes.WORKLOADS_CROWDED, cluster, proof, "let jobs wait in a queue")


def list_known_rooms(cluster: ClusterPlan, maker: RoomMaker) -> list[PoolRoom]:
    """Return the pools whose nodes are of one kind and can be counted."""
    rooms = [maker.list_rooms(cluster, pool) for pool in cluster.profile.dra_pools]
    return [at for each in rooms if len(each) == 1 for at in each if at.pool.most is not None]


def _weigh(plan: WorkloadPlan, rooms: Sequence[PoolRoom]) -> Load | None:
    """Return the claims of a workload; None: it may land where nothing is known."""
    serving = [
        (number, grant)
        for number, at in enumerate(rooms)
        for grant in at.grants
        if at.pool in plan.pools and grant.planned is plan.partition and count_claims(at, grant)
    ]
    if len(serving) < len(plan.pools):
        return None
    names = {pool.name for pool in plan.pools}
    shapes = [shape for shape in plan.partition.shapes if names & set(shape.pools)]
    return Load(
        plan,
        serving[0][1].guest,
        tuple(number for number, _ in serving),
        min(shape.devices for shape in shapes),
        min(shape.efa for shape in shapes),
    )


def _find_proof(loads: Sequence[Load], rooms: Sequence[PoolRoom]) -> Proof | None:
    """Return why claims can never be placed at once, if counting proves it."""
    everywhere = frozenset(number for load in loads for number in load.rooms)
    for numbers in sorted({frozenset(load.rooms) for load in loads} | {everywhere}, key=sorted):
        inside = [load for load in loads if numbers.issuperset(load.rooms)]
        pools = [rooms[number] for number in sorted(numbers)]
        for counted, wanted, held, unit in _list_bounds(inside, pools):
            if wanted > held and len(counted) > 1:
                return Proof(counted, pools, f"{wanted} {unit}, and there are {held}")
    return None


def _list_bounds(
    loads: Sequence[Load], rooms: Sequence[PoolRoom]
) -> Iterator[tuple[Sequence[Load], int, int, str]]:
    """Yield what claims want and what pools have of it."""
    chips = sum(_nodes(at) * len(at.chips) for at in rooms)
    interfaces = sum(_nodes(at) * (len(at.room.devices) - len(at.chips)) for at in rooms)
    yield loads, sum(each.pods * each.chips for each in loads), chips, "devices"
    using = [each for each in loads if each.efa]
    yield using, sum(each.pods * each.efa for each in using), interfaces, "EFA interfaces"
    half = max((len(at.chips) / 2 for at in rooms), default=0)
    large = [each for each in loads if each.chips > half]
    yield large, sum(each.pods for each in large), sum(map(_nodes, rooms)), "nodes to themselves"
    for name in sorted({each.guest.name for each in loads}):
        equal = [each for each in loads if each.guest.name == name]
        room = sum(
            _nodes(at) * (count_claims(at, grant) or 0)
            for at in rooms
            for grant in at.grants
            if grant.name == name
        )
        yield equal, sum(each.pods for each in equal), room, f"claims of `{name}`"


def _nodes(at: PoolRoom) -> int:
    return at.pool.most or 0


def _find_left_over(loads: Sequence[Load], rooms: Sequence[PoolRoom]) -> Proof | None:
    """Return what finds no place when the largest claims are placed first."""
    ordered = sorted(loads, key=lambda each: (-each.chips, -each.efa, each.name))
    try:
        found = spread(
            [(at.room, _nodes(at)) for at in rooms],
            [Demand(each.guest, each.pods, each.rooms) for each in ordered],
        )
    except UnknownError:
        return None
    for load, number in zip(ordered, found.left_over, strict=True):
        if number:
            words = f"room, and placed largest first, {number} of {load.pods} pods of "
            return Proof(
                [*(each for each in loads if each is not load), load],
                [rooms[each] for each in load.rooms],
                f"{words}`{load.name}` find none",
            )
    return None


def _tell(code: Code, cluster: ClusterPlan, proof: Proof, advice: str) -> Diagnostic:
    last = proof.loads[-1]
    names = " and ".join(f"`{each.name}`" for each in proof.loads)
    return code.at(
        place_of_number(last.plan.workload.spec),
        f"in cluster `{cluster.name}` the workloads {names} together want {proof.words}",
        related=[
            *(
                Related(place_of_number(each.plan.workload.spec), _load_words(each))
                for each in proof.loads[:-1]
            ),
            *(Related(at.pool.spec.places.span, _pool_words(at)) for at in proof.rooms),
        ],
        help=f"{advice}, or raise the number of nodes",
    )


def _load_words(load: Load) -> str:
    pods = "1 pod" if load.pods == 1 else f"{load.pods} pods"
    return f"{pods} with a claim of `{load.guest.name}` each"


def _pool_words(at: PoolRoom) -> str:
    nodes = "1 node" if at.pool.most == 1 else f"{at.pool.most} nodes"
    return f"`{at.pool.name}`: {nodes}"
