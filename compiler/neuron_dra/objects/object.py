"""What every kind has in common: the object value, its metadata and Argo CD's annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from neuron_dra.kube.hole import NAMESPACE, TENANT, Hole, fill
from neuron_dra.plan.profile import Profile
from neuron_dra.source import Span

MANAGED_BY = "app.kubernetes.io/managed-by"
PARTITION_LABEL = "neuron-dra.dev/partition"
TENANT_LABEL = "neuron-dra.dev/tenant"
WORKLOAD_LABEL = "neuron-dra.dev/workload"
SYNC_WAVE = "argocd.argoproj.io/sync-wave"
SYNC_OPTIONS = "argocd.argoproj.io/sync-options"

CLUSTER_DOCUMENT = "Cluster/{cluster}"  # of a shared object: each cluster's file names its own

# Argo CD applies kinds that it does not know last within a wave, so the order is said.
WAVE_NAMESPACE, WAVE_CLASS, WAVE_TEMPLATE, WAVE_WORKLOAD = -3, -2, -1, 0


@dataclass(frozen=True, slots=True)
class KubeObject:
    """One object of the output.

    Attributes:
        path: the file under the cluster's folder; may hold `{namespace}`.
        data: the object; values that differ are `Hole`s.
        documents: `Kind/name` of the documents that caused it, the main one first.
        fields: field path of the object -> `Kind/name field` that gave it.
    """

    path: str
    data: dict[str, Any]
    documents: tuple[str, ...]
    fields: Mapping[str, str] = field(default_factory=dict)

    def locate(self, path: str) -> Span | None:
        """Return where a field was written, if a user wrote the object itself."""
        return None


class Placed(NamedTuple):
    """An object and where it goes; without namespaces it is made once, as it is."""

    object: KubeObject
    namespaces: tuple[str, ...] = ()
    tenant: str = ""

    def identities(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield API group, kind, namespace and name of each object that is made of it."""
        data = self.object.data
        if "kind" not in data:
            return
        group = data["apiVersion"].rpartition("/")[0]
        names = data["metadata"]
        for namespace in self.namespaces or ("",):
            filled = fill(
                [names.get("namespace", ""), names["name"]],
                {NAMESPACE: namespace, TENANT: self.tenant},
            )
            yield (group, data["kind"], *filled)


def metadata(
    profile: Profile,
    name: str,
    *,
    namespace: str = "",
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return an object's metadata with the cluster's own labels and annotations as holes."""
    all_labels: dict[str, str] = {each: Hole(f"label:{each}") for each in profile.label_names}
    all_labels |= {MANAGED_BY: "neuron-dra", **(labels or {})}
    all_annotations: dict[str, str] = {
        each: Hole(f"annotation:{each}") for each in profile.annotation_names
    }
    all_annotations |= annotations or {}
    result: dict[str, Any] = {"name": name}
    if namespace:
        result["namespace"] = namespace
    result["labels"] = dict(sorted(all_labels.items()))
    if all_annotations:
        result["annotations"] = dict(sorted(all_annotations.items()))
    return result


def wave(number: int, *options: str) -> dict[str, str]:
    """Return Argo CD's annotations: the sync wave, and sync options where there are any."""
    annotations = {SYNC_WAVE: str(number)}
    if options:
        annotations[SYNC_OPTIONS] = ",".join(options)
    return annotations
