"""Node pools: groups of equal cluster nodes that others create."""

from __future__ import annotations

import re

from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.spec.names import (
    EFFECT,
    INSTANCE_TYPE,
    INSTANT,
    LABEL_NAME,
    LABELS,
    NEURON_DRIVER_VERSION,
    PATCH_VERSION,
    SDK_VERSION,
)
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ByShape, ListOf
from neuron_dra.syntax.decode import Model, ModelReader, key, model
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import INT32_MAX, checked, choice, integer, matching

MECHANISM = choice("dra", "device-plugin")
# Of Availability, Local and Wavelength Zones: EC2 user guide, Regions and Zones, 2026-12-01.
_ZONE_NAME = r"[a-z]{2}(-[a-z]+)+-[0-9]+([a-z]|(-[a-z0-9]+)+)"
_ZONE_ID = r"[a-z]{3,}[0-9]+(-[a-z0-9]+)*-az[0-9]+"
ZONE = matching("the name or id of a zone", f"{_ZONE_NAME}|{_ZONE_ID}", "us-west-2a")
CAPACITY_BLOCK = matching(
    "the id of a capacity block", r"cb-[0-9a-f]{8}([0-9a-f]{9})?", "cb-0a1b2c3d4e5f67890"
)
NUMBER = integer(least=0, most=INT32_MAX)
ENDING = ("reservation", "capacity-block")


def is_outside(zone: str, region: str) -> bool:
    """Tell whether a zone surely lies in another region; an id does not say its region."""
    return re.fullmatch(_ZONE_NAME, zone) is not None and not zone.startswith(region)


@model
class Bounds(Model):
    """A number of nodes that an autoscaler moves."""

    min: int = key(NUMBER, "The fewest nodes.")
    max: int = key(NUMBER, "The most nodes.")

    def check(self, context: Context) -> None:
        if self.min > self.max:
            context.add(
                codes.INVALID_VALUE.at(
                    self.places.value("min"), f"`min` {self.min} is more than `max` {self.max}"
                )
            )


@model
class Taint(Model):
    """A taint of the pool's cluster nodes."""

    key_: str = key(checked("a taint key", formats.label_key), "The taint's key.")
    value: str = key(checked("a taint value", formats.label_value), "Its value.", default="")
    effect: str = key(EFFECT, "Its effect.")


@model
class Mechanism(Model):
    """Who hands out the devices of the pool's cluster nodes."""

    neuron: str = key(MECHANISM, "Neuron devices.", default="dra")
    efa: str = key(MECHANISM, "EFA interfaces.", default="dra")


@model
class Capacity(Model):
    """How the pool's instances are bought."""

    type: str = key(choice("on-demand", "spot", "reservation", "capacity-block"), "The purchase.")
    capacity_block_id: str | None = key(CAPACITY_BLOCK, "The capacity block.", default=None)
    end_date: str | None = key(INSTANT, "When the capacity ends.", default=None)

    def check(self, context: Context) -> None:
        if self.capacity_block_id is not None and self.type != "capacity-block":
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.key("capacityBlockId"),
                    "`capacityBlockId` needs `type: capacity-block`",
                )
            )
        if self.end_date is not None and self.type not in ENDING:
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.key("endDate"),
                    f"`endDate` has no meaning with `type: {self.type}`",
                    help="use `type: capacity-block` or `reservation`, or remove the key",
                )
            )


COUNT = ByShape(
    "an integer or a map of `min` and `max`",
    scalar=NUMBER,
    mapping=ModelReader(Bounds),
)


@model
class NodePool(Model):
    """A group of equal cluster nodes."""

    name: str = key(LABEL_NAME, "The pool's name, unique in the cluster.")
    instance_type: str = key(INSTANCE_TYPE, "The EC2 instance type.")
    nodes: int | Bounds | None = key(COUNT, "How many nodes.", default=None)
    ultra_servers: int | Bounds | None = key(
        COUNT, "How many whole UltraServers, in place of `nodes`.", default=None
    )
    node_selector: dict[str, str] = key(
        LABELS, "Node labels by which the pool is found.", default={}
    )
    zones: tuple[str, ...] = key(
        ListOf(ZONE, unique=True), "Availability zones, by name or id.", default=()
    )
    capacity: Capacity | None = key(
        ModelReader(Capacity), "How the instances are bought.", default=None
    )
    node_version: str | None = key(PATCH_VERSION, "The nodes' Kubernetes version.", default=None)
    sdk: str | None = key(SDK_VERSION, "The Neuron SDK of the node image.", default=None)
    neuron_drivers: tuple[str, ...] = key(
        ListOf(NEURON_DRIVER_VERSION, unique=True, least=1),
        "The Neuron driver versions of the nodes; two during an image roll.",
        default=(),
    )
    taints: tuple[Taint, ...] = key(ListOf(ModelReader(Taint)), "The nodes' taints.", default=())
    mechanism: Mechanism | None = key(ModelReader(Mechanism), "DRA or device plugin.", default=None)

    def check(self, context: Context) -> None:
        self._exclude("nodes", "ultraServers", context)
        self._exclude("sdk", "neuronDrivers", context)

    def _exclude(self, first: str, second: str, context: Context) -> None:
        if self.places.has(first) and self.places.has(second):
            context.add(
                codes.KEYS_EXCLUDE.at(
                    self.places.key(second), f"`{second}` cannot stand beside `{first}`"
                )
            )

    @property
    def neuron_mechanism(self) -> str:
        return self.mechanism.neuron if self.mechanism else "dra"

    @property
    def efa_mechanism(self) -> str:
        return self.mechanism.efa if self.mechanism else "dra"

    @property
    def uses_dra(self) -> bool:
        """Whether any device of the pool is handed out by DRA."""
        return "dra" in (self.neuron_mechanism, self.efa_mechanism)
