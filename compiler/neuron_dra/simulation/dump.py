"""The objects of a cluster, as `kubectl get -o yaml` or `-o json` prints them.

In: sources: lists, streams of documents, any number of files. Out: a `Dump` and diagnostics. Copies
of one object count once. Objects of other kinds are counted, and fields that decide nothing about
devices are left alone. What values mean is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import dumps as codes
from neuron_dra.kube.allocation import DeviceRequestAllocationResult
from neuron_dra.kube.claim import DeviceClass, ResourceClaim
from neuron_dra.kube.node import ClusterNode, Pod
from neuron_dra.kube.read_claim import read_claim, read_class, read_results, read_template
from neuron_dra.kube.read_node import read_node, read_pod
from neuron_dra.kube.read_slice import read_slice
from neuron_dra.kube.reading import GROUP, ReadProblem, describe
from neuron_dra.kube.slice import ResourceSlice
from neuron_dra.simulation.compact import Sharing
from neuron_dra.simulation.places import find_place
from neuron_dra.source import Source, Span
from neuron_dra.syntax.parse import Node, span_of
from neuron_dra.syntax.plain import is_word, read_plain
from neuron_dra.syntax.stream import StreamedObject, stream_objects

CLAIM, TEMPLATE = "ResourceClaim", "ResourceClaimTemplate"
SLICE, CLASS, NODE, POD = "ResourceSlice", "DeviceClass", "Node", "Pod"
DEFAULT_NAMESPACE = "default"

Results = tuple[DeviceRequestAllocationResult, ...]
Read = tuple[Any, list[ReadProblem]]


class Key(NamedTuple):
    """What names an object of a dump; cluster-wide ones have no namespace."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class ClaimWithStatus(NamedTuple):
    """A claim, and the devices that it holds."""

    claim: ResourceClaim
    results: Results


@dataclass(slots=True)
class Dump:
    """The objects of files, by name, in the order in which they stand there."""

    objects: dict[Key, Any] = field(default_factory=dict)
    places: dict[Key, Span] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)

    @property
    def slices(self) -> list[ResourceSlice]:
        return self._of(SLICE)

    @property
    def classes(self) -> list[DeviceClass]:
        return self._of(CLASS)

    @property
    def nodes(self) -> list[ClusterNode]:
        return self._of(NODE)

    @property
    def pods(self) -> list[Pod]:
        return self._of(POD)

    def claim(self, kind: str, namespace: str, name: str) -> ClaimWithStatus | None:
        """Return a claim or a template."""
        found: ClaimWithStatus | None = self.objects.get(Key(kind, namespace, name))
        return found

    def _of(self, kind: str) -> list[Any]:
        return [value for key, value in self.objects.items() if key.kind == kind]


class _Kind(NamedTuple):
    """How a kind is read."""

    group: str
    namespaced: bool
    read: Callable[[Any], Read]


def _read_claim_with_status(data: Any) -> Read:
    claim, problems = read_claim(data)
    results, more = read_results(data)
    return claim and ClaimWithStatus(_in_namespace(claim), results), problems + more


def _read_template(data: Any) -> Read:
    template, problems = read_template(data)
    return template and ClaimWithStatus(_in_namespace(template), ()), problems


def _in_namespace(claim: ResourceClaim) -> ResourceClaim:
    return ResourceClaim(claim.name, claim.devices, claim.namespace or DEFAULT_NAMESPACE)


_KINDS = {
    SLICE: _Kind(GROUP, False, read_slice),
    CLASS: _Kind(GROUP, False, read_class),
    CLAIM: _Kind(GROUP, True, _read_claim_with_status),
    TEMPLATE: _Kind(GROUP, True, _read_template),
    NODE: _Kind("", False, read_node),
    POD: _Kind("", True, read_pod),
}


def read_dump(sources: Iterable[Source]) -> tuple[Dump, list[Diagnostic]]:
    """Read the objects of sources."""
    reader = _Reader()
    for source in sources:
        reader.read(source)
    return reader.dump, [*reader.found, *reader.ignored()]


class _Reader:
    def __init__(self) -> None:
        self.dump = Dump()
        self.found: list[Diagnostic] = []
        self._sharing = Sharing()
        self._ignored: dict[str, int] = {}
        self._first_ignored: Span | None = None

    def read(self, source: Source) -> None:
        self.dump.sources.append(source)
        for each in stream_objects(source, self.found):
            data, problems = read_plain(source, each.node)
            self.found += problems
            if not problems and data is not None:
                self._add(source, each, data)

    def ignored(self) -> list[Diagnostic]:
        """Return a note of what was counted only."""
        if self._first_ignored is None:
            return []
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self._ignored.items()))
        message = f"objects that decide nothing about devices are ignored: {kinds}"
        return [codes.IGNORED_OBJECTS.at(self._first_ignored, message)]

    def _add(self, source: Source, each: StreamedObject, data: Any) -> None:
        if isinstance(data, dict):
            data = {**_item_fields(each.list_fields), **data}
        kind = data.get("kind") if isinstance(data, dict) else None
        if not isinstance(kind, str):
            self._no_object(span_of(source, each.node), data)
        elif kind in _KINDS and _group(data) == _KINDS[kind].group:
            self._read_object(source, each.node, kind, data)
        elif not kind.endswith("List"):
            self._ignored[kind] = self._ignored.get(kind, 0) + 1
            self._first_ignored = self._first_ignored or span_of(source, each.node)

    def _no_object(self, span: Span, data: Any) -> None:
        found = "a map without `kind`" if isinstance(data, dict) else describe(data)
        self.found.append(codes.NO_OBJECT.at(span, f"expected a Kubernetes object, found {found}"))

    def _read_object(self, source: Source, node: Node, kind: str, data: dict[str, Any]) -> None:
        value, problems = _KINDS[kind].read(data)
        key = self._key(kind, data)
        if not problems and not key.name:
            problems = [ReadProblem("metadata.name", "a value is required")]
        for problem in dict.fromkeys(problems):
            span = find_place(source, node, problem.path)
            where = f"`{problem.path}` of {kind} `{key}`" if problem.path else f"{kind} `{key}`"
            message = f"{where}: {problem.message}"
            self.found.append(codes.UNREADABLE_FIELD.at(span, message, help=_help(span)))
        if not problems:
            self._keep(key, value, span_of(source, node))

    def _key(self, kind: str, data: dict[str, Any]) -> Key:
        metadata = data.get("metadata")
        fields = metadata if isinstance(metadata, dict) else {}
        namespace = ""
        if _KINDS[kind].namespaced:
            namespace = str(fields.get("namespace") or DEFAULT_NAMESPACE)
        return Key(kind, namespace, str(fields.get("name") or fields.get("generateName") or ""))

    def _keep(self, key: Key, value: Any, span: Span) -> None:
        first = self.dump.objects.get(key)
        if first is None:
            shared = self._sharing.share(value) if key.kind == SLICE else value
            self.dump.objects[key] = shared
            self.dump.places[key] = span
        elif first != value:
            self.found.append(
                codes.COPIES_DIFFER.at(
                    span,
                    f"{key.kind} `{key}` stands twice, with different content",
                    related=[Related(self.dump.places[key], "first here")],
                    help="leave the older dump out",
                )
            )


def _item_fields(list_fields: dict[str, str]) -> dict[str, str]:
    """Return what the items of a typed list leave out: `kind: ResourceSliceList` says theirs."""
    kind = list_fields.get("kind", "").removesuffix("List")
    if not kind:
        return {}
    return {"apiVersion": list_fields.get("apiVersion", ""), "kind": kind}


def _help(span: Span) -> str:
    text = span.source.line(span.line)[span.column : span.end_column]
    return f"quote it: kubectl reads an unquoted `{text}` as a boolean" if is_word(text) else ""


def _group(data: dict[str, Any]) -> str:
    return str(data.get("apiVersion") or "").rpartition("/")[0]
