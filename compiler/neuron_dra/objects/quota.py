"""ResourceQuotas: how many devices of each class a namespace may claim.

In: a tenant's plan, which names every class that counts, also those that nothing may be claimed of.
Out: one ResourceQuota for each namespace. Judges no number.
"""

from __future__ import annotations

from neuron_dra.objects.object import TENANT_LABEL, WAVE_TEMPLATE, KubeObject, metadata, wave
from neuron_dra.plan.cluster import TenantPlan
from neuron_dra.plan.profile import Profile

NAME = "neuron-dra"
# Quota of claimed devices by class: k8s.io/api resource/v1 types.go, ResourceDeviceClassPrefix.
_DEVICES_OF_CLASS = ".deviceclass.resource.k8s.io/devices"


def render_quotas(plan: TenantPlan, profile: Profile) -> list[KubeObject]:
    """Return the quotas of a tenant's namespaces, sorted by namespace."""
    return [_quota(plan, namespace, profile) for namespace in sorted(plan.quota)]


def _quota(plan: TenantPlan, namespace: str, profile: Profile) -> KubeObject:
    tenant, document = plan.tenant.metadata.name, plan.tenant.places.origin.document
    devices = sorted(plan.quota[namespace].items())
    hard = {f"{name}{_DEVICES_OF_CLASS}": str(count) for name, count in devices}
    data = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": metadata(
            profile,
            NAME,
            namespace=namespace,
            labels={TENANT_LABEL: tenant},
            annotations=wave(WAVE_TEMPLATE),
        ),
        "spec": {"hard": hard},
    }
    path = f"manifests/namespaces/{namespace}/resourcequotas/{NAME}.yaml"
    return KubeObject(path, data, (document,), {"spec.hard": f"{document} spec.quota"})
