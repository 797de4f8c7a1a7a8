"""Quota of tenants in a cluster: how many devices of each class a namespace may claim.

In: what the tenants of a cluster are granted. Out: `TenantPlan`s. A quota closes every class that
serves Neuron devices in the cluster and that it does not name, whoever made the class; else a claim
could pass it by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.classes import served_types, used_chips
from neuron_dra.plan.cluster import TenantPlan
from neuron_dra.plan.drivers import NeuronDriver
from neuron_dra.plan.names import chip_class_name, device_class_name
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.profile import Profile
from neuron_dra.spec.cluster import ClusterSpec
from neuron_dra.spec.tenant import Quota, Tenant
from neuron_dra.syntax.containers import Raw
from neuron_dra.syntax.parse import MappingNode, Node, ScalarNode, SequenceNode

Hard = Mapping[str, Mapping[str, int]]  # namespace -> class -> devices


class Granted(NamedTuple):
    """What a tenant is granted in a cluster."""

    tenant: Tenant
    partitions: tuple[PlannedPartition, ...]


@dataclass(frozen=True, slots=True)
class QuotaPlanner:
    """Plans quotas; a problem of a tenant is told for one cluster, not for all."""

    driver: NeuronDriver
    found: list[Diagnostic]
    _told: set[tuple[str, str]] = field(default_factory=set)

    def plan(
        self, profile: Profile, spec: ClusterSpec, granted: Sequence[Granted]
    ) -> tuple[TenantPlan, ...]:
        """Return the plans of all tenants of a cluster."""
        if not any(tenant.spec.quota for tenant, _ in granted):
            return tuple(TenantPlan(tenant, planned, {}) for tenant, planned in granted)
        kinds = {device_class_name(kind.name): kind for kind in served_types(profile)}
        used = used_chips(each for _, planned in granted for each in planned)
        chips = {chip_class_name(chip, nodes=nodes) for chip, nodes in used}
        foreign = foreign_classes(spec, self.driver.name)
        classes = sorted({*kinds, *chips, *foreign, self.driver.vended_class})
        return tuple(
            TenantPlan(tenant, planned, self._quota(tenant, planned, classes, kinds))
            for tenant, planned in granted
        )

    def _quota(
        self,
        tenant: Tenant,
        planned: Sequence[PlannedPartition],
        classes: Sequence[str],
        kinds: Mapping[str, InstanceType],
    ) -> Hard:
        if not tenant.spec.quota:
            return {}
        hard = {space: dict.fromkeys(classes, 0) for space in tenant.spec.namespaces}
        for quota in tenant.spec.quota:
            name = _class_of(quota)
            if name not in classes:
                continue
            self._check_unit(tenant, quota, kinds.get(name))
            for space in tenant.spec.namespaces:
                hard[space][name] += quota.share(space)
        self._open_for_operator(hard, planned)
        self._check_covered(tenant, planned, hard)
        return hard

    def _open_for_operator(
        self, hard: dict[str, dict[str, int]], planned: Sequence[PlannedPartition]
    ) -> None:
        """Let through as many nodes of the vended class as the operator hands out from it."""
        for partition in planned:
            if partition.operator:
                for shape in partition.shapes:
                    for classes in hard.values():
                        classes[self.driver.vended_class] += classes.get(shape.class_name, 0)

    def _check_unit(self, tenant: Tenant, quota: Quota, kind: InstanceType | None) -> None:
        if kind is None or not self._is_new(tenant, f"unit {kind.name}"):
            return
        unit, other = ("devices", "nodes") if kind.serves_devices else ("nodes", "devices")
        if quota.places.has(other):
            self.found.append(
                codes.QUOTA_UNIT.at(
                    quota.places.key(other),
                    f"`{kind.name}` is claimed by {unit}, not by {other}",
                    related=[Related(kind.facts.places.key("published"), f"publishes {unit}")],
                    help=f"write `{unit}: {_in_unit(quota.amount, kind)}`: "
                    f"a node has {kind.device_count} devices",
                )
            )

    def _check_covered(
        self, tenant: Tenant, planned: Sequence[PlannedPartition], hard: Hard
    ) -> None:
        """Refuse a quota that admits no claim of a partition the tenant is granted."""
        named = {_class_of(quota) for quota in tenant.spec.quota}
        for partition in planned:
            for shape in partition.shapes:
                name = partition.partition.metadata.name
                most = max(classes.get(shape.class_name, 0) for classes in hard.values())
                if shape.class_name not in named:
                    if self._is_new(tenant, shape.class_name):
                        self.found.append(_uncovered(tenant, name, shape))
                elif most < shape.devices and self._is_new(tenant, f"{shape.class_name} {name}"):
                    self.found.append(_below_claim(tenant, name, shape, most))

    def _is_new(self, tenant: Tenant, what: str) -> bool:
        """Tell whether a problem of a tenant is told for the first time, and remember it."""
        key = (tenant.metadata.name, what)
        new = key not in self._told
        self._told.add(key)
        return new


def foreign_classes(spec: ClusterSpec, driver: str) -> set[str]:
    """Return the names of DeviceClasses among the extra objects that speak of a driver."""
    names = set()
    for raw in spec.extra_objects:
        texts = _texts_of(raw)
        if texts.get("kind") == "DeviceClass" and any(
            driver in each for each in _scalars(raw.node)
        ):
            names.add(texts.get("name", ""))
    return names - {""}


def _texts_of(raw: Raw) -> dict[str, str]:
    """Return kind and metadata.name of a plain object, as far as they are texts."""
    pairs = raw.node.value if isinstance(raw.node, MappingNode) else []
    inner = [child for name, child in pairs if name.value == "metadata"]
    metadata = inner[0].value if inner and isinstance(inner[0], MappingNode) else []
    return {
        name.value: child.value
        for name, child in [*pairs, *metadata]
        if isinstance(name, ScalarNode) and isinstance(child, ScalarNode)
    }


def _scalars(node: Node) -> Iterator[str]:
    if isinstance(node, ScalarNode):
        yield node.value
    elif isinstance(node, SequenceNode):
        for child in node.value:
            yield from _scalars(child)
    elif isinstance(node, MappingNode):
        for _, child in node.value:
            yield from _scalars(child)


def _class_of(quota: Quota) -> str:
    """Return the device class that a quota counts."""
    if quota.instance_type is not None:
        return device_class_name(quota.instance_type)
    return chip_class_name(quota.chip or "", nodes=quota.nodes is not None)


def _in_unit(amount: int, kind: InstanceType) -> int:
    """Return an amount of the wrong unit in the right one."""
    per_node = kind.device_count
    return amount * per_node if kind.serves_devices else -(-amount // per_node)


def _uncovered(tenant: Tenant, partition: str, shape: PlannedShape) -> Diagnostic:
    hardware = shape.spec.instance_type or shape.spec.chip
    key = "instanceType" if shape.spec.instance_type else "chip"
    unit = "devices" if shape.ultra_server_nodes is None else "nodes"
    return codes.QUOTA_MISSES_CLASS.at(
        tenant.spec.places.key("quota"),
        f"the quota has no entry for `{hardware}`, so no claim of partition `{partition}` "
        "is admitted",
        related=[Related(shape.spec.places.value(key), "its hardware")],
        help=f"add an entry `{{{key}: {hardware}, {unit}: NUMBER}}`",
    )


def _below_claim(tenant: Tenant, partition: str, shape: PlannedShape, most: int) -> Diagnostic:
    index = next(
        index
        for index, quota in enumerate(tenant.spec.quota)
        if _class_of(quota) == shape.class_name
    )
    key = "devices" if shape.ultra_server_nodes is None else "ultraServerNodes"
    return codes.QUOTA_BELOW_CLAIM.at(
        tenant.spec.places.item("quota", index),
        f"no namespace may claim more than {most}, and a claim of partition `{partition}` "
        f"takes {shape.devices}",
        related=[Related(shape.spec.places.value(key), f"{shape.devices} in each claim")],
        help="raise the quota, or do not grant the partition",
    )
