"""The release of the EFA chart.

In: a profile and the chart's facts. Out: a `Release` where pools have EFA interfaces by DRA, and
diagnostics. The chart binds its driver to instance types and one node selector; where the EFA
device plugin is in the cluster too, these two have to keep the driver off its nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neuron_dra.catalog.chart import Chart
from neuron_dra.catalog.driver import Driver
from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import gitops as codes
from neuron_dra.objects.drivers.nodes import complete_tolerations, complete_types
from neuron_dra.objects.drivers.release import (
    DEVICE_CLASS,
    RBAC,
    SYSTEM_NAMESPACE,
    Release,
    cause_by_pools,
    check_external,
    find_chart,
)
from neuron_dra.objects.drivers.values import (
    UserValues,
    merge_values,
    read_values,
    unused_values,
)
from neuron_dra.plan.pools import are_disjoint
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.spec.cluster import ChartDriver

DRIVER = "efa"
RELEASE = "efa"
_TYPES = "supportedInstanceLabels"
OWNED: Mapping[str, str] = {
    _TYPES: "the instance types and `mechanism` of `nodePools`",
    "nodeSelector": "`nodeSelector` of `nodePools`",
}


def plan_efa(profile: Profile, driver: Driver) -> tuple[list[Release], list[Diagnostic]]:
    """Return the release of the EFA chart in a class of cluster, if it needs one."""
    found: list[Diagnostic] = []
    written = profile.drivers.efa if profile.drivers else None
    if written is None:
        return [], found
    chart = find_chart(written, driver, DRIVER, found)
    if chart is None or written.install == "external":
        return [], found + check_external(written)
    user = read_values(written, chart.values, OWNED, DRIVER, found)
    with_efa = [pool for pool in profile.pools if pool.type.efa_interfaces]
    pools = [pool for pool in with_efa if pool.efa_by_dra]
    if not pools:
        reason = "no node pool has EFA interfaces by DRA"
        return [], found + unused_values(written, ((key, reason) for key in user.data))
    others = [pool for pool in with_efa if not pool.efa_by_dra]
    labels = _separating_labels(pools, others, found)
    return [_release(written, chart, pools, _selection(chart, pools, others, labels), user)], found


def _release(
    written: ChartDriver,
    chart: Chart,
    pools: Sequence[Pool],
    values: dict[str, Any],
    user: UserValues,
) -> Release:
    values = merge_values(values, user.data)
    given = user.data.get("tolerations") or []
    # The driver has no toleration of the pools' taints by default.
    completed = complete_tolerations([*chart.fixed_tolerations, *given], pools)
    missing = completed[len(chart.fixed_tolerations) :]
    if missing:
        values["tolerations"] = missing
    ours = [key for key in (*OWNED, "tolerations") if key in values]
    return Release(
        name=RELEASE,
        driver=DRIVER,
        role="efa-driver",
        chart=chart,
        version=written.chart_version or "",
        repository=written.repository or chart.repository,
        namespace=chart.namespaces.get("dranet", SYSTEM_NAMESPACE),
        cluster_kinds=(*RBAC, DEVICE_CLASS),  # aws/eks-charts c043cef4, stable/aws-dranet/templates
        values=values,
        fields=cause_by_pools(ours, pools) | user.fields,
    )


def _selection(
    chart: Chart, pools: Sequence[Pool], others: Sequence[Pool], labels: dict[str, str]
) -> dict[str, Any]:
    """Return the instance types and the node selector, where the chart's own do not do."""
    values: dict[str, Any] = {}
    types = sorted({pool.type.name for pool in pools})
    if others:
        values[_TYPES] = {"values": types}
    elif not set(types) <= set(chart.instance_types):
        values[_TYPES] = {"values": complete_types(chart.instance_types, pools)}
    if labels:
        values["nodeSelector"] = labels
    return values


def _separating_labels(
    pools: Sequence[Pool], others: Sequence[Pool], found: list[Diagnostic]
) -> dict[str, str]:
    """Return labels of all pools that none of the others with the same type can have."""
    shared = set.intersection(*(set(pool.spec.node_selector.items()) for pool in pools))
    types = {pool.type.name for pool in pools}
    labels: dict[str, str] = {}
    for other in others:
        if other.type.name not in types:
            continue
        telling = sorted(_contradicted(shared, other))
        if telling:
            labels |= dict(telling[:1])
        elif all(are_disjoint(pool, other) for pool in pools):
            found.append(_not_separable(pools, other))
    return dict(sorted(labels.items()))


def _contradicted(labels: set[tuple[str, str]], other: Pool) -> Iterator[tuple[str, str]]:
    """Yield the labels to which a pool gives another value."""
    for key, value in labels:
        if other.spec.node_selector.get(key, value) != value:
            yield key, value


def _not_separable(pools: Sequence[Pool], other: Pool) -> Diagnostic:
    first = next(pool for pool in pools if pool.type.name == other.type.name)
    return codes.EFA_NOT_SEPARABLE.at(
        other.spec.places.value("nodeSelector"),
        f"the EFA DRA driver would run on the nodes of pool `{other.name}` too: they have the "
        f"instance type of pool `{first.name}`, and no label tells all DRA pools from them",
        related=[Related(first.spec.places.span, f"pool `{first.name}`, EFA by DRA")],
        help="give every pool a label in `nodeSelector` whose value says the EFA mechanism",
    )
