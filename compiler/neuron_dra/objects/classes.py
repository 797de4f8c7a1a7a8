"""DeviceClasses.

In: the classes of a plan and the partitions that claim from them. Out: one object for each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from neuron_dra.kube.claim import DeviceClass
from neuron_dra.objects.object import CLUSTER_DOCUMENT, WAVE_CLASS, KubeObject, metadata, wave
from neuron_dra.plan.profile import Profile

_EXTENDED_RESOURCE_GATE = "DRAExtendedResource"


def render_classes(classes: Iterable[DeviceClass], profile: Profile) -> list[KubeObject]:
    """Return the DeviceClasses, in order."""
    return [_class(each, profile) for each in classes]


def _class(device_class: DeviceClass, profile: Profile) -> KubeObject:
    spec: dict[str, Any] = {
        "selectors": [{"cel": {"expression": selector}} for selector in device_class.selectors]
    }
    # With the gate off the API server would drop the field silently.
    if device_class.extended_resource_name and profile.release.is_on(_EXTENDED_RESOURCE_GATE):
        spec["extendedResourceName"] = device_class.extended_resource_name
    data = {
        "apiVersion": f"resource.k8s.io/{profile.resource_api_version}",
        "kind": "DeviceClass",
        "metadata": metadata(profile, device_class.name, annotations=wave(WAVE_CLASS)),
        "spec": spec,
    }
    return KubeObject(
        f"manifests/deviceclasses/{device_class.name}.yaml",
        data,
        (CLUSTER_DOCUMENT,),
        {"spec.selectors": f"{CLUSTER_DOCUMENT} spec.nodePools"},
    )
