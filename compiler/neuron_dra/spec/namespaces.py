"""Whether a tenant's namespaces are its own in a cluster: those of drivers and Argo CD are not.

In: a tenant, a cluster that it uses, and the namespaces of the drivers' charts. Out: diagnostics.
A policy or quota there would be one of the drivers or of Argo CD. What no cluster can have is
refused when the tenant is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.spec.cluster import ClusterSpec
from neuron_dra.spec.gitops import GitOps
from neuron_dra.spec.tenant import Tenant


def check_namespaces(
    tenant: Tenant, cluster: ClusterSpec, of_charts: Mapping[str, str]
) -> list[Diagnostic]:
    """Diagnose the namespaces of a tenant that belong to somebody else in a cluster.

    Args:
        of_charts: namespace of a chart's component -> the driver's name.
    """
    argocd = cluster.gitops.argocd if isinstance(cluster.gitops, GitOps) else None
    found = []
    for index, namespace in enumerate(tenant.spec.namespaces):
        if argocd and namespace == argocd.namespace:
            owner, related = "Argo CD", [Related(argocd.places.value("namespace"), "Argo CD's own")]
        elif namespace in of_charts:
            owner, related = f"the driver `{of_charts[namespace]}`", []
        else:
            continue
        found.append(
            codes.RESERVED_NAMESPACE.at(
                tenant.spec.places.item("namespaces", index),
                f"the namespace `{namespace}` is no tenant's: {owner} runs there",
                related=related,
            )
        )
    return found
