"""What `targets` tells, as plain data: rows of the list, and everything about one instance type.

In: instance types of the catalogue and the driver that serves them. Out: JSON values. A null is not
known, an empty list or map is none; `facts` has the keys of the file, and lacks what nobody knows.
Chooses no layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.device_map import DeviceMap
from neuron_dra.catalog.driver import Driver
from neuron_dra.catalog.facts import Facts
from neuron_dra.catalog.instance_type import NEURON_NODE, InstanceType
from neuron_dra.syntax.decode import Model

AVAILABLE = "available"
PRIVATE = "private"  # the status of what the catalogue calls no offering of EC2


def list_types(
    catalog: Catalog, *, everything: bool
) -> tuple[list[InstanceType], list[InstanceType]]:
    """Return the instance types to list, available ones first, and those to hide."""
    named = {name for chart in _charts(catalog) for name in chart}
    found = [catalog.instance_type(name) for name in catalog.instance_type_names()]
    sound = sorted((each for each in found if each is not None), key=_rank)
    shown = [each for each in sound if everything or each.name in named or can_be_had(each)]
    return shown, [each for each in sound if each not in shown]


def _charts(catalog: Catalog) -> Iterator[tuple[str, ...]]:
    """Yield the node list of every chart release."""
    for name in catalog.driver_names():
        driver = catalog.driver(name)
        for chart in driver.charts.values() if driver else ():
            yield chart.instance_types


def _rank(found: InstanceType) -> tuple[bool, str, int, str]:
    family = found.name.partition(".")[0]
    return not can_be_had(found), family, found.device_count, found.name


def can_be_had(found: InstanceType) -> bool:
    """Tell whether EC2 offers it, or it is somebody's own."""
    return _status(found) in (AVAILABLE, PRIVATE)


def _status(found: InstanceType) -> str:
    return found.facts.offering.status if found.facts.offering else PRIVATE


def summarize(found: InstanceType) -> dict[str, Any]:
    """Return a row of the list."""
    efa = found.facts.efa
    return {
        "name": found.name,
        "status": _status(found),
        "servedByNeuronDriver": found.served.value,
        "chip": found.facts.chip,
        "devices": found.device_count,
        "neuronCores": found.device_count * found.chip.neuron_cores.per_device,
        "hbmGiB": found.hbm_gib,
        "efaInterfaces": efa.interfaces if efa else None,
        "efaGbpsPerInterface": efa.gbps_per_interface if efa else None,
        "connectedSizes": _connected_sizes(found),
        "ultraServerNodeSizes": _node_sizes(found),
    }


def _connected_sizes(found: InstanceType) -> list[int] | None:
    if found.facts.connected is None and not hands_out_nodes_only(found):
        return None
    return list(found.connected_sizes)


def hands_out_nodes_only(found: InstanceType) -> bool:
    """Tell whether whole nodes of an UltraServer are all that can be claimed there."""
    published = found.facts.published
    return published is not None and published.resource_types == (NEURON_NODE,)


def _node_sizes(found: InstanceType) -> list[int] | None:
    return [] if is_of_no_ultra_server(found) else list(found.node_sizes) or None


def is_of_no_ultra_server(found: InstanceType) -> bool:
    """Tell whether it is a node of no UltraServer, not just a name of which little is known."""
    described = can_be_had(found) or found.facts.neuron_link is not None
    return found.facts.ultra_server is None and described


def describe(found: InstanceType, driver: Driver | None) -> dict[str, Any]:
    """Return everything that is known of one instance type."""
    device_map = found.device_map
    return {
        **summarize(found),
        "facts": {name: plain(group) for name, group in fact_groups(found.facts).items()},
        "chipFacts": {name: plain(group) for name, group in fact_groups(found.chip).items()},
        "attributes": list_attributes(found, driver),
        "torus": [list(row) for row in torus_rows(found)],
        "deviceMap": plain(device_map) if device_map else {},
        "deviceGroups": list_groups(found, device_map) if device_map else [],
    }


def fact_groups(sheet: Model) -> dict[str, Facts]:
    """Return the groups of facts that a file has, by their keys, in the order of the schema."""
    groups = {
        declared.name: getattr(sheet, declared.attribute) for declared in type(sheet).KEYS.values()
    }
    return {name: group for name, group in groups.items() if isinstance(group, Facts)}


def plain(value: Any) -> Any:
    """Return a value of the catalogue as JSON has it; of a model, the keys that were written."""
    if isinstance(value, Model):
        return {
            declared.name: plain(getattr(value, declared.attribute))
            for declared in type(value).KEYS.values()
            if value.places.has(declared.name)
        }
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, tuple) else value


def list_attributes(found: InstanceType, driver: Driver | None) -> list[dict[str, Any]]:
    """Return the attributes of the driver and whether the devices there have them."""
    names = driver.attributes.names if driver and driver.attributes else {}
    return [
        {
            "name": name,
            "type": attribute.type,
            "published": found.publishes(name).value,
            "live": attribute.live,
            "note": attribute.note,
        }
        for name, attribute in names.items()
    ]


def torus_rows(found: InstanceType) -> list[range]:
    """Return the device ids of each row of the torus; none where there is no torus."""
    if found.torus is None:
        return []
    rows, columns = found.torus
    return [range(row * columns, (row + 1) * columns) for row in range(rows)]


def list_groups(found: InstanceType, device_map: DeviceMap) -> list[dict[str, Any]]:
    """Return the device groups with their ids, by rising size."""
    return [
        {
            "size": size,
            "attribute": found.group_attributes.get(size),
            "id": device_map.group_id(size, start),
            "devices": list(range(start, start + size)),
            "efaInterfaces": len(set(device_map.efa.addresses[start : start + size])),
        }
        for size in device_map.sizes
        for start in range(0, device_map.device_count, size)
    ]
