"""Kubernetes' definitions, made ready for a compiled validator: one small schema per kind.

In: the definitions of a minor. Out: an index of the kinds of objects, and for one of them a JSON
Schema of the types that it can reach: 20 of 800 for a ResourceClaimTemplate. Compiles nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from neuron_dra.kube.definitions import Definitions, Schema

QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
# The bundle says `oneOf` with `null` on both sides, which refuses the `null` that both allow.
_REPLACED: Mapping[str, Schema] = {
    QUANTITY: {"type": ["string", "number", "null"], "format": "quantity"},
    INT_OR_STRING: {"type": ["string", "integer", "null"]},
}
# What a Go integer of that size holds.
_RANGES = {
    "int32": {"minimum": -(1 << 31), "maximum": (1 << 31) - 1},
    "int64": {"minimum": -(1 << 63), "maximum": (1 << 63) - 1},
}
_OBJECT_META = "#/$defs/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
_GROUP_VERSION_KIND = "x-kubernetes-group-version-kind"


@dataclass(frozen=True, slots=True)
class KindIndex:
    """The kinds of objects of one minor; lists and the API's own messages are none.

    Attributes:
        names: (apiVersion, kind) -> the name of the type.
        groups: the API groups, empty for the core.
    """

    names: Mapping[tuple[str, str], str]
    groups: frozenset[str] = field(default_factory=frozenset)

    def name_of(self, api_version: str, kind: str) -> str:
        """Return the name of a kind's type, or an empty string."""
        return self.names.get((api_version, kind), "")

    def versions_of(self, group: str, kind: str) -> list[str]:
        """Return the apiVersions of a group that have a kind, sorted."""
        return sorted(
            api_version
            for api_version, name in self.names
            if name == kind and api_version.rpartition("/")[0] == group
        )

    def kinds_of(self, group: str) -> list[str]:
        """Return the kinds of a group, sorted."""
        return sorted({name for version, name in self.names if version.rpartition("/")[0] == group})


def index_kinds(definitions: Definitions) -> KindIndex:
    """Return the kinds of objects among the definitions."""
    names: dict[tuple[str, str], str] = {}
    groups: set[str] = set()
    for name, schema in definitions.items():
        metadata = schema.get("properties", {}).get("metadata", {})
        if _GROUP_VERSION_KIND in schema and metadata.get("$ref") == _OBJECT_META:
            for each in schema[_GROUP_VERSION_KIND]:
                api_version = f"{each['group']}/{each['version']}".removeprefix("/")
                names[api_version, each["kind"]] = name
                groups.add(each["group"])
    return KindIndex(names, frozenset(groups))


def build_schema(definitions: Definitions, name: str) -> dict[str, Any]:
    """Return the JSON Schema of a type with all types that it refers to."""
    types: dict[str, Any] = {}
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each not in types:
            types[each] = _trim(_REPLACED.get(each) or definitions.type(each))
            waiting += {_target(schema) for schema in _references(types[each])}
    return {"$ref": f"#/$defs/{name}", "$defs": types}


def _target(reference: str) -> str:
    return reference.removeprefix("#/$defs/")


def _references(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the references in a trimmed schema."""
    if "$ref" in schema:
        yield schema["$ref"]
    for part in _parts(schema):
        yield from _references(part)


def _parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from schema.get("properties", {}).values()
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            yield schema[name]


def _trim(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a validator needs of a schema; integers get the range of their size."""
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    kept = {word: schema[word] for word in ("type", "enum", "required", "format") if word in schema}
    kept |= _RANGES.get(kept.get("format", ""), {})
    if "properties" in schema:
        kept["properties"] = {name: _trim(each) for name, each in schema["properties"].items()}
    for name in ("items", "additionalProperties"):
        if name in schema:
            part = schema[name]
            kept[name] = _trim(part) if isinstance(part, dict) else part
    return kept
