"""What a cluster says of consumers that cannot work: workloads under them, and pools of theirs.

In: planned clusters and the facts about consumers. Out: diagnostics, each once for all clusters
that share it. A consumer that a cluster does not name is left to the table of `plan`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_dra.catalog.consumer import Consumer, Part
from neuron_dra.catalog.facts import Answer
from neuron_dra.consumers.columns import named_versions
from neuron_dra.consumers.judge import Usable, judge
from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import consumers as codes
from neuron_dra.plan.cluster import ClusterPlan, WorkloadPlan
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.source import Span
from neuron_dra.syntax.containers import Raw
from neuron_dra.syntax.parse import MappingNode, Node, span_of

NEURON = "neuron"  # the part of a claim that every partition has


def check_consumers(
    clusters: Sequence[ClusterPlan], consumers: Sequence[Consumer]
) -> list[Diagnostic]:
    """Check the pools and the workloads of clusters against who runs or admits them."""
    refusals = [(each, fact) for each in consumers if (fact := _neuron_refusal(each)) is not None]
    admitting = [each for each in consumers if each.workload_label is not None]
    profiles = {id(cluster.profile): cluster.profile for cluster in clusters}
    made = [each for profile in profiles.values() for each in _check_pools(profile, refusals)]
    made += [each for cluster in clusters for each in _check_workloads(cluster, admitting)]
    found: dict[object, Diagnostic] = {}
    for each in made:
        found.setdefault((each.code.id, each.span, each.message), each)
    return list(found.values())


def _check_pools(
    profile: Profile, refusals: Sequence[tuple[Consumer, Part]]
) -> Iterator[Diagnostic]:
    for pool in profile.dra_pools:
        for consumer, fact in refusals:
            if consumer.runs(pool.spec.node_selector):
                yield _pool_refused(pool, consumer, fact)


def _neuron_refusal(consumer: Consumer) -> Part | None:
    """Return a fact by which no way and no version of a consumer has Neuron devices by DRA."""
    facts = [release.part(NEURON) for way in consumer.ways.values() for release in way.releases]
    refused = all(fact is not None and fact.answer is Answer.NO for fact in facts)
    return facts[0] if refused else None


def _pool_refused(pool: Pool, consumer: Consumer, fact: Part) -> Diagnostic:
    name = next(iter(consumer.node_labels))
    return codes.POOL_WITHOUT_DRA.at(
        pool.spec.places.item("nodeSelector", name),
        f"pool `{pool.name}` is of {consumer.title}, which hands out no Neuron devices by DRA: "
        f"{fact.reason}",
        related=[Related(fact.places.key("reason"), "what is known of it")],
        help=f"use {fact.rewrite}" if fact.rewrite else "",
    )


def _check_workloads(cluster: ClusterPlan, consumers: Sequence[Consumer]) -> Iterator[Diagnostic]:
    for consumer in consumers:
        for version in named_versions(cluster.spec, consumer):
            for workload in cluster.workloads:
                where = _label_place(consumer.workload_label or "", workload, cluster)
                verdict = _default_refusal(workload, consumer, version) if where else None
                if where is not None and verdict is not None:
                    yield _claim_refused(workload, consumer, version, verdict, where)


def _default_refusal(workload: WorkloadPlan, consumer: Consumer, version: str) -> Usable | None:
    """Return why a consumer refuses a workload's claim unless somebody configures it."""
    for name, way in consumer.ways.items():
        release = way.release(version)
        if release is not None and release.default:
            verdict = judge(workload.partition, consumer, name, version)
            if verdict.answer is Answer.NO:
                return verdict
    return None


def _claim_refused(
    workload: WorkloadPlan, consumer: Consumer, version: str, verdict: Usable, where: Span
) -> Diagnostic:
    reasons = "; ".join(dict.fromkeys(each.words for each in verdict.reasons))
    facts = [each.fact for each in verdict.reasons if each.fact is not None]
    return codes.CONSUMER_REFUSES_CLAIM.at(
        workload.workload.spec.places.value("partition"),
        f"{consumer.title} {version} does not admit pods with this claim by its defaults: "
        f"{reasons}",
        related=[
            Related(where, f"puts the workload under {consumer.title}"),
            *(Related(fact.places.key("reason"), "what is known of it") for fact in facts[:1]),
        ],
        help=_remedy(consumer, version, verdict),
    )


def _remedy(consumer: Consumer, version: str, verdict: Usable) -> str:
    for way in map(consumer.ways.__getitem__, verdict.ways):
        release = way.release(version)
        assert release is not None, "a way of which nothing is known handles no claim"
        return f"what works: {way.title} ({release.needs})"
    return "; ".join(verdict.rewrites)


def _label_place(label: str, workload: WorkloadPlan, cluster: ClusterPlan) -> Span | None:
    """Return where a workload gets a label: from its templates, or from the cluster."""
    spec = workload.workload.spec
    for raw in (spec.template, spec.leader_template):
        found = _label_in(raw, label) if raw is not None else None
        if found is not None:
            return found
    if label in cluster.spec.object_labels:
        return cluster.spec.places.item_key("objectLabels", label)
    return None


def _label_in(raw: Raw, label: str) -> Span | None:
    labels = _under(_under(raw.node, "metadata"), "labels")
    pairs = labels.value if isinstance(labels, MappingNode) else []
    places = (name for name, _ in pairs if name.value == label)
    return next((span_of(raw.origin.source, each) for each in places), None)


def _under(node: Node | None, key: str) -> Node | None:
    pairs = node.value if isinstance(node, MappingNode) else []
    return next((value for name, value in pairs if name.value == key), None)
