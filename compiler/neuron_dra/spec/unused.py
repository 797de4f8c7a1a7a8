"""Documents that nothing names: ClusterDefaults without a Cluster, instance types without a use.

In: `Specs` without errors. Out: warnings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import catalog as catalog_codes
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.source import Span
from neuron_dra.spec.documents import Specs
from neuron_dra.syntax.parse import Document, MappingNode, Node, ScalarNode, span_of


def find_unused(specs: Specs) -> list[Diagnostic]:
    """Return a warning for every document that compiles to nothing because nothing names it."""
    return [*_unused_defaults(specs), *_unused_types(specs)]


def _unused_defaults(specs: Specs) -> Iterator[Diagnostic]:
    used = {cluster.spec.defaults for cluster in specs.cluster_documents.values()}
    for name, each in specs.defaults.items():
        if name not in used:
            yield codes.UNUSED_DEFAULTS.at(
                each.metadata.places.value("name"),
                f"no Cluster has `defaults: {name}`, so these ClusterDefaults compile to nothing",
            )


def _unused_types(specs: Specs) -> Iterator[Diagnostic]:
    used = set(_named_types(specs))
    for document in specs.instance_types:
        name, span = _name(document)
        if name not in used:
            yield catalog_codes.UNUSED_TYPE.at(
                span, f"no node pool, partition or quota names the instance type `{name}`"
            )


def _named_types(specs: Specs) -> Iterable[str | None]:
    for cluster in specs.clusters.values():
        yield from (pool.instance_type for pool in cluster.node_pools)
        yield from cluster.extended_resources
    for partition in specs.partitions.values():
        yield from (shape.instance_type for shape in partition.spec.shapes)
    for tenant in specs.tenants.values():
        yield from (quota.instance_type for quota in tenant.spec.quota)


def _name(document: Document) -> tuple[str, Span]:
    """Return a document's name and its place."""
    node = _child(_child(document.root, "metadata"), "name")
    assert isinstance(node, ScalarNode), "the catalogue refuses a document without a name"
    return node.value, span_of(document.source, node)


def _child(node: Node | None, name: str) -> Node | None:
    pairs = node.value if isinstance(node, MappingNode) else []
    return next((value for key, value in pairs if key.value == name), None)
