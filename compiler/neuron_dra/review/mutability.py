"""Which fields of which kinds the API server refuses to update.

In: the kind of an object and the paths that changed. Out: whether the object must be replaced.
How a replacement is rolled out, and whether Argo CD does it, is not said here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from neuron_dra.review.tree import Identity

# (API group, kind) -> fields. Each from the kind's update validation: kubernetes/kubernetes
# pkg/apis/{resource,batch,apps}/validation, kubernetes-sigs/jobset pkg/webhooks.
_IMMUTABLE: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("apps", "DaemonSet"): ("spec.selector",),
    ("apps", "Deployment"): ("spec.selector",),
    ("apps", "StatefulSet"): ("spec.selector", "spec.serviceName", "spec.volumeClaimTemplates"),
    ("batch", "Job"): ("spec.completionMode", "spec.selector", "spec.template"),
    ("jobset.x-k8s.io", "JobSet"): ("spec.network", "spec.replicatedJobs"),
    ("resource.k8s.io", "ResourceClaim"): ("spec",),
    ("resource.k8s.io", "ResourceClaimTemplate"): ("spec",),
}


def must_replace(identity: Identity, paths: Iterable[str]) -> bool:
    """Tell whether any of the changed paths of an object lies in an immutable field."""
    fields = _IMMUTABLE.get((identity.group, identity.kind), ())
    return any(_lies_in(path, field) for path in paths for field in fields)


def _lies_in(path: str, field: str) -> bool:
    return path == field or path.startswith((f"{field}.", f"{field}[", f"{field} "))
