"""Names that belong to others: keys of labels and annotations, and namespaces.

In: what a user gives. Out: diagnostics for each name that the compiler, Kubernetes or Argo CD would
set or read itself. An override by them would be silent, and so would one by the user.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.syntax.decode import Model
from neuron_dra.syntax.places import Context

# By key, or by prefix where one ends in a slash: what it is for.
RESERVED_LABELS: Mapping[str, str] = {
    "app.kubernetes.io/managed-by": "the compiler sets it on every object",
    "kubernetes.io/metadata.name": "the API server sets it on every namespace",
    "neuron-dra.dev/": "the compiler sets the labels of this domain",
}
RESERVED_ANNOTATIONS: Mapping[str, str] = {
    "alpha.jobset.sigs.k8s.io/": "the compiler tells JobSet where its groups may go",
    "argocd.argoproj.io/": "the compiler tells Argo CD how to sync each kind of object",
    "leaderworkerset.sigs.k8s.io/": "the compiler tells LeaderWorkerSet where its groups may go",
    "kubectl.kubernetes.io/": "kubectl keeps its records in this domain",
    "neuron-dra.dev/": "the compiler sets the annotations of this domain",
}
# Kubernetes documentation, Namespaces: the prefix is reserved for system namespaces; 2026-12-01.
SYSTEM_PREFIX = "kube-"


def check_keys(
    made: Model, name: str, keys: Iterable[str], reserved: Mapping[str, str], context: Context
) -> None:
    """Diagnose the keys of a map that belong to others.

    Args:
        name: the map's own key in the model.
    """
    for key in keys:
        reason = reserved.get(key) or reserved.get(f"{key.partition('/')[0]}/")
        if reason:
            context.add(
                codes.RESERVED_KEY.at(
                    made.places.item_key(name, key),
                    f"`{key}` cannot be set here: {reason}",
                    help="remove it, or use another key",
                )
            )


def check_system_namespaces(
    made: Model, name: str, namespaces: Iterable[str], context: Context
) -> None:
    """Diagnose namespaces of Kubernetes itself in a list of a model."""
    for index, namespace in enumerate(namespaces):
        if namespace.startswith(SYSTEM_PREFIX):
            context.add(
                codes.RESERVED_NAMESPACE.at(
                    made.places.item(name, index),
                    f"the namespace `{namespace}` is no tenant's: the prefix `{SYSTEM_PREFIX}` "
                    "belongs to Kubernetes",
                )
            )
