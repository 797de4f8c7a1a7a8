"""The schema of an object's kind in one Kubernetes minor: misspelt fields, values of other types.

In: an object as plain data, holes allowed, and a minor. Out: its problems, or `Unchecked` for a
kind of which no schema is known. The strict schemas that kubernetes-validate carries are closed,
but have no rules between fields, and few of values: those are the work of the other modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from jsonschema_rs import Draft202012Validator, ValidationError

from neuron_dra.admission.bundle import KindIndex, build_schema, index_kinds
from neuron_dra.admission.problem import Problem
from neuron_dra.admission.violation import Explainer
from neuron_dra.diagnostics import did_you_mean
from neuron_dra.kube.definitions import load_definitions
from neuron_dra.kube.hole import fill
from neuron_dra.kube.quantity import is_quantity


class Unchecked(NamedTuple):
    """The answer for an object of a kind that no schema is known of."""

    api_version: str
    kind: str


class _NamesOfHoles(dict[str, str]):
    """Fills every hole with its own name: a schema wants no more than a text."""

    def __missing__(self, hole: str) -> str:
        return str(hole)


_HOLES_FILLED = _NamesOfHoles()


def fill_with_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object in which each hole holds its own name, which is a text as any other."""
    filled: dict[str, Any] = fill(data, _HOLES_FILLED)
    return filled


def check_object(data: Mapping[str, Any], minor: str) -> list[Problem] | Unchecked:
    """Return every problem that the schema of an object's kind finds, in order of the fields."""
    api_version, kind = data.get("apiVersion"), data.get("kind")
    if not isinstance(api_version, str) or not isinstance(kind, str):
        return [
            Problem(name, f"the field `{name}` is required, as a text")
            for name in ("apiVersion", "kind")
            if not isinstance(data.get(name), str)
        ]
    name = kinds_of(minor).name_of(api_version, kind)
    if name:
        return _check_type(data, minor, name)
    return _explain_unknown(api_version, kind, minor)


def _check_type(data: Mapping[str, Any], minor: str, name: str) -> list[Problem]:
    validator = _compile(minor, name)
    try:
        if validator.is_valid(data):
            return []
    except ValueError:  # a hole, for example: only the plain types of Python are taken
        pass
    errors: Iterator[ValidationError] = validator.iter_errors(fill_with_names(data))
    return Explainer(load_definitions(minor), minor, name).explain(errors)


@cache
def _compile(minor: str, name: str) -> Draft202012Validator:
    return Draft202012Validator(
        build_schema(load_definitions(minor), name),
        validate_formats=True,
        formats={"quantity": is_quantity},
    )


@cache
def kinds_of(minor: str) -> KindIndex:
    """Return the kinds that a minor has."""
    return index_kinds(load_definitions(minor))


def _explain_unknown(api_version: str, kind: str, minor: str) -> list[Problem] | Unchecked:
    """Refuse what lies in a group of Kubernetes' own; of other groups no schema is known."""
    kinds = kinds_of(minor)
    group, _, version = api_version.rpartition("/")
    if group not in kinds.groups:
        return Unchecked(api_version, kind)
    others = kinds.versions_of(group, kind)
    if others:
        return [
            Problem(
                "apiVersion",
                f"Kubernetes {minor} has no `{kind}` in `{api_version}`",
                "it is in " + ", ".join(f"`{each}`" for each in others),
            )
        ]
    message = f"Kubernetes {minor} has no kind `{kind}` in `{group or version}`"
    return [Problem("kind", message, did_you_mean(kind, kinds.kinds_of(group)))]
