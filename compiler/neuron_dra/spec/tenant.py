"""Tenants: who uses what, where. Namespaces, granted partitions, quota, network."""

from __future__ import annotations

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
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ByShape, ListOf, MapOf
from neuron_dra.syntax.decode import Model, ModelReader, key, model
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import boolean, choice, integer, text

GROUP_NAMES = ListOf(LABEL_NAME, unique=True)


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
    devices: int | None = key(integer(least=0), "Neuron devices.", default=None)
    nodes: int | None = key(integer(least=0), "UltraServer nodes.", default=None)
    namespaces: dict[str, int] = key(
        MapOf(integer(least=0), formats.dns_label),
        "How the namespaces share it; needed when there are several.",
        default={},
    )

    @property
    def amount(self) -> int:
        """Devices, or nodes."""
        return (self.devices if self.devices is not None else self.nodes) or 0

    def check(self, context: Context) -> None:
        for first, second in (("instanceType", "chip"), ("devices", "nodes")):
            if self.places.has(first) == self.places.has(second):
                context.add(
                    codes.KEYS_EXCLUDE.at(
                        self.places.span, f"exactly one of `{first}` and `{second}` is needed"
                    )
                )
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
        if (self.cluster_selector is None) == (not self.clusters):
            context.add(
                codes.KEYS_EXCLUDE.at(
                    self.places.span, "exactly one of `clusterSelector` and `clusters` is needed"
                )
            )
        if self.namespace_labels and not self.create_namespaces:
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.key("namespaceLabels"),
                    "`namespaceLabels` needs `createNamespaces: true`",
                )
            )
        for index, quota in enumerate(self.quota):
            self._check_quota(index, quota, context)

    def _check_quota(self, index: int, quota: Quota, context: Context) -> None:
        for name in quota.namespaces:
            if name not in self.namespaces:
                context.add(
                    codes.INVALID_VALUE.at(
                        quota.places.item("namespaces", name),
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
