"""Claims spread over the nodes of pools: where they go, and which find no place.

In: empty nodes, and claims with the pools that serve them. Out: how many claims are left over.
Claims come in the order of the demands, each goes to the fullest node that has room, and on a node
first fit decides. A real scheduler scores nodes in its own way: what this places can be placed, and
what it leaves over may still fit in another order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from neuron_dra.plan.capacity.room import Guest, Room


@dataclass(frozen=True, slots=True)
class Demand:
    """Equal claims.

    Attributes:
        rooms: the numbers of the rooms that serve them.
    """

    guest: Guest
    count: int
    rooms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """Claims on nodes.

    Attributes:
        left_over: by demand, the claims without a place.
        used: by room, the nodes that hold a claim.
    """

    left_over: tuple[int, ...]
    used: tuple[int, ...]


def spread(rooms: Sequence[tuple[Room, int]], demands: Sequence[Demand]) -> Spread:
    """Return what comes of demands, in their order, on some nodes of each room."""
    nodes = [Counter({0: number}) for _, number in rooms]
    left_over = []
    for demand in demands:
        missing = demand.count
        while missing and _place_one(rooms, nodes, demand):
            missing -= 1
        left_over.append(missing)
    used = (sum(number for taken, number in each.items() if taken) for each in nodes)
    return Spread(tuple(left_over), tuple(used))


def _place_one(
    rooms: Sequence[tuple[Room, int]], nodes: Sequence[Counter[int]], demand: Demand
) -> bool:
    for index in demand.rooms:
        room, states = rooms[index][0], nodes[index]
        for taken in sorted(states, key=lambda state: (-state.bit_count(), state)):
            placement = room.place(demand.guest.claim, taken) if states[taken] else 0
            if placement:
                states[taken] -= 1
                states[taken | placement] += 1
                return True
    return False
