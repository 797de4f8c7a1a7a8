"""The catalogue: facts by name, decoded when they are asked for.

In: names of files and a function that reads them, both from `locate.py`. Out: instance types,
chips, drivers, Kubernetes releases and device maps, each decoded once; what is wrong with a file is
collected in `diagnostics` when the file is first asked for. Opens no file itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar, cast

from neuron_dra.catalog.agreement import check_agreement
from neuron_dra.catalog.chip import Chip
from neuron_dra.catalog.consumer import Consumer
from neuron_dra.catalog.device_map import DeviceMap
from neuron_dra.catalog.document import KINDS, Envelope, open_envelope, read_file, read_sheet
from neuron_dra.catalog.driver import Driver
from neuron_dra.catalog.facts import Sheet
from neuron_dra.catalog.instance_facts import InstanceFacts
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.catalog.kubernetes import KubernetesRelease
from neuron_dra.diagnostics import Diagnostic, Related, did_you_mean, has_errors, in_order
from neuron_dra.diagnostics.codes import catalog as codes
from neuron_dra.source import Source, Span
from neuron_dra.syntax.parse import Document, Node, ScalarNode, SequenceNode

Read = Callable[[str], Source | None]
Made = TypeVar("Made", bound=Sheet)

NEURON = "neuron"  # the driver whose attributes the files of `instances/` list


class Catalog:
    """The facts about hardware, drivers and Kubernetes.

    Args:
        read: returns the file of a relative name like `chips/NAME.yaml`.
        names: by folder, the names of its files without their suffix.
        diagnostics: what is already known to be wrong.
    """

    def __init__(
        self,
        read: Read,
        names: Mapping[str, Iterable[str]],
        diagnostics: Iterable[Diagnostic] = (),
    ) -> None:
        self._read = read
        self._names = {folder: frozenset(names.get(folder, ())) for folder in KINDS}
        self._found = list(diagnostics)
        self._private: dict[str, Envelope] = {}  # instance types from specs, by name
        self._sheets: dict[tuple[str, str], Sheet | None] = {}
        self._instance_types: dict[str, InstanceType | None] = {}

    def with_instance_types(self, documents: Iterable[Document]) -> Catalog:
        """Return a catalogue that also has the instance types of some documents."""
        extended = Catalog(self._read, self._names, self._found)
        for document in documents:
            extended._add(document)
        for name in sorted(extended._private):
            extended.instance_type(name)
        return extended

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong with the files that were asked for, in order."""
        return in_order(self._found)

    def instance_type_names(self) -> tuple[str, ...]:
        """Return the names of all instance types, also of those whose facts are not sound."""
        return tuple(sorted(self._names["instances"] | self._private.keys()))

    def instance_type(self, name: str) -> InstanceType | None:
        """Return an instance type; None when there is none, or its facts are not sound."""
        if name not in self._instance_types:
            self._instance_types[name] = self._assemble(name)
        return self._instance_types[name]

    def instance_types_of(self, chip: str) -> tuple[InstanceType, ...]:
        """Return the instance types that have a chip, by name; reads every instance type."""
        found = (self.instance_type(name) for name in self.instance_type_names())
        return tuple(made for made in found if made is not None and made.facts.chip == chip)

    def chip_names(self) -> tuple[str, ...]:
        """Return the names of all chips."""
        return tuple(sorted(self._names["chips"]))

    def chip(self, name: str) -> Chip | None:
        """Return a chip."""
        return self._sheet("chips", name, Chip)

    def driver_names(self) -> tuple[str, ...]:
        """Return the names of all drivers."""
        return tuple(sorted(self._names["drivers"]))

    def driver(self, name: str) -> Driver | None:
        """Return a driver or an operator."""
        return self._sheet("drivers", name, Driver)

    def vended_classes(self) -> frozenset[str]:
        """Return the device classes that the charts of drivers create."""
        drivers = map(self.driver, self.driver_names())
        return frozenset(
            each.device_class.name for each in drivers if each is not None and each.device_class
        )

    def chart_namespaces(self) -> dict[str, str]:
        """Return the namespaces of the charts' components, each with its first driver's name."""
        found: dict[str, str] = {}
        for name in self.driver_names():
            driver = self.driver(name)
            for chart in driver.charts.values() if driver is not None else ():
                for namespace in chart.namespaces.values():
                    found.setdefault(namespace, name)
        return found

    def minors(self) -> tuple[str, ...]:
        """Return the minor versions of Kubernetes, oldest first."""
        return tuple(sorted(self._names["kubernetes"], key=_version_key))

    def kubernetes(self, version: str) -> KubernetesRelease | None:
        """Return the release of a Kubernetes version, given with or without its patch."""
        minor = ".".join(version.split(".")[:2])
        return self._sheet("kubernetes", minor, KubernetesRelease)

    def device_map(self, name: str) -> DeviceMap | None:
        """Return a device map."""
        return self._sheet("device-maps", name, DeviceMap)

    def consumer_names(self) -> tuple[str, ...]:
        """Return the names of all consumers of claims."""
        return tuple(sorted(self._names["consumers"]))

    def consumer(self, name: str) -> Consumer | None:
        """Return a consumer of claims."""
        return self._sheet("consumers", name, Consumer)

    def consumers(self) -> tuple[Consumer, ...]:
        """Return all consumers of claims whose facts are sound, by name."""
        found = map(self.consumer, self.consumer_names())
        return tuple(each for each in found if each is not None)

    def digest(self) -> str:
        """Return the SHA-256 of all facts, read or not; it depends on no path."""
        import hashlib

        hashed = hashlib.sha256()
        for folder, names in self._names.items():
            for name in sorted(names):
                source = self._read(f"{folder}/{name}.yaml")
                assert source is not None, f"{folder}/{name} was listed and is not there"
                hashed.update(f"{folder}/{name} {len(source.data)}\n".encode())
                hashed.update(source.data)
        for name, envelope in sorted(self._private.items()):
            data = _text_of(envelope.spec.node).encode()
            hashed.update(f"private/{name} {len(data)}\n".encode())
            hashed.update(data)
        return hashed.hexdigest()

    def _add(self, document: Document) -> None:
        envelope, problems = open_envelope(document, KINDS["instances"])
        self._found += problems
        if envelope is None:
            return
        name, span = envelope.metadata.name, envelope.metadata.places.value("name")
        first = self._defined_at(name)
        if first is None:
            self._private[name] = envelope
            return
        self._found.append(
            codes.REDEFINED_TYPE.at(
                span,
                f"the catalogue already has an instance type `{name}`",
                related=[Related(first, "here")],
                help="give this one another name, or correct the catalogue by an overlay",
            )
        )

    def _defined_at(self, name: str) -> Span | None:
        if name in self._private:
            return self._private[name].metadata.places.value("name")
        source = self._source("instances", name)
        return Span.of_file(source) if source else None

    def _source(self, folder: str, name: str) -> Source | None:
        return self._read(f"{folder}/{name}.yaml") if name in self._names[folder] else None

    def _sheet(self, folder: str, name: str, cls: type[Made]) -> Made | None:
        place = (folder, name)
        if place not in self._sheets:
            self._sheets[place] = self._decode(folder, name)
        return cast("Made | None", self._sheets[place])

    def _decode(self, folder: str, name: str) -> Sheet | None:
        kind = KINDS[folder]
        source = self._source(folder, name)
        if folder == "instances" and name in self._private:
            sheet, problems = read_sheet(self._private[name], kind)
        elif source is not None:
            sheet, problems = read_file(source, kind, name)
        else:
            return None
        self._found += problems
        if isinstance(sheet, Driver):
            for index, need in enumerate(sheet.needs):
                self._refer("drivers", "driver", need, sheet.places.item("needs", index))
        return sheet

    def _assemble(self, name: str) -> InstanceType | None:
        """Join the facts of an instance type with what they refer to."""
        facts = self._sheet("instances", name, InstanceFacts)
        if facts is None:
            return None
        chip = self.chip(facts.chip)
        if chip is None:
            self._refer("chips", "chip", facts.chip, facts.places.value("chip"))
        map_name = facts.efa.device_map if facts.efa else None
        device_map = self.device_map(map_name) if map_name else None
        if facts.efa and map_name and device_map is None:
            self._refer("device-maps", "device map", map_name, facts.efa.places.value("deviceMap"))
        if chip is None or (map_name and device_map is None):
            return None
        return self._agreed(InstanceType(name, facts, chip, device_map, self._group_attributes()))

    def _group_attributes(self) -> dict[int, str]:
        driver = self.driver(NEURON)
        return driver.group_attributes if driver else {}

    def _agreed(self, made: InstanceType) -> InstanceType | None:
        driver = self.driver(NEURON)
        attributes = driver.attributes.names if driver and driver.attributes else {}
        problems = list(check_agreement(made.facts, made.chip, made.device_map, attributes))
        self._found += problems
        return None if has_errors(problems) else made

    def _refer(self, folder: str, what: str, name: str, span: Span) -> None:
        """Diagnose a name that leads nowhere; one that leads to an unsound file already was."""
        known = self._names[folder]
        if name not in known:
            self._found.append(
                codes.UNKNOWN_NAME.at(
                    span, f"there is no {what} `{name}`", help=did_you_mean(name, known)
                )
            )


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))


def _text_of(node: Node) -> str:
    """Write nodes as one text that comments and layout do not change."""
    if isinstance(node, ScalarNode):
        return repr(node.value)
    if isinstance(node, SequenceNode):
        return f"[{','.join(_text_of(child) for child in node.value)}]"
    pairs = sorted((_text_of(name), _text_of(value)) for name, value in node.value)
    return f"{{{','.join(f'{name}:{value}' for name, value in pairs)}}}"
