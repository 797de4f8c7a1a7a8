"""Capacity of planned clusters: what pools hold, and what is wrong with that.

In: an analysis. Out: the capacity of each class of cluster, or diagnostics. `compile` asks for
neither: what stands in its objects does not depend on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from neuron_dra.api.pipeline import Analysis
from neuron_dra.api.selection import EVERYTHING, Selection
from neuron_dra.diagnostics import Diagnostic, in_order
from neuron_dra.plan.capacity.blocking import check_blocking
from neuron_dra.plan.capacity.quotas import check_quotas
from neuron_dra.plan.capacity.report import PoolCapacity, Surveyor
from neuron_dra.plan.capacity.rooms import RoomMaker
from neuron_dra.plan.capacity.together import check_together
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.plan.drivers import neuron_driver
from neuron_dra.plan.empty_node import EmptyNodes
from neuron_dra.plan.proof import Prover


@dataclass(frozen=True, slots=True)
class ClassCapacity:
    """What the pools of equal clusters hold.

    Attributes:
        clusters: their names, sorted.
    """

    clusters: tuple[str, ...]
    pools: tuple[PoolCapacity, ...]


def judge_capacity(analysis: Analysis) -> list[Diagnostic]:
    """Return what is wrong with quotas and workloads together; nothing where errors stand."""
    surveyor = _surveyor(analysis)
    if surveyor is None or not analysis.is_sound:
        return []
    told: dict[object, list[Diagnostic]] = {}
    for cluster in analysis.fleet.clusters:
        found = list(_judge(cluster, surveyor))
        for each, number in zip(found, _number_alike(found), strict=True):
            told.setdefault((*_subject(each), number), []).append(each)
    return in_order(_with_others(each[0], len(each) - 1) for each in told.values())


def _surveyor(analysis: Analysis) -> Surveyor | None:
    """Return who measures; nobody where the catalogue's own Neuron driver is not sound."""
    driver = neuron_driver(analysis.catalog)
    if driver is None:
        return None
    return Surveyor(RoomMaker(Prover(EmptyNodes(analysis.catalog, driver))))


def _subject(found: Diagnostic) -> tuple[object, ...]:
    """Return what is equal for findings that clusters share."""
    return found.code.id, found.span, found.help


def _number_alike(found: Sequence[Diagnostic]) -> Iterator[int]:
    """Number findings of one cluster that are about one subject, such as several pools."""
    seen: Counter[object] = Counter()
    for each in found:
        yield seen[_subject(each)]
        seen[_subject(each)] += 1


def _judge(cluster: ClusterPlan, surveyor: Surveyor) -> Iterator[Diagnostic]:
    yield from check_quotas(cluster)
    yield from check_together(cluster, surveyor.rooms)
    yield from check_blocking(cluster, surveyor)


def _with_others(found: Diagnostic, others: int) -> Diagnostic:
    if not others:
        return found
    more = "1 other cluster" if others == 1 else f"{others} other clusters"
    return replace(found, message=f"{found.message} (and so in {more})")


def measure_capacity(
    analysis: Analysis,
    selection: Selection = EVERYTHING,
    partitions: Collection[str] = (),
    mix: Mapping[str, int] | None = None,
) -> tuple[ClassCapacity, ...]:
    """Return what selected clusters hold; clusters of one profile and with equal grants once."""
    classes: dict[object, list[ClusterPlan]] = {}
    for cluster in analysis.fleet.clusters:
        if selection.selects(cluster.name, cluster.document.metadata.labels):
            granted = {id(each) for tenant in cluster.tenants for each in tenant.partitions}
            classes.setdefault((id(cluster.profile), frozenset(granted)), []).append(cluster)
    surveyor = _surveyor(analysis)
    if surveyor is None:
        return ()
    return tuple(
        ClassCapacity(
            tuple(cluster.name for cluster in equal),
            surveyor.measure(equal[0], partitions, mix),
        )
        for equal in classes.values()
    )
