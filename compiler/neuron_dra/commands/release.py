"""The Kubernetes that a verb is asked about: a minor with feature gates.

In: the texts of `--kubernetes` and `--feature-gates`, and the catalogue. Out: a `Target`. What the
minor does not have is an error of usage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import click

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.kubernetes import KubernetesRelease
from neuron_dra.diagnostics import did_you_mean


@dataclass(frozen=True, slots=True)
class Target:
    """A minor, and which of its feature gates are on."""

    release: KubernetesRelease
    gates: Mapping[str, bool]

    @property
    def minor(self) -> str:
        return self.release.minor


def choose_target(catalog: Catalog, version: str, changed: Mapping[str, bool]) -> Target:
    """Return the release that was asked for, the newest known one by default."""
    minors = catalog.minors()
    release = catalog.kubernetes(version or minors[-1])
    if release is None:
        raise click.BadParameter(
            f"Kubernetes {version} is not known; known are {', '.join(minors)}",
            param_hint="'--kubernetes'",
        )
    for name, on in changed.items():
        _check_gate(release, name, on)
    return Target(release, {**release.default_gates, **changed})


def _check_gate(release: KubernetesRelease, name: str, on: bool) -> None:
    gate = release.gate(name)
    if gate is None:
        hint = did_you_mean(name, release.gates.gates)
        problem = f"Kubernetes {release.minor} has no feature gate `{name}`, {hint}"
    elif gate.locked and gate.default is not on:
        state = "on" if gate.default else "off"
        problem = (
            f"the feature gate `{name}` of Kubernetes {release.minor} is locked: it is {state}"
        )
    else:
        return
    raise click.BadParameter(problem, param_hint="'--feature-gates'")
