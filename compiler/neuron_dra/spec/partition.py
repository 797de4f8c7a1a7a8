"""Partitions: what may be claimed. A shape of claim, not Kubernetes' DRAPartitionableDevices."""

from __future__ import annotations

from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.spec.gitops import ROLLOUT
from neuron_dra.spec.names import (
    DATE,
    DEVICE_EFFECT,
    INSTANCE_TYPE,
    LABEL_NAME,
    NEURON_DRIVER_VERSION,
    Metadata,
)
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ListOf
from neuron_dra.syntax.decode import Model, ModelReader, key, model, require_one
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import (
    INT64_MAX,
    boolean,
    checked,
    choice,
    count_or,
    integer,
    matching,
    text,
)

FIRST_AVAILABLE_MAX = 8  # FirstAvailableDeviceRequestMaxSize, k8s.io/api resource/v1 types.go
SELECTORS_MAX = 32  # DeviceSelectorsMaxSize, the same file

CHIP = matching("a chip", r"[a-z0-9][a-z0-9-]*", "trainium2")


@model
class DeviceToleration(Model):
    """A toleration of device taints (not of node taints)."""

    key_: str | None = key(
        checked("a taint key", formats.label_key), "The taint's key; absent: all.", default=None
    )
    operator: str = key(choice("Equal", "Exists"), "How the value is compared.", default="Equal")
    value: str = key(checked("a taint value", formats.label_value), "The value.", default="")
    effect: str | None = key(DEVICE_EFFECT, "The effect; absent: all.", default=None)
    toleration_seconds: int | None = key(
        integer(least=0, most=INT64_MAX), "How long `NoExecute` is tolerated.", default=None
    )

    def check(self, context: Context) -> None:
        if self.operator == "Exists" and self.value:
            context.add(
                codes.KEYS_EXCLUDE.at(
                    self.places.key("value"), "`value` cannot stand beside `operator: Exists`"
                )
            )
        if self.operator == "Equal" and self.key_ is None:
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.span, "a toleration without `key` needs `operator: Exists`"
                )
            )
        if self.toleration_seconds is not None and self.effect != "NoExecute":
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.key("tolerationSeconds"),
                    "`tolerationSeconds` needs `effect: NoExecute`",
                )
            )


@model
class Lifecycle(Model):
    """Where a partition stands in its life."""

    deprecated: bool = key(boolean(), "Whether it should no longer be used.", default=False)
    replaced_by: str | None = key(LABEL_NAME, "The partition to use instead.", default=None)
    remove_after: str | None = key(DATE, "The date after which it may go.", default=None)
    frozen_from: str | None = key(
        LABEL_NAME, "The partition of which this is an older, frozen version.", default=None
    )

    def check(self, context: Context) -> None:
        for name in ("replacedBy", "removeAfter"):
            if self.places.has(name) and not self.deprecated:
                context.add(
                    codes.KEY_NEEDS_KEY.at(
                        self.places.key(name), f"`{name}` needs `deprecated: true`"
                    )
                )


@model
class Shape(Model):
    """One shape of claim: on which hardware, how many devices, how linked."""

    instance_type: str | None = key(
        INSTANCE_TYPE, "The EC2 instance type that serves it.", default=None
    )
    chip: str | None = key(
        CHIP, "The chip: every instance type of the generation that can serve it.", default=None
    )
    devices: int | str | None = key(
        count_or("all", least=1, most=1024), "How many Neuron devices, or `all`.", default=None
    )
    connected: bool = key(
        boolean(), "Whether the devices share a device group of that size.", default=False
    )
    logical_neuron_core: int | None = key(
        integer(least=1, most=8), "Physical NeuronCores in a logical one.", default=None
    )
    efa: str = key(
        choice("none", "paired", "all"), "EFA interfaces beside the devices.", default="none"
    )
    ultra_server_nodes: int | None = key(
        integer(least=1, most=1024),
        "The nodes of an UltraServer used together; each pod claims one.",
        default=None,
    )
    neuron_driver: str | None = key(
        NEURON_DRIVER_VERSION, "The Neuron driver version that the nodes must run.", default=None
    )
    selectors: tuple[str, ...] = key(
        ListOf(text("a CEL expression")), "Further CEL selectors of Neuron devices.", default=()
    )
    tolerations: tuple[DeviceToleration, ...] = key(
        ListOf(ModelReader(DeviceToleration)), "Device taints that are tolerated.", default=()
    )

    def check(self, context: Context) -> None:
        check_shape(self, context)


@model
class PartitionSpec(Model):
    """The body of a Partition: one shape, or several in order of preference."""

    description: str = key(text(), "What it is for, in plain words.", default="")
    owner: str | None = key(text(), "The team that owns it.", default=None)
    instance_type: str | None = Shape.field("instance_type")
    chip: str | None = Shape.field("chip")
    devices: int | str | None = Shape.field("devices")
    connected: bool = Shape.field("connected")
    logical_neuron_core: int | None = Shape.field("logical_neuron_core")
    efa: str = Shape.field("efa")
    ultra_server_nodes: int | None = Shape.field("ultra_server_nodes")
    neuron_driver: str | None = Shape.field("neuron_driver")
    selectors: tuple[str, ...] = Shape.field("selectors")
    tolerations: tuple[DeviceToleration, ...] = Shape.field("tolerations")
    first_available: tuple[Shape, ...] = key(
        ListOf(ModelReader(Shape), least=1),
        "Shapes in order of preference; each says everything, nothing is inherited.",
        default=(),
    )
    rollout: str | None = key(ROLLOUT, "How a change reaches clusters.", default=None)
    lifecycle: Lifecycle | None = key(
        ModelReader(Lifecycle), "Deprecation and freezing.", default=None
    )

    def check(self, context: Context) -> None:
        if not self.first_available:
            check_shape(self, context)
            return
        if len(self.first_available) > FIRST_AVAILABLE_MAX:
            context.add(
                codes.INVALID_VALUE.at(
                    self.places.value("firstAvailable"),
                    f"{len(self.first_available)} alternatives are more than the "
                    f"{FIRST_AVAILABLE_MAX} allowed",
                )
            )
        for name in Shape.KEYS:
            if self.places.has(name):
                context.add(
                    codes.KEYS_EXCLUDE.at(
                        self.places.key(name),
                        f"`{name}` cannot stand beside `firstAvailable`",
                        help="say it in each entry",
                    )
                )

    @property
    def shapes(self) -> tuple[Shape | PartitionSpec, ...]:
        """The entries of firstAvailable, or the partition itself."""
        return self.first_available or (self,)


def check_shape(shape: Shape | PartitionSpec, context: Context) -> None:
    """Diagnose keys of a shape that exclude or need each other."""
    require_one(shape, "instanceType", "chip", context)
    require_one(shape, "devices", "ultraServerNodes", context)
    if shape.ultra_server_nodes is not None:
        _check_nodes(shape, context)
    # A pinned driver version is a selector too.
    selectors = len(shape.selectors) + (shape.neuron_driver is not None)
    if selectors > SELECTORS_MAX:
        context.add(
            codes.INVALID_VALUE.at(
                shape.places.value("selectors"),
                f"{selectors} selectors are more than the {SELECTORS_MAX} allowed",
            )
        )


def _check_nodes(shape: Shape | PartitionSpec, context: Context) -> None:
    if shape.places.has("connected"):
        context.add(
            codes.KEYS_EXCLUDE.at(
                shape.places.key("connected"),
                "`connected` cannot stand beside `ultraServerNodes`",
                help="all devices of a node are claimed; remove the key",
            )
        )
    if shape.efa == "paired":
        context.add(
            codes.KEYS_EXCLUDE.at(
                shape.places.value("efa"),
                "`efa: paired` cannot stand beside `ultraServerNodes`",
                help="use `all` or `none`",
            )
        )


@model
class Partition(Model):
    """A shape of claim that tenants may be granted."""

    metadata: Metadata = key(ModelReader(Metadata), "Name and labels.")
    spec: PartitionSpec = key(ModelReader(PartitionSpec), "The shape.")
