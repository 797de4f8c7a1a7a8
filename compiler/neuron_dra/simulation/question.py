"""What a simulation is about: a cluster, and what is asked of it.

In: the sources of a dump and of claims or pods, and a planned cluster. Out: a `Question` with every
diagnostic. Where anything cannot be read, nothing is asked: a part of a cluster proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.diagnostics import Diagnostic, has_errors
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.simulation.asked import Asked, asked_claims, asked_pods, nothing_there
from neuron_dra.simulation.dump import Dump, read_dump
from neuron_dra.simulation.state import ClusterState, state_of_dump, state_of_plan
from neuron_dra.source import Source


@dataclass(frozen=True, slots=True)
class Question:
    """Claims in order, and the cluster that is to serve them; neither is whole beside errors."""

    state: ClusterState
    asked: tuple[Asked, ...]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """A cluster of specs."""

    plan: ClusterPlan
    catalog: Catalog


def read_question(
    dump: Iterable[Source] | None,
    wanted: Iterable[Source],
    *,
    by_pods: bool = False,
    planned: Planned | None = None,
    free: bool = False,
) -> Question:
    """Read a cluster and what is asked of it.

    Args:
        dump: None for the predicted cluster of `planned`.
        by_pods: whether pods are asked for, or claims.
        free: take a dumped cluster as if no claim held a device.
    """
    there, found = read_dump(dump or ())
    asked, more = read_dump(wanted)
    found += more
    if dump is not None and not there.slices and not has_errors(found):
        found.append(nothing_there(there, "ResourceSlice"))
    if dump is None and planned is not None:
        state = state_of_plan(planned.plan, planned.catalog, asked)
    else:
        state = state_of_dump(there, asked, planned.plan if planned else None, free=free)
    if has_errors(found):
        return Question(state, (), tuple(found))
    claims, problems = _claims(asked, there, state, by_pods=by_pods)
    return Question(state, tuple(claims), (*found, *problems))


def _claims(
    asked: Dump, there: Dump, state: ClusterState, *, by_pods: bool
) -> tuple[list[Asked], list[Diagnostic]]:
    return asked_pods(asked, there, state.templates) if by_pods else asked_claims(asked)
