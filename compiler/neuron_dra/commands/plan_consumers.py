"""What `plan --consumers` shows: which consumers can handle which partitions.

In: an analysis. Out: views, one for all clusters that the same consumers in the same versions
concern, in which partitions with equal verdicts are one group. Formats nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neuron_dra.api.pipeline import Analysis
from neuron_dra.catalog.consumer import Consumer
from neuron_dra.consumers.columns import Column, columns_of
from neuron_dra.consumers.judge import Reason, Usable, judge
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.plan.partition import PlannedPartition

Likeness = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A partition and the clusters in which the same is said of it."""

    partition: str
    clusters: tuple[str, ...]
    everywhere: bool  # in all clusters of the view that grant it


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Partitions that every consumer handles alike, and the verdict of each column."""

    judged: tuple[Judged, ...]
    verdicts: tuple[Usable, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ConsumersView:
    """Clusters that the same consumers in the same versions concern."""

    names: tuple[str, ...]
    minor: str
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]

    @property
    def partitions(self) -> set[str]:
        return {each.partition for group in self.groups for each in group.judged}


def view_consumers(
    analysis: Analysis, clusters: Collection[str], partitions: Collection[str]
) -> tuple[ConsumersView, ...]:
    """Return the views of some clusters and partitions; none named: of all."""
    consumers = analysis.catalog.consumers()
    alike: dict[object, list[ClusterPlan]] = {}
    for plan in analysis.fleet.clusters:
        if not clusters or plan.name in clusters:
            columns = columns_of(plan.spec, consumers)
            versions = tuple((each.consumer.name, each.way, each.title) for each in columns)
            alike.setdefault((plan.profile.minor, versions), []).append(plan)
    return tuple(_view(plans, partitions, consumers) for plans in alike.values())


def _view(
    plans: Sequence[ClusterPlan], partitions: Collection[str], consumers: Sequence[Consumer]
) -> ConsumersView:
    columns = columns_of(plans[0].spec, consumers)
    made = _judge_all(plans, partitions, columns)
    groups: dict[object, list[Judged]] = {}
    verdicts: dict[object, tuple[Usable, ...]] = {}
    kinds = Counter(name for name, _ in made)
    for (name, likeness), (clusters, found) in sorted(made.items(), key=lambda each: each[0][0]):
        verdicts.setdefault(likeness, found)
        groups.setdefault(likeness, []).append(Judged(name, tuple(clusters), kinds[name] == 1))
    return ConsumersView(
        tuple(plan.name for plan in plans),
        plans[0].profile.minor,
        columns,
        tuple(Group(tuple(judged), verdicts[key]) for key, judged in groups.items()),
    )


def _judge_all(
    plans: Sequence[ClusterPlan], partitions: Collection[str], columns: Sequence[Column]
) -> Mapping[tuple[str, Likeness], tuple[list[str], tuple[Usable, ...]]]:
    """Return by partition and likeness the clusters that have it so, and the verdicts."""
    made: dict[tuple[str, Likeness], tuple[list[str], tuple[Usable, ...]]] = {}
    known: dict[int, tuple[Usable, ...]] = {}  # plans of partitions are shared by clusters
    for plan in plans:
        for planned in _granted(plan):
            name = planned.partition.metadata.name
            if partitions and name not in partitions:
                continue
            if id(planned) not in known:
                known[id(planned)] = tuple(_judge(planned, each) for each in columns)
            verdicts = known[id(planned)]
            key = name, tuple(map(_likeness, verdicts))
            made.setdefault(key, ([], verdicts))[0].append(plan.name)
    return made


def _judge(planned: PlannedPartition, column: Column) -> Usable:
    return judge(planned, column.consumer, column.way, column.version)


def _granted(plan: ClusterPlan) -> list[PlannedPartition]:
    """Return the partitions that a cluster's tenants are granted, by name."""
    granted = {id(each): each for tenant in plan.tenants for each in tenant.partitions}
    return sorted(granted.values(), key=lambda each: each.partition.metadata.name)


def _likeness(verdict: Usable) -> tuple[object, ...]:
    """Return what is equal for verdicts that read alike; the fields of the claim may differ."""
    reasons = tuple((each.parts, each.words, each.rewrite) for each in verdict.reasons)
    return verdict.answer, reasons, verdict.ways


def consumers_data(views: Sequence[ConsumersView]) -> list[dict[str, Any]]:
    """Return views as data for programs."""
    return [
        {
            "names": list(view.names),
            "kubernetes": view.minor,
            "partitions": list(_partitions(view)),
        }
        for view in views
    ]


def _partitions(view: ConsumersView) -> Iterator[dict[str, Any]]:
    for group in view.groups:
        pairs = list(zip(view.columns, group.verdicts, strict=True))
        for judged in group.judged:
            yield {
                "name": judged.partition,
                "clusters": list(judged.clusters),
                "consumers": [_verdict(*pair) for pair in pairs],
            }


def _verdict(column: Column, verdict: Usable) -> dict[str, Any]:
    release = column.release
    return {
        "consumer": column.consumer.name,
        "way": column.way,
        "versions": column.title or None,
        "inSpec": column.named,
        "usable": verdict.answer.value,
        "needs": release.needs if release and release.needs else None,
        "reasons": [_reason(each) for each in verdict.reasons],
        "rewrites": list(verdict.rewrites),
        "otherWays": list(verdict.ways),
    }


def _reason(reason: Reason) -> dict[str, Any]:
    fact = reason.fact
    return {
        "parts": list(reason.parts),
        "field": reason.field or None,
        "reason": reason.words,
        "says": reason.says or None,
        "basis": fact.basis if fact else None,
        "source": fact.source if fact else None,
        "date": fact.date if fact else None,
    }
