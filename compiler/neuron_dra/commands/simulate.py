"""`simulate`: what claims would get on a real or planned cluster."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence

import click

from neuron_dra.catalog.locate import open_catalog
from neuron_dra.commands import options
from neuron_dra.commands.output import report, write
from neuron_dra.commands.planned import read_cluster
from neuron_dra.commands.release import choose_target
from neuron_dra.diagnostics import has_errors
from neuron_dra.simulation.question import read_question
from neuron_dra.simulation.render import render_json, render_text
from neuron_dra.simulation.simulate import simulate
from neuron_dra.simulation.verdict import Verdict
from neuron_dra.source import read_long_sources


@options.verb(example="neuron-dra simulate --dump cluster.yaml --claims claims.yaml")
@options.files(
    "dump", "The cluster: ResourceSlices and more, as `kubectl get -o yaml` prints them."
)
@options.files("claims", "ResourceClaims or ResourceClaimTemplates that are asked for, in order.")
@options.files("pods", "Pods that are asked for, in order, in place of claims.")
@options.files(
    "specs", "Specs with the cluster: its classes, its templates, and its predicted nodes."
)
@options.one_cluster
@options.kubernetes
@options.feature_gates
@options.catalog
@click.option("--free", is_flag=True, help="Take the cluster as if no claim held a device.")
@options.choose_format("text", "json")
@options.color
def command(
    dump: tuple[str, ...],
    claims: tuple[str, ...],
    pods: tuple[str, ...],
    specs: tuple[str, ...],
    cluster: str,
    kubernetes: str,
    feature_gates: Mapping[str, bool],
    catalog: tuple[str, ...],
    free: bool,
    format_name: str,
    color: str,
) -> int:
    """Show what claims would get on a cluster, or the smallest reason why they would not.

    The cluster is a dump: lists or streams of ResourceSlices, DeviceClasses, ResourceClaims,
    ResourceClaimTemplates and Nodes. Without a dump it is a free cluster of the specs, with the
    slices that its drivers are predicted to publish.

    Claims and pods are served in order, each taking devices from the next; a status that they have
    in their own file counts for nothing. Nodes are tried by name. The real scheduler scores nodes,
    but the verdicts do not depend on that unless claims compete. Of pods only claims, node names,
    node selectors, required node affinity and tolerations of taints are looked at.

    Exits 1 unless every claim is allocated.
    """
    _check_usage(dump, claims, pods, specs)
    planned = read_cluster(specs, cluster, catalog, color) if specs else None
    if specs and planned is None:
        return 1
    version = kubernetes or (planned.plan.profile.minor if planned else "")
    target = choose_target(open_catalog(catalog), version, feature_gates)
    question = read_question(
        read_long_sources(dump) if dump else None,
        read_long_sources(claims or pods),
        by_pods=bool(pods),
        planned=planned,
        free=free,
    )
    report(question.diagnostics, color=color)
    if has_errors(question.diagnostics):
        return 1
    gc.enable()  # `cli.main` switches it off, but every search leaves cycles behind
    verdicts = simulate(question.state, target.minor, target.gates, question.asked)
    nodes = len(question.state.nodes)
    in_json = format_name == "json"
    write(render_json(verdicts) if in_json else render_text(verdicts, nodes, target.minor))
    return int(any(each.verdict is not Verdict.ALLOCATED for each in verdicts))


def _check_usage(
    dump: Sequence[str], claims: Sequence[str], pods: Sequence[str], specs: Sequence[str]
) -> None:
    if bool(claims) == bool(pods):
        raise click.UsageError("give either `--claims` or `--pods`")
    if not dump and not specs:
        raise click.UsageError("give the cluster: `--dump`, or `--specs` for a predicted one")
    if [*dump, *claims, *pods].count("-") > 1:
        raise click.UsageError("standard input can be read once only")
