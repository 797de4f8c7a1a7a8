"""Namespaces of tenants that want them emitted.

In: tenants. Out: a Namespace with a hole for its name, or a note that the namespaces must exist.
Argo CD deletes such a Namespace only when somebody confirms it: all that runs in it would go too.
"""

from __future__ import annotations

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import network as codes
from neuron_dra.kube.hole import NAMESPACE
from neuron_dra.objects.object import TENANT_LABEL, WAVE_NAMESPACE, KubeObject, metadata, wave
from neuron_dra.plan.cluster import TenantPlan
from neuron_dra.plan.profile import Profile
from neuron_dra.spec.tenant import Tenant

_KEEP = ("Prune=confirm", "Delete=confirm")  # Argo CD documentation, sync options, 2026-08


def render_namespaces(
    plan: TenantPlan, profile: Profile
) -> tuple[list[KubeObject], list[Diagnostic]]:
    """Return the Namespace of a tenant, with a hole for its name, where it is to be emitted."""
    if not plan.tenant.spec.create_namespaces:
        return [], [_note(plan.tenant)]
    return [_namespace(plan.tenant, profile)], []


def _namespace(tenant: Tenant, profile: Profile) -> KubeObject:
    document = tenant.places.origin.document
    labels = {**tenant.spec.namespace_labels, TENANT_LABEL: tenant.metadata.name}
    data = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": metadata(
            profile, NAMESPACE, labels=labels, annotations=wave(WAVE_NAMESPACE, *_KEEP)
        ),
    }
    fields = {"metadata.name": f"{document} spec.namespaces"}
    for label in tenant.spec.namespace_labels:
        fields[f"metadata.labels[{label}]"] = f"{document} spec.namespaceLabels[{label}]"
    return KubeObject("manifests/namespaces/{namespace}/namespace.yaml", data, (document,), fields)


def _note(tenant: Tenant) -> Diagnostic:
    names = ", ".join(f"`{name}`" for name in tenant.spec.namespaces)
    return codes.NOT_CREATED.at(
        tenant.spec.places.value("namespaces"),
        f"the namespaces of tenant `{tenant.metadata.name}` must exist: {names}",
        help="policies find them by `kubernetes.io/metadata.name`, which the API server sets; "
        "groups that select namespaces by other labels need those labels there; "
        "`createNamespaces: true` emits the namespaces",
    )
