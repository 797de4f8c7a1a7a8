"""The file of an instance type: groups of facts, each with its source.

In: a file of `instances/`, or an InstanceType among the specs. Out: `InstanceFacts`.
What follows from several files together stands in `instance_type.py` and `agreement.py`.
"""

from __future__ import annotations

from neuron_dra.catalog.facts import NAME, QUALIFIED_NAME, Facts, Sheet
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ListOf, MapOf
from neuron_dra.syntax.decode import ModelReader, key, model
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import boolean, checked, choice, integer, number, text

LABEL_KEY = checked("a label key", formats.label_key)
# More of anything in one machine than there can be: what follows is counted and listed.
DEVICES_MAX = NODES_MAX = 1024
SIZES = ListOf(integer(least=1), unique=True, least=1)
ATTRIBUTES = ListOf(QUALIFIED_NAME, unique=True)


@model
class Offering(Facts):
    """Whether one can have it."""

    status: str = key(
        choice("available", "software-name-only", "internal-name", "not-offered"),
        "Offered by EC2, or only a name in software.",
    )
    ec2_listed: bool = key(boolean(), "Whether the EC2 specification page has it.")


@model
class Served(Facts):
    """Whether the Neuron DRA driver publishes slices on it."""

    neuron: bool | None = key(boolean(), "Absent when nobody knows.", default=None)
    reason: str = key(text(), "Why, or why not.")


@model
class Devices(Facts):
    """The Neuron devices of one instance."""

    count: int = key(integer(least=1, most=DEVICES_MAX), "How many Neuron devices.")
    hbm_gib: int | None = key(
        integer(least=1), "HBM of all devices in GiB, as documented.", name="hbmGiB", default=None
    )


@model
class Host(Facts):
    """The host of the devices."""

    vcpu: int | None = key(integer(least=1), "Virtual CPUs.", default=None)
    memory_gib: int | None = key(integer(least=1), "Memory in GiB.", name="memoryGiB", default=None)
    cpu_architecture: str | None = key(
        choice("amd64", "arm64"), "As Kubernetes writes it.", default=None
    )


@model
class NeuronLink(Facts):
    """How the devices of one instance are joined."""

    version: str | None = key(text(), "The NeuronLink generation.", default=None)
    topology: str = key(
        choice("none", "torus", "switch", "chain", "ring", "unknown"), "The shape of the links."
    )
    rows: int | None = key(integer(least=1), "Rows of a torus.", default=None)
    columns: int | None = key(
        integer(least=1), "Columns of a torus; device ids run along rows.", default=None
    )
    gigabytes_per_second_per_chip: int | None = key(
        integer(least=1), "Bandwidth of one chip inside the instance.", default=None
    )
    gigabytes_per_second_between_nodes: int | None = key(
        integer(least=1), "Bandwidth of one chip to other nodes of its UltraServer.", default=None
    )

    def check(self, context: Context) -> None:
        Facts.check(self, context)
        for name in ("rows", "columns"):
            if self.places.has(name) != (self.topology == "torus"):
                context.add(
                    codes.KEY_NEEDS_KEY.at(
                        self.places.key(name),
                        f"`{name}` belongs to `topology: torus`, and to it only",
                    )
                )


@model
class Connected(Facts):
    """Sets of devices that can be claimed as joined; absent: unknown, or whole nodes only."""

    sizes: tuple[int, ...] = key(SIZES, "How many devices such a set may have.")


@model
class NeuronConfigSupport(Facts):
    """Whether the driver takes a NeuronConfig; absent when unknown."""

    accepted: bool = key(boolean(), "False when it refuses one after scheduling.")


@model
class Efa(Facts):
    """The EFA interfaces of one instance."""

    interfaces: int = key(integer(least=0, most=DEVICES_MAX), "How many EFA interfaces.")
    gbps_per_interface: int | None = key(
        integer(least=1), "Gigabits per second of one interface.", default=None
    )
    version: str | None = key(text(), "The EFA generation.", default=None)
    device_map: str | None = key(
        NAME, "The device map; absent when no device groups are published.", default=None
    )


@model
class Published(Facts):
    """What the Neuron devices in its slices carry; what is not listed is absent."""

    resource_types: tuple[str, ...] = key(
        ListOf(choice("neuron_device", "neuron_node"), unique=True),
        "The values of the resource type; none when unknown.",
        default=(),
    )
    present: tuple[str, ...] = key(ATTRIBUTES, "Attributes that every device has.", default=())
    unknown: tuple[str, ...] = key(
        ATTRIBUTES, "Attributes of which nobody knows; a selector must not read them.", default=()
    )

    def check(self, context: Context) -> None:
        Facts.check(self, context)
        for index, name in enumerate(self.unknown):
            if name in self.present:
                context.add(
                    codes.DUPLICATE_ITEM.at(
                        self.places.item("unknown", index),
                        f"`{name}` stands in `present` and in `unknown`",
                    )
                )


@model
class UltraServer(Facts):
    """The UltraServer that it is a node of; absent when it is of none."""

    display_name: str | None = key(text(), "The name that AWS writes.", default=None)
    ec2_type: str | None = key(text(), "The EC2 UltraServer type.", default=None)
    nodes: int | None = key(
        integer(least=2, most=NODES_MAX), "Nodes of one UltraServer.", default=None
    )
    node_sizes: tuple[int, ...] = key(
        SIZES, "How many nodes may be used together; none when unknown.", default=()
    )
    devices: int | None = key(integer(least=2), "Devices of one UltraServer.", default=None)
    hbm_gib: int | None = key(
        integer(least=1), "HBM of one UltraServer in GiB.", name="hbmGiB", default=None
    )
    mode_label: str | None = key(LABEL_KEY, "The node label of possible sizes.", default=None)
    server_id_labels: dict[str, str] = key(
        MapOf(LABEL_KEY), "By size, the node label equal on nodes used together.", default={}
    )
    node_id_labels: dict[str, str] = key(
        MapOf(LABEL_KEY), "By size, the node label of the place among them.", default={}
    )
    operator: bool | None = key(
        boolean(), "Whether the UltraServer operator handles it.", default=None
    )


@model
class LocalNvme(Facts):
    """Local NVMe disks."""

    count: int = key(integer(least=0), "How many disks.")
    gigabytes_each: int | None = key(integer(least=1), "Gigabytes of one.", default=None)


@model
class Network(Facts):
    """The network of one instance."""

    cards: int | None = key(integer(least=1), "Network cards.", default=None)
    gbps: float | None = key(number(least=0), "Gigabits per second, at most.", default=None)
    topology_layers: int | None = key(
        integer(least=1), "Network nodes that EC2 tells of it.", default=None
    )


@model
class Numa(Facts):
    """Which devices sit in which NUMA node."""

    nodes: tuple[tuple[int, ...], ...] = key(
        ListOf(ListOf(integer(least=0), unique=True)), "Device ids by NUMA node, from 0."
    )


@model
class InstanceFacts(Sheet):
    """A machine: the `spec` of an InstanceType."""

    chip: str = key(NAME, "The chip of its devices, a file of `chips/`.")
    devices: Devices = key(ModelReader(Devices), "Neuron devices.")
    offering: Offering | None = key(ModelReader(Offering), "Whether one can have it.", default=None)
    served: Served | None = key(
        ModelReader(Served), "Whether the Neuron DRA driver runs there.", default=None
    )
    host: Host | None = key(ModelReader(Host), "The host.", default=None)
    neuron_link: NeuronLink | None = key(ModelReader(NeuronLink), "Links.", default=None)
    connected: Connected | None = key(
        ModelReader(Connected), "Sets of joined devices.", default=None
    )
    neuron_config: NeuronConfigSupport | None = key(
        ModelReader(NeuronConfigSupport), "Whether a claim may set the LNC.", default=None
    )
    efa: Efa | None = key(ModelReader(Efa), "EFA interfaces.", default=None)
    published: Published | None = key(ModelReader(Published), "What its slices hold.", default=None)
    ultra_server: UltraServer | None = key(
        ModelReader(UltraServer), "Its UltraServer.", default=None
    )
    local_nvme: LocalNvme | None = key(ModelReader(LocalNvme), "Local disks.", default=None)
    network: Network | None = key(ModelReader(Network), "Network.", default=None)
    numa: Numa | None = key(ModelReader(Numa), "NUMA nodes of the devices.", default=None)
