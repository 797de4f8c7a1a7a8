"""Opaque parameters of known drivers: what the driver fails on, after the pod was scheduled.

In: an object as plain data and the catalogue. Out: what is wrong with the parameters in it. The API
server does not look into them, so this stands beside its verdict. Of a driver that is not in the
catalogue nothing is said, nor whether a value suits the instance type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from neuron_dra.admission.problem import Problem, inner_field, item_field
from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.driver import ConfigField, ConfigKind, Configs
from neuron_dra.diagnostics import did_you_mean

_TYPES: Mapping[str, type] = {"integer": int, "string": str, "boolean": bool, "map": dict}
_HEAD = ("apiVersion", "kind")
# Where kinds keep their configs.
_PLACES: Mapping[str, tuple[str, ...]] = {
    "ResourceClaim": ("spec", "devices"),
    "ResourceClaimTemplate": ("spec", "spec", "devices"),
    "DeviceClass": ("spec",),
}


class Findings(NamedTuple):
    """What is wrong with parameters.

    Attributes:
        refused: what the driver fails on.
        doubtful: what it may fail on: forms of older drivers.
    """

    refused: list[Problem]
    doubtful: list[Problem]


def check_parameters(data: Mapping[str, Any], catalog: Catalog) -> Findings:
    """Check the parameters of every config of an object."""
    found = Findings([], [])
    for field, driver, parameters in _list_parameters(data):
        configs = _configs_by_driver(catalog).get(driver)
        if configs is not None and isinstance(parameters, dict):
            _check(parameters, field, driver, configs, found)
    return found


@lru_cache(maxsize=4)
def _configs_by_driver(catalog: Catalog) -> Mapping[str, Configs]:
    drivers = [driver for name in catalog.driver_names() if (driver := catalog.driver(name))]
    return {each.driver.name: each.configs for each in drivers if each.driver and each.configs}


def _list_parameters(data: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield field, driver and parameters of every config, as far as they are there."""
    path = _PLACES.get(str(data.get("kind")), ())
    for name in path:
        data = data.get(name) if isinstance(data, dict) else None
    configs = data.get("config") if path and isinstance(data, dict) else None
    for index, config in enumerate(configs if isinstance(configs, list) else ()):
        opaque = config.get("opaque") if isinstance(config, dict) else None
        if isinstance(opaque, dict):
            field = f"{item_field('.'.join((*path, 'config')), index)}.opaque.parameters"
            yield field, str(opaque.get("driver")), opaque.get("parameters")


def _check(
    parameters: dict[str, Any], field: str, driver: str, configs: Configs, found: Findings
) -> None:
    name, api_version = parameters.get("kind"), parameters.get("apiVersion")
    kind = configs.kinds.get(str(name))
    if kind is None:
        message = f"the driver `{driver}` takes no `{name}`"
        help_text = did_you_mean(str(name), configs.kinds)
        found.refused.append(Problem(f"{field}.kind", message, help_text))
        return
    if api_version != kind.api_version:
        is_former = api_version in kind.former_api_versions
        verb = "may not take" if is_former else "does not take"
        message = f"the driver `{driver}` {verb} the apiVersion `{api_version}`"
        problem = Problem(f"{field}.apiVersion", message, f"write `{kind.api_version}`")
        (found.doubtful if is_former else found.refused).append(problem)
    found.refused.extend(_check_fields(parameters, field, kind))


def _check_fields(parameters: dict[str, Any], field: str, kind: ConfigKind) -> Iterator[Problem]:
    for name, value in parameters.items():
        if name in _HEAD:
            continue
        place, known = inner_field(field, name), kind.fields.get(name)
        if known is None:
            advice = did_you_mean(name, kind.fields)
            message = f"`{parameters['kind']}` has no field `{name}`"
            yield Problem(place, message, advice, at_key=True)
        elif reason := _check_value(value, known):
            yield Problem(place, f"`{name}` {reason}")
    for name, known in kind.fields.items():
        if known.required and name not in parameters:
            yield Problem(field, f"`{parameters['kind']}` needs the field `{name}`")


def _check_value(value: Any, known: ConfigField) -> str:
    expected = _TYPES[known.type]
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is int):
        return f"is `{value}`, and must be of type {known.type}"
    if known.allowed and value not in known.allowed:
        return f"is `{value}`, allowed are " + ", ".join(f"`{each}`" for each in known.allowed)
    if isinstance(value, int) and known.least is not None and value < known.least:
        return f"is `{value}`, must be at least {known.least}"
    return ""
