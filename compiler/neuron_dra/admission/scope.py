"""Which kinds have no namespace.

In: the API group and kind of an object. Out: its scope, as far as it is known: of Kubernetes' own
kinds, and of the kinds of other groups that the compiler emits.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Scope(Enum):
    """Whether the objects of a kind lie in namespaces."""

    CLUSTER = "cluster"
    NAMESPACED = "namespaced"
    UNKNOWN = "unknown"


# Kubernetes' own groups: `+genclient:nonNamespaced` in k8s.io/api v0.34.4 to v0.37.2, and the one
# type each of apiextensions and apiregistration. Every other kind of these groups is namespaced.
_CLUSTER_KINDS: Mapping[str, frozenset[str]] = {
    "": frozenset({"ComponentStatus", "Namespace", "Node", "PersistentVolume"}),
    "admissionregistration.k8s.io": frozenset(
        {
            "MutatingAdmissionPolicy",
            "MutatingAdmissionPolicyBinding",
            "MutatingWebhookConfiguration",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration",
        }
    ),
    "apiextensions.k8s.io": frozenset({"CustomResourceDefinition"}),
    "apiregistration.k8s.io": frozenset({"APIService"}),
    "authentication.k8s.io": frozenset({"SelfSubjectReview", "TokenReview"}),
    "authorization.k8s.io": frozenset(
        {"SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview"}
    ),
    "certificates.k8s.io": frozenset({"CertificateSigningRequest", "ClusterTrustBundle"}),
    "flowcontrol.apiserver.k8s.io": frozenset({"FlowSchema", "PriorityLevelConfiguration"}),
    "internal.apiserver.k8s.io": frozenset({"StorageVersion"}),
    "networking.k8s.io": frozenset({"IPAddress", "IngressClass", "ServiceCIDR"}),
    "node.k8s.io": frozenset({"RuntimeClass"}),
    "rbac.authorization.k8s.io": frozenset({"ClusterRole", "ClusterRoleBinding"}),
    "resource.k8s.io": frozenset(
        {"DeviceClass", "DeviceTaintRule", "ResourcePoolStatusRequest", "ResourceSlice"}
    ),
    "scheduling.k8s.io": frozenset({"PriorityClass"}),
    "storage.k8s.io": frozenset(
        {"CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"}
    ),
    "storagemigration.k8s.io": frozenset({"StorageVersionMigration"}),
}
_NAMESPACED_GROUPS = frozenset(
    {
        *("apps", "autoscaling", "batch", "coordination.k8s.io", "discovery.k8s.io"),
        *("events.k8s.io", "lifecycle.k8s.io", "policy"),
    }
)
# Of other groups only the kinds that the compiler emits, as their CRDs say.
_CUSTOM_KINDS: Mapping[tuple[str, str], Scope] = {
    ("argoproj.io", "AppProject"): Scope.NAMESPACED,
    ("argoproj.io", "Application"): Scope.NAMESPACED,
    ("jobset.x-k8s.io", "JobSet"): Scope.NAMESPACED,
    ("kubeflow.org", "MPIJob"): Scope.NAMESPACED,
    ("kueue.x-k8s.io", "ClusterQueue"): Scope.CLUSTER,
    ("kueue.x-k8s.io", "LocalQueue"): Scope.NAMESPACED,
    ("kueue.x-k8s.io", "ResourceFlavor"): Scope.CLUSTER,
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): Scope.NAMESPACED,
    ("neuron.aws.com", "NeuronUltraServerWorkload"): Scope.NAMESPACED,
}


def scope_of(group: str, kind: str) -> Scope:
    """Return the scope of a kind."""
    if kind in _CLUSTER_KINDS.get(group, ()):
        return Scope.CLUSTER
    if group in _CLUSTER_KINDS or group in _NAMESPACED_GROUPS:
        return Scope.NAMESPACED
    return _CUSTOM_KINDS.get((group, kind), Scope.UNKNOWN)
