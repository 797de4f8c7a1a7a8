"""Which pools a pod template leaves open: its selectors against the labels that nodes must have.

In: pod templates and pools. Out: the first thing in a template that keeps its pods off a pool, as
far as the labels of the pool's cluster nodes are known. What no pool tells is taken to be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from neuron_dra.objects.workload.template import Data, PodTemplate, Where
from neuron_dra.plan.profile import Pool

INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type"
ZONE_LABELS = ("topology.kubernetes.io/zone", "topology.k8s.aws/zone-id")
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
# Deprecated since Kubernetes 1.17, and still set by every kubelet.
_OLD_NAMES = {
    INSTANCE_TYPE_LABEL: "beta.kubernetes.io/instance-type",
    "kubernetes.io/arch": "beta.kubernetes.io/arch",
    "kubernetes.io/os": "beta.kubernetes.io/os",
}

Labels = Mapping[str, frozenset[str]]


class Obstacle(NamedTuple):
    """What keeps pods off a pool: a label that its nodes have otherwise.

    Attributes:
        where: the path in the template's `spec`.
        values: what the nodes have.
    """

    label: str
    where: Where
    values: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"`{self.label}: {' or '.join(sorted(self.values))}`"


def known_labels(pool: Pool) -> Labels:
    """Return the values that each known label of a pool's cluster nodes may have."""
    host = pool.type.facts.host
    known = {INSTANCE_TYPE_LABEL: frozenset((pool.type.name,))}
    known["kubernetes.io/os"] = frozenset(("linux",))
    if host and host.cpu_architecture:
        known["kubernetes.io/arch"] = frozenset((host.cpu_architecture,))
    known |= {old: known[name] for name, old in _OLD_NAMES.items() if name in known}
    known |= _zone_labels(pool.spec.zones)
    return known | {key: frozenset((value,)) for key, value in pool.spec.node_selector.items()}


def is_zone_id(zone: str) -> bool:
    """Tell whether a zone is written by its id, like `usw2-az4`, and not by its name."""
    return zone.rpartition("-")[2].startswith("az")


def _zone_labels(zones: Sequence[str]) -> Labels:
    kinds = {is_zone_id(zone) for zone in zones}
    return {ZONE_LABELS[kinds.pop()]: frozenset(zones)} if len(kinds) == 1 else {}


def find_obstacle(template: PodTemplate, pool: Pool) -> Obstacle | None:
    """Return what keeps a template's pods off every node of a pool."""
    known = known_labels(pool)
    for label, value in template.spec.get("nodeSelector", {}).items():
        if value not in known.get(label, (value,)):
            return Obstacle(label, ("nodeSelector", label), known[label])
    terms = list(node_terms(template))
    obstacles = [_find_in_term(term, known, where) for where, term in terms]
    return obstacles[0] if terms and all(obstacles) else None


def node_terms(template: PodTemplate) -> Iterator[tuple[Where, Data]]:
    """Yield the required terms of a template's node affinity, of which one must hold."""
    path = ("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")
    affinity = template.spec.get("affinity", {}).get("nodeAffinity", {})
    for index, term in enumerate(affinity.get(REQUIRED, {}).get("nodeSelectorTerms", ())):
        yield (*path, index), term


def _find_in_term(term: Data, known: Labels, where: Where) -> Obstacle | None:
    for index, each in enumerate(term.get("matchExpressions", ())):
        values = known.get(each["key"])
        if values and not any(_holds(each, value) for value in values):
            return Obstacle(each["key"], (*where, "matchExpressions", index), values)
    return None


def _holds(expression: Data, value: str) -> bool:
    """Tell whether a label with a value satisfies an expression; an unknown operator does."""
    values = expression.get("values", [])
    match expression["operator"]:
        case "In":
            return value in values
        case "NotIn":
            return value not in values
        case "DoesNotExist":
            return False
    return True
