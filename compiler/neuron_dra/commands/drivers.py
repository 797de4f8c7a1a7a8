"""The drivers that a verb is asked about.

In: the choice of `--driver` and the catalogue. Out: what is known of those drivers.
"""

from __future__ import annotations

from collections.abc import Callable

import click

from neuron_dra.catalog.catalog import NEURON, Catalog
from neuron_dra.catalog.driver import Driver
from neuron_dra.commands.options import Decorated

EFA = "efa"
DRIVERS = {NEURON: (NEURON,), EFA: (EFA,), "all": (NEURON, EFA)}


def choose_driver(default: str, help: str) -> Callable[[Decorated], Decorated]:
    """Add `driver`: one of the drivers, or all."""
    return click.option(
        "--driver", type=click.Choice(list(DRIVERS)), default=default, show_default=True, help=help
    )


def known_drivers(catalog: Catalog, driver: str) -> list[Driver]:
    """Return what is known of the drivers; one whose facts are not sound is left out."""
    found = map(catalog.driver, DRIVERS[driver])
    return [each for each in found if each is not None]
