"""Clusters: where things run. `Cluster` and `ClusterDefaults` share one body.

The body is read in layers: every key may be missing until a Cluster is merged over its defaults.
"""

from __future__ import annotations

from neuron_dra.diagnostics import Related
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.spec.addresses import CHART_REPOSITORY
from neuron_dra.spec.gitops import GITOPS, ROLLOUT, GitOps
from neuron_dra.spec.names import (
    ANNOTATIONS,
    CHART_VERSION,
    KUBERNETES_VERSION,
    LABEL_NAME,
    LABELS,
    RELEASE_VERSION,
    SELECTOR,
    LabelSelector,
    Metadata,
)
from neuron_dra.spec.pool import NodePool, is_outside
from neuron_dra.spec.reserved import RESERVED_ANNOTATIONS, RESERVED_LABELS, check_keys
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ListOf, MapOf, Raw, RawReader
from neuron_dra.syntax.decode import LayerReader, Model, ModelReader, key, model
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import boolean, checked, choice, integer, matching, text

INSTALL = choice("helm", "external")
REGION = matching("an AWS region", r"[a-z]{2}(-[a-z]+)+-[0-9]+", "us-west-2")
# A quarter of what the API server takes (TotalAnnotationSizeLimitB, k8s.io/apimachinery v0.37): our
# own stand beside them, and a client-side apply writes the whole object into one more.
OBJECT_ANNOTATIONS_MAX_BYTES = 64 * 1024


@model
class ChartDriver(Model):
    """A driver that a Helm chart installs."""

    chart_version: str | None = key(CHART_VERSION, "The chart's version.", default=None)
    install: str = key(INSTALL, "`helm` emits values; `external` only checks.", default="helm")
    repository: str | None = key(
        CHART_REPOSITORY, "Another place of the chart, a mirror.", default=None
    )
    like: str | None = key(
        CHART_VERSION, "A known version whose facts hold for an unknown one.", default=None
    )
    values: Raw | None = key(RawReader(), "Values merged into ours.", default=None)


@model
class UltraServerOperator(Model):
    """The Neuron UltraServer operator, part of the Neuron chart."""

    enabled: bool = key(boolean(), "Whether the operator runs.", default=False)


@model
class Drivers(Model):
    """The drivers of a cluster."""

    neuron: ChartDriver | None = key(
        ModelReader(ChartDriver), "The Neuron chart and its DRA driver.", default=None
    )
    efa: ChartDriver | None = key(
        ModelReader(ChartDriver), "The EFA DRA driver, DRANET.", default=None
    )
    ultra_server_operator: UltraServerOperator | None = key(
        ModelReader(UltraServerOperator), "The UltraServer operator.", default=None
    )


@model
class Consumer(Model):
    """A controller that is installed in the cluster."""

    version: str = key(RELEASE_VERSION, "The installed version.")


@model
class KueueConsumer(Model):
    """Kueue, and what carries quota beside it."""

    version: str = key(RELEASE_VERSION, "The installed version.")
    quota_by: str = key(
        choice("devices", "pods", "resourceQuota"), "What quota counts.", default="resourceQuota"
    )


@model
class Consumers(Model):
    """The controllers that are installed; what is not named is taken as not installed."""

    argocd: Consumer | None = key(ModelReader(Consumer), "Argo CD.", default=None)
    job_set: Consumer | None = key(ModelReader(Consumer), "JobSet.", default=None)
    leader_worker_set: Consumer | None = key(
        ModelReader(Consumer), "LeaderWorkerSet.", default=None
    )
    mpi_operator: Consumer | None = key(ModelReader(Consumer), "MPI operator.", default=None)
    kueue: KueueConsumer | None = key(ModelReader(KueueConsumer), "Kueue.", default=None)


@model
class NetworkGroup(Model):
    """What a word in `ingress` and `egress` means: pods by labels, or address ranges."""

    namespace_selector: LabelSelector | None = key(
        SELECTOR, "Namespaces of the peers.", default=None
    )
    pod_selector: LabelSelector | None = key(SELECTOR, "Pods among them.", default=None)
    cidrs: tuple[str, ...] = key(
        ListOf(checked("a CIDR", formats.cidr), unique=True), "Address ranges.", default=()
    )
    ports: tuple[int, ...] = key(
        ListOf(integer("a port", least=1, most=65535), unique=True), "TCP ports.", default=()
    )

    def check(self, context: Context) -> None:
        selects = self.namespace_selector is not None or self.pod_selector is not None
        if selects and self.cidrs:
            context.add(
                codes.KEYS_EXCLUDE.at(
                    self.places.key("cidrs"),
                    "`cidrs` cannot stand beside `namespaceSelector` or `podSelector`",
                    help="make two groups",
                )
            )
        elif not selects and not self.cidrs:
            context.add(
                codes.MISSING_KEY.at(
                    self.places.span,
                    "the group needs `cidrs`, `namespaceSelector` or `podSelector`",
                )
            )


@model
class ClusterSpec(Model):
    """The body of Cluster and ClusterDefaults."""

    defaults: str | None = key(LABEL_NAME, "The ClusterDefaults below this one.", default=None)
    kubernetes: str = key(KUBERNETES_VERSION, "The control plane's version: minor or patch.")
    region: str | None = key(REGION, "The AWS region.", default=None)
    owner: str | None = key(text(), "The team that owns the cluster.", default=None)
    resource_api_version: str = key(
        choice("v1", "v1beta2", "v1beta1"),
        "The version of resource.k8s.io that is emitted.",
        default="v1",
    )
    drivers: Drivers | None = key(ModelReader(Drivers), "The drivers.", default=None)
    consumers: Consumers | None = key(
        ModelReader(Consumers), "The controllers that are installed.", default=None
    )
    network_groups: dict[str, NetworkGroup] = key(
        MapOf(ModelReader(NetworkGroup), formats.dns_label),
        "The words of `ingress` and `egress`; `dns` and `pod-identity` are built in.",
        default={},
    )
    gitops: GitOps | str | None = key(GITOPS, "Argo CD's part, or `none`.", default=None)
    rollout: str = key(ROLLOUT, "How a changed template reaches the cluster.", default="replace")
    extended_resources: dict[str, str] = key(
        MapOf(checked("a resource name", formats.extended_resource)),
        "Extended resource names of DeviceClasses, by instance type (from 1.36).",
        default={},
    )
    object_labels: dict[str, str] = key(LABELS, "Labels of every object.", default={})
    object_annotations: dict[str, str] = key(
        ANNOTATIONS, "Annotations of every object.", default={}
    )
    node_pools: tuple[NodePool, ...] = key(
        ListOf(ModelReader(NodePool), unique=True), "The node groups.", default=()
    )
    extra_objects: tuple[Raw, ...] = key(
        ListOf(RawReader()), "Plain Kubernetes objects that go out as they are.", default=()
    )

    def check(self, context: Context) -> None:
        check_keys(self, "objectLabels", self.object_labels, RESERVED_LABELS, context)
        check_keys(
            self, "objectAnnotations", self.object_annotations, RESERVED_ANNOTATIONS, context
        )
        self._check_size(context)
        for pool in self.node_pools:
            self._check_zones(pool, context)

    def _check_size(self, context: Context) -> None:
        size = sum(
            len(f"{name}{value}".encode()) for name, value in self.object_annotations.items()
        )
        if size > OBJECT_ANNOTATIONS_MAX_BYTES:
            context.add(
                codes.INVALID_VALUE.at(
                    self.places.key("objectAnnotations"),
                    f"the annotations have {size} bytes, more than the "
                    f"{OBJECT_ANNOTATIONS_MAX_BYTES} allowed on every object",
                )
            )

    def _check_zones(self, pool: NodePool, context: Context) -> None:
        for index, zone in enumerate(pool.zones):
            if self.region and is_outside(zone, self.region):
                context.add(
                    codes.INVALID_VALUE.at(
                        pool.places.item("zones", index),
                        f"the zone `{zone}` is not in the region `{self.region}`",
                        related=[Related(self.places.value("region"), "the region")],
                    )
                )


@model
class Cluster(Model):
    """A Kubernetes cluster: version, drivers, node pools, GitOps, installed controllers."""

    metadata: Metadata = key(ModelReader(Metadata), "Name and labels.")
    spec: ClusterSpec = key(LayerReader(ClusterSpec), "The cluster.")


@model
class ClusterDefaults(Model):
    """What many clusters share; compiles to nothing by itself."""

    metadata: Metadata = key(ModelReader(Metadata), "Name and labels.")
    spec: ClusterSpec = key(LayerReader(ClusterSpec, lowest=True), "The shared values.")

    def check(self, context: Context) -> None:
        if self.spec.defaults is not None:
            context.add(
                codes.UNKNOWN_KEY.at(
                    self.spec.places.key("defaults"),
                    "ClusterDefaults have no `defaults`: they are one level deep",
                    help="remove the line, and give what it would bring here",
                )
            )
