"""Whether the facts about one instance type agree, within its file and with the files it names.

In: facts, chip, device map and the attributes of the Neuron driver. Out: diagnostics that show both
ends. Repairs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_dra.catalog.chip import Chip
from neuron_dra.catalog.device_map import DeviceMap
from neuron_dra.catalog.driver import Attribute
from neuron_dra.catalog.instance_facts import InstanceFacts, Published
from neuron_dra.diagnostics import Diagnostic, Related, did_you_mean
from neuron_dra.diagnostics.codes import catalog as codes
from neuron_dra.source import Span

TORUS_VALUES = frozenset({"row", "column"})
# What selectors of `plan` read of every device; the domain is the driver's.
NEEDED = frozenset({"instanceType", "resourceType", "neuronDriverVersion"})


def check_agreement(
    facts: InstanceFacts,
    chip: Chip,
    device_map: DeviceMap | None,
    attributes: Mapping[str, Attribute],
) -> Iterator[Diagnostic]:
    """Yield every pair of facts that exclude each other."""
    yield from _check_hbm(facts, chip)
    yield from _check_sets(facts)
    yield from _check_efa(facts, device_map)
    yield from _check_ultra_server(facts, chip)
    yield from _check_published(facts, device_map, attributes)


def _conflict(span: Span, message: str, other: Span, label: str) -> Diagnostic:
    return codes.INCONSISTENT_NUMBERS.at(span, message, related=[Related(other, label)])


def _check_hbm(facts: InstanceFacts, chip: Chip) -> Iterator[Diagnostic]:
    devices = facts.devices
    total = devices.count * chip.memory.hbm_gib
    if devices.hbm_gib not in (None, total):
        yield _conflict(
            devices.places.value("hbmGiB"),
            f"{devices.hbm_gib} GiB is not {devices.count} times {chip.memory.hbm_gib} GiB",
            chip.memory.places.value("hbmGiB"),
            "HBM of one device",
        )


def _check_sets(facts: InstanceFacts) -> Iterator[Diagnostic]:
    """Check what divides the devices of the instance: connected sets, torus, NUMA nodes."""
    count = facts.devices.count
    here = facts.devices.places.value("count")
    for index, size in enumerate(facts.connected.sizes if facts.connected else ()):
        if facts.connected and count % size:
            yield _conflict(
                facts.connected.places.item("sizes", index),
                f"{count} devices do not make connected sets of {size}",
                here,
                f"{count} devices here",
            )
    link = facts.neuron_link
    if link and link.rows and link.columns and link.rows * link.columns != count:
        yield _conflict(
            link.places.value("rows"),
            f"a torus of {link.rows} by {link.columns} has {link.rows * link.columns} devices,"
            f" not {count}",
            here,
            f"{count} devices here",
        )
    if facts.numa and sorted(sum(facts.numa.nodes, ())) != list(range(count)):
        yield _conflict(
            facts.numa.places.value("nodes"),
            f"the NUMA nodes do not hold each of the {count} devices once",
            here,
            f"{count} devices here",
        )


def _check_efa(facts: InstanceFacts, device_map: DeviceMap | None) -> Iterator[Diagnostic]:
    efa, network = facts.efa, facts.network
    if efa is None:
        return
    total = efa.interfaces * (efa.gbps_per_interface or 0)
    if network and network.gbps and total and network.gbps != total:
        yield _conflict(
            efa.places.value("interfaces"),
            f"{efa.interfaces} interfaces of {efa.gbps_per_interface} Gbps make {total} Gbps,"
            f" not {network.gbps}",
            network.places.value("gbps"),
            "the whole network",
        )
    if device_map is None:
        return
    addresses = device_map.efa.places.key("addresses")
    found = len(device_map.interfaces)
    if found != efa.interfaces:
        yield _conflict(
            efa.places.value("interfaces"),
            f"{efa.interfaces} EFA interfaces, and the map `{efa.device_map}` has {found}",
            addresses,
            f"{found} different addresses here",
        )
    if device_map.device_count != facts.devices.count:
        yield _conflict(
            facts.devices.places.value("count"),
            f"{facts.devices.count} devices, and the map `{efa.device_map}` has"
            f" {device_map.device_count}",
            addresses,
            f"{device_map.device_count} devices here",
        )


def _check_ultra_server(facts: InstanceFacts, chip: Chip) -> Iterator[Diagnostic]:
    server = facts.ultra_server
    if server is None or server.nodes is None:
        return
    nodes = server.places.value("nodes")
    devices = server.nodes * facts.devices.count
    if server.devices not in (None, devices):
        yield _conflict(
            server.places.value("devices"),
            f"{server.nodes} nodes of {facts.devices.count} devices have {devices},"
            f" not {server.devices}",
            facts.devices.places.value("count"),
            "devices of one node",
        )
    hbm = devices * chip.memory.hbm_gib
    if server.hbm_gib not in (None, hbm):
        yield _conflict(
            server.places.value("hbmGiB"),
            f"{devices} devices have {hbm} GiB of HBM, not {server.hbm_gib}",
            chip.memory.places.value("hbmGiB"),
            "HBM of one device",
        )
    for index, size in enumerate(server.node_sizes):
        if size > server.nodes:
            yield _conflict(
                server.places.item("nodeSizes", index),
                f"{size} nodes are more than the {server.nodes} of the UltraServer",
                nodes,
                "nodes of one UltraServer",
            )
        elif server.nodes % size:
            yield _conflict(
                server.places.item("nodeSizes", index),
                f"{server.nodes} nodes do not make sets of {size}",
                nodes,
                "nodes of one UltraServer",
            )


def _check_published(
    facts: InstanceFacts, device_map: DeviceMap | None, attributes: Mapping[str, Attribute]
) -> Iterator[Diagnostic]:
    published = facts.published
    if published is None or not attributes:
        return
    named = {*published.present, *published.unknown}
    if published.resource_types and named <= attributes.keys():
        yield from _check_needed(published, attributes)
    for where in ("present", "unknown"):
        for index, name in enumerate(getattr(published, where)):
            span = published.places.item(where, index)
            attribute = attributes.get(name)
            if attribute is None:
                yield codes.UNKNOWN_ATTRIBUTE.at(
                    span,
                    f"the Neuron driver publishes no attribute `{name}`",
                    help=did_you_mean(name, attributes),
                )
            elif where == "present":
                yield from _check_value(name, attribute, span, facts, device_map)


def _check_needed(
    published: Published, attributes: Mapping[str, Attribute]
) -> Iterator[Diagnostic]:
    """Check that every device has what the compiler's own selectors read without a guard."""
    for name in attributes:
        if name.rpartition("/")[2] not in NEEDED or name in published.present:
            continue
        fault, span = "not published", published.places.value("present")
        if name in published.unknown:
            index = published.unknown.index(name)
            fault, span = "unknown", published.places.item("unknown", index)
        yield codes.NEEDED_ATTRIBUTE.at(
            span,
            f"`{name}` is {fault}, and device classes or pinned drivers read it: a device without "
            "it would end the search of the scheduler",
            help="list it in `present`; while nobody knows, leave `resourceTypes` out",
        )


def _check_value(
    name: str,
    attribute: Attribute,
    span: Span,
    facts: InstanceFacts,
    device_map: DeviceMap | None,
) -> Iterator[Diagnostic]:
    """Check that what an attribute is computed from is known."""
    if attribute.value == "deviceGroup":
        sizes = device_map.sizes if device_map else ()
        if attribute.size not in sizes:
            yield codes.INCONSISTENT_NUMBERS.at(
                span,
                f"`{name}` is published, and no device map has groups of {attribute.size}",
                help="name the device map in `efa.deviceMap`, or list the attribute as `unknown`",
            )
    link = facts.neuron_link
    if attribute.value in TORUS_VALUES and (link is None or link.rows is None):
        yield codes.INCONSISTENT_NUMBERS.at(
            span,
            f"`{name}` is published, and the devices have no rows and columns",
            help="give `rows` and `columns` in `neuronLink`, or list the attribute as `unknown`",
        )
