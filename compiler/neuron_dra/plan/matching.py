"""Which devices of a node a request selects, by the selectors of its class and its own.

In: an empty node. Out: its devices by request. Independent of the allocator, whose choices are
checked with it; only the evaluation of expressions is shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from neuron_dra.cel.device import Device as SelectorDevice
from neuron_dra.cel.environment import Compiled
from neuron_dra.cel.value import EvaluationError
from neuron_dra.cel.version import Semver
from neuron_dra.kube.claim import DeviceConstraint, ExactDeviceRequest
from neuron_dra.kube.slice import DeviceID, ResourceSlice, Scalar
from neuron_dra.plan.empty_node import EmptyNode


@dataclass(frozen=True, slots=True, eq=False)
class NodeDevice:
    """A device of a node.

    Attributes:
        attributes: values by qualified name.
    """

    id: DeviceID
    attributes: Mapping[str, object]
    selectable: SelectorDevice


@dataclass(slots=True)
class Matching:
    """The devices of a node, and what selects them."""

    node: EmptyNode
    _devices: tuple[NodeDevice, ...] = ()
    _selected: dict[str, frozenset[DeviceID]] = field(default_factory=dict)

    @property
    def devices(self) -> tuple[NodeDevice, ...]:
        """All devices, in the order of their slices."""
        if not self._devices:
            self._devices = tuple(
                device for each in self.node.slices for device in _devices_of(each)
            )
        return self._devices

    def matching(self, request: ExactDeviceRequest) -> list[NodeDevice]:
        """Return the devices that a request selects; none when its class does not exist."""
        own = [each for each in self.node.classes if each.name == request.device_class_name]
        if not own:
            return []
        selected = [self._select(text) for text in (*own[0].selectors, *request.selectors)]
        return [each for each in self.devices if all(each.id in some for some in selected)]

    def _select(self, expression: str) -> frozenset[DeviceID]:
        """Return the devices that an expression is true for."""
        known = self._selected.get(expression)
        if known is None:
            compiled = self.node.environment.compile(expression)
            known = self._selected[expression] = frozenset(
                each.id
                for each in self.devices
                if isinstance(compiled, Compiled) and _is_true(compiled, each)
            )
        return known


def _is_true(compiled: Compiled, device: NodeDevice) -> bool:
    try:
        return compiled.matches(device.selectable)
    except EvaluationError:
        return False


def _devices_of(each: ResourceSlice) -> Iterator[NodeDevice]:
    for device in each.devices:
        values: dict[str, Scalar | Semver] = {}
        for name, (kind, value, _) in device.attributes.items():
            assert not isinstance(value, tuple)  # no driver is predicted to publish lists
            values[name] = Semver(str(value)) if kind == "version" else value
        known = {
            name if "/" in name else f"{each.driver}/{name}": value
            for name, value in values.items()
        }
        own = DeviceID(each.driver, each.pool.name, device.name)
        yield NodeDevice(own, known, SelectorDevice.of(each.driver, values))


def concerns(constraint: DeviceConstraint, request: str) -> bool:
    """Tell whether a constraint covers a `request` or `request/subrequest`."""
    names = constraint.requests
    return not names or request in names or request.partition("/")[0] in names
