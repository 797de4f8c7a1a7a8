"""Device classes of a cluster: one for each instance type, chip and EFA that a claim can name.

Selectors stand in classes rather than in requests wherever that says the same: quota counts by
class, and Kueue refuses selectors in requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from neuron_dra.catalog.instance_type import NEURON_DEVICE, NEURON_NODE, InstanceType
from neuron_dra.diagnostics import Diagnostic, Related, did_you_mean
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.kube.claim import DeviceClass
from neuron_dra.plan.drivers import EfaDriver, NeuronDriver
from neuron_dra.plan.names import EFA_CLASS, chip_class_name, device_class_name
from neuron_dra.plan.partition import PlannedPartition
from neuron_dra.plan.profile import Profile
from neuron_dra.spec.cluster import ClusterSpec


@dataclass(frozen=True, slots=True)
class ClassPlanner:
    """Makes the classes of clusters."""

    neuron: NeuronDriver
    efa: EfaDriver | None

    def plan(
        self, profile: Profile, partitions: Iterable[PlannedPartition]
    ) -> tuple[DeviceClass, ...]:
        """Return the classes of a cluster, sorted by name."""
        kinds = served_types(profile)
        made = [
            self._class(
                device_class_name(kind.name),
                [kind],
                profile.extended_resources.get(kind.name, ""),
            )
            for kind in kinds
        ]
        for chip, nodes in sorted(used_chips(partitions)):
            same = [kind for kind in kinds if kind.chip.name == chip and kind.serves_nodes == nodes]
            made.append(self._class(chip_class_name(chip, nodes=nodes), same, ""))
        if self.efa is not None and _has_efa(profile):
            made.append(DeviceClass(EFA_CLASS, (self.efa.class_expression(),)))
        return tuple(sorted(made, key=lambda each: each.name))

    def classes_of(self, kinds: Sequence[InstanceType]) -> tuple[DeviceClass, ...]:
        """Return the classes of some instance types, and that of EFA."""
        made = [self._class(device_class_name(kind.name), [kind], "") for kind in kinds]
        if self.efa is not None:
            made.append(DeviceClass(EFA_CLASS, (self.efa.class_expression(),)))
        return tuple(made)

    def _class(
        self, name: str, kinds: Sequence[InstanceType], extended_resource: str
    ) -> DeviceClass:
        resource_type = NEURON_DEVICE if kinds[0].serves_devices else NEURON_NODE
        types = tuple(kind.name for kind in kinds)
        expression = self.neuron.class_expression(types, resource_type)
        return DeviceClass(name, (expression,), extended_resource)


def served_types(profile: Profile) -> tuple[InstanceType, ...]:
    """Return the instance types whose devices DRA hands out in the cluster, sorted by name."""
    kinds = {
        pool.type.name: pool.type
        for pool in profile.dra_pools
        if pool.type.serves_devices or pool.type.serves_nodes
    }
    return tuple(kinds[name] for name in sorted(kinds))


def used_chips(partitions: Iterable[PlannedPartition]) -> set[tuple[str, bool]]:
    """Return the chips that partitions name in place of a type, and whether by nodes."""
    return {
        (shape.spec.chip, shape.ultra_server_nodes is not None)
        for partition in partitions
        for shape in partition.shapes
        if shape.spec.chip is not None
    }


def check_extended_resources(spec: ClusterSpec, profile: Profile) -> list[Diagnostic]:
    """Judge the extended resource names of a cluster's classes."""
    found: list[Diagnostic] = []
    if not spec.extended_resources:
        return found
    if not profile.release.is_on("DRAExtendedResource"):
        found.append(
            codes.FIELD_DROPPED.at(
                spec.places.key("extendedResources"),
                f"Kubernetes {profile.minor} drops `extendedResourceName` of a DeviceClass: "
                "the gate DRAExtendedResource is off",
                help="remove `extendedResources`, or raise the cluster to 1.36",
            )
        )
    known = {kind.name for kind in served_types(profile)}
    first: dict[str, str] = {}
    for name, resource in spec.extended_resources.items():
        where = spec.places.item_key("extendedResources", name)
        if name not in known:
            found.append(
                codes.EXTENDED_RESOURCE_UNUSED.at(
                    where,
                    f"no pool of the cluster serves `{name}` by DRA",
                    help="its pool has `mechanism: {neuron: device-plugin}`"
                    if any(pool.type.name == name for pool in profile.pools)
                    else did_you_mean(name, known),
                )
            )
        if first.setdefault(resource, name) != name:
            other = spec.places.item("extendedResources", first[resource])
            found.append(
                codes.EXTENDED_RESOURCE_TWICE.at(
                    where,
                    f"`{resource}` is the extended resource of two DeviceClasses",
                    related=[Related(other, "first here")],
                )
            )
    return found


def _has_efa(profile: Profile) -> bool:
    driver = profile.drivers.efa if profile.drivers else None
    return driver is not None and any(
        pool.efa_by_dra and pool.type.efa_interfaces for pool in profile.pools
    )
