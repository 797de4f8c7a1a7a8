"""Chart releases of a driver: what a version installs, where, and which values it knows.

In: the `charts` of a driver's file. Out: `Chart` values. The values' schema is data of the same
file; judging a user's values by it is left to who has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_dra.catalog.facts import DATE, NAME, SDK_VERSION, Facts
from neuron_dra.syntax.containers import ListOf, MapOf
from neuron_dra.syntax.decode import Reader, key, model
from neuron_dra.syntax.parse import MappingNode, Node
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import boolean, choice, text

ValueType = str | Mapping[str, "ValueType"]
VALUE_TYPE = choice("boolean", "integer", "string", "strings", "list", "map")


class ValuesReader(Reader):
    """Reads the schema of a chart's values: nested keys, and at each end the word of a type."""

    what = "a type or a map of keys"

    def read(self, node: Node, context: Context) -> Any:
        return (MapOf(self) if type(node) is MappingNode else VALUE_TYPE).read(node, context)

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "object"]}


@model
class Chart(Facts):
    """One version of a chart."""

    chart: str = key(NAME, "The chart's name.")
    repository: str = key(text(), "Where the vendor publishes it.")
    released: str | None = key(DATE, "The day of its release.", default=None)
    sdk: str | None = key(SDK_VERSION, "The Neuron SDK that it came with.", default=None)
    images: dict[str, str] = key(MapOf(text()), "Image versions by component.", default={})
    namespaces: dict[str, str] = key(
        MapOf(NAME), "Default namespaces by component; absent: that of the release.", default={}
    )
    instance_types: tuple[str, ...] = key(
        ListOf(NAME, unique=True), "Instance types in the default node affinity.", default=()
    )
    dropped_prefixes: tuple[str, ...] = key(
        ListOf(text(), unique=True),
        "Instance types with such a beginning are dropped from the DRA driver's affinity.",
        default=(),
    )
    excluded_compute_types: tuple[str, ...] = key(
        ListOf(text(), unique=True),
        "Values of the compute type label that are left out.",
        default=(),
    )
    tolerations: tuple[dict[str, str], ...] = key(
        ListOf(MapOf(text())), "Default tolerations of the DRA driver's pods.", default=()
    )
    fixed_tolerations: tuple[dict[str, str], ...] = key(
        ListOf(MapOf(text())), "Tolerations that no value can take away.", default=()
    )
    device_plugin_skipped_with_dra: bool | None = key(
        boolean(), "Whether DRA silently switches the device plugin off.", default=None
    )
    ultra_server_operator: bool = key(
        boolean(), "Whether the UltraServer operator is part of it.", default=False
    )
    values: dict[str, ValueType] = key(
        MapOf(ValuesReader()), "The keys of its values; `map` and `list` are free.", default={}
    )

    def runs_on(self, instance_type: str) -> bool:
        """Tell whether the driver's default node affinity takes an instance type."""
        dropped = instance_type.startswith(self.dropped_prefixes)
        return instance_type in self.instance_types and not dropped
