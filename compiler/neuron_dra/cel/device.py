"""A device as a selector sees it.

In: a driver and qualified names with values. Out: the variables of an evaluation.
A name without a domain is filed under the driver, as the scheduler does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from neuron_dra.cel.presence import FIELDS, WHOLE
from neuron_dra.cel.quantity import Quantity
from neuron_dra.cel.unknown import PartialMap, UnknownValueError
from neuron_dra.cel.value import Domains, Opaque
from neuron_dra.cel.version import Semver

Scalar = bool | int | str | Semver
Attribute = Scalar | list[bool] | list[int] | list[str] | list[Semver]


class _DeviceValue(Opaque):
    """The variable `device` itself, which is good for nothing but `device == device`."""

    __slots__ = ()
    TYPE_NAME = "kubernetes.DRADevice"


_DEVICE = _DeviceValue(None)
_PRESENT = dict.fromkeys(FIELDS, True)


@dataclass(frozen=True, slots=True, eq=False)
class Device:
    """What an evaluation knows of a device.

    Attributes:
        variables: by their names in an expression.
        lists: the names of attributes with several values.
    """

    variables: Mapping[str, Any]
    lists: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        driver: str,
        attributes: Mapping[str, Attribute],
        capacity: Mapping[str, Quantity | str] | None = None,
        *,
        allow_multiple_allocations: bool = False,
        unknown: Iterable[str] = (),
        doubtful: Iterable[str] = (),
    ) -> Device:
        """Return a device; an attribute of type version is a `Semver`.

        Args:
            unknown: attributes, present, whose values nobody knows.
            doubtful: attributes of which nobody knows whether they are there.
        """
        amounts = {
            name: Quantity.parse(value) if isinstance(value, str) else value
            for name, value in (capacity or {}).items()
        }
        return cls(
            {
                "device": _DEVICE,
                WHOLE: _PRESENT,
                "device.driver": driver,
                "device.attributes": _attributes(driver, attributes, unknown, doubtful),
                "device.capacity": _by_domain(driver, amounts),
                "device.allowMultipleAllocations": allow_multiple_allocations,
            },
            tuple(name for name, value in attributes.items() if isinstance(value, list)),
        )


def split_name(name: str, driver: str) -> tuple[str, str]:
    """Return the domain and the identifier of a qualified name."""
    domain, slash, identifier = name.partition("/")
    return (domain, identifier) if slash else (driver, name)


def _attributes(
    driver: str, values: Mapping[str, Any], unknown: Iterable[str], doubtful: Iterable[str]
) -> Domains:
    """Return attributes by domain; a domain of which something is unknown is a `PartialMap`."""
    hidden = {name: UnknownValueError(name) for name in unknown}
    domains = _by_domain(driver, {**values, **hidden})
    doubts: dict[str, dict[str, str]] = {split_name(name, driver)[0]: {} for name in hidden}
    for name in doubtful:
        domain, identifier = split_name(name, driver)
        doubts.setdefault(domain, {})[identifier] = name
    for domain, identifiers in doubts.items():
        partial = PartialMap(identifiers)
        partial.update(domains.get(domain, {}))
        domains[domain] = partial
    return domains


def _by_domain(driver: str, values: Mapping[str, Any]) -> Domains:
    domains = Domains()
    for name, value in values.items():
        domain, identifier = split_name(name, driver)
        domains.setdefault(domain, {})[identifier] = value
    return domains
