"""Objects to texts with holes: each distinct object is dumped once, however many clusters get it.

In: a `KubeObject`. Out: a `Rendering` that makes the file of any cluster, namespace and tenant.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from neuron_dra.emit.text import Template, compile_template
from neuron_dra.objects.object import KubeObject

NAMESPACE_FIELD = "{namespace}"
CLUSTER_FIELD = "{cluster}"


@dataclass(frozen=True, slots=True)
class Rendering:
    """A compiled object.

    Attributes:
        path: under the cluster's folder; holds `{namespace}` where it is in every namespace.
        header: comment lines that name the cluster as `{cluster}`; else they are in the template.
        object: `Kind namespace/name`, as the manifest names it.
        documents: JSON strings, joined by commas, of the documents that caused it.
        causes: JSON object of field -> document and key.
    """

    path: str
    header: str
    template: Template
    object: str
    documents: str
    causes: str


def render(made: KubeObject) -> Rendering:
    """Dump an object once."""
    comment = header(made.documents)
    own = CLUSTER_FIELD in comment
    return Rendering(
        path=made.path,
        header=f"# {comment}\n" if own else "",
        template=compile_template(made.data, "" if own else comment),
        object=_object_name(made),
        documents=", ".join(json.dumps(document) for document in made.documents),
        causes=json.dumps(dict(made.fields)),
    )


def header(documents: tuple[str, ...]) -> str:
    """Return the comment at the top of a file: where it comes from, no line numbers."""
    source = f" from {documents[0]}" if documents else ""
    return f"Compiled by neuron-dra{source}. Do not edit."


def _object_name(made: KubeObject) -> str:
    metadata = made.data.get("metadata")
    if not isinstance(metadata, dict):
        return f"HelmValues {made.path.split('/')[-2]}"
    name = _shown(metadata["name"])
    namespace = metadata.get("namespace")
    return (
        f"{made.data['kind']} {_shown(namespace)}/{name}"
        if namespace
        else (f"{made.data['kind']} {name}")
    )


def _shown(value: str) -> str:
    from neuron_dra.kube.hole import NAMESPACE, Hole

    return NAMESPACE_FIELD if isinstance(value, Hole) and value == NAMESPACE else str(value)
