"""Extra objects: plain Kubernetes objects of a cluster, read by their kinds and passed on.

In: `extraObjects` of a cluster. Out: `KubeObject`s, and diagnostics. What a kind's schema types is
read by it; kinds that the schemas do not know are read by the YAML 1.2 core schema. Secrets never
carry data through a repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import objects as codes
from neuron_dra.kube.definitions import Definitions
from neuron_dra.kube.untyped import FieldCodes, place_of, read_object
from neuron_dra.objects.object import KubeObject, Placed
from neuron_dra.source import Span
from neuron_dra.syntax.containers import Raw
from neuron_dra.syntax.mappings import pairs
from neuron_dra.syntax.parse import MappingNode, Node, ScalarNode
from neuron_dra.syntax.places import Context

_STEP = re.compile(r"([^.\[\]]+)|\[([^\]]*)\]")
FIELD_CODES = FieldCodes(
    codes.EXTRA_UNKNOWN_FIELD, codes.EXTRA_WRONG_TYPE, codes.EXTRA_MISSING_FIELD
)


@dataclass(frozen=True, slots=True)
class ExtraObject(KubeObject):
    """An object that a user wrote; `raw` is where."""

    raw: Raw = field(kw_only=True)

    def locate(self, path: str) -> Span | None:
        """Return where a field stands in the spec."""
        steps = [name or item for name, item in _STEP.findall(path)]
        return place_of(self.raw, *(int(step) if step.isdigit() else step for step in steps))


def render_extra(raw: Raw, definitions: Definitions) -> tuple[list[KubeObject], list[Diagnostic]]:
    """Return an extra object as plain data."""
    context = Context(raw.origin)
    top = _texts(raw.node, context)
    names = _texts(_metadata(raw.node, context), context)
    identity = (top.get("apiVersion"), top.get("kind"), names.get("name"))
    if not all(identity):
        return [], [_without_identity(raw, identity)]
    version, kind = str(identity[0]), str(identity[1])
    data, problems = read_object(raw, definitions.kind(version, kind), definitions, FIELD_CODES)
    if data is None:
        return [], problems
    if kind == "Secret" and version == "v1" and (data.get("data") or data.get("stringData")):
        problems.append(
            codes.SECRET_WITH_DATA.at(
                place_of(raw, "data" if data.get("data") else "stringData"),
                f"the Secret `{identity[2]}` would carry its data into the repository",
                help="let a secrets operator create it, and refer to it by name",
            )
        )
    return [_object(raw, data)], problems


def find_repeated(own: Iterable[Placed], extra: Iterable[Placed], cluster: str) -> list[Diagnostic]:
    """Find extra objects that are also made by the compiler, or written twice."""
    seen = {identity for each in own for identity in each.identities()}
    found = []
    for each in extra:
        assert isinstance(each.object, ExtraObject)
        for identity in each.identities():
            if identity in seen:
                _, kind, namespace, name = identity
                shown = f"{namespace}/{name}" if namespace else name
                found.append(
                    codes.OBJECT_TWICE.at(
                        place_of(each.object.raw, "metadata", "name"),
                        f"{kind} `{shown}` is made twice in cluster `{cluster}`",
                        help="remove it here, or give it another name",
                    )
                )
            seen.add(identity)
    return found


def _object(raw: Raw, data: dict[str, Any]) -> ExtraObject:
    metadata = data["metadata"]
    namespace = metadata.get("namespace")
    folder = f"manifests/namespaces/{namespace}/extra" if namespace else "manifests/extra"
    path = f"{folder}/{data['kind'].lower()}-{metadata['name']}.yaml"
    return ExtraObject(path, data, (raw.origin.document,), raw=raw)


def _without_identity(raw: Raw, identity: tuple[str | None, ...]) -> Diagnostic:
    keys = ("apiVersion", "kind", "metadata.name")
    missing = [key for key, value in zip(keys, identity, strict=True) if not value]
    return codes.EXTRA_WITHOUT_IDENTITY.at(
        raw.span, f"an extra object needs {' and '.join(f'`{key}`' for key in missing)}"
    )


def _metadata(node: Node, context: Context) -> Node | None:
    assert isinstance(node, MappingNode)
    return next((value for name, _, value in pairs(node, context) if name == "metadata"), None)


def _texts(node: Node | None, context: Context) -> dict[str, str]:
    if not isinstance(node, MappingNode):
        return {}
    return {
        name: value.value
        for name, _, value in pairs(node, context)
        if isinstance(value, ScalarNode)
    }
