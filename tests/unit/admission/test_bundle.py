"""The schema of one kind: small, complete, and closed."""

from __future__ import annotations

import json

import pytest

from neuron_dra.admission.bundle import build_schema, index_kinds
from neuron_dra.kube.definitions import Definitions, load_definitions


def test_index():
    """Objects are found by apiVersion and kind; lists and messages of the API are no objects."""
    kinds = index_kinds(load_definitions("1.36"))

    assert kinds.name_of("v1", "Namespace") == "io.k8s.api.core.v1.Namespace"
    assert kinds.name_of("v1", "NamespaceList") == ""
    assert kinds.name_of("v1", "DeleteOptions") == ""
    assert {"", "apps", "resource.k8s.io"} <= kinds.groups
    assert kinds.versions_of("autoscaling", "HorizontalPodAutoscaler") == [
        "autoscaling/v1",
        "autoscaling/v2",
    ]
    assert kinds.kinds_of("batch") == ["CronJob", "Job"]


@pytest.mark.parametrize(
    ("kind", "most"), [("ResourceClaimTemplate", 21), ("DeviceClass", 12), ("ResourceSlice", 40)]
)
def test_only_what_is_reached(kind, most):
    """A schema holds the types that its kind can reach and no prose."""
    schema = build_schema(load_definitions("1.36"), f"io.k8s.api.resource.v1.{kind}")

    assert 3 < len(schema["$defs"]) <= most
    assert "description" not in json.dumps(schema)


def test_references_are_complete():
    """Every reference in a schema stands in it, also one that leads back to itself."""
    name = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition"

    schema = build_schema(load_definitions("1.36"), name)

    text = json.dumps(schema)
    referred = {part.split('"')[0] for part in text.split('"#/$defs/')[1:]}
    assert referred == set(schema["$defs"])


def test_trimming():
    """What the validator needs of a type is kept, also inside lists and maps."""
    definitions = Definitions(
        {
            "a": {
                "type": "object",
                "description": "prose",
                "required": ["list"],
                "additionalProperties": False,
                "properties": {
                    "list": {"type": "array", "items": {"$ref": "#/$defs/b", "description": "x"}},
                    "map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/c"}},
                    "number": {"type": "integer", "format": "int32"},
                },
            },
            "b": {"type": "string", "enum": ["x"]},
        }
    )

    assert build_schema(definitions, "a") == {
        "$ref": "#/$defs/a",
        "$defs": {
            "a": {
                "type": "object",
                "required": ["list"],
                "additionalProperties": False,
                "properties": {
                    "list": {"type": "array", "items": {"$ref": "#/$defs/b"}},
                    "map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/c"}},
                    "number": {
                        "type": "integer",
                        "format": "int32",
                        "minimum": -(2**31),
                        "maximum": 2**31 - 1,
                    },
                },
            },
            "b": {"type": "string", "enum": ["x"]},
            "c": {},
        },
    }
