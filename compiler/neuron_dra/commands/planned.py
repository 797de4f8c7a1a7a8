"""The one cluster of specs that a verb compares with a dump.

In: the paths of specs and the name of a cluster. Out: its plan with the catalogue. Specs with
errors, several clusters without a choice, and an unknown name are answered here.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from neuron_dra.api.pipeline import analyse, load, visible
from neuron_dra.api.policy import find_policy, settle
from neuron_dra.commands.output import report
from neuron_dra.diagnostics import did_you_mean, has_errors
from neuron_dra.simulation.question import Planned


def read_cluster(
    specs: Sequence[str], cluster: str, catalog: Sequence[str], color: str
) -> Planned | None:
    """Return the cluster that is named, or the only one; None when the specs have errors."""
    sources = load(specs)
    analysis = analyse(sources, catalog)
    told = settle(sources, analysis.diagnostics, find_policy(specs)).diagnostics
    report(visible(told, verbose=False), color=color)
    if has_errors(analysis.diagnostics):
        return None
    plans = {plan.name: plan for plan in analysis.fleet.clusters}
    if not cluster and len(plans) != 1:
        names = ", ".join(plans)
        raise click.UsageError(f"the specs have {len(plans)} clusters: name one: {names}")
    if cluster and cluster not in plans:
        hint = did_you_mean(cluster, plans)
        raise click.BadParameter(f"no such cluster `{cluster}`, {hint}", param_hint="'--cluster'")
    return Planned(plans[cluster or next(iter(plans))], analysis.catalog)
