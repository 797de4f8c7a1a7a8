"""Applications: the root of a cluster, one for each chart, and one for the plain objects.

In: a cluster's plan and its releases. Out: Applications. The application of the objects waits for
no driver: claims of a driver that is not there yet stay pending and need no second sync.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neuron_dra.kube.hole import fill
from neuron_dra.objects.drivers.release import SYSTEM_NAMESPACE, Release
from neuron_dra.objects.object import KubeObject, metadata
from neuron_dra.plan.cluster import ClusterPlan
from neuron_dra.spec.gitops import ArgoCD, Destination, GitOps
from neuron_dra.spec.tenant import TenantSpec

API_VERSION = "argoproj.io/v1alpha1"
# Where Argo CD itself runs: Argo CD documentation, declarative setup.
IN_CLUSTER_SERVER, IN_CLUSTER_NAME = "https://kubernetes.default.svc", "in-cluster"
# The ends of the applications' names, beside those of the releases. An application's name tells its
# cluster only as long as none of them is the end of another after a `-`.
ROOT_ROLE, OBJECTS_ROLE = "neuron-dra", "objects"
# Which commits concern an application: Argo CD documentation, high availability, 2026-12-01.
_PATHS = "argocd.argoproj.io/manifest-generate-paths"
_OCI = "oci://"
# Long enough for another application to bring the kinds and namespaces that this one needs.
_RETRY = {"limit": 5, "backoff": {"duration": "10s", "factor": 2, "maxDuration": "3m"}}


def argocd_of(plan: ClusterPlan) -> ArgoCD | None:
    """Return the Argo CD part of a cluster, if it has one."""
    gitops = plan.spec.gitops
    return gitops.argocd if isinstance(gitops, GitOps) else None


def render_root(plan: ClusterPlan, releases: Sequence[Release]) -> KubeObject | None:
    """Return the application of a cluster's applications, a file of the whole output."""
    argocd = argocd_of(plan)
    if argocd is None or not (releases or has_objects(plan)):
        return None
    folder = _folder(plan, argocd, "argocd")
    spec = {
        "project": argocd.project.name,
        "source": {**_repository(argocd), "path": folder},
        "destination": {"server": IN_CLUSTER_SERVER, "namespace": argocd.namespace},
        "syncPolicy": _sync_policy(argocd, []),
    }
    rendered = _application(plan, argocd, f"{plan.name}-{ROOT_ROLE}", folder, spec)
    own = {f"label:{name}": value for name, value in plan.spec.object_labels.items()}
    own |= {f"annotation:{name}": value for name, value in plan.spec.object_annotations.items()}
    return KubeObject(
        f"argocd/roots/{plan.name}.yaml",
        fill(rendered, own),
        _documents(plan, argocd),
        _fields(argocd, "spec.source"),
    )


def render_applications(plan: ClusterPlan, releases: Sequence[Release]) -> list[KubeObject]:
    """Return the applications of a cluster's charts and objects."""
    argocd = argocd_of(plan)
    if argocd is None:
        return []
    charts = [_chart_application(plan, argocd, release) for release in releases]
    return [*charts, *([_objects_application(plan, argocd)] if has_objects(plan) else [])]


def has_objects(plan: ClusterPlan) -> bool:
    """Tell whether a cluster has plain objects: Argo CD fails on a folder that is not there."""
    return bool(
        plan.classes
        or plan.spec.extra_objects
        or any(_has_own_objects(tenant.tenant.spec) for tenant in plan.tenants)
    )


def _has_own_objects(tenant: TenantSpec) -> bool:
    """Tell whether a tenant has objects where it can claim nothing."""
    isolated = tenant.network is not None and tenant.network.isolation != "none"
    return tenant.create_namespaces or isolated


def _objects_application(plan: ClusterPlan, argocd: ArgoCD) -> KubeObject:
    folder = _folder(plan, argocd, "manifests")
    # Untouched objects are left out of a sync: it takes a fraction of the time, and a sync cannot
    # touch a template that did not change.
    options = ["ApplyOutOfSyncOnly=true", "PruneLast=true"]
    spec = {
        "project": argocd.project.name,
        "source": {**_repository(argocd), "path": folder, "directory": {"recurse": True}},
        "destination": render_destination(argocd.destination),
        "syncPolicy": _sync_policy(argocd, options),
    }
    name = f"{plan.name}-{OBJECTS_ROLE}"
    data = _application(plan, argocd, name, folder, spec)
    return KubeObject(
        f"argocd/{name}.yaml", data, _documents(plan, argocd), _fields(argocd, "spec.source")
    )


def _chart_application(plan: ClusterPlan, argocd: ArgoCD, release: Release) -> KubeObject:
    folder = _folder(plan, argocd, f"helm/{release.name}")
    own = release.namespace != SYSTEM_NAMESPACE
    options = ["CreateNamespace=true", "PruneLast=true"] if own else ["PruneLast=true"]
    chart = {
        "repoURL": chart_repository(release),
        "targetRevision": release.version,
        "chart": release.chart.chart,
        "helm": {
            "valueFiles": [f"$values/{_folder(plan, argocd, release.values_path)}"],
            "releaseName": release.name,
        },
    }
    spec = {
        "project": argocd.project.name,
        "sources": [chart, {**_repository(argocd), "ref": "values"}],
        "destination": {
            **render_destination(argocd.destination),
            "namespace": release.namespace,
        },
        "syncPolicy": _sync_policy(argocd, options),
    }
    name = f"{plan.name}-{release.role}"
    data = _application(plan, argocd, name, folder, spec)
    fields = _fields(argocd, "spec.sources[1]")
    drivers = plan.spec.drivers
    written = drivers and (drivers.efa if release.driver == "efa" else drivers.neuron)
    if written:
        document = written.places.document("chartVersion")
        field = f"spec.drivers.{release.driver}.chartVersion"
        fields["spec.sources[0].targetRevision"] = f"{document} {field}"
    return KubeObject(f"argocd/{name}.yaml", data, _documents(plan, argocd), fields)


def _application(
    plan: ClusterPlan, argocd: ArgoCD, name: str, folder: str, spec: dict[str, Any]
) -> dict[str, Any]:
    return {
        "apiVersion": API_VERSION,
        "kind": "Application",
        "metadata": metadata(
            plan.profile, name, namespace=argocd.namespace, annotations={_PATHS: f"/{folder}"}
        ),
        "spec": spec,
    }


def chart_repository(release: Release) -> str:
    """Return a chart's repository as Argo CD wants it: of OCI without scheme or chart name."""
    if not release.repository.startswith(_OCI):
        return release.repository
    place = release.repository.removeprefix(_OCI).rstrip("/")
    return place.removesuffix(f"/{release.chart.chart}")


def render_destination(destination: Destination) -> dict[str, str]:
    """Return a cluster as Argo CD knows it."""
    if destination.name is not None:
        return {"name": destination.name}
    return {"server": destination.server or ""}


def _repository(argocd: ArgoCD) -> dict[str, str]:
    return {"repoURL": argocd.repo_url, "targetRevision": argocd.target_revision}


def _folder(plan: ClusterPlan, argocd: ArgoCD, inner: str) -> str:
    """Return the path of a part of the cluster's output in the repository."""
    outer = [part for part in argocd.path.split("/") if part not in ("", ".")]
    return "/".join([*outer, "clusters", plan.name, inner])


def _sync_policy(argocd: ArgoCD, options: list[str]) -> dict[str, Any]:
    policy: dict[str, Any] = {}
    automated = argocd.sync_policy.automated if argocd.sync_policy else None
    if automated is not None:
        policy["automated"] = {"prune": automated.prune, "selfHeal": automated.self_heal}
    if options:
        policy["syncOptions"] = options
    return {**policy, "retry": _RETRY}


def _documents(plan: ClusterPlan, argocd: ArgoCD) -> tuple[str, ...]:
    cluster = plan.document.places.origin.document
    layers = {argocd.places.document(key) for key in ("repoURL", "targetRevision", "project")}
    return (cluster, *sorted(layers - {cluster}))


def _fields(argocd: ArgoCD, source: str) -> dict[str, str]:
    def cause(key: str) -> str:
        return f"{argocd.places.document(key)} spec.gitops.argocd.{key}"

    return {
        "spec.project": f"{cause('project')}.name",
        f"{source}.repoURL": cause("repoURL"),
        f"{source}.targetRevision": cause("targetRevision"),
        "spec.destination": cause("destination"),
    }
