"""Groups of pods against the zones of their pools: EFA joins cluster nodes of one zone only.

In: a group's pod template, and the pools that its selectors leave open. Out: a warning where its
pods may land in different zones and nothing in the template keeps them together. Pools that do not
say their zones are not judged, and a name and an id of a zone are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_dra.diagnostics import Related
from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.workload.reach import REQUIRED, ZONE_LABELS, is_zone_id, node_terms
from neuron_dra.objects.workload.template import Data, PodTemplate
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.plan.profile import Pool

_KUEUE_TOPOLOGY = "kueue.x-k8s.io/podset-required-topology"


def check_zones(wiring: Wiring, template: PodTemplate, pools: Sequence[Pool]) -> None:
    """Warn of a group that talks over EFA and may be spread over zones."""
    size = wiring.spec.size
    if size <= wiring.nodes_together or not wiring.plan.partition.has_efa:
        return
    zones = _several(pools)
    if zones and not _stays_together(template):
        listed = ", ".join(f"`{zone}`" for zone in zones)
        wiring.report(
            codes.GROUP_ACROSS_ZONES.at(
                wiring.span("size"),
                f"the {size} pods of a group may land in different zones ({listed}), between "
                "which there is no EFA",
                related=list(_zone_places(pools)),
                help=f"choose one in the pod template: `nodeSelector: {{{ZONE_LABELS[0]}: ...}}`",
            )
        )


def _several(pools: Sequence[Pool]) -> list[str]:
    """Return the zones of pools where they are surely different ones."""
    zones = {zone for pool in pools for zone in pool.spec.zones}
    ids = {zone for zone in zones if is_zone_id(zone)}
    return sorted(zones) if len(ids) > 1 or len(zones - ids) > 1 else []


def _zone_places(pools: Sequence[Pool]) -> Iterator[Related]:
    """Yield where zones stand: the pools that have one that no pool before has."""
    seen: set[str] = set()
    for pool in pools:
        if not seen.issuperset(pool.spec.zones):
            yield Related(pool.spec.places.value("zones"), f"zones of pool `{pool.name}`")
        seen.update(pool.spec.zones)


def _stays_together(template: PodTemplate) -> bool:
    """Tell whether a template says by itself that its pods share a zone or something smaller."""
    affinity = template.spec.get("affinity", {}).get("podAffinity", {})
    annotations = template.data.get("metadata", {}).get("annotations", {})
    selector = template.spec.get("nodeSelector", {})
    return (
        bool(affinity.get(REQUIRED))
        or _KUEUE_TOPOLOGY in annotations
        or any(label in selector for label in ZONE_LABELS)
        or _names_one_zone([term for _, term in node_terms(template)])
    )


def _names_one_zone(terms: Sequence[Data]) -> bool:
    zones = {_zones_of(term) for term in terms}
    return len(zones) == 1 and len(zones.pop()) == 1


def _zones_of(term: Data) -> tuple[str, ...]:
    for expression in term.get("matchExpressions", ()):
        if expression["key"] in ZONE_LABELS and expression["operator"] == "In":
            return tuple(expression.get("values", ()))
    return ()
