"""Small nodes and partitions, and every state that arrivals and departures can lead to.

A node has devices `d0`, `d1` and so on, in pairs and fours by the attributes `pair` and `four`, and
perhaps as many interfaces as half the devices, `n0` and so on, each beside a pair. The walk asks
the allocator itself, so that nothing rests on what `Room` remembers.
"""

from __future__ import annotations

from functools import cache

from neuron_dra.allocator.outcome import Allocated
from neuron_dra.allocator.selectors import Expressions, Selectors
from neuron_dra.cel.environment import environment
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ResourceClaim
from neuron_dra.plan.capacity.likeness import compare_devices
from neuron_dra.plan.capacity.room import Guest, Room
from neuron_dra.plan.capacity.worst import Alike
from unit.allocator.small import NODE, allocator, claim, device, match, node_slice, request

MINOR = "1.36"
CHIP, NET = "a.example", "b.example"


def make_room(devices=8, *, interfaces=False, minor=MINOR):
    """Make an empty node."""
    chips = [
        device(f"d{number}", {"x/pair": number // 2, "x/four": number // 4, "x/number": number})
        for number in range(devices)
    ]
    beside = [
        device(f"n{number}", {"x/pair": number, "x/four": number // 2, "x/number": -1})
        for number in range(devices // 2 if interfaces else 0)
    ]
    slices = [node_slice(*chips, driver=CHIP, name="chips")]
    slices += [node_slice(*beside, driver=NET, name="net")] if beside else []
    return Room(NODE, allocator(minor, slices))


def guest(name, count=1, together="", *, net=0, where=""):
    """Make a partition: devices, perhaps equal in an attribute, perhaps with interfaces."""
    selectors = (where,) if where else ()
    parts = [request("chips", count, CHIP, selectors=selectors)]
    parts += [request("net", net, NET)] if net else []
    parts += [match(f"x/{together}")] if together else []
    return Guest(name, claim(*parts).devices)


ONE, TWO, THREE = guest("one"), guest("two", 2), guest("three", 3)
PAIR, FOUR = guest("pair", 2, "pair"), guest("four", 4, "four")
ONE_NET = guest("one-net", 1, "pair", net=1)
PAIR_NET = guest("pair-net", 2, "pair", net=1)
FOUR_NET = guest("four-net", 4, "four", net=2)
EVEN = guest("even", where='device.attributes["x"].number % 2 == 0')


def compare(room, *guests):
    """Return what the claims of some partitions can tell of the devices."""
    own = room.allocator
    selectors = Selectors(Expressions(environment(MINOR, {})), own.features, own.variant, NODE)
    return compare_devices(room.devices, [each.claim for each in guests], own.classes, selectors)


def compare_pair(room, small, big):
    return Alike(compare(room, small), compare(room, big), compare(room, small, big))


def ask(room, guest, taken):
    """Return what the allocator gives beside what is taken, or 0."""
    held = AllocatedState(frozenset(each.id for each in room.devices if taken >> each.index & 1))
    outcome = room.allocator.allocate(NODE, [ResourceClaim("c", guest.claim)], held)
    if not isinstance(outcome, Allocated):
        return 0
    got = {each.device for each in outcome.results[0].results}
    return sum(1 << each.index for each in room.devices if each.id in got)


def walk(room, guests):
    """Return every state that claims of some partitions can reach, in any order."""
    answers = cache(lambda index, taken: ask(room, guests[index], taken))
    seen = {frozenset()}
    waiting = [frozenset()]
    while waiting:
        state = waiting.pop()
        taken = sum(placement for _, placement in state)
        placed = ((index, answers(index, taken)) for index in range(len(guests)))
        following = [
            *(state - {each} for each in state),
            *(state | {each} for each in placed if each[1]),
        ]
        for each in following:
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return seen


def least_blocking(room, small, big, others=()):
    """Return the fewest claims of one partition alone on the node that leave no room for another.

    Claims of others may have come and gone before.
    """
    states = walk(room, [small, *others])
    alone = {state for state in states if all(index == 0 for index, _ in state)}
    blocking = [len(s) for s in alone if not ask(room, big, sum(placement for _, placement in s))]
    return min(blocking, default=None)


def replay(room, guests, events):
    """Do what events say, and return the placements that are there in the end."""
    by_name = {each.name: each for each in guests}
    present = []
    for event in events:
        taken = sum(placement for _, placement in present)
        if event.arrives:
            assert ask(room, by_name[event.guest], taken) == event.placement
            present.append((event.guest, event.placement))
        else:
            present.remove((event.guest, event.placement))
    return present
