"""The API server that judges: a Kubernetes minor with feature gates, and how it validates.

In: a release of the catalogue and which gates are on. Out: a `Server`, and its `Dialect`: what one
rule says differently from minor to minor. Limits are facts of the release, not of this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from neuron_dra.catalog.kubernetes import KubernetesRelease, Limits

if TYPE_CHECKING:
    from neuron_dra.cel.environment import Environment

_EFFECTS = ("NoExecute", "NoSchedule", "None")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the code of a minor applies the rules (kubernetes/pkg/apis/resource/validation).

    Attributes:
        looks_into_long_lists: items are checked although there are too many.
        goes_on_without_driver: an empty name of a driver is missing and invalid at once.
        duplicates_name_key: the cause of a duplicate ends with the key, `requests[1].name`.
        judges_both_choices: `exactly` and `firstAvailable` are looked into although both are set.
        empty_names_are_missing: an empty qualified name is a missing value, not an invalid one.
        keys_at_item: the cause of a wrong key of a map lies at the item, not at the map.
        separates_counters: `sharedCounters` and `devices` exclude each other, limits are per list.
        generate_name_free: a DeviceClass's `generateName` is only judged by the name it gives.
        names_meta_items: causes in lists of metadata name the item, and what is missing is missing.
        effects: the effects of a taint.
        checks_steps: ranges of capacities are checked before they are computed with.
        declarative: rules in the types of each API version decide, beside the code.
    """

    looks_into_long_lists: bool
    goes_on_without_driver: bool
    duplicates_name_key: bool
    judges_both_choices: bool
    empty_names_are_missing: bool
    keys_at_item: bool
    separates_counters: bool
    generate_name_free: bool
    names_meta_items: bool
    effects: tuple[str, ...]
    checks_steps: bool
    declarative: bool


@cache
def dialect_of(minor: str) -> Dialect:
    """Return how a minor validates."""
    number = int(minor.partition(".")[2])
    return Dialect(
        looks_into_long_lists=number < 35,
        goes_on_without_driver=number < 35,
        duplicates_name_key=number < 35,
        judges_both_choices=number < 35,
        empty_names_are_missing=number < 35,
        keys_at_item=number < 36,
        separates_counters=number >= 35,
        generate_name_free=number >= 35,
        names_meta_items=number >= 37,
        effects=_EFFECTS if number >= 35 else _EFFECTS[:2],
        checks_steps=number >= 37,
        declarative=number >= 37,
    )


@dataclass(frozen=True)
class Server:
    """An API server of one minor.

    Attributes:
        gates: which feature gates are on, by name; what is not named is off.
    """

    release: KubernetesRelease
    gates: Mapping[str, bool]

    @property
    def minor(self) -> str:
        return self.release.minor

    @property
    def limits(self) -> Limits:
        return self.release.limits

    @property
    def dialect(self) -> Dialect:
        return dialect_of(self.release.minor)

    def is_on(self, gate: str) -> bool:
        """Tell whether a feature gate is on."""
        return self.gates.get(gate, False)

    def environment(self) -> Environment:
        """Return where the expressions of new objects are compiled."""
        from neuron_dra.cel.environment import environment

        return environment(self.minor, self.gates)
