"""What a plan says of the drivers: expressions and parameters in the drivers' own words.

The names come from the catalogue's driver files, so that no driver's spelling stands in code.
"""

from __future__ import annotations

from dataclasses import dataclass

from neuron_dra.catalog.catalog import Catalog


@dataclass(frozen=True, slots=True)
class NeuronDriver:
    """The Neuron DRA driver's words.

    Attributes:
        name: the driver's name, also the domain of its attributes.
        instance_type, resource_type, driver_version: ids of attributes in that domain.
        api_version: of its opaque parameters.
        vended_class: the DeviceClass that its chart creates.
    """

    name: str
    api_version: str
    vended_class: str
    instance_type: str = "instanceType"
    resource_type: str = "resourceType"
    driver_version: str = "neuronDriverVersion"

    def attribute(self, identifier: str) -> str:
        return f'device.attributes["{self.name}"].{identifier}'

    def class_expression(self, instance_types: tuple[str, ...], resource_type: str) -> str:
        """Return a selector that reads an attribute only of this driver's own devices."""
        attribute = self.attribute(self.instance_type)
        if len(instance_types) == 1:
            kind = f'{attribute} == "{instance_types[0]}"'
        else:
            names = ", ".join(f'"{name}"' for name in instance_types)
            kind = f"{attribute} in [{names}]"
        resource = f'{self.attribute(self.resource_type)} == "{resource_type}"'
        return f'device.driver == "{self.name}" && {kind} && {resource}'

    def version_expression(self, version: str) -> str:
        return f'{self.attribute(self.driver_version)} == "{version}"'

    def neuron_config(self, logical_neuron_core: int) -> dict[str, str | int]:
        return self._parameters("NeuronConfig", "logicalNeuronCore", logical_neuron_core)

    def ultra_server_config(self, nodes: int) -> dict[str, str | int]:
        return self._parameters("UltraServerConfig", "ultraserverMode", nodes)

    def _parameters(self, kind: str, key: str, value: int) -> dict[str, str | int]:
        return {"apiVersion": self.api_version, "kind": kind, key: value}


@dataclass(frozen=True, slots=True)
class EfaDriver:
    """The EFA DRA driver's words."""

    name: str
    device: str  # the value of `pciDevice` on an EFA interface

    def class_expression(self) -> str:
        """Return a selector of EFA interfaces; other interfaces may lack the attribute."""
        optional = f'device.attributes["{self.name}"].?pciDevice.orValue("")'
        return f'device.driver == "{self.name}" && {optional} == "{self.device}"'


def neuron_driver(catalog: Catalog) -> NeuronDriver | None:
    """Return the Neuron driver's words; None when its facts are not sound."""
    facts = catalog.driver("neuron")
    if facts is None:
        return None
    assert facts.driver
    assert facts.device_class
    assert facts.configs
    api_version = facts.configs.kinds["NeuronConfig"].api_version
    return NeuronDriver(facts.driver.name, api_version, facts.device_class.name)


def efa_driver(catalog: Catalog) -> EfaDriver | None:
    """Return the EFA driver's words; None when its facts are not sound."""
    facts = catalog.driver("efa")
    if facts is None:
        return None
    assert facts.driver
    assert facts.attributes
    device = facts.attributes.names[f"{facts.driver.name}/pciDevice"].constant
    assert device is not None
    return EfaDriver(facts.driver.name, device)
