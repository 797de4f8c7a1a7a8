"""How claims of one partition lead those of another to places where first fit would not put them.

In: a node, places, and a partition whose claims help. Out: the arrivals and departures, or None
where this way does not lead there: another may.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from neuron_dra.plan.capacity.room import Guest, Room


class Event(NamedTuple):
    """A claim that arrives at a node or departs."""

    guest: str
    placement: int
    arrives: bool


def steer(
    room: Room, guest: Guest, placements: Sequence[int], other: Guest
) -> tuple[Event, ...] | None:
    """Return how claims of another partition lead claims to given places; None: not like this."""
    found = _lead(room, guest, placements, other)
    return found or _lead(room, guest, placements[::-1], other)


def _lead(
    room: Room, guest: Guest, placements: Sequence[int], other: Guest
) -> tuple[Event, ...] | None:
    """Lead claims to places in one order; the last devices first leaves nothing lower free."""
    events: list[Event] = []
    taken = 0
    for wanted in placements:
        around = list(room.fill(other.claim, taken))
        events += (Event(other.name, placement, arrives=True) for placement in around)
        staying = [placement for placement in around if not placement & wanted]
        events += (Event(other.name, each, arrives=False) for each in around if each & wanted)
        if room.place(guest.claim, taken | sum(staying)) != wanted:
            return None
        events.append(Event(guest.name, wanted, arrives=True))
        events += (Event(other.name, placement, arrives=False) for placement in staying)
        taken |= wanted
    return tuple(events)
