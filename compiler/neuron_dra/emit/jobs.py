"""Plans and their objects to jobs: what each folder of the output tree is made of.

In: cluster plans with their placed objects. Out: `ClusterJob`s, and the units that clusters share.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from neuron_dra.emit.cluster import SCHEMA_VERSION, ClusterJob, Entry
from neuron_dra.emit.layout import MANIFEST, Unit
from neuron_dra.emit.listing import (
    ClusterListing,
    GrantListing,
    Listing,
    cluster_facts,
    partition_facts,
)
from neuron_dra.emit.rendering import Rendering, render
from neuron_dra.objects.gitops import git_attributes
from neuron_dra.objects.object import KubeObject, Placed
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.plan.partition import PlannedPartition

SHARED = "argocd"


class Renderings:
    """Each distinct object, dumped once."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[KubeObject, Rendering]] = {}
        self._facts: dict[int, tuple[PlannedPartition, str]] = {}

    def __len__(self) -> int:
        return len(self._made)

    @property
    def objects(self) -> list[KubeObject]:
        """The distinct objects, in the order in which they were dumped."""
        return [made for made, _ in self._made.values()]

    def of(self, made: KubeObject) -> Rendering:
        """Return the rendering of an object."""
        known = self._made.get(id(made))
        if known is None:
            known = self._made[id(made)] = (made, render(made))
        return known[1]

    def facts(self, planned: PlannedPartition) -> str:
        """Return the catalogue's members of a partition."""
        known = self._facts.get(id(planned))
        if known is None:
            known = self._facts[id(planned)] = (planned, partition_facts(planned))
        return known[1]


def cluster_job(
    plan: ClusterPlan, placed: Iterable[Placed], renderings: Renderings, identity: tuple[str, str]
) -> ClusterJob:
    """Return the job of a cluster's folder."""
    entries = [
        Entry(renderings.of(made), namespace, tenant)
        for made, namespaces, tenant in placed
        for namespace in namespaces or ("",)
    ]
    values = {f"label:{name}": value for name, value in plan.spec.object_labels.items()}
    values |= {f"annotation:{name}": value for name, value in plan.spec.object_annotations.items()}
    return ClusterJob(
        name=plan.name,
        values=values,
        documents=_documents(plan),
        entries=tuple(entries),
        listing=_listing(plan, renderings),
        identity=identity,
    )


def _documents(plan: ClusterPlan) -> tuple[str, ...]:
    defaults = plan.spec.defaults
    own = (f"Cluster/{plan.name}",)
    return (*own, f"ClusterDefaults/{defaults}") if defaults else own


def _listing(plan: ClusterPlan, renderings: Renderings) -> ClusterListing:
    grants: dict[str, list[GrantListing]] = {}
    planned: dict[str, PlannedPartition] = {}
    for tenant in plan.tenants:
        spec = tenant.tenant.spec
        grant = GrantListing(tenant.tenant.metadata.name, spec.owner, spec.namespaces)
        for each in tenant.partitions:
            name = each.partition.metadata.name
            planned[name] = each
            grants.setdefault(name, []).append(grant)
    partitions = tuple(
        Listing(name, renderings.facts(planned[name]), tuple(grants[name]))
        for name in sorted(planned)
    )
    return ClusterListing(cluster_facts(plan), partitions)


def shared_units(objects: Sequence[KubeObject], identity: tuple[str, str]) -> list[Unit]:
    """Return the units that clusters share: Argo CD's roots and projects, and `.gitattributes`."""
    units = [Unit("", {".gitattributes": git_attributes().encode()})]
    if not objects:
        return units
    files: dict[str, bytes] = {}
    lines = []
    for made in objects:
        rendering = render(made)
        path = made.path.removeprefix(f"{SHARED}/")
        files[path] = rendering.template.fill({})
        digest = hashlib.sha256(files[path]).hexdigest()
        lines.append(
            f'  {{"path": "{path}", "sha256": "{digest}", '
            f'"object": "{rendering.object}", "documents": [{rendering.documents}]}}'
        )
    compiler, catalog = identity
    files[MANIFEST] = (
        f'{{"schemaVersion": {SCHEMA_VERSION},\n'
        f' "compiler": {json.dumps(compiler)},\n'
        f' "catalog": {json.dumps(catalog)},\n'
        ' "files": [\n' + ",\n".join(lines) + "\n ]}\n"
    ).encode()
    return [*units, Unit(SHARED, files)]
