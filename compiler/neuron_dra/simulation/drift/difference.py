"""What differs between a real cluster and its specs: values only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """The kinds of differences."""

    DRIVER_MISSING = "driver-missing"
    POOL_INCOMPLETE = "pool-incomplete"
    DEVICE_MISSING = "device-missing"
    DEVICE_EXTRA = "device-extra"
    ATTRIBUTE_MISSING = "attribute-missing"
    ATTRIBUTE_EXTRA = "attribute-extra"
    ATTRIBUTE_TYPE = "attribute-type"
    ATTRIBUTE_VALUE = "attribute-value"
    GROUP = "group"
    DRIVER_VERSION = "driver-version"
    INSTANCE_TYPE = "instance-type"
    LABEL = "label"
    TAINT = "taint"
    KUBELET_VERSION = "kubelet-version"
    NODE_COUNT = "node-count"


class Difference(NamedTuple):
    """One difference, with the devices that it concerns."""

    kind: Kind
    message: str
    devices: tuple[str, ...] = ()


class BrokenPartition(NamedTuple):
    """A partition that fits on a node less often than it should."""

    name: str
    expected: int
    real: int


@dataclass(frozen=True, slots=True)
class NodeDrift:
    """What differs on one node.

    Attributes:
        pool: the pool that the node is compared with; empty when none has its instance type.
    """

    node: str
    pool: str
    instance_type: str
    differences: tuple[Difference, ...]
    partitions: tuple[BrokenPartition, ...] = ()


@dataclass(frozen=True, slots=True)
class Drift:
    """What differs in a cluster.

    Attributes:
        nodes: all that were compared, by name.
        pools: by pool, what is wrong with the number of its nodes.
        devices: how many devices were compared.
        others: by driver that the specs do not know, how many slices it has.
        with_nodes: whether the dump has Node objects, so that labels and more were compared.
    """

    cluster: str
    nodes: tuple[NodeDrift, ...]
    pools: dict[str, Difference]
    devices: int
    others: dict[str, int]
    with_nodes: bool

    @property
    def count(self) -> int:
        """How many differences there are."""
        return len(self.pools) + sum(len(each.differences) for each in self.nodes)
