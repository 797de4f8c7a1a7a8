"""The pod templates that the user wrote, read by Kubernetes' own types.

In: the raw templates of a workload and the definitions of its Kubernetes minor. Out:
`PodTemplate`s whose data has the types of a PodTemplateSpec, with the place of every part. Wires
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.kube.definitions import POD_TEMPLATE, Definitions
from neuron_dra.kube.untyped import FieldCodes, key_place_of, place_of, read_object
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.source import Span
from neuron_dra.syntax.containers import Raw

Data = dict[str, Any]
Where = tuple[str | int, ...]  # a path in a template's `spec`

_CODES = FieldCodes(codes.UNKNOWN_FIELD, codes.WRONG_TYPE, codes.MISSING_FIELD)


class PodTemplate:
    """A pod template: the data, which the wiring changes, and where the user wrote it."""

    __slots__ = ("data", "key", "raw")

    def __init__(self, key: str, raw: Raw, data: Data) -> None:
        self.key = key  # `template` or `leaderTemplate`
        self.raw = raw
        self.data = data

    @property
    def spec(self) -> Data:
        spec: Data = self.data["spec"]
        return spec

    @property
    def containers(self) -> list[Data]:
        containers: list[Data] = self.spec["containers"]
        return containers

    def span(self, *path: str | int) -> Span:
        """Return the place of a part of the template's `spec`."""
        return place_of(self.raw, "spec", *path)

    def key_span(self, *path: str | int) -> Span:
        """Return the place of a key of the template's `spec`."""
        return key_place_of(self.raw, "spec", *path)


def all_containers(template: PodTemplate) -> Iterator[tuple[str, int, Data]]:
    """Yield every container of a pod with its list and its place there."""
    for key in ("initContainers", "containers"):
        for index, container in enumerate(template.spec.get(key, ())):
            yield key, index, container


def read_templates(wiring: Wiring, definitions: Definitions) -> dict[str, PodTemplate] | None:
    """Return the workload's templates by their keys, or None when one of them is unsound."""
    written = {"template": wiring.spec.template, "leaderTemplate": wiring.spec.leader_template}
    templates: dict[str, PodTemplate] = {}
    sound = True
    for key, raw in written.items():
        if raw is None:
            continue
        data, problems = read_object(raw, POD_TEMPLATE, definitions, _CODES)
        wiring.diagnostics += problems
        if not problems and _has_containers(data, raw, wiring):
            templates[key] = PodTemplate(key, raw, data)
        else:
            sound = False
    return templates if sound else None


def _has_containers(data: Data, raw: Raw, wiring: Wiring) -> bool:
    if data.get("spec", {}).get("containers"):
        return True
    where = place_of(raw, "spec", "containers")
    wiring.report(codes.MISSING_FIELD.at(where, "the pod template has no containers"))
    return False
