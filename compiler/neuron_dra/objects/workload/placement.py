"""Where the pods may land: node affinity and tolerations from the pools that serve the claim.

In: pod templates and the plan's pools. Out: templates with a required node affinity (one term for
each distinct pool selector) and a toleration for each distinct taint. The scheduler would find
the nodes by the claim alone; autoscalers, queues and people do not look into claims, and nothing
tolerates a node taint for a claim as the ExtendedResourceToleration plug-in did for device-plugin
resources. What the user wrote stays: required terms are ANDed with ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.workload.reach import (
    INSTANCE_TYPE_LABEL,
    REQUIRED,
    Obstacle,
    find_obstacle,
    node_terms,
)
from neuron_dra.objects.workload.template import Data, PodTemplate
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.plan.profile import Pool

_SHOWN = 4  # pools that a message names


def find_open_pools(wiring: Wiring, template: PodTemplate) -> tuple[Pool, ...]:
    """Return the pools that a template's own selectors leave open; none is an error."""
    found = {pool: find_obstacle(template, pool) for pool in wiring.plan.pools}
    closed = {pool.name: each for pool, each in found.items() if each is not None}
    if closed and len(closed) == len(found):
        _refuse(wiring, template, closed)
    return tuple(pool for pool in found if pool.name not in closed)


def _refuse(wiring: Wiring, template: PodTemplate, closed: Mapping[str, Obstacle]) -> None:
    shown = [f"those of `{pool}` have {each}" for pool, each in closed.items()]
    more = [f"and so on in {len(shown) - _SHOWN} pools"] if len(shown) > _SHOWN else []
    reasons = ", ".join([*shown[:_SHOWN], *more])
    wiring.report(
        codes.NODES_EXCLUDED.at(
            template.span(*next(iter(closed.values())).where),
            f"the pod template selects no cluster node that serves partition "
            f"`{wiring.spec.partition}`: {reasons}",
            help="remove it: the pods are bound to the partition's pools without it",
        )
    )


def wire_placement(wiring: Wiring, template: PodTemplate) -> None:
    """Bind the pods to the pools that can take them."""
    pools = wiring.plan.pools
    theirs = [term for _, term in node_terms(template)]
    affinity = template.spec.setdefault("affinity", {}).setdefault("nodeAffinity", {})
    affinity[REQUIRED] = {"nodeSelectorTerms": _join_terms(_pool_terms(pools), theirs)}
    tolerations = _merge_tolerations(template.spec.get("tolerations", []), pools)
    if tolerations:
        template.spec["tolerations"] = tolerations


def _pool_terms(pools: Iterable[Pool]) -> list[Data]:
    """Return one term for each distinct node selector, over the instance types that share it."""
    types: dict[tuple[tuple[str, str], ...], set[str]] = {}
    for pool in pools:
        selector = tuple(sorted(pool.spec.node_selector.items()))
        types.setdefault(selector, set()).add(pool.type.name)
    return [
        {
            "matchExpressions": [
                _is_in(INSTANCE_TYPE_LABEL, sorted(names)),
                *(_is_in(key, [value]) for key, value in selector),
            ]
        }
        for selector, names in sorted(types.items())
    ]


def _is_in(key: str, values: list[str]) -> Data:
    return {"key": key, "operator": "In", "values": values}


def _join_terms(ours: list[Data], theirs: list[Data]) -> list[Data]:
    """Return the terms of which one holds when one of ours and one of theirs hold."""
    if not theirs:
        return ours
    joined = []
    for our in ours:
        for their in theirs:
            added = their.get("matchExpressions", [])
            joined.append({**their, "matchExpressions": [*our["matchExpressions"], *added]})
    return joined


def _merge_tolerations(theirs: list[Data], pools: Iterable[Pool]) -> list[Data]:
    seen = {_identity(toleration) for toleration in theirs}
    ours: dict[tuple[Any, ...], Data] = {}
    for pool in pools:
        for taint in pool.spec.taints:
            toleration: Data = {"key": taint.key_, "operator": "Exists", "effect": taint.effect}
            if taint.value:
                toleration |= {"operator": "Equal", "value": taint.value}
            ours.setdefault(_identity(toleration), toleration)
    added = [toleration for identity, toleration in sorted(ours.items()) if identity not in seen]
    return added + theirs


def _identity(toleration: Data) -> tuple[Any, ...]:
    return (
        toleration.get("key", ""),
        toleration.get("operator", "Equal"),
        toleration.get("value", ""),
        toleration.get("effect", ""),
    )
