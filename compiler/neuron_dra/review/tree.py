"""One side of a review: the files of an output tree, and the objects in them.

In: files by path below the tree, as bytes. Out: an `ObjectTree`, whose objects are read when they
are asked for, since most files of two sides are equal byte for byte. What `manifest.json` and
`catalog.json` say follows from the objects and is no part of a tree.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import review as codes
from neuron_dra.source import SPEC_SUFFIXES, Source, Span
from neuron_dra.syntax.plain import PlainDocument, load_plain

# The kind of a file of Helm values, which is no Kubernetes object; its name is the release.
HELM_VALUES = "HelmValues"

_CLUSTERS = "clusters/"
_CLUSTER = re.compile(r"clusters/([^/]+)/|argocd/roots/([^/]+)\.ya?ml\Z")
_HELM = re.compile(r"clusters/[^/]+/helm/([^/]+)/(.+)\.ya?ml\Z")
_HEADER = re.compile(rb"# Compiled by neuron-dra from (\S+)\. Do not edit\.\r?\n")


class Identity(NamedTuple):
    """What makes two objects one; the version of the API does not.

    Attributes:
        cluster: empty for an object that clusters share.
        group: of the API; empty for the oldest kinds and for Helm values.
        namespace: empty for an object without one.
    """

    cluster: str
    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        name = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {name}"


@dataclass(frozen=True, slots=True)
class TreeObject:
    """One object of a side.

    Attributes:
        data: plain data; equal files share it, so it is never changed.
        path: of its file, below the tree.
        documents: `Kind/name` of the document that the file says it comes from.
    """

    identity: Identity
    data: dict[str, Any]
    path: str
    documents: tuple[str, ...]


# Documents by the bytes that they were read from.
Contents = dict[bytes, list[PlainDocument]]


class Reading(NamedTuple):
    """What was read of a side.

    Attributes:
        broken: the paths of files that are left out, wholly or in part.
    """

    objects: dict[Identity, TreeObject]
    diagnostics: list[Diagnostic]
    broken: set[str]


@dataclass(frozen=True, slots=True)
class ObjectTree:
    """The files of one side that hold objects or Helm values.

    Attributes:
        files: bytes by path below the tree.
        root: what stands before a path where it is shown; empty for compiled files.
    """

    files: Mapping[str, bytes]
    root: str = ""

    @property
    def clusters(self) -> frozenset[str]:
        """The clusters that have a folder."""
        return frozenset(cluster_of(path) for path in self.files if path.startswith(_CLUSTERS)) - {
            ""
        }

    def read(self, paths: Iterable[str], contents: Contents | None = None) -> Reading:
        """Return the objects of some files; what is broken is left out and diagnosed."""
        contents = {} if contents is None else contents
        reading = Reading({}, [], set())
        spans: dict[Identity, Span] = {}
        for path in sorted(paths):
            source = Source(f"{self.root}/{path}" if self.root else path, self.files[path])
            documents, problems = _load(source, contents)
            header = _HEADER.match(source.data)
            causes = (header[1].decode("utf-8", "replace"),) if header else ()
            for data, span in documents:
                found = _identify(path, data)
                if isinstance(found, str):
                    problems.append(codes.NO_OBJECT.at(span, found))
                elif found in reading.objects:
                    reading.diagnostics.append(_duplicate(found, span, spans[found]))
                else:
                    reading.objects[found] = TreeObject(found, data, path, causes)
                    spans[found] = span
            if problems:
                reading.broken.add(path)
                reading.diagnostics.extend(problems)
        return reading


EMPTY = ObjectTree({})


def tree_from_files(files: Mapping[str, bytes], root: str = "") -> ObjectTree:
    """Return the tree of compiled or read files; other files than objects are left out."""
    return ObjectTree({path: data for path, data in files.items() if _is_compared(path)}, root)


def read_output_tree(root: str, sources: Iterable[Source]) -> ObjectTree:
    """Return the tree of the sources that were read below a folder."""
    shown = os.path.normpath(root).replace(os.sep, "/")
    start = "" if shown == "." else f"{shown.rstrip('/')}/"
    files = {source.path.removeprefix(start): source.data for source in sources}
    return tree_from_files(files, start.rstrip("/"))


def cluster_of(path: str) -> str:
    """Return the cluster that a file belongs to, or an empty string."""
    match = _CLUSTER.match(path)
    return (match[1] or match[2]) if match else ""


def _is_compared(path: str) -> bool:
    return path.endswith(SPEC_SUFFIXES) and path.startswith((_CLUSTERS, "argocd/"))


def _load(source: Source, contents: Contents) -> tuple[list[PlainDocument], list[Diagnostic]]:
    """Return the documents of a source that hold anything; equal bytes are read once."""
    known = contents.get(source.data)
    if known is not None:
        return [PlainDocument(data, replace(span, source=source)) for data, span in known], []
    documents, diagnostics = load_plain(source)
    documents = [document for document in documents if document.data is not None]
    if not diagnostics:
        contents[source.data] = documents
    return documents, diagnostics


def _identify(path: str, data: Any) -> Identity | str:
    """Return the identity of a document, or why it has none."""
    if not isinstance(data, dict):
        return "a map is wanted here, as every object is one"
    cluster = cluster_of(path)
    helm = _HELM.match(path)
    if helm:
        release, file = helm.groups()
        name = release if file == "values" else f"{release}/{file}"
        return Identity(cluster, "", HELM_VALUES, "", name)
    found = data.get("metadata")
    metadata = found if isinstance(found, dict) else {}
    wanted = {
        "apiVersion": data.get("apiVersion"),
        "kind": data.get("kind"),
        "metadata.name": metadata.get("name"),
    }
    for key, value in wanted.items():
        if not isinstance(value, str) or not value:
            return f"the object has no `{key}`, so it cannot be compared"
    group = str(wanted["apiVersion"]).rpartition("/")[0]
    namespace = str(metadata.get("namespace") or "")
    return Identity(cluster, group, str(wanted["kind"]), namespace, str(wanted["metadata.name"]))


def _duplicate(identity: Identity, span: Span, first: Span) -> Diagnostic:
    return codes.DUPLICATE_OBJECT.at(
        span,
        f"`{identity}` stands twice in this tree, only the first is compared",
        related=[Related(first, "first here")],
    )
