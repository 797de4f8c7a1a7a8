"""AppProjects: what the applications of all their clusters may do.

In: the plans of all clusters with their releases, whatever is selected. Out: one AppProject for
each name that is to be created, and diagnostics. Namespaces are left open, since the specs say
which tenant has which; a kind without a namespace is allowed only where something is of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import gitops as codes
from neuron_dra.objects.drivers.release import DEVICE_CLASS, NAMESPACE, GroupKind, Release
from neuron_dra.objects.gitops.applications import (
    API_VERSION,
    IN_CLUSTER_NAME,
    IN_CLUSTER_SERVER,
    argocd_of,
    chart_repository,
    has_objects,
    render_destination,
)
from neuron_dra.objects.object import MANAGED_BY, KubeObject
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.spec.gitops import ArgoCD
from neuron_dra.syntax.containers import Raw
from neuron_dra.syntax.parse import MappingNode, ScalarNode

Use = tuple[ClusterPlan, Sequence[Release]]


def render_projects(uses: Iterable[Use]) -> tuple[list[KubeObject], list[Diagnostic]]:
    """Return the AppProjects of all clusters, files of the whole output, sorted by name."""
    by_name: dict[str, list[tuple[ArgoCD, Use]]] = {}
    for use in sorted(uses, key=lambda use: use[0].name):
        argocd = argocd_of(use[0])
        if argocd is not None:
            by_name.setdefault(argocd.project.name, []).append((argocd, use))
    found: list[Diagnostic] = []
    objects = []
    for name, members in sorted(by_name.items()):
        found += _check_agreement(name, [argocd for argocd, _ in members])
        if members[0][0].project.create:
            objects.append(_project(name, members))
    return objects, found


def _check_agreement(name: str, written: Sequence[ArgoCD]) -> list[Diagnostic]:
    first = written[0]
    found = []
    for argocd in written[1:]:
        if argocd.project.create != first.project.create:
            places, key = argocd.project.places, "create"
            related = first.project.places.value("create")
        elif argocd.namespace != first.namespace:
            places, key = argocd.places, "namespace"
            related = first.places.value("namespace")
        else:
            continue
        found.append(
            codes.PROJECTS_DIFFER.at(
                places.value(key),
                f"two clusters say different things of `{key}` for the AppProject `{name}`",
                related=[Related(related, "the other one")],
                help="give it in ClusterDefaults, or use two projects",
            )
        )
    return found


def _project(name: str, members: Sequence[tuple[ArgoCD, Use]]) -> KubeObject:
    namespace = members[0][0].namespace
    documents = {argocd.places.document("project") for argocd, _ in members}
    data = {
        "apiVersion": API_VERSION,
        "kind": "AppProject",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": {MANAGED_BY: "neuron-dra"},
        },
        "spec": {
            "sourceRepos": sorted({url for member in members for url in _repositories(*member)}),
            "destinations": _destinations(namespace, [argocd for argocd, _ in members]),
            "description": "Neuron and EFA drivers, device classes and claim templates.",
            "clusterResourceWhitelist": [
                {"group": group, "kind": kind}
                for group, kind in sorted({each for _, use in members for each in _kinds(use)})
            ],
        },
    }
    return KubeObject(f"argocd/projects/{name}.yaml", data, tuple(sorted(documents)))


def _repositories(argocd: ArgoCD, use: Use) -> Iterable[str]:
    yield argocd.repo_url
    yield from map(chart_repository, use[1])


def _destinations(namespace: str, written: Sequence[ArgoCD]) -> list[dict[str, str]]:
    """Return every cluster with all its namespaces, and Argo CD's own for the applications."""
    destinations: list[dict[str, str]] = [{"server": IN_CLUSTER_SERVER, "namespace": namespace}]
    for argocd in written:
        destination = {**render_destination(argocd.destination), "namespace": "*"}
        if destination not in destinations:
            destinations.append(destination)
    return sorted(destinations, key=lambda each: (*sorted(each), *sorted(each.values())))


def _kinds(use: Use) -> Iterable[GroupKind]:
    """Yield the kinds of a cluster's objects that have no namespace."""
    plan, releases = use
    for release in releases:
        yield from release.cluster_kinds
    if plan.classes:
        yield DEVICE_CLASS
    if any(tenant.tenant.spec.create_namespaces for tenant in plan.tenants):
        yield NAMESPACE
    for raw in plan.spec.extra_objects:
        yield from _extra_kind(raw)


def _extra_kind(raw: Raw) -> Iterable[GroupKind]:
    """Yield the kind of a plain object that names no namespace."""
    top = {key.value: value for key, value in raw.node.value if isinstance(key, ScalarNode)}
    kind, version, metadata = top.get("kind"), top.get("apiVersion"), top.get("metadata")
    if not isinstance(kind, ScalarNode) or not isinstance(version, ScalarNode):
        return
    names = metadata.value if isinstance(metadata, MappingNode) else []
    if not any(key.value == "namespace" for key, _ in names):
        yield version.value.rpartition("/")[0], kind.value


def check_use(uses: Iterable[Use]) -> list[Diagnostic]:
    """Diagnose clusters for which Argo CD has nothing to sync."""
    return [
        codes.NOTHING_TO_SYNC.at(
            argocd.places.span,
            f"cluster `{plan.name}` has no chart to install and no object, so no application",
            help="give it drivers, tenants or extra objects, or say `gitops: none`",
        )
        for plan, releases in uses
        if (argocd := argocd_of(plan)) is not None and not (releases or has_objects(plan))
    ]


def check_destinations(plans: Iterable[ClusterPlan]) -> list[Diagnostic]:
    """Diagnose clusters that Argo CD would send to one place, which two would then own."""
    first: dict[tuple[tuple[str, str], ...], ArgoCD] = {}
    found = []
    for plan in sorted(plans, key=lambda plan: plan.name):
        argocd = argocd_of(plan)
        if argocd is None or _is_own_cluster(argocd):
            continue
        key = tuple(render_destination(argocd.destination).items())
        other = first.setdefault(key, argocd)
        if other is not argocd:
            found.append(
                codes.SHARED_DESTINATION.at(
                    argocd.places.value("destination"),
                    f"cluster `{plan.name}` has the destination of another cluster: `{key[0][1]}`",
                    related=[Related(other.places.value("destination"), "the other one")],
                )
            )
    return found


def _is_own_cluster(argocd: ArgoCD) -> bool:
    """Tell whether the destination is where Argo CD runs: each cluster may have its own."""
    destination = argocd.destination
    return destination.server == IN_CLUSTER_SERVER or destination.name == IN_CLUSTER_NAME
