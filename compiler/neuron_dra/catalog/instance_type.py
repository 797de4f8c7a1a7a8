"""Instance types as the rest of the compiler asks about them.

In: the facts of an instance type with its chip and its device map. Out: `InstanceType`, whose
answers are None or `Answer.UNKNOWN` where nobody knows. Draws no conclusion about claims.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from neuron_dra.catalog.chip import Chip
from neuron_dra.catalog.device_map import DeviceMap
from neuron_dra.catalog.facts import Answer
from neuron_dra.catalog.instance_facts import InstanceFacts

NEURON_DEVICE = "neuron_device"
NEURON_NODE = "neuron_node"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class InstanceType:
    """An instance type with its chip and its device map.

    Attributes:
        facts: the file, with the place of every fact.
        device_map: None when no device groups are published there.
        group_attributes: by group size, the attribute that carries the group's id.
    """

    name: str
    facts: InstanceFacts
    chip: Chip
    device_map: DeviceMap | None
    group_attributes: Mapping[int, str]

    @property
    def device_count(self) -> int:
        return self.facts.devices.count

    @property
    def served(self) -> Answer:
        """Whether the Neuron DRA driver publishes slices there."""
        return Answer.of(self.facts.served.neuron if self.facts.served else None)

    @property
    def serves_devices(self) -> bool:
        """Whether single devices can be claimed there, as far as known."""
        return self._serves(NEURON_DEVICE)

    @property
    def serves_nodes(self) -> bool:
        """Whether nodes of an UltraServer can be claimed there, as far as known."""
        return self._serves(NEURON_NODE)

    def _serves(self, resource_type: str) -> bool:
        published = self.facts.published
        refused = self.served is Answer.NO
        return not refused and published is not None and resource_type in published.resource_types

    @property
    def is_observed(self) -> bool:
        """Whether somebody saw a slice of it; otherwise its slices are predicted."""
        return self.facts.published is not None and self.facts.published.basis == "observed"

    def publishes(self, attribute: str) -> Answer:
        """Tell whether every Neuron device there has an attribute, by its qualified name."""
        published = self.facts.published
        if self.served is Answer.NO:
            return Answer.NO
        if published is None or attribute in published.unknown:
            return Answer.UNKNOWN
        return Answer.of(attribute in published.present)

    @property
    def accepts_neuron_config(self) -> Answer:
        """Whether a claim may carry a NeuronConfig there."""
        return Answer.of(self.facts.neuron_config.accepted if self.facts.neuron_config else None)

    @property
    def connected_sizes(self) -> tuple[int, ...]:
        """The sizes of connected sets, rising; none when unknown or whole nodes only."""
        return tuple(sorted(self.facts.connected.sizes)) if self.facts.connected else ()

    def connected_sets(self, size: int) -> tuple[tuple[int, ...], ...]:
        """Return the device ids of each connected set of a size; none when it is not a size."""
        if size not in self.connected_sizes:
            return ()
        return tuple(
            tuple(range(start, start + size)) for start in range(0, self.device_count, size)
        )

    def group_attribute(self, size: int) -> str | None:
        """Return the attribute that a connected set of a size shares, if it is surely published."""
        attribute = self.group_attributes.get(size)
        return attribute if attribute and self.publishes(attribute) else None

    @property
    def efa_interfaces(self) -> int | None:
        return self.facts.efa.interfaces if self.facts.efa else None

    def efa_for(self, devices: int) -> int | None:
        """Return how many EFA interfaces lie beside a device group of a size; None: no pairing."""
        return self.device_map.efa_per_group(devices) if self.device_map else None

    @property
    def devices_per_efa(self) -> int | None:
        """How many devices share one EFA interface; None: no pairing."""
        if self.device_map is None:
            return None
        return self.device_map.device_count // len(self.device_map.interfaces)

    def logical_cores(self, size: int, devices: int | None = None) -> int:
        """Return the logical NeuronCores of some devices, or of all, at a logical core size."""
        count = self.device_count if devices is None else devices
        return count * self.chip.neuron_cores.per_device // size

    @property
    def hbm_gib(self) -> int:
        return self.device_count * self.chip.memory.hbm_gib

    @property
    def torus(self) -> tuple[int, int] | None:
        """Rows and columns of the torus of its devices."""
        link = self.facts.neuron_link
        if link is None or link.rows is None or link.columns is None:
            return None
        return link.rows, link.columns

    @property
    def node_sizes(self) -> tuple[int, ...]:
        """How many nodes of its UltraServer may be used together, rising."""
        return tuple(sorted(self.facts.ultra_server.node_sizes)) if self.facts.ultra_server else ()

    def server_id_label(self, nodes: int) -> str | None:
        """Return the node label that is equal on nodes used together."""
        ultra_server = self.facts.ultra_server
        return ultra_server.server_id_labels.get(str(nodes)) if ultra_server else None
