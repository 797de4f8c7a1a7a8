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
from neuron_dra.syntax.decode import INVALID, LayerReader, Model, ModelReader, respell
from neuron_dra.syntax.parse import Document, MappingNode, Node, ScalarNode, parse, span_of
from neuron_dra.syntax.places import Context, Origin

API_VERSION = "neuron-dra.dev/v1alpha1"
HEAD = ("apiVersion", "kind")
KINDS: Mapping[str, type[Model]] = {
    "Cluster": Cluster,
    "ClusterDefaults": ClusterDefaults,
    "Partition": Partition,
    "Tenant": Tenant,
    "NeuronWorkload": NeuronWorkload,
}
# Read by the catalogue, which alone knows its schema.
CATALOG_KINDS = frozenset({"InstanceType"})
LAYERED = frozenset(
    name for name, cls in KINDS.items() if isinstance(cls.KEYS["spec"].reader, LayerReader)
)


@dataclass(frozen=True, slots=True)
class Specs:
    """The sound documents of an input.

    Attributes:
        clusters: merged bodies by cluster name, sorted by name.
        cluster_documents: the Cluster documents, for name and labels.
        defaults: the ClusterDefaults by name.
        broken: `Kind/name` of documents that have errors.
        incomplete: whether a file or a document could not be read at all, so that a name which is
            not here may be there.
        instance_types: documents of kind InstanceType, not yet decoded.
    """

    clusters: dict[str, ClusterSpec] = field(default_factory=dict)
    cluster_documents: dict[str, Cluster] = field(default_factory=dict)
    defaults: dict[str, ClusterDefaults] = field(default_factory=dict)
    partitions: dict[str, Partition] = field(default_factory=dict)
    tenants: dict[str, Tenant] = field(default_factory=dict)
    workloads: tuple[NeuronWorkload, ...] = ()
    broken: frozenset[str] = frozenset()
    incomplete: bool = False
    instance_types: tuple[Document, ...] = ()

    def lacks(self, kind: str, name: str) -> bool:
        """Tell whether a document is surely not there; what is broken is told already."""
        documents: Mapping[str, Mapping[str, Model]] = {
            "Cluster": self.cluster_documents,
            "Partition": self.partitions,
            "Tenant": self.tenants,
        }
        told = self.incomplete or f"{kind}/{name}" in self.broken
        return name not in documents[kind] and not told


def read_documents(sources: Iterable[Source]) -> tuple[Specs, list[Diagnostic]]:
    """Decode all documents of all sources."""
    reader = _DocumentReader()
    for source in sources:
        documents, problems = parse(source)
        reader.diagnostics += problems
        reader.incomplete = reader.incomplete or bool(problems)
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
        self.incomplete = False

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
        else:
            self.incomplete = True

    def _kind(self, source: Source, root: MappingNode) -> str:
        """Return the document's kind, or an empty string with a diagnostic."""
        top = _texts(root)
        for name in HEAD:
            if name not in top:
                self.diagnostics.append(
                    codes.MISSING_KEY.at(
                        span_of(source, root), f"the key `{name}` is required here as a text"
                    )
                )
                return ""
        version, kind = top["apiVersion"], top["kind"]
        if version.value != API_VERSION:
            self.diagnostics.append(
                codes.UNKNOWN_API_VERSION.at(
                    span_of(source, version),
                    f"`{version.value}` is not `{API_VERSION}`",
                    help=_foreign_help(version.value, kind.value),
                    edits=respell(span_of(source, version), version.value, [API_VERSION]),
                )
            )
            return ""
        if kind.value in KINDS or kind.value in CATALOG_KINDS:
            return str(kind.value)
        self.diagnostics.append(
            codes.UNKNOWN_KIND.at(
                span_of(source, kind),
                f"unknown kind `{kind.value}`",
                help=did_you_mean(kind.value, [*KINDS, *CATALOG_KINDS]),
                edits=respell(span_of(source, kind), kind.value, [*KINDS, *CATALOG_KINDS]),
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
        context = Context(Origin(document.source, identity))
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
            defaults=_by_name(self.models["ClusterDefaults"]),
            partitions=_by_name(self.models["Partition"]),
            tenants=_by_name(self.models["Tenant"]),
            workloads=tuple(sorted(self.models["NeuronWorkload"].values(), key=_workload_key)),
            broken=frozenset(self.broken),
            incomplete=self.incomplete,
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


_READERS = {kind: ModelReader(cls, judged=frozenset(HEAD)) for kind, cls in KINDS.items()}


def _by_name(models: dict[str, Any]) -> dict[str, Any]:
    made = sorted(models.values(), key=lambda each: each.metadata.name)
    return {each.metadata.name: each for each in made}


def _workload_key(workload: NeuronWorkload) -> tuple[str, str, tuple[object, ...]]:
    name = workload.metadata
    return name.namespace, name.name, workload.places.span.sort_key()


def _foreign_help(version: str, kind: str) -> str:
    if kind in KINDS or "neuron" in version:
        return f"write `apiVersion: {API_VERSION}`"
    return "plain Kubernetes objects belong into `extraObjects` of a Cluster"


def _name(root: Node) -> str:
    names = _texts(_metadata(root))
    return "/".join(names[key].value for key in ("namespace", "name") if key in names)


def _name_span(document: Document) -> Span:
    node = _texts(_metadata(document.root)).get("name", document.root)
    return span_of(document.source, node)


def _metadata(root: Node) -> Node | None:
    pairs = root.value if isinstance(root, MappingNode) else []
    return next((value for key, value in pairs if key.value == "metadata"), None)


def _texts(node: Node | None) -> dict[str, ScalarNode]:
    """Return the scalars of a map by their keys; what else stands in it is judged elsewhere."""
    if not isinstance(node, MappingNode):
        return {}
    return {
        key.value: value
        for key, value in node.value
        if isinstance(key, ScalarNode) and isinstance(value, ScalarNode)
    }
