"""Kubernetes releases: which APIs are served, what the limits are, which gates are on.

In: a file of `kubernetes/`. Out: `KubernetesRelease`. Defaults only: what an administrator changed
is the caller's to know.
"""

from __future__ import annotations

from neuron_dra.catalog.facts import Facts, Sheet
from neuron_dra.syntax.containers import ListOf, MapOf
from neuron_dra.syntax.decode import Model, ModelReader, Reader, key, model
from neuron_dra.syntax.scalars import boolean, choice, integer, text

VERSIONS = MapOf(ListOf(text(), unique=True))
LIMIT: Reader = integer(least=1)


@model
class ApiVersions(Facts):
    """The versions of an API group, by kind."""

    group: str = key(text(), "The API group.")
    served: dict[str, tuple[str, ...]] = key(VERSIONS, "Served by default.")
    known: dict[str, tuple[str, ...]] = key(
        VERSIONS, "In the release, but switched off by default.", default={}
    )


@model
class Limits(Facts):
    """How much fits: of a claim, of a selector, of a slice."""

    requests: int = key(LIMIT, "Requests of a claim.")
    results: int = key(LIMIT, "Devices allocated to a claim.")
    constraints: int = key(LIMIT, "Constraints of a claim.")
    configs: int = key(LIMIT, "Config entries of a claim or a class.")
    status_configs: int = key(LIMIT, "Config entries of an allocation, from class and claim.")
    selectors: int = key(LIMIT, "Selectors of a request or a class.")
    first_available: int = key(LIMIT, "Subrequests of a request.")
    tolerations: int = key(LIMIT, "Tolerations of a request; documented, not enforced.")
    cel_expression_bytes: int = key(LIMIT, "Bytes of a CEL expression.")
    cel_cost: int = key(LIMIT, "Estimated cost of a CEL expression.")
    opaque_bytes: int = key(LIMIT, "Bytes of opaque parameters as JSON.")
    reserved_for: int = key(LIMIT, "Consumers of a claim.")
    slice_devices: int = key(LIMIT, "Devices of a slice.")
    slice_devices_with_taints: int = key(
        LIMIT, "Devices of a slice in which one has taints or consumes counters."
    )
    device_attributes: int = key(LIMIT, "Attributes and capacities of a device.")
    attribute_values: int | None = key(
        LIMIT, "Attribute values of a device, list items included.", default=None
    )
    attribute_value_bytes: int = key(LIMIT, "Bytes of a string or version attribute.")
    device_taints: int = key(LIMIT, "Taints of a device.")
    shared_counters: int | None = key(
        LIMIT, "Counters of all counter sets of a slice, where they are limited.", default=None
    )
    device_counters: int | None = key(
        LIMIT, "Counters that a device takes of all sets, where they are limited.", default=None
    )
    slice_device_counters: int | None = key(
        LIMIT, "Counters that the devices of a slice take, where they are limited.", default=None
    )
    counter_sets: int | None = key(
        LIMIT, "Counter sets of a slice, where they are limited.", default=None
    )
    counters_of_set: int | None = key(
        LIMIT, "Counters of one counter set, where they are limited.", default=None
    )
    consumed_counter_sets: int | None = key(
        LIMIT, "Counter sets that a device takes of, where they are limited.", default=None
    )
    consumed_counters: int | None = key(
        LIMIT, "Counters that a device takes of one set, where they are limited.", default=None
    )


@model
class Gate(Model):
    """A feature gate at its default."""

    stage: str = key(choice("alpha", "beta", "GA", "deprecated"), "Its stage.")
    default: bool = key(boolean(), "Whether it is on.")
    locked: bool = key(boolean(), "Whether it cannot be changed.")
    fields: dict[str, str] = key(
        MapOf(choice("stored", "dropped", "refused")),
        "What the API server does to the gate's fields while it is off.",
        default={},
    )


@model
class Gates(Facts):
    """The feature gates that concern DRA; what is not listed does not exist."""

    gates: dict[str, Gate] = key(MapOf(ModelReader(Gate)), "By name.")


@model
class Nodes(Facts):
    """Kubelets of this minor."""

    barred_patches: tuple[int, ...] = key(
        ListOf(integer(least=0), unique=True), "Patch versions that DRA drivers cannot run on."
    )


@model
class KubernetesRelease(Sheet):
    """One minor version of Kubernetes."""

    api: ApiVersions = key(ModelReader(ApiVersions), "Served APIs.")
    limits: Limits = key(ModelReader(Limits), "Limits.")
    gates: Gates = key(ModelReader(Gates), "Feature gates.")
    nodes: Nodes | None = key(ModelReader(Nodes), "Kubelets.", default=None)

    @property
    def minor(self) -> str:
        return self.name

    def gate(self, name: str) -> Gate | None:
        """Return a feature gate, or None when this minor does not have it."""
        return self.gates.gates.get(name)

    def is_on(self, name: str) -> bool:
        """Tell whether a feature gate is on by default."""
        gate = self.gate(name)
        return gate is not None and gate.default

    @property
    def default_gates(self) -> dict[str, bool]:
        """Which feature gates are on by default, by name."""
        return {name: gate.default for name, gate in self.gates.gates.items()}

    def serves(self, kind: str, version: str) -> bool:
        """Tell whether a kind is served in an API version by default."""
        return version in self.api.served.get(kind, ())

    @property
    def barred_patches(self) -> tuple[int, ...]:
        return self.nodes.barred_patches if self.nodes else ()
