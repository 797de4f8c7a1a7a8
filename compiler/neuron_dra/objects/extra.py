"""Extra objects: plain Kubernetes objects of a cluster, read by their kinds and passed on.

In: `extraObjects` of a cluster. Out: `KubeObject`s, and diagnostics. What a kind's schema types is
read by it; of kinds that the schemas do not know the metadata is, and the rest by the YAML 1.2 core
schema. Secrets never carry data through a repository.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import objects as codes
from neuron_dra.kube.definitions import OBJECT_META, Definitions
from neuron_dra.kube.untyped import FieldCodes, place_of, read_object
from neuron_dra.objects.drivers.release import DEVICE_CLASS
from neuron_dra.objects.object import KubeObject, Placed
from neuron_dra.source import Span
from neuron_dra.spec.documents import API_VERSION
from neuron_dra.syntax.containers import Raw
from neuron_dra.syntax.mappings import is_null, pairs
from neuron_dra.syntax.parse import MappingNode, Node, ScalarNode
from neuron_dra.syntax.places import Context

# What a CustomResourceDefinition may say: validation in k8s.io/apiextensions-apiserver v0.37.
_KIND = re.compile(r"[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_API_VERSION = re.compile(r"([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[a-z]([a-z0-9-]*[a-z0-9])?")
_OWN_GROUP = API_VERSION.partition("/")[0]
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
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


def render_extra(
    raw: Raw, definitions: Definitions, vended_classes: Collection[str]
) -> tuple[list[KubeObject], list[Diagnostic]]:
    """Return an extra object as plain data.

    Args:
        vended_classes: the device classes that charts of drivers create.
    """
    context = Context(raw.origin)
    top = _texts(raw.node, context)
    names = _texts(_metadata(raw.node, context), context)
    version, kind, name = top.get("apiVersion"), top.get("kind"), names.get("name")
    if not (version and kind and name):
        return [], [_without_identity(raw, (version, kind, name))]
    refused = [
        *_check_type(raw, version, kind),
        *_check_owner(raw, version, kind, name, vended_classes),
    ]
    if refused:
        return [], refused
    data, problems = _read(raw, version, kind, definitions)
    if data is None:
        return [], problems
    return [_object(raw, data)], [*problems, *_check_secret(raw, data)]


def _check_type(raw: Raw, version: str, kind: str) -> Iterator[Diagnostic]:
    for key, text, pattern, what in (
        ("apiVersion", version, _API_VERSION, "an API version, like `v1` or `apps/v1`"),
        ("kind", kind, _KIND, "the name of a kind, like `ConfigMap`"),
    ):
        if not pattern.fullmatch(text):
            yield codes.EXTRA_INVALID_TYPE.at(place_of(raw, key), f"`{text}` is not {what}")


def _check_owner(
    raw: Raw, version: str, kind: str, name: str, vended_classes: Collection[str]
) -> Iterator[Diagnostic]:
    """Refuse what is no object of a cluster, and what a chart makes."""
    group = version.rpartition("/")[0]
    if group == _OWN_GROUP:
        yield codes.EXTRA_DOCUMENT.at(
            place_of(raw, "apiVersion"),
            f"a `{kind}` of `{version}` is a document of specs, and no cluster knows it",
            help="make it a document of its own",
        )
    if (group, kind) == DEVICE_CLASS and name in vended_classes:
        yield codes.EXTRA_VENDED.at(
            place_of(raw, "metadata", "name"),
            f"the chart of a driver creates the DeviceClass `{name}`",
            help="give this one another name",
        )


def _read(
    raw: Raw, version: str, kind: str, definitions: Definitions
) -> tuple[dict[str, Any] | None, list[Diagnostic]]:
    """Read by the schema of the kind, or at least the metadata by that of all kinds."""
    type_name = definitions.kind(version, kind)
    data, problems = read_object(raw, type_name, definitions, FIELD_CODES)
    metadata = _metadata(raw.node, Context(raw.origin))
    if type_name or data is None or metadata is None:
        return data, problems
    typed, problems = read_object(Raw(raw.origin, metadata), OBJECT_META, definitions, FIELD_CODES)
    if typed is None:
        return None, problems
    return {**data, "apiVersion": version, "kind": kind, "metadata": typed}, problems


def _check_secret(raw: Raw, data: dict[str, Any]) -> Iterator[Diagnostic]:
    if data["kind"] != "Secret" or data["apiVersion"] != "v1":
        return
    applied = _LAST_APPLIED in data["metadata"].get("annotations", {})
    places: list[tuple[str, ...]] = [(key,) for key in ("data", "stringData") if data.get(key)]
    places += [("metadata", "annotations", _LAST_APPLIED)] if applied else []
    for place in places:
        yield codes.SECRET_WITH_DATA.at(
            place_of(raw, *place),
            f"the Secret `{data['metadata']['name']}` would carry its data into the repository",
            help="let a secrets operator create it, and refer to it by name",
        )


def find_repeated(own: Iterable[Placed], extra: Iterable[Placed], cluster: str) -> list[Diagnostic]:
    """Find extra objects that are also made by the compiler, or written twice."""
    seen = {_fold(identity) for each in own for identity in each.identities()}
    found = []
    for each in extra:
        assert isinstance(each.object, ExtraObject)
        for identity in each.identities():
            _, kind, namespace, name = identity
            if _fold(identity) in seen:
                shown = f"{namespace}/{name}" if namespace else name
                found.append(
                    codes.OBJECT_TWICE.at(
                        place_of(each.object.raw, "metadata", "name"),
                        f"{kind} `{shown}` is made twice in cluster `{cluster}`",
                        help="remove it here, or give it another name",
                    )
                )
            seen.add(_fold(identity))
    return found


def _fold(identity: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    """Return an identity that is equal for kinds of which no group can have both."""
    group, kind, namespace, name = identity
    return group, kind.lower(), namespace, name


def _object(raw: Raw, data: dict[str, Any]) -> ExtraObject:
    metadata = data["metadata"]
    namespace = metadata.get("namespace")
    folder = f"manifests/namespaces/{namespace}/extra" if namespace else "manifests/extra"
    group = data["apiVersion"].rpartition("/")[0]
    kind = ".".join(filter(None, (data["kind"].lower(), group)))
    path = f"{folder}/{kind}/{metadata['name']}.yaml"
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
        if isinstance(value, ScalarNode) and not is_null(value)
    }
