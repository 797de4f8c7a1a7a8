"""Sources to `Specs`: every document decoded by its kind, defaults merged, names unique.

In: sources. Out: the sound documents by kind, and diagnostics. A broken document is left out, and
its name is remembered so that references to it are not reported a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from neuron_dra.diagnostics import Diagnostic, Related, did_you_mean, has_errors
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.source import Source, Span
from neuron_dra.spec.cluster import Cluster, ClusterDefaults, ClusterSpec
from neuron_dra.spec.layers import merge_cluster
from neuron_dra.spec.partition import Partition
from neuron_dra.spec.tenant import Tenant
from neuron_dra.spec.workload import NeuronWorkload
from neuron_dra.syntax.decode import INVALID, Model, ModelReader
from neuron_dra.syntax.parse import Document, MappingNode, Node, ScalarNode, parse, span_of
from neuron_dra.syntax.places import Context, Origin

API_VERSION = "neuron-dra.dev/v1alpha1"
KINDS: Mapping[str, type[Model]] = {
    "Cluster": Cluster,
    "ClusterDefaults": ClusterDefaults,
    "Partition": Partition,
    "Tenant": Tenant,
    "NeuronWorkload": NeuronWorkload,
}
# Read by the catalogue, which alone knows its schema.
CATALOG_KINDS = frozenset({"InstanceType"})
LAYERED = frozenset({"Cluster", "ClusterDefaults"})


@dataclass(frozen=True, slots=True)
class Specs:
    """The sound documents of an input.

    Attributes:
        clusters: merged bodies by cluster name, sorted by name.
        cluster_documents: the Cluster documents, for name and labels.
        broken: `Kind/name` of documents that have errors.
        instance_types: documents of kind InstanceType, not yet decoded.
    """

    clusters: dict[str, ClusterSpec] = field(default_factory=dict)
    cluster_documents: dict[str, Cluster] = field(default_factory=dict)
    partitions: dict[str, Partition] = field(default_factory=dict)
    tenants: dict[str, Tenant] = field(default_factory=dict)
    workloads: tuple[NeuronWorkload, ...] = ()
    broken: frozenset[str] = frozenset()
    instance_types: tuple[Document, ...] = ()


def read_documents(sources: Iterable[Source]) -> tuple[Specs, list[Diagnostic]]:
    """Decode all documents of all sources."""
    reader = _DocumentReader()
    for source in sources:
        documents, problems = parse(source)
        reader.diagnostics += problems
        for document in documents:
            reader.read(document)
    return reader.finish(), reader.diagnostics


class _DocumentReader:
    """Collects documents of all kinds."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.models: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
        self.seen: dict[str, Span] = {}
        self.broken: set[str] = set()
        self.instance_types: list[Document] = []
        self.count = 0

    def read(self, document: Document) -> None:
        source, root = document
        if isinstance(root, ScalarNode) and not root.value:
            return
        self.count += 1
        if not isinstance(root, MappingNode):
            self.diagnostics.append(
                codes.NOT_A_DOCUMENT.at(
                    span_of(source, root), "a document must be a map with `apiVersion` and `kind`"
                )
            )
            return
        kind = self._kind(source, root)
        if kind:
            self._read_kind(kind, document)

    def _kind(self, source: Source, root: MappingNode) -> str:
        """Return the document's kind, or an empty string with a diagnostic."""
        top = {key.value: value for key, value in root.value}
        for name in ("apiVersion", "kind"):
            if name not in top:
                self.diagnostics.append(
                    codes.MISSING_KEY.at(
                        span_of(source, root), f"the key `{name}` is required here"
                    )
                )
                return ""
        version, kind = top["apiVersion"], top["kind"]
        if version.value != API_VERSION:
            self.diagnostics.append(
                codes.UNKNOWN_API_VERSION.at(
                    span_of(source, version),
                    f"`{_shown(version)}` is not `{API_VERSION}`",
                    help=_foreign_help(_shown(version)),
                )
            )
            return ""
        if kind.value in KINDS or kind.value in CATALOG_KINDS:
            return str(kind.value)
        self.diagnostics.append(
            codes.UNKNOWN_KIND.at(
                span_of(source, kind),
                f"unknown kind `{_shown(kind)}`",
                help=did_you_mean(_shown(kind), [*KINDS, *CATALOG_KINDS]),
            )
        )
        return ""

    def _read_kind(self, kind: str, document: Document) -> None:
        identity = f"{kind}/{_name(document.root)}"
        # A workload's cluster is part of its identity: the plan finds those that collide.
        if kind != "NeuronWorkload" and self._is_duplicate(identity, document):
            return
        if kind in CATALOG_KINDS:
            self.instance_types.append(document)
            return
        context = Context(Origin(document.source, identity), layered=kind in LAYERED)
        made = _READERS[kind].read(document.root, context)
        self.diagnostics += context.diagnostics
        if made is INVALID or has_errors(context.diagnostics):
            self.broken.add(identity)
        else:
            self.models[kind][f"{identity} {self.count:06}"] = made

    def _is_duplicate(self, identity: str, document: Document) -> bool:
        span = _name_span(document)
        first = self.seen.setdefault(identity, span)
        if first is span:
            return False
        self.diagnostics.append(
            codes.DUPLICATE_DOCUMENT.at(
                span, f"{identity} is defined twice", related=[Related(first, "first here")]
            )
        )
        return True

    def finish(self) -> Specs:
        clusters = self._merged_clusters()
        return Specs(
            clusters=clusters,
            cluster_documents=_by_name(self.models["Cluster"]),
            partitions=_by_name(self.models["Partition"]),
            tenants=_by_name(self.models["Tenant"]),
            workloads=tuple(sorted(self.models["NeuronWorkload"].values(), key=_workload_key)),
            broken=frozenset(self.broken),
            instance_types=tuple(self.instance_types),
        )

    def _merged_clusters(self) -> dict[str, ClusterSpec]:
        defaults = _by_name(self.models["ClusterDefaults"])
        merged: dict[str, ClusterSpec] = {}
        for name, cluster in _by_name(self.models["Cluster"]).items():
            body = self._merged(cluster, defaults)
            if body is INVALID:
                self.broken.add(f"Cluster/{name}")
            else:
                merged[name] = body
        return merged

    def _merged(self, cluster: Cluster, defaults: dict[str, ClusterDefaults]) -> Any:
        wanted = cluster.spec.defaults
        context = Context(cluster.places.origin)
        if wanted and wanted not in defaults:
            if f"ClusterDefaults/{wanted}" not in self.broken:
                self.diagnostics.append(
                    codes.UNKNOWN_REFERENCE.at(
                        cluster.spec.places.value("defaults"),
                        f"there is no ClusterDefaults `{wanted}`",
                        help=did_you_mean(wanted, defaults),
                    )
                )
            return INVALID
        body = merge_cluster(cluster, defaults[wanted] if wanted else None, context)
        self.diagnostics += context.diagnostics
        return INVALID if has_errors(context.diagnostics) else body


class _DocumentModelReader(ModelReader):
    """Reads a document: its apiVersion and kind are already judged."""

    def read(self, node: Node, context: Context) -> Any:
        body = [pair for pair in node.value if pair[0].value not in ("apiVersion", "kind")]
        inner = MappingNode(node.tag, body, node.start_mark, node.end_mark)
        return super().read(inner, context)


_READERS = {kind: _DocumentModelReader(cls) for kind, cls in KINDS.items()}


def _by_name(models: dict[str, Any]) -> dict[str, Any]:
    made = sorted(models.values(), key=lambda each: each.metadata.name)
    return {each.metadata.name: each for each in made}


def _workload_key(workload: NeuronWorkload) -> tuple[str, str, tuple[object, ...]]:
    name = workload.metadata
    return name.namespace, name.name, workload.places.span.sort_key()


def _shown(node: Node) -> str:
    return node.value if isinstance(node, ScalarNode) else "..."


def _foreign_help(version: str) -> str:
    if version.endswith(API_VERSION.rpartition("/")[2]) or "neuron" in version:
        return f"write `apiVersion: {API_VERSION}`"
    return "plain Kubernetes objects belong into `extraObjects` of a Cluster"


def _name(root: Node) -> str:
    names = _metadata(root)
    name, namespace = names.get("name"), names.get("namespace")
    parts = [node.value for node in (namespace, name) if isinstance(node, ScalarNode)]
    return "/".join(parts)


def _name_span(document: Document) -> Span:
    node = _metadata(document.root).get("name", document.root)
    return span_of(document.source, node)


def _metadata(root: Node) -> dict[str, Node]:
    for key, value in root.value:
        if key.value == "metadata" and isinstance(value, MappingNode):
            return {inner.value: child for inner, child in value.value}
    return {}
