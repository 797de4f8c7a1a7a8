"""Chips: what one Neuron device is, whichever instance type it sits in."""

from __future__ import annotations

from neuron_dra.catalog.facts import Facts, Sheet
from neuron_dra.diagnostics.codes import catalog as codes
from neuron_dra.syntax.containers import ListOf
from neuron_dra.syntax.decode import ModelReader, key, model
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import integer, text


@model
class NeuronCores(Facts):
    """The physical NeuronCores of one device."""

    per_device: int = key(integer(least=1), "How many one device has.")
    version: str = key(text(), "The NeuronCore generation.")


@model
class Memory(Facts):
    """The device memory."""

    hbm_gib: int = key(integer(least=1), "HBM of one device in GiB.", name="hbmGiB")


@model
class LogicalNeuronCore(Facts):
    """How many physical NeuronCores may make one logical NeuronCore."""

    allowed: tuple[int, ...] = key(
        ListOf(integer(least=1), unique=True, least=1), "The sizes that the chip knows."
    )
    default: int = key(integer(least=1), "The size that holds when nothing is said.")

    def check(self, context: Context) -> None:
        Facts.check(self, context)
        if self.default not in self.allowed:
            sizes = ", ".join(str(size) for size in self.allowed)
            context.add(
                codes.INCONSISTENT_NUMBERS.at(
                    self.places.value("default"),
                    f"the default {self.default} is not among the allowed sizes {sizes}",
                )
            )


@model
class Chip(Sheet):
    """One generation of Neuron devices."""

    display_name: str = key(text(), "The name that AWS writes.")
    neuron_cores: NeuronCores = key(ModelReader(NeuronCores), "Physical NeuronCores.")
    memory: Memory = key(ModelReader(Memory), "Device memory.")
    logical_neuron_core: LogicalNeuronCore = key(
        ModelReader(LogicalNeuronCore), "Sizes of a logical NeuronCore."
    )
