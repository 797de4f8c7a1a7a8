"""What `capacity` tells, as values for JSON.

In: the capacity of equal clusters. Out: plain values; what is not known is null. Devices are named
as they are predicted to be published, chips by their number.
"""

from __future__ import annotations

from typing import Any

from neuron_dra.api.capacity import ClassCapacity
from neuron_dra.plan.capacity.report import Asked, Pair, PoolCapacity
from neuron_dra.plan.capacity.room import list_bits
from neuron_dra.plan.capacity.rooms import PoolRoom


def describe_class(capacity: ClassCapacity) -> dict[str, Any]:
    """Return what is told of equal clusters."""
    return {
        "names": list(capacity.clusters),
        "pools": [_describe_pool(each) for each in capacity.pools],
    }


def _describe_pool(capacity: PoolCapacity) -> dict[str, Any]:
    at = capacity.at
    torus = at.pool.type.torus
    names = [each.name for each in capacity.grants]
    return {
        "name": at.pool.name,
        "instanceType": at.pool.type.name,
        "neuronDriver": at.driver or None,
        "nodes": {"min": at.pool.least, "max": at.pool.most},
        "chips": at.pool.type.device_count,
        "torus": list(torus) if torus else None,
        "partitions": [
            {
                "name": grant.name,
                "chips": grant.chips if not grant.is_node else at.pool.type.device_count,
                "efa": grant.shape.efa,
                "ultraServerNodes": grant.shape.ultra_server_nodes,
                "perNode": count,
                "inPool": _times(count, at),
            }
            for grant, count in zip(capacity.grants, capacity.counts, strict=True)
        ],
        "notKnown": list(at.unknown),
        "mixes": None
        if capacity.mixes is None
        else [_name_counts(names, counts) for counts in capacity.mixes],
        "worstCases": [_describe_pair(at, pair) for pair in capacity.pairs],
        "mix": _describe_asked(at, capacity.asked) if capacity.asked else None,
    }


def _times(count: int | None, at: PoolRoom) -> dict[str, int | None]:
    least = None if count is None else count * at.pool.least
    most = None if count is None or at.pool.most is None else count * at.pool.most
    return {"min": least, "max": most}


def _name_counts(names: list[str], counts: tuple[int, ...]) -> dict[str, int]:
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def _describe_pair(at: PoolRoom, pair: Pair) -> dict[str, Any]:
    found = pair.blockade
    told: dict[str, Any] = {
        "claimsOf": pair.small.name,
        "noRoomFor": pair.big.name,
        "known": pair.is_known,
        "claims": len(found.placements) if found else None,
    }
    if found is None:
        return told
    most = at.pool.most
    return told | {
        "inPool": None if most is None else len(found.placements) * most,
        "noFewerThan": found.bound,
        "inOrderOfArrival": found.in_order,
        "ledBy": found.steered_by or None,
        "helpedBy": found.helped_by or None,
        "atOnce": found.peak,
        "placements": [_describe_placement(at, each) for each in found.placements],
        "events": [
            {
                "partition": event.guest,
                "arrives": event.arrives,
                **_describe_placement(at, event.placement),
            }
            for event in found.events
        ],
    }


def _describe_placement(at: PoolRoom, placement: int) -> dict[str, Any]:
    devices = [at.room.devices[bit] for bit in list_bits(placement)]
    return {
        "chips": list(at.chips_of(placement)),
        "devices": [f"{each.id.driver}/{each.id.device}" for each in devices],
    }


def _describe_asked(at: PoolRoom, asked: Asked) -> dict[str, Any]:
    names = [each.name for each in asked.grants]
    return {
        "claims": dict(zip(names, asked.counts, strict=True)),
        "fitsOnOneNode": asked.placements is not None if asked.is_known else None,
        "placements": [
            {"partition": names[index], **_describe_placement(at, placement)}
            for index, placement in asked.placements or ()
        ],
        "orderOfArrival": None if asked.order is None else [names[index] for index in asked.order],
        "roomLeft": dict(asked.left),
        "nodes": asked.nodes,
    }
