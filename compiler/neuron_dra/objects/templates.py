"""ResourceClaimTemplates: claims of partitions, in the version of resource.k8s.io that is emitted.

In: planned partitions. Out: one template for each, with holes for namespace and tenant. What the
API server would default is written out, since Argo CD does not know these defaults and would show
them as drift.
"""

from __future__ import annotations

from typing import Any

from neuron_dra.kube.claim import (
    DeviceClaim,
    DeviceRequest,
    DeviceToleration,
    ExactDeviceRequest,
)
from neuron_dra.kube.hole import NAMESPACE, TENANT
from neuron_dra.objects.object import (
    PARTITION_LABEL,
    TENANT_LABEL,
    WAVE_TEMPLATE,
    KubeObject,
    metadata,
    wave,
)
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.profile import Profile

FLAT = "v1beta1"  # the version whose requests have no `exactly`
# Deletes and creates a template whose immutable spec changed, and leaves the others alone. With
# `Replace=true` beside it every sync would recreate every template (tried with Argo CD 3.6.1).
_REPLACE = "Force=true"


def render_template(planned: PlannedPartition, profile: Profile) -> KubeObject:
    """Return the template of a partition."""
    partition = planned.partition
    options = (_REPLACE,) if planned.rollout == "replace" else ()
    labels = {PARTITION_LABEL: partition.metadata.name, TENANT_LABEL: TENANT}
    data = {
        "apiVersion": f"resource.k8s.io/{profile.resource_api_version}",
        "kind": "ResourceClaimTemplate",
        "metadata": metadata(
            profile,
            planned.name,
            namespace=NAMESPACE,
            labels=labels,
            annotations=wave(WAVE_TEMPLATE, *options),
        ),
        "spec": {"spec": render_claim(planned.claim, profile.resource_api_version)},
    }
    return KubeObject(
        f"manifests/namespaces/{{namespace}}/resourceclaimtemplates/{planned.name}.yaml",
        data,
        (partition.places.origin.document,),
        _fields(planned, profile.resource_api_version),
    )


def _fields(planned: PlannedPartition, api_version: str) -> dict[str, str]:
    document = planned.partition.places.origin.document
    flat = api_version == FLAT
    return {
        f"spec.spec.{path.replace('.exactly', '') if flat else path}": f"{document} spec.{cause}"
        for path, cause in planned.fields.items()
    }


def render_claim(claim: DeviceClaim, api_version: str) -> dict[str, Any]:
    """Return the spec of a ResourceClaim in `v1`, `v1beta2` or `v1beta1`."""
    flat = api_version == FLAT
    devices: dict[str, Any] = {"requests": [_request(each, flat) for each in claim.requests]}
    if claim.constraints:
        devices["constraints"] = [
            {"requests": list(each.requests), "matchAttribute": each.match_attribute}
            for each in claim.constraints
        ]
    if claim.config:
        devices["config"] = [
            {
                "requests": list(each.requests),
                "opaque": {"driver": each.driver, "parameters": dict(each.parameters)},
            }
            for each in claim.config
        ]
    return {"devices": devices}


def _request(request: DeviceRequest, flat: bool) -> dict[str, Any]:
    rendered: dict[str, Any] = {"name": request.name}
    if request.exactly is None:
        rendered["firstAvailable"] = [
            {"name": each.name, **_exact(each)} for each in request.first_available
        ]
    elif flat:
        rendered |= _exact(request.exactly)
    else:
        rendered["exactly"] = _exact(request.exactly)
    return rendered


def _exact(request: ExactDeviceRequest) -> dict[str, Any]:
    rendered: dict[str, Any] = {"deviceClassName": request.device_class_name}
    if request.selectors:
        rendered["selectors"] = [{"cel": {"expression": each}} for each in request.selectors]
    rendered |= {"allocationMode": "ExactCount", "count": request.count}
    if request.tolerations:
        rendered["tolerations"] = [_toleration(each) for each in request.tolerations]
    return rendered


def _toleration(toleration: DeviceToleration) -> dict[str, Any]:
    rendered: dict[str, Any] = {
        "key": toleration.key,
        "operator": toleration.operator,
        "value": toleration.value,
        "effect": toleration.effect,
    }
    rendered = {key: value for key, value in rendered.items() if value}
    if toleration.toleration_seconds is not None:
        rendered["tolerationSeconds"] = toleration.toleration_seconds
    return rendered
