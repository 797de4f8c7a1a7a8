"""Releases of the Neuron chart: one for DRA pools, one for device plugin pools.

In: a profile and the chart's facts. Out: `Release`s and diagnostics. Where both mechanisms are in
one cluster there are two releases, since a release with DRA leaves the device plugin out on every
node; each is then bound to the nodes of its own pools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neuron_dra.catalog.chart import Chart
from neuron_dra.catalog.driver import Driver
from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import gitops as codes
from neuron_dra.objects.drivers.nodes import (
    complete_tolerations,
    complete_types,
    node_affinity,
)
from neuron_dra.objects.drivers.release import (
    DEVICE_CLASS,
    NAMESPACE,
    RBAC,
    SYSTEM_NAMESPACE,
    GroupKind,
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
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.spec.cluster import ChartDriver, Drivers

DRIVER = "neuron"
DRA_RELEASE, PLUGIN_RELEASE = "neuron", "neuron-device-plugin"
DRA_PART, PLUGIN_PART, NPD_PART, OPERATOR_PART = (
    *("draDriver", "devicePlugin", "npd", "ultraserverOperator"),
)
# What only the device plugin's release can install: beside DRA the chart refuses the scheduler, and
# leaves out the account and configuration of npd (neuron-helm-charts cea92c38, templates/).
PLUGIN_PARTS = frozenset({PLUGIN_PART, "scheduler", NPD_PART})
# Of the operator: neuron-helm-charts b77a6f90, templates/ultraserver-operator/.
OPERATOR_KINDS: tuple[GroupKind, ...] = (
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
)
_PLACED, _PLACEMENT = (DRA_PART, PLUGIN_PART), ("tolerations", "affinity")
_BY_POOLS, _BY_MECHANISM, _BY_LABELS = (
    "the instance types of `nodePools`",
    "`mechanism` of `nodePools`",
    "`nodeSelector` of `nodePools`",
)
OWNED: Mapping[str, str] = {
    "neuronInstances": _BY_POOLS,
    f"{DRA_PART}.enabled": _BY_MECHANISM,
    f"{DRA_PART}.affinity": _BY_LABELS,
    f"{DRA_PART}.nodeSelector": _BY_LABELS,
    f"{PLUGIN_PART}.enabled": _BY_MECHANISM,
    f"{PLUGIN_PART}.affinity": _BY_LABELS,
    f"{PLUGIN_PART}.nodeSelector": _BY_LABELS,
    f"{OPERATOR_PART}.enabled": "`drivers.ultraServerOperator.enabled`",
}


def plan_neuron(profile: Profile, driver: Driver) -> tuple[list[Release], list[Diagnostic]]:
    """Return the releases of the Neuron chart in a class of cluster."""
    found: list[Diagnostic] = []
    drivers = profile.drivers
    if drivers is None:
        return [], found
    written = drivers.neuron
    chart = find_chart(written, driver, DRIVER, found) if written else None
    found += _check_operator(drivers, chart, profile)
    if written is None or chart is None or written.install == "external":
        return [], found + check_external(written)
    user = read_values(written, chart.values, OWNED, DRIVER, found)
    planner = _NeuronPlanner(profile, drivers, written, chart)
    found += unused_values(written, planner.unused_parts(user))
    return planner.plan(user), found


def _check_operator(drivers: Drivers, chart: Chart | None, profile: Profile) -> list[Diagnostic]:
    operator = drivers.ultra_server_operator
    if operator is None or not operator.enabled:
        return []
    if drivers.neuron is None:
        reason, repair = "needs `drivers.neuron`, whose chart it is part of", ""
    elif profile.pools and not profile.dra_pools:
        reason, repair = "needs the DRA driver, and no node pool uses DRA", ""
    elif chart is not None and not chart.ultra_server_operator:
        reason = f"is not part of version {drivers.neuron.chart_version} of the chart"
        repair = "raise `drivers.neuron.chartVersion`"
    else:
        return []
    where = operator.places.value("enabled")
    return [
        codes.OPERATOR_NOT_INSTALLED.at(where, f"the UltraServer operator {reason}", help=repair)
    ]


class _NeuronPlanner:
    def __init__(
        self, profile: Profile, drivers: Drivers, written: ChartDriver, chart: Chart
    ) -> None:
        self.chart = chart
        self.written = written
        self.pools = profile.pools
        self.dra = profile.dra_pools
        self.plugin = tuple(pool for pool in profile.pools if not pool.neuron_by_dra)
        operator = drivers.ultra_server_operator
        self.operator = operator is not None and operator.enabled

    def plan(self, user: UserValues) -> list[Release]:
        """Return the releases, DRA first; a cluster without pools gets the DRA driver."""
        releases = []
        if self.has_dra:
            skipped = PLUGIN_PARTS if self.operator else PLUGIN_PARTS | {OPERATOR_PART}
            releases.append(self._dra_release(user.only(user.data.keys() - skipped)))
        if self.plugin:
            releases.append(self._plugin_release(user.only(PLUGIN_PARTS)))
        return releases

    @property
    def has_dra(self) -> bool:
        return bool(self.dra) or not self.plugin

    def unused_parts(self, user: UserValues) -> Iterator[tuple[str, str]]:
        """Yield the keys of values that no release takes, and why."""
        for part in user.data:
            if part in PLUGIN_PARTS and not self.plugin:
                yield part, "no node pool uses the device plugin"
            elif part == OPERATOR_PART and not self.operator:
                yield part, "`drivers.ultraServerOperator` is not enabled"
            elif part not in PLUGIN_PARTS and not self.has_dra:
                yield part, "every node pool uses the device plugin"

    def _dra_release(self, user: UserValues) -> Release:
        values: dict[str, Any] = {} if self.plugin else self._instances(self.dra)
        # The flags for DRA in the chart's README, neuron-helm-charts cea92c38.
        values |= {
            DRA_PART: {"enabled": True},
            PLUGIN_PART: {"enabled": False},
            NPD_PART: {"enabled": False},
        }
        kinds = (NAMESPACE, *RBAC, DEVICE_CLASS)
        if self.operator:
            values[OPERATOR_PART] = {"enabled": True}
            kinds += OPERATOR_KINDS
        values = merge_values(values, user.data)
        values = merge_values(values, self._placement(DRA_PART, self.dra, user))
        return self._release(DRA_RELEASE, "neuron-driver", DRA_PART, values, kinds, user)

    def _plugin_release(self, user: UserValues) -> Release:
        # npd is bound to instance types only, so that it serves the DRA pools too.
        values = self._instances(self.pools) | {
            DRA_PART: {"enabled": False},
            PLUGIN_PART: {"enabled": True},
            NPD_PART: {"enabled": True},
        }
        values = merge_values(values, user.data)
        values = merge_values(values, self._placement(PLUGIN_PART, self.plugin, user))
        part = NPD_PART if values[NPD_PART]["enabled"] else PLUGIN_PART
        kinds = (NAMESPACE, *RBAC)
        return self._release(PLUGIN_RELEASE, PLUGIN_RELEASE, part, values, kinds, user)

    def _instances(self, pools: Sequence[Pool]) -> dict[str, Any]:
        """Return the whole list of instance types if it needs another one: lists are replaced."""
        completed = complete_types(self.chart.instance_types, pools)
        grew = len(completed) > len(self.chart.instance_types)
        return {"neuronInstances": completed} if grew else {}

    def _placement(self, part: str, pools: Sequence[Pool], user: UserValues) -> dict[str, Any]:
        """Return the tolerations and the affinity of a part, where the chart's do not do."""
        own = user.data.get(part, {})
        # `tolerations` of the device plugin are those of the DRA driver, cea92c38, values.yaml.
        given = own["tolerations"] or [] if "tolerations" in own else self.chart.tolerations
        completed = complete_tolerations(given, pools)
        placement: dict[str, Any] = {}
        if len(completed) > len(given):
            placement["tolerations"] = completed
        if self.dra and self.plugin:
            placement["affinity"] = node_affinity(pools, self.chart.excluded_compute_types)
        return {part: placement}

    def _release(
        self,
        name: str,
        role: str,
        part: str,
        values: dict[str, Any],
        kinds: tuple[GroupKind, ...],
        user: UserValues,
    ) -> Release:
        """Make a release in the namespace of its main part, so that Argo CD can create it."""
        override = values[part].get("namespaceOverride")
        ours = [f"{each}.{key}" for each in _PLACED for key in values[each] if key in _PLACEMENT]
        ours += ["neuronInstances"] if "neuronInstances" in values else []
        return Release(
            name=name,
            driver=DRIVER,
            role=role,
            chart=self.chart,
            version=self.written.chart_version or "",
            repository=self.written.repository or self.chart.repository,
            namespace=override or self.chart.namespaces.get(part, SYSTEM_NAMESPACE),
            cluster_kinds=kinds,
            values=values,
            fields=cause_by_pools(ours, self.pools) | user.fields,
        )
