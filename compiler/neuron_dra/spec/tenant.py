"""Tenants: who uses what, where. Namespaces, granted partitions, quota, network."""

from __future__ import annotations

from neuron_dra.diagnostics import Related
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.spec.names import (
    INSTANCE_TYPE,
    LABEL_NAME,
    LABELS,
    SELECTOR,
    LabelSelector,
    Metadata,
)
from neuron_dra.spec.partition import CHIP
from neuron_dra.spec.reserved import RESERVED_LABELS, check_keys, check_system_namespaces
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ByShape, ListOf, MapOf
from neuron_dra.syntax.decode import Model, ModelReader, key, model, require_one
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import INT32_MAX, boolean, choice, integer, text

GROUP_NAMES = ListOf(LABEL_NAME, unique=True)
AMOUNT = integer(least=0, most=INT32_MAX)


@model
class Grant(Model):
    """A partition granted in some of the tenant's clusters."""

    name: str = key(LABEL_NAME, "The partition.")
    cluster_selector: LabelSelector = key(SELECTOR, "Where it is granted.")


@model
class Quota(Model):
    """How much a tenant may claim of one kind of hardware, in each cluster."""

    instance_type: str | None = key(INSTANCE_TYPE, "The instance type.", default=None)
    chip: str | None = key(CHIP, "The chip, for partitions that name a chip.", default=None)
    devices: int | None = key(AMOUNT, "Neuron devices.", default=None)
    nodes: int | None = key(AMOUNT, "UltraServer nodes.", default=None)
    namespaces: dict[str, int] = key(
        MapOf(AMOUNT, formats.dns_label),
        "How the namespaces share it; needed when there are several.",
        default={},
    )

    @property
    def amount(self) -> int:
        """Devices, or nodes."""
        return (self.devices if self.devices is not None else self.nodes) or 0

    def share(self, namespace: str) -> int:
        """Return what a namespace may claim of it."""
        return self.namespaces.get(namespace, 0) if self.namespaces else self.amount

    def check(self, context: Context) -> None:
        require_one(self, "instanceType", "chip", context)
        require_one(self, "devices", "nodes", context)
        shared = sum(self.namespaces.values())
        if self.namespaces and shared > self.amount:
            context.add(
                codes.INVALID_VALUE.at(
                    self.places.value("namespaces"),
                    f"the namespaces share {shared}, more than the quota of {self.amount}",
                )
            )


@model
class TenantNetwork(Model):
    """Who may talk to the tenant's pods."""

    isolation: str = key(
        choice("none", "namespace", "tenant"),
        "Whether pods are reached from everywhere, their namespace, or the tenant's namespaces.",
        default="none",
    )
    ingress: tuple[str, ...] = key(
        GROUP_NAMES, "Network groups that may reach the pods.", default=()
    )
    egress: tuple[str, ...] = key(
        GROUP_NAMES, "Network groups that the pods may reach.", default=()
    )

    def check(self, context: Context) -> None:
        for name in ("ingress", "egress"):
            if self.isolation == "none" and self.places.has(name):
                context.add(
                    codes.KEY_NEEDS_KEY.at(
                        self.places.key(name),
                        f"`{name}` has no effect with `isolation: none`",
                        help="set `isolation: namespace` or `tenant`",
                    )
                )


@model
class TenantSpec(Model):
    """The body of a Tenant."""

    owner: str | None = key(text(), "The team.", default=None)
    cluster_selector: LabelSelector | None = key(
        SELECTOR, "The clusters that the tenant uses, by their labels.", default=None
    )
    clusters: tuple[str, ...] = key(
        ListOf(LABEL_NAME, unique=True, least=1), "The clusters, by name.", default=()
    )
    namespaces: tuple[str, ...] = key(
        ListOf(LABEL_NAME, unique=True, least=1), "The tenant's namespaces."
    )
    create_namespaces: bool = key(
        boolean(), "Whether the Namespace objects are emitted.", default=False
    )
    namespace_labels: dict[str, str] = key(LABELS, "Labels of the emitted Namespaces.", default={})
    partitions: tuple[str | Grant, ...] = key(
        ListOf(
            ByShape("a partition's name or a map", scalar=LABEL_NAME, mapping=ModelReader(Grant)),
            unique=True,
        ),
        "The partitions that the tenant may claim; served in every selected cluster.",
        default=(),
    )
    quota: tuple[Quota, ...] = key(
        ListOf(ModelReader(Quota)), "What may be claimed, per cluster.", default=()
    )
    network: TenantNetwork | None = key(
        ModelReader(TenantNetwork), "Who may talk to the pods.", default=None
    )

    def check(self, context: Context) -> None:
        require_one(self, "clusterSelector", "clusters", context)
        check_system_namespaces(self, "namespaces", self.namespaces, context)
        check_keys(self, "namespaceLabels", self.namespace_labels, RESERVED_LABELS, context)
        if self.namespace_labels and not self.create_namespaces:
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.key("namespaceLabels"),
                    "`namespaceLabels` needs `createNamespaces: true`",
                )
            )
        seen: dict[tuple[str | None, str | None, bool], int] = {}
        for index, quota in enumerate(self.quota):
            first = seen.setdefault(
                (quota.instance_type, quota.chip, quota.places.has("nodes")), index
            )
            if first != index:
                context.add(
                    codes.DUPLICATE_ITEM.at(
                        self.places.item("quota", index),
                        f"two quotas count `{quota.instance_type or quota.chip}`",
                        related=[Related(self.places.item("quota", first), "first here")],
                    )
                )
            self._check_quota(index, quota, context)

    def _check_quota(self, index: int, quota: Quota, context: Context) -> None:
        for name in quota.namespaces:
            if name not in self.namespaces:
                context.add(
                    codes.INVALID_VALUE.at(
                        quota.places.item_key("namespaces", name),
                        f"`{name}` is not a namespace of this tenant",
                    )
                )
        if len(self.namespaces) > 1 and not quota.namespaces:
            total = quota.amount * len(self.namespaces)
            context.add(
                codes.QUOTA_NOT_SHARED.at(
                    self.places.item("quota", index),
                    f"each of {len(self.namespaces)} namespaces may claim {quota.amount}, "
                    f"together {total}",
                    help="a ResourceQuota counts in one namespace; say each one's part "
                    "with `namespaces`",
                )
            )


@model
class Tenant(Model):
    """A team: namespaces, granted partitions, quota, network."""

    metadata: Metadata = key(ModelReader(Metadata), "Name and labels.")
    spec: TenantSpec = key(ModelReader(TenantSpec), "The tenant.")
