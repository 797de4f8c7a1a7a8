"""One workload while it is wired: what every part asks about it, and what they found.

In: its plan and profile. Out: answers, objects with the workload's name, labels and provenance,
and the collected diagnostics. Decides nothing about pods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic
from neuron_dra.kube.untyped import in_key_order
from neuron_dra.objects.object import (
    PARTITION_LABEL,
    TENANT_LABEL,
    WAVE_WORKLOAD,
    WORKLOAD_LABEL,
    KubeObject,
    metadata,
    wave,
)
from neuron_dra.plan.cluster import WorkloadPlan
from neuron_dra.plan.partition import PlannedShape
from neuron_dra.plan.profile import Profile
from neuron_dra.source import Span
from neuron_dra.spec.workload import WorkloadSpec


class Wiring:
    """A workload in a cluster, and the diagnostics that its wiring gives."""

    __slots__ = ("claiming", "diagnostics", "further_templates", "plan", "profile")

    def __init__(
        self, plan: WorkloadPlan, profile: Profile, further_templates: Iterable[str] = ()
    ) -> None:
        self.plan = plan
        self.profile = profile
        self.further_templates = frozenset(further_templates)
        self.claiming: frozenset[str] = frozenset()  # the keys of templates whose pods claim
        self.diagnostics: list[Diagnostic] = []

    @property
    def spec(self) -> WorkloadSpec:
        return self.plan.workload.spec

    @property
    def name(self) -> str:
        return self.plan.workload.metadata.name

    @property
    def namespace(self) -> str:
        return self.plan.workload.metadata.namespace

    @property
    def document(self) -> str:
        """The `Kind/name` of the workload's document."""
        return self.plan.workload.places.origin.document

    @property
    def name_span(self) -> Span:
        return self.plan.workload.metadata.places.value("name")

    def span(self, key: str) -> Span:
        """Return the place of a value in the workload's spec."""
        return self.spec.places.value(key)

    def report(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)

    @property
    def logical_neuron_core(self) -> int | None:
        """The LNC that the claim sets, whichever alternative is allocated."""
        sizes = {shape.logical_neuron_core for shape in self.plan.partition.shapes}
        return sizes.pop() if len(sizes) == 1 else None

    @property
    def nodes_together(self) -> int:
        """How many pods must share an UltraServer; 1 when they need not."""
        return max(shape.ultra_server_nodes or 1 for shape in self.plan.partition.shapes)

    @property
    def server_id_label(self) -> str | None:
        """The node label that is equal on cluster nodes used together, if it is known."""
        labels = {kind.server_id_label(self.nodes_together) for _, kind in self.hardware()}
        return labels.pop() if len(labels) == 1 else None

    def hardware(self) -> Iterator[tuple[PlannedShape, InstanceType]]:
        """Yield each alternative of the partition with each instance type that serves it."""
        for shape in self.plan.partition.shapes:
            for kind in shape.types:
                yield shape, kind

    @property
    def labels(self) -> dict[str, str]:
        """The labels by which the workload's objects and pods are found."""
        labels = {
            PARTITION_LABEL: self.plan.partition.partition.metadata.name,
            WORKLOAD_LABEL: self.name,
        }
        if self.plan.tenant is not None:
            labels[TENANT_LABEL] = self.plan.tenant.tenant.metadata.name
        return labels

    def make_object(
        self,
        api_version: str,
        kind: str,
        spec: dict[str, Any],
        fields: Mapping[str, str],
        *,
        suffix: str = "",
        annotations: Mapping[str, str] | None = None,
    ) -> KubeObject:
        """Return an object of the workload.

        Args:
            fields: field path of the object -> field path of the workload.
            suffix: tells its file from that of the controller. It stands behind a dot, which no
                workload's name has, so that no two workloads can meet in a file.
        """
        file = f"{self.name}.{suffix}.yaml" if suffix else f"{self.name}.yaml"
        data = {
            "apiVersion": api_version,
            "kind": kind,
            "metadata": metadata(
                self.profile,
                self.name,
                namespace=self.namespace,
                labels=self.plan.workload.metadata.labels | self.labels,
                annotations=wave(WAVE_WORKLOAD) | dict(annotations or {}),
            ),
            "spec": in_key_order(spec),
        }
        return KubeObject(
            path=f"manifests/namespaces/{self.namespace}/workloads/{file}",
            data=data,
            documents=tuple(self._documents()),
            fields={path: f"{self.document} {field}" for path, field in fields.items()},
        )

    def _documents(self) -> Iterator[str]:
        yield self.document
        yield self.plan.partition.partition.places.origin.document
        if self.plan.tenant is not None:
            yield self.plan.tenant.tenant.places.origin.document
