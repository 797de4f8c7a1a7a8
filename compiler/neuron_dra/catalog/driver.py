"""Drivers: the names they publish under, what they publish, and the configuration they take.

In: a file of `drivers/`. Out: `Driver`. A component without slices (an operator) has no `driver`.
Attributes are described by how their value comes about, so that slices can be predicted from data.
"""

from __future__ import annotations

from typing import Any

from neuron_dra.catalog.chart import Chart
from neuron_dra.catalog.facts import (
    CHART_VERSION,
    MINOR,
    NAME,
    NEURON_DRIVER_VERSION,
    PATCH,
    QUALIFIED_NAME,
    SDK_VERSION,
    Facts,
    Sheet,
)
from neuron_dra.diagnostics import did_you_mean
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ListOf, MapOf
from neuron_dra.syntax.decode import Model, ModelReader, Scalar, key, model
from neuron_dra.syntax.scalars import boolean, checked, choice, integer, text

OBJECT_NAME = checked("a name", formats.dns_subdomain)


def _check_by(reader: Any) -> formats.Check:
    """Make a check of map keys from a reader of scalars."""

    def check(text: str) -> str:
        try:
            reader.convert(text)
        except ValueError as error:
            return str(error).removeprefix(f"`{text}` ")
        return ""

    return check


def _plain(text: str) -> int | bool | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() else text


VALUE = Scalar("a value", _plain, {"type": ["integer", "boolean", "string"]}, quoted=True)


@model
class DriverName(Facts):
    """The DRA driver."""

    name: str = key(OBJECT_NAME, "`spec.driver` of its slices, and the domain of its attributes.")
    extended_resources: tuple[str, ...] = key(
        ListOf(checked("an extended resource", formats.extended_resource), unique=True),
        "What the device plugin for the same devices calls them.",
        default=(),
    )


@model
class VendedClass(Facts):
    """The DeviceClass that the chart brings."""

    name: str = key(OBJECT_NAME, "Its name.")
    selectors: tuple[str, ...] = key(ListOf(text(), least=1), "Its CEL expressions.")


@model
class KubernetesSupport(Facts):
    """The Kubernetes versions that the driver needs."""

    control_plane: str = key(MINOR, "The oldest control plane.")
    nodes: str | None = key(PATCH, "The oldest kubelet.", default=None)
    barred_nodes: tuple[str, ...] = key(
        ListOf(PATCH, unique=True), "Kubelets on which it does not work.", default=()
    )


@model
class Attribute(Model):
    """One attribute of the devices in the driver's slices."""

    type: str = key(choice("int", "string", "bool", "version"), "Its type.")
    live: bool = key(boolean(), "Whether only a live node knows the value.", default=False)
    value: str | None = key(
        choice(
            "deviceId",
            "instanceType",
            "resourceType",
            "row",
            "column",
            "quotient",
            "deviceGroup",
            "pciAddress",
            "constant",
        ),
        "What the value is, when the catalogue can tell; `quotient` is the device id by `size`.",
        default=None,
    )
    size: int | None = key(integer(least=1), "Of a device group or a quotient.", default=None)
    constant: str | None = key(text(), "The value of a constant.", default=None)
    note: str = key(text(), "What a reader should know.", default="")


@model
class Attributes(Facts):
    """What the driver can publish of a device; instance types say what they do publish."""

    names: dict[str, Attribute] = key(
        MapOf(ModelReader(Attribute), _check_by(QUALIFIED_NAME)), "By qualified name."
    )


@model
class ConfigField(Model):
    """A field of a configuration or of an object; the name may be a dotted path."""

    type: str = key(choice("integer", "string", "boolean", "map"), "Its type.")
    allowed: tuple[int | bool | str, ...] = key(
        ListOf(VALUE, unique=True), "The only values; none when others are allowed.", default=()
    )
    least: int | None = key(integer(), "The least value.", default=None)
    default: int | bool | str | None = key(VALUE, "The value when absent.", default=None)
    required: bool = key(boolean(), "Whether it must be there.", default=False)
    note: str = key(text(), "What a reader should know.", default="")


@model
class ConfigKind(Model):
    """A kind of opaque configuration, or of object, that the driver reads."""

    api_version: str = key(text(), "The apiVersion that it takes.")
    former_api_versions: tuple[str, ...] = key(
        ListOf(text(), unique=True), "Older ones, still found in samples.", default=()
    )
    applies_to: tuple[str, ...] = key(
        ListOf(choice("neuron_device", "neuron_node"), unique=True),
        "The resource types of the requests that may carry it.",
        default=(),
    )
    fields: dict[str, ConfigField] = key(MapOf(ModelReader(ConfigField)), "Its fields.")


@model
class Configs(Facts):
    """The configuration that the driver takes; with no kinds it takes none."""

    strict: bool = key(boolean(), "Whether an unknown field is refused, after scheduling.")
    kinds: dict[str, ConfigKind] = key(MapOf(ModelReader(ConfigKind)), "By kind.", default={})


@model
class SdkVersions(Facts):
    """The kernel driver of each Neuron SDK."""

    neuron_drivers: dict[str, str] = key(
        MapOf(NEURON_DRIVER_VERSION, _check_by(SDK_VERSION)), "By SDK, newest first."
    )


@model
class Driver(Sheet):
    """A driver or an operator, and its chart."""

    driver: DriverName | None = key(
        ModelReader(DriverName), "The DRA driver; absent for an operator.", default=None
    )
    device_class: VendedClass | None = key(
        ModelReader(VendedClass), "The vended DeviceClass.", default=None
    )
    kubernetes: KubernetesSupport | None = key(
        ModelReader(KubernetesSupport), "Kubernetes versions.", default=None
    )
    attributes: Attributes | None = key(ModelReader(Attributes), "Attributes.", default=None)
    configs: Configs | None = key(ModelReader(Configs), "Configuration.", default=None)
    objects: Configs | None = key(ModelReader(Configs), "Kinds of its own API.", default=None)
    sdks: SdkVersions | None = key(ModelReader(SdkVersions), "Neuron SDKs.", default=None)
    needs: tuple[str, ...] = key(
        ListOf(NAME, unique=True), "Drivers that must be installed too.", default=()
    )
    charts: dict[str, Chart] = key(
        MapOf(ModelReader(Chart), _check_by(CHART_VERSION)),
        "Chart releases, by version.",
        default={},
    )

    def chart(self, version: str) -> Chart | None:
        """Return a chart release, or None when nothing is known of that version."""
        return self.charts.get(version)

    def chart_help(self, version: str) -> str:
        """Return help for a chart version that is not known."""
        return did_you_mean(version, self.charts)

    @property
    def group_attributes(self) -> dict[int, str]:
        """By group size, the attribute that carries the id of a device group."""
        names = self.attributes.names if self.attributes else {}
        return {
            attribute.size: name
            for name, attribute in names.items()
            if attribute.value == "deviceGroup" and attribute.size is not None
        }

    def neuron_driver(self, sdk: str) -> str | None:
        """Return the kernel driver version of a Neuron SDK."""
        return self.sdks.neuron_drivers.get(sdk) if self.sdks else None
