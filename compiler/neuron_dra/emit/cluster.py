"""The files of one cluster: a pure function of a job that pickles, so that any process may do it.

In: a `ClusterJob`: renderings with the namespace and tenant of each file. Out: the bytes of the
cluster's folder, its `manifest.json` and `catalog.json` included.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from neuron_dra.emit.layout import MANIFEST
from neuron_dra.emit.listing import CATALOG, ClusterListing, write_catalog
from neuron_dra.emit.rendering import CLUSTER_FIELD, NAMESPACE_FIELD, Rendering
from neuron_dra.kube.hole import NAMESPACE, TENANT

SCHEMA_VERSION = 1


class Entry(NamedTuple):
    """One file: a rendering in a namespace, for a tenant; both may be empty."""

    rendering: Rendering
    namespace: str
    tenant: str


@dataclass(frozen=True, slots=True)
class ClusterJob:
    """What one folder of the output tree is made of.

    Attributes:
        values: the cluster's own values of holes.
        documents: the cluster's documents, in the order of their layers.
        listing: what exists here, for `catalog.json`.
        identity: compiler version and catalogue digest, for the manifest.
    """

    name: str
    values: Mapping[str, str]
    documents: tuple[str, ...]
    entries: tuple[Entry, ...]
    listing: ClusterListing
    identity: tuple[str, str]


def build_files(job: ClusterJob) -> dict[str, bytes]:
    """Return the files of a cluster's folder by path."""
    files: dict[str, bytes] = {}
    lines = []
    scopes: dict[tuple[str, str], dict[str, str]] = {}
    for rendering, namespace, tenant in job.entries:
        values = scopes.get((namespace, tenant))
        if values is None:
            scope = {str(NAMESPACE): namespace, str(TENANT): tenant}
            values = scopes[namespace, tenant] = {**job.values, **scope}
        content = rendering.template.fill(values)
        documents = rendering.documents
        if rendering.header:
            content = rendering.header.replace(CLUSTER_FIELD, job.name).encode() + content
            documents = documents.replace(CLUSTER_FIELD, job.name)
        path = rendering.path.replace(NAMESPACE_FIELD, namespace)
        files[path] = content
        owner = f', "Tenant/{tenant}"' if tenant and "Tenant/" not in documents else ""
        lines.append(
            f'  {{"path": "{path}", "sha256": "{hashlib.sha256(content).hexdigest()}", '
            f'"object": "{rendering.object.replace(NAMESPACE_FIELD, namespace)}", '
            f'"documents": [{documents}{owner}]}}'
        )
    files[CATALOG] = write_catalog(job.listing)
    digest = hashlib.sha256(files[CATALOG]).hexdigest()
    lines.append(
        f'  {{"path": "{CATALOG}", "sha256": "{digest}", "object": "Catalog {job.name}", '
        '"documents": []}'
    )
    files[MANIFEST] = _manifest(job, lines)
    return files


def _manifest(job: ClusterJob, lines: list[str]) -> bytes:
    causes = {entry.rendering.path: entry.rendering.causes for entry in job.entries}
    caused = [
        f"  {json.dumps(path)}: {text.replace(CLUSTER_FIELD, job.name)}"
        for path, text in causes.items()
        if text != "{}"
    ]
    compiler, catalog = job.identity
    return (
        f'{{"schemaVersion": {SCHEMA_VERSION},\n'
        f' "cluster": {json.dumps(job.name)},\n'
        f' "compiler": {json.dumps(compiler)},\n'
        f' "catalog": {json.dumps(catalog)},\n'
        f' "documents": {json.dumps(job.documents)},\n'
        ' "files": [\n' + ",\n".join(lines) + "\n ],\n"
        ' "causes": {\n' + ",\n".join(caused) + "\n }}\n"
    ).encode()


@dataclass(slots=True)
class ClusterFiles(Mapping[str, bytes]):
    """The files of a job, made when they are first asked for."""

    job: ClusterJob
    _files: dict[str, bytes] = field(default_factory=dict)

    def _made(self) -> dict[str, bytes]:
        if not self._files:
            self._files = build_files(self.job)
        return self._files

    def __getitem__(self, path: str) -> bytes:
        return self._made()[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())
