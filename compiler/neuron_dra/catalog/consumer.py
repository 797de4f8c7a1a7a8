"""Consumers: what handles pods that have claims, and which parts of a claim it can handle.

In: a file of `consumers/`. Out: `Consumer`. A consumer may be used in several ways, each of which
knows other things in other versions. What a claim has of these parts is for others to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_dra.catalog.facts import Answer, Facts, Sheet
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ListOf, MapOf
from neuron_dra.syntax.decode import Model, ModelReader, key, model
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import boolean, checked, matching, text

VERSION = matching("a version", r"[0-9]+(\.[0-9]+){0,2}", "0.17")
LABEL = checked("a label key", formats.label_key)


@model
class Part(Facts):
    """What a consumer makes of one part of a claim."""

    usable: bool | None = key(
        boolean(), "Whether it can handle the part; absent: not known.", default=None
    )
    reason: str = key(text(), "Why not, or what is not known.", default="")
    says: str = key(text(), "What the user sees, in the consumer's own words.", default="")
    rewrite: str = key(text(), "What to write in its place, where that helps.", default="")

    @property
    def answer(self) -> Answer:
        return Answer.of(self.usable)


def _part(doc: str) -> Any:
    return key(ModelReader(Part), doc, default=None)


@model
class Parts(Model):
    """The parts of a claim; of an absent one nothing is known."""

    neuron: Part | None = _part("Neuron devices as devices of DRA.")
    efa: Part | None = _part("EFA interfaces as devices of DRA.")
    template: Part | None = _part("A claim from a ResourceClaimTemplate.")
    direct_claim: Part | None = _part("A ResourceClaim that the pod names.")
    exact_count: Part | None = _part("A number of devices of a class.")
    all: Part | None = _part("All devices of a class that match.")
    first_available: Part | None = _part("Alternatives in order of preference.")
    selectors: Part | None = _part("Selectors in a request.")
    tolerations: Part | None = _part("Tolerations in a request.")
    capacity: Part | None = _part("A share of a device.")
    admin_access: Part | None = _part("Access beside the owner of a device.")
    constraints: Part | None = _part("Devices that share or differ in an attribute.")
    device_groups: Part | None = _part("The attributes of device groups, in constraints.")
    config: Part | None = _part("Parameters for the driver.")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all parts, in order of weight."""
        return tuple(cls.KEYS)

    def part(self, name: str) -> Part | None:
        """Return what is known of a part."""
        found: Part | None = getattr(self, self.KEYS[name].attribute)
        return found


@model
class ConsumerRelease(Model):
    """Versions that handle claims alike."""

    since: str | None = key(VERSION, "The first version; absent: all before.", default=None)
    until: str | None = key(VERSION, "The last version; absent: all after.", default=None)
    default: bool = key(boolean(), "Whether it is so when nobody configures it.", default=False)
    needs: str = key(text(), "What must be set for it.", default="")
    parts: Parts | None = key(ModelReader(Parts), "By part of a claim.", default=None)
    rest: Part | None = key(
        ModelReader(Part), "Every part that `parts` does not name.", default=None
    )

    def check(self, context: Context) -> None:
        if self.parts is None and self.rest is None:
            context.add(
                codes.MISSING_KEY.at(self.places.span, "one of `parts` and `rest` is required here")
            )

    def includes(self, version: str) -> bool:
        """Tell whether a version is one of these; `until` a minor includes all its patches."""
        number = version_key(version)
        since, until = version_key(self.since or ""), version_key(self.until or "")
        return since <= number and (not until or number[: len(until)] <= until)

    def part(self, name: str) -> Part | None:
        """Return what is known of a part of a claim."""
        found = self.parts.part(name) if self.parts else None
        return found or self.rest


@model
class Way(Model):
    """One way of using a consumer."""

    title: str = key(text(), "What it does, in a few words.", default="")
    releases: tuple[ConsumerRelease, ...] = key(
        ListOf(ModelReader(ConsumerRelease), least=1), "By version, oldest first."
    )

    def release(self, version: str) -> ConsumerRelease | None:
        """Return what is known of a version, or None when nothing is."""
        return next((each for each in self.releases if each.includes(version)), None)


@model
class Consumer(Sheet):
    """A controller, a kind of capacity or a kubelet that has to handle pods with claims."""

    title: str = key(text(), "Its name as its makers write it.")
    version_from: str | None = key(
        text(), "The key of a cluster that says the version, like `kubernetes`.", default=None
    )
    workload_label: str | None = key(
        LABEL, "The label that puts a workload under it.", default=None
    )
    node_labels: dict[str, str] = key(
        MapOf(checked("a label value", formats.label_value), formats.label_key),
        "The labels of the nodes that it runs.",
        default={},
    )
    ways: dict[str, Way] = key(MapOf(ModelReader(Way)), "The ways of using it.")

    def runs(self, labels: Mapping[str, str]) -> bool:
        """Tell whether nodes with some labels are its own."""
        own = self.node_labels
        return bool(own) and all(labels.get(name) == value for name, value in own.items())


def version_key(version: str) -> tuple[int, ...]:
    """Return a version as numbers, to be compared."""
    return tuple(int(part) for part in version.split(".") if part)
