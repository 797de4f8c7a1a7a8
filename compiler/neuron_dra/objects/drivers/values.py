"""A user's values of a chart: read, checked against the chart version's keys, and merged.

In: what stands below `values` of a driver. Out: plain data of the values that are sound, and where
each came from. The schema is closed; keys that follow from the spec are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, NamedTuple

from neuron_dra.catalog.chart import ValueType
from neuron_dra.diagnostics import Diagnostic, Edit, did_you_mean
from neuron_dra.diagnostics.codes import gitops as codes
from neuron_dra.kube.definitions import Definitions
from neuron_dra.kube.untyped import FieldCodes, read_object
from neuron_dra.objects.drivers.release import layer_of
from neuron_dra.spec.cluster import ChartDriver
from neuron_dra.syntax.containers import Raw
from neuron_dra.syntax.decode import respell_key
from neuron_dra.syntax.mappings import describe, is_null, pairs
from neuron_dra.syntax.parse import MappingNode, Node, span_of
from neuron_dra.syntax.places import Context

# The words of the catalogue. Every list of a chart that is not of texts is of maps.
_TYPES = Definitions(
    {
        "boolean": {"type": "boolean"},
        "integer": {"type": "integer"},
        "string": {"type": "string"},
        "strings": {"type": "array", "items": {"type": "string"}},
        "list": {"type": "array", "items": {"type": "object"}},
        "map": {"type": "object"},
    }
)
_CODES = FieldCodes(codes.UNKNOWN_VALUE, codes.VALUE_TYPE, codes.VALUE_TYPE)


class UserValues(NamedTuple):
    """What a user adds to a chart's values.

    Attributes:
        data: plain data by key of the chart.
        fields: path of each value -> the layer and the field of the spec that gave it.
    """

    data: dict[str, Any]
    fields: dict[str, tuple[str, str]]

    def only(self, keys: Set[str]) -> UserValues:
        """Return the part below some keys of the top."""
        return UserValues(
            {key: value for key, value in self.data.items() if key in keys},
            {path: cause for path, cause in self.fields.items() if path.split(".")[0] in keys},
        )


def read_values(
    written: ChartDriver,
    schema: Mapping[str, ValueType],
    owned: Mapping[str, str],
    driver: str,
    found: list[Diagnostic],
) -> UserValues:
    """Return the sound values that the user wrote.

    Args:
        owned: path of a key that follows from the spec -> what it follows from.
        driver: the driver's name in the spec.
    """
    raw = written.values
    if raw is None:
        return UserValues({}, {})
    assert isinstance(raw.node, MappingNode)
    reader = _ValuesReader(Context(raw.origin), owned, f"spec.drivers.{driver}.values")
    data = reader.read_map(raw.node, schema, "")
    found += reader.context.diagnostics
    return UserValues(data, reader.fields)


class _ValuesReader:
    """Reads one map of values; problems go into the context."""

    def __init__(self, context: Context, owned: Mapping[str, str], prefix: str) -> None:
        self.context = context
        self.owned = owned
        self.prefix = prefix
        self.fields: dict[str, tuple[str, str]] = {}

    def read_map(
        self, node: MappingNode, schema: Mapping[str, ValueType], path: str
    ) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, key_node, value_node in pairs(node, self.context):
            inner = f"{path}.{name}" if path else name
            kind = schema.get(name)
            if inner in self.owned:
                self._refuse_owned(inner, key_node)
            elif kind is None:
                edits = respell_key(key_node, node, schema, self.context)
                self._refuse_unknown(inner, key_node, schema, edits)
            elif isinstance(kind, str):
                self._read_value(values, name, value_node, kind, inner)
            elif isinstance(value_node, MappingNode):
                values[name] = self.read_map(value_node, kind, inner)
            else:
                self._refuse_type(value_node)
        return values

    def _read_value(
        self, values: dict[str, Any], name: str, node: Node, kind: str, path: str
    ) -> None:
        origin = self.context.origin
        value = None  # takes away what the chart gives by default, as Helm does
        if not is_null(node):
            value, problems = read_object(Raw(origin, node), kind, _TYPES, _CODES)
            self.context.diagnostics += problems
            if problems:
                return
        values[name] = value
        self.fields[path] = (layer_of(origin.document), f"{self.prefix}.{path}")

    def _refuse_owned(self, path: str, node: Node) -> None:
        self.context.add(
            codes.OWNED_VALUE.at(
                self.context.span(node),
                f"`{path}` follows from {self.owned[path]}",
                help="remove the key",
            )
        )

    def _refuse_unknown(
        self, path: str, node: Node, schema: Mapping[str, ValueType], edits: list[Edit]
    ) -> None:
        span, suggestion = self.context.span(node), did_you_mean(node.value, schema)
        message = f"the chart's values have no key `{path}`"
        self.context.add(codes.UNKNOWN_VALUE.at(span, message, help=suggestion, edits=edits))

    def _refuse_type(self, node: Node) -> None:
        self.context.add(
            codes.VALUE_TYPE.at(self.context.span(node), f"expected a map, found {describe(node)}")
        )


def unused_values(written: ChartDriver, parts: Iterable[tuple[str, str]]) -> list[Diagnostic]:
    """Diagnose keys of values that no release takes, each with its reason.

    What ClusterDefaults give need not be of use in every one of their clusters.
    """
    raw = written.values
    if raw is None or layer_of(raw.origin.document):
        return []
    assert isinstance(raw.node, MappingNode)
    keys = {name: key for name, key, _ in pairs(raw.node, Context(raw.origin))}
    return [
        codes.UNUSED_VALUES.at(
            span_of(raw.origin.source, keys[part]),
            f"the values of `{part}` have no effect: {reason}",
            help="remove them",
        )
        for part, reason in parts
    ]


def merge_values(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    """Return values over others, as Helm merges them: maps by key, lists as a whole."""
    merged = dict(lower)
    for key, value in upper.items():
        below = merged.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            merged[key] = merge_values(below, value)
        else:
            merged[key] = value
    return merged
