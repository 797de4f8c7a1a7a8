"""The JSON Schema definitions of Kubernetes' own types, one set per minor.

In: a minor like `1.36`. Out: `Definitions`, by the types' long names. The files are those that
the package kubernetes-validate carries (the strict set: closed objects); the package itself is
not imported. This is the one module of `kube` that reads files; it judges no object.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from neuron_dra.source import FatalError

Schema = Mapping[str, Any]

OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
POD_TEMPLATE = "io.k8s.api.core.v1.PodTemplateSpec"

_PACKAGE = "kubernetes_validate"
_REFERENCE = "#/$defs/"
_SUFFIX = ".0-local-strict"
_KINDS = "x-kubernetes-group-version-kind"
_ANYTHING: Schema = {}


class Definitions:
    """The types of one Kubernetes minor."""

    __slots__ = ("_types",)

    def __init__(self, types: Mapping[str, Schema]) -> None:
        self._types = types

    def type(self, name: str) -> Schema:
        """Return the schema of a type; a type that this minor lacks accepts anything."""
        return self._types.get(name, _ANYTHING)

    def items(self) -> Iterable[tuple[str, Schema]]:
        """Return every type by its name."""
        return self._types.items()

    def kind(self, api_version: str, kind: str) -> str:
        """Return the name of the type of a kind of objects, or an empty string."""
        group, _, version = api_version.rpartition("/")
        wanted = {"group": group, "version": version, "kind": kind}
        kinds = ((name, schema.get(_KINDS, ())) for name, schema in self._types.items())
        return next((name for name, each in kinds if wanted in each), "")

    def resolve(self, schema: Schema) -> tuple[str, Schema]:
        """Return the type that a schema refers to, with its name, or the schema itself."""
        reference = schema.get("$ref")
        if reference is None:
            return "", schema
        name = str(reference).removeprefix(_REFERENCE)
        return name, self.type(name)


@cache
def load_definitions(minor: str) -> Definitions:
    """Read the definitions of a minor, or of the newest one below it that is known.

    Raises:
        FatalError: kubernetes-validate is not installed, or its files are not where they should be.
    """
    folders = _folders()
    wanted = [number for number in folders if number <= _number(minor)] or [min(folders)]
    path = folders[max(wanted)] / "_definitions.json"
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise FatalError(f"cannot read {path}: {error}") from None
    return Definitions(data["$defs"])


def _folders() -> dict[tuple[int, int], Path]:
    """Return the folder of each known minor."""
    package = find_spec(_PACKAGE)
    if package is None or not package.submodule_search_locations:
        raise FatalError("the package kubernetes-validate is not installed")
    root = Path(package.submodule_search_locations[0]) / "kubernetes-json-schema"
    folders = {
        _number(folder.name[1:].removesuffix(_SUFFIX)): folder
        for folder in root.glob(f"v*{_SUFFIX}")
    }
    if not folders:
        raise FatalError(f"kubernetes-validate has no schemas in {root}")
    return folders


def _number(minor: str) -> tuple[int, int]:
    major, _, rest = minor.partition(".")
    return int(major), int(rest)
