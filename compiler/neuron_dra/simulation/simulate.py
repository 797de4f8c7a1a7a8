"""Claims in order on a cluster, as its scheduler would serve them.

In: a `ClusterState`, a Kubernetes minor with its gates, and what is asked for. Out: one
`ClaimVerdict` for each claim. Each claim takes its devices from the next, and the claims of a pod
go to one node. Nodes are tried by name; a scheduler scores them, but the verdicts are the same
unless claims compete. A claim that holds devices already keeps them, and its pod goes where they
are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from neuron_dra.allocator.nodes import Node, is_required
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.node import ClusterNode
from neuron_dra.kube.slice import ResourceSlice
from neuron_dra.simulation.allocators import Allocators
from neuron_dra.simulation.asked import Asked, Wanted
from neuron_dra.simulation.dump import Key
from neuron_dra.simulation.placement import describe_objections, eligible_nodes
from neuron_dra.simulation.scheduling import Scheduling
from neuron_dra.simulation.state import ClusterState
from neuron_dra.simulation.verdict import Answer, ClaimVerdict, Results, Verdict

ALREADY = "it holds these devices already"


def simulate(
    cluster: ClusterState, minor: str, gates: Mapping[str, bool], asked: Iterable[Asked]
) -> list[ClaimVerdict]:
    """Serve what is asked for, in order."""
    classes = list(cluster.classes.values())
    allocators = Allocators(minor, gates, classes, cluster.slices)
    scheduling = Scheduling(allocators, cluster.classes, cluster.unknown)
    return list(_Simulation(cluster, scheduling).run(asked))


@dataclass(slots=True)
class _Simulation:
    cluster: ClusterState
    scheduling: Scheduling
    _held: dict[Key, Results] = field(init=False)
    _state: AllocatedState = field(init=False)
    _pools: dict[tuple[str, str], list[ResourceSlice]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._held = {key: value.results for key, value in self.cluster.claims.items()}
        results = (result for held in self._held.values() for result in held)
        self._state = AllocatedState().taking(results)
        for each in self.cluster.slices:
            self._pools.setdefault((each.driver, each.pool.name), []).append(each)

    def run(self, asked: Iterable[Asked]) -> Iterator[ClaimVerdict]:
        for each in asked:
            held = [wanted for wanted in each.claims if wanted.key in self._held]
            nodes = self._nodes(each, held)
            still = [wanted for wanted in each.claims if wanted.key not in self._held]
            answer = self._answer(each, still, nodes)
            yield from self._verdicts(each, still, nodes, answer)

    def _nodes(self, asked: Asked, held: Sequence[Wanted]) -> tuple[ClusterNode, ...]:
        """Return the nodes that a pod may go to, which are those of the devices that it holds."""
        return tuple(
            node
            for node in eligible_nodes(asked.pod, self.cluster.nodes)
            if all(self._reaches(node, self._held_by(wanted)) for wanted in held)
        )

    def _held_by(self, wanted: Wanted) -> Results:
        return self._held.get(wanted.key, ()) if wanted.key else ()

    def _reaches(self, node: ClusterNode, results: Results) -> bool:
        """Tell whether a node has devices; those of a pool that nobody knows are everywhere."""
        pools = (self._pools.get(result.device[:2]) for result in results)
        return all(
            any(_is_for(node, each) for each in slices) for slices in pools if slices is not None
        )

    def _answer(
        self, asked: Asked, still: Sequence[Wanted], nodes: tuple[ClusterNode, ...]
    ) -> Answer:
        if nodes:
            claims = [wanted.claim for wanted in still]
            return self.scheduling.ask(claims, nodes, self._state)
        if asked.pod is None:
            return Answer(Verdict.UNSATISFIABLE, reason="there are no nodes")
        reason = describe_objections(asked.pod, self.cluster.nodes)
        return Answer(Verdict.UNSATISFIABLE, reason=reason)

    def _verdicts(
        self,
        asked: Asked,
        still: Sequence[Wanted],
        nodes: tuple[ClusterNode, ...],
        answer: Answer,
    ) -> Iterator[ClaimVerdict]:
        """Yield the verdict of each claim, and take the devices."""
        before = self._state
        for wanted in asked.claims:
            if wanted not in still:
                yield self._kept(asked, wanted, answer)
                continue
            results = answer.results[still.index(wanted)] if answer.results else ()
            self._state = self._state.taking(results)
            if wanted.key and answer.verdict is Verdict.ALLOCATED:
                self._held[wanted.key] = results
            conflict: tuple[str, ...] = ()
            if nodes and answer.verdict in (Verdict.UNSATISFIABLE, Verdict.TIMEOUT):
                others = [other.claim for other in still if other is not wanted]
                conflict = self.scheduling.explain(wanted.claim, others, nodes, before)
            yield _verdict(asked, wanted, answer, results, answer.reason, conflict)

    def _kept(self, asked: Asked, wanted: Wanted, answer: Answer) -> ClaimVerdict:
        results = self._held_by(wanted)
        reached = (each.name for each in self.cluster.nodes if self._reaches(each, results))
        node = answer.node or next(reached, "")
        kept = Answer(Verdict.ALLOCATED, node)
        return _verdict(asked, wanted, kept, results, ALREADY, ())


def _is_for(node: ClusterNode, each: ResourceSlice) -> bool:
    """Tell whether a slice has devices for a node; one that leaves it to its devices may have."""
    if each.node_name:
        return each.node_name == node.name
    if each.all_nodes or each.per_device_node_selection:
        return True
    selector = each.node_selector
    return selector is not None and is_required(Node(node.name, node.labels), selector)


def _verdict(
    asked: Asked,
    wanted: Wanted,
    answer: Answer,
    results: Results,
    reason: str,
    conflict: tuple[str, ...],
) -> ClaimVerdict:
    return ClaimVerdict(
        wanted.claim.name,
        wanted.claim.namespace,
        asked.pod.name if asked.pod else "",
        answer.verdict,
        answer.node,
        results,
        reason,
        conflict,
    )
