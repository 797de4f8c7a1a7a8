"""A partition in one class of cluster: which pools serve it, and the claim that it means there.

In: a partition, a profile, the catalogue. Out: a `PlannedPartition`, or diagnostics. The hardware
part is judged once for each instance type (`hardware`); here the pools decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic, Related, did_you_mean, has_errors
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.claims import Entry, build_claim
from neuron_dra.plan.drivers import NeuronDriver
from neuron_dra.plan.hardware import AnyShape, Fit, fit_shape
from neuron_dra.plan.names import chip_class_name, device_class_name, hashed_name
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.pools import unknown_instance_type
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.plan.selectors import check_selectors
from neuron_dra.spec.partition import Partition

Fits = Mapping[str, Fit]


@dataclass(slots=True)
class PartitionPlanner:
    """Plans partitions; remembers what does not depend on a cluster."""

    catalog: Catalog
    driver: NeuronDriver
    _hardware: dict[int, tuple[Fits, list[Diagnostic]]] = field(default_factory=dict)

    def check_hardware(self, partition: Partition) -> list[Diagnostic]:
        """Judge a partition on the catalogue alone, whoever is granted it."""
        found: list[Diagnostic] = []
        for shape in partition.spec.shapes:
            found += self._fits(shape)[1]
        if not has_errors(found):
            found += self._check_alternatives(partition)
        return found

    def plan(
        self, partition: Partition, profile: Profile, cluster: str
    ) -> tuple[PlannedPartition | None, list[Diagnostic]]:
        """Return what a sound partition means in a class of cluster."""
        found: list[Diagnostic] = []
        planned = [
            (shape, pools)
            for shape in partition.spec.shapes
            if (pools := self._serving_pools(partition, shape, profile, cluster, found))
        ]
        if not planned:
            return None, found
        entries = [self._entry(partition, shape, pools) for shape, pools in planned]
        for shape, pools in planned:
            found += check_selectors(shape, _types(pools), profile)
            found += _check_gates(shape, profile)
        if has_errors(found):
            return None, found
        return self._planned(partition, profile, entries, [pools for _, pools in planned]), found

    def _planned(
        self,
        partition: Partition,
        profile: Profile,
        entries: Sequence[Entry],
        serving: Sequence[tuple[Pool, ...]],
    ) -> PlannedPartition:
        claim, fields = build_claim(entries, self.driver)
        rollout = partition.spec.rollout or profile.rollout
        frozen = partition.spec.lifecycle is not None and partition.spec.lifecycle.frozen_from
        hashed = rollout == "rename" and not frozen
        name = partition.metadata.name
        used = {pool.name: pool for pools in serving for pool in pools}
        return PlannedPartition(
            name=hashed_name(name, claim) if hashed else name,
            partition=partition,
            shapes=tuple(
                _planned_shape(entry, pools) for entry, pools in zip(entries, serving, strict=True)
            ),
            claim=claim,
            fields=fields,
            rollout=rollout,
            pools=tuple(pool for pool in profile.pools if pool.name in used),
        )

    def _entry(self, partition: Partition, shape: AnyShape, pools: tuple[Pool, ...]) -> Entry:
        fit = self._fits(shape)[0][pools[0].type.name]
        class_name = _class_name(shape)
        alternatives = partition.spec.first_available
        if not alternatives:
            return Entry(shape, fit, class_name, "", "")
        index = next(i for i, each in enumerate(alternatives) if each is shape)
        name = f"{(shape.instance_type or shape.chip or '').replace('.', '-')}-{index}"
        return Entry(shape, fit, class_name, f"firstAvailable[{index}]", name)

    def _fits(self, shape: AnyShape) -> tuple[Fits, list[Diagnostic]]:
        known = self._hardware.get(id(shape))
        if known is None:
            known = self._hardware[id(shape)] = self._judge(shape)
        return known

    def _judge(self, shape: AnyShape) -> tuple[Fits, list[Diagnostic]]:
        if shape.instance_type is None:
            return self._judge_chip(shape)
        kind = self.catalog.instance_type(shape.instance_type)
        if kind is None:
            where = shape.places.value("instanceType")
            return {}, unknown_instance_type(shape.instance_type, where, self.catalog)
        fit, found = fit_shape(shape, kind)
        return ({kind.name: fit} if fit else {}), found

    def _judge_chip(self, shape: AnyShape) -> tuple[Fits, list[Diagnostic]]:
        kinds = self.catalog.instance_types_of(shape.chip or "")
        if not kinds:
            return {}, [
                codes.UNKNOWN_CHIP.at(
                    shape.places.value("chip"),
                    f"unknown chip `{shape.chip}`",
                    help=did_you_mean(shape.chip or "", self.catalog.chip_names()),
                )
            ]
        fits: dict[str, Fit] = {}
        reasons: list[Diagnostic] = []
        for kind in kinds:
            fit, found = fit_shape(shape, kind)
            if fit is not None:
                fits[kind.name] = fit
            reasons += found
        return fits, [] if fits else reasons

    def _check_alternatives(self, partition: Partition) -> list[Diagnostic]:
        """Refuse alternatives that the scheduler could mix into something nobody asked for."""
        shapes = partition.spec.first_available
        fits = [next(iter(self._fits(shape)[0].values())) for shape in shapes]
        if not any(fit.efa for fit in fits):
            return []
        found = []
        first = fits[0]
        for shape, fit in zip(shapes[1:], fits[1:], strict=True):
            if (fit.efa, fit.group_attribute) != (first.efa, first.group_attribute):
                found.append(
                    codes.UNSOUND_ALTERNATIVES.at(
                        shape.places.span,
                        f"this alternative takes {_efa_words(fit)}, the first "
                        f"{_efa_words(first)}: the scheduler chooses devices and EFA "
                        "interfaces apart and may mix them",
                        related=[Related(shapes[0].places.span, f"takes {_efa_words(first)}")],
                        help="make separate partitions",
                    )
                )
        found += [
            codes.UNSOUND_ALTERNATIVES.at(
                shape.places.value("efa"),
                "EFA interfaces paired with single devices cannot stand in `firstAvailable`",
                help="set `connected: true`, or make separate partitions",
            )
            for shape, fit in zip(shapes, fits, strict=True)
            if len(fit.units) > 1
        ]
        return found

    def _serving_pools(
        self,
        partition: Partition,
        shape: AnyShape,
        profile: Profile,
        cluster: str,
        found: list[Diagnostic],
    ) -> tuple[Pool, ...]:
        """Return the pools whose nodes a claim can land on, all keeping the same promise."""
        fits = self._fits(shape)[0]
        matching = [pool for pool in profile.pools if _is_hardware(shape, pool.type)]
        able: list[Pool] = []
        obstacles: list[Related] = []
        for pool in matching:
            obstacle = _obstacle(shape, pool, pool.type.name in fits, profile)
            if obstacle:
                obstacles.append(Related(pool.spec.places.span, f"pool `{pool.name}` {obstacle}"))
            else:
                able.append(pool)
        if not able:
            found.append(_no_pool(partition, shape, cluster, matching, obstacles))
            return ()
        found += _promise_breakers(shape, able, matching, fits)
        return _pinned(partition, shape, able, cluster, found)


def _class_name(shape: AnyShape) -> str:
    if shape.instance_type is not None:
        return device_class_name(shape.instance_type)
    return chip_class_name(shape.chip or "", nodes=shape.ultra_server_nodes is not None)


def _is_hardware(shape: AnyShape, kind: InstanceType) -> bool:
    return shape.instance_type == kind.name or shape.chip == kind.chip.name


def _types(pools: Sequence[Pool]) -> tuple[InstanceType, ...]:
    by_name = {pool.type.name: pool.type for pool in pools}
    return tuple(by_name[name] for name in sorted(by_name))


def _planned_shape(entry: Entry, pools: tuple[Pool, ...]) -> PlannedShape:
    return PlannedShape(
        spec=entry.shape,
        types=_types(pools),
        class_name=entry.class_name,
        devices=entry.fit.devices,
        efa=entry.fit.efa,
        group_attribute=entry.fit.group_attribute,
        logical_neuron_core=entry.shape.logical_neuron_core,
        ultra_server_nodes=entry.shape.ultra_server_nodes,
        pools=tuple(pool.name for pool in pools),
    )


def _fit_words(fit: Fit | None) -> str:
    if fit is None:
        return "cannot keep the promise, but could be allocated"
    devices = "1 device" if fit.devices == 1 else f"{fit.devices} devices"
    return f"{devices}, {_efa_words(fit)}"


def _efa_words(fit: Fit) -> str:
    interfaces = "1 EFA interface" if fit.efa == 1 else f"{fit.efa or 'no'} EFA interfaces"
    attribute = fit.group_attribute.rpartition("/")[2]
    return f"{interfaces} by `{attribute}`" if attribute else interfaces


def _obstacle(shape: AnyShape, pool: Pool, fits: bool, profile: Profile) -> str:
    """Return why a pool cannot serve a shape, or an empty string."""
    if not pool.neuron_by_dra:
        return "hands out Neuron devices by the device plugin"
    if not fits:
        return f"has `{pool.type.name}`, which cannot serve it"
    if pool.most == 0:
        return "has no nodes"
    if shape.efa == "none":
        return ""
    if not pool.efa_by_dra:
        return "hands out EFA interfaces by the device plugin"
    if profile.drivers is None or profile.drivers.efa is None:
        return "has no EFA driver: `drivers.efa` is not set"
    return ""


def _no_pool(
    partition: Partition,
    shape: AnyShape,
    cluster: str,
    matching: Sequence[Pool],
    obstacles: list[Related],
) -> Diagnostic:
    hardware = shape.instance_type or shape.chip
    reason = "" if matching else f": no pool has `{hardware}`"
    return codes.NO_POOL.at(
        shape.places.value("instanceType" if shape.instance_type else "chip"),
        f"no pool of cluster `{cluster}` serves partition `{partition.metadata.name}`{reason}",
        related=obstacles,
        help=f"{'change a marked pool' if obstacles else 'add a pool'}, or grant the partition "
        "elsewhere with a `clusterSelector`",
    )


def _promise_breakers(
    shape: AnyShape, able: Sequence[Pool], matching: Sequence[Pool], fits: Fits
) -> list[Diagnostic]:
    """Find instance types of a chip that could take the claim but keep another promise."""
    first = able[0]
    promise = fits[first.type.name]
    found = []
    for pool in matching:
        fit = fits.get(pool.type.name)
        differs = fit is not None and fit != promise
        if differs or (fit is None and _could_land(promise, pool)):
            found.append(
                codes.ALTERNATIVES_DISAGREE.at(
                    shape.places.value("chip"),
                    f"`{first.type.name}` and `{pool.type.name}` would not serve a claim of this "
                    "shape alike, and one template cannot mean both",
                    related=[
                        Related(
                            each.spec.places.value("instanceType"),
                            _fit_words(fits.get(each.type.name)),
                        )
                        for each in (first, pool)
                    ],
                    help="name the instance type, or make two partitions",
                )
            )
    return found


def _could_land(promise: Fit, pool: Pool) -> bool:
    """Tell whether a claim could be allocated on a pool's nodes by its numbers alone."""
    if not pool.neuron_by_dra or not pool.type.serves_devices:
        return False
    if promise.devices > pool.type.device_count:
        return False
    attribute = promise.group_attribute
    return not attribute or bool(pool.type.publishes(attribute))


def _pinned(
    partition: Partition,
    shape: AnyShape,
    pools: Sequence[Pool],
    cluster: str,
    found: list[Diagnostic],
) -> tuple[Pool, ...]:
    """Keep the pools that run the pinned driver version, where one is pinned."""
    pin = shape.neuron_driver
    if pin is None:
        return tuple(pools)
    where = shape.places.value("neuronDriver")
    running = [pool for pool in pools if pin in pool.drivers or not pool.drivers]
    if not running:
        found.append(
            codes.DRIVER_PIN_UNMET.at(
                where,
                f"no pool of cluster `{cluster}` runs the Neuron driver {pin} that partition "
                f"`{partition.metadata.name}` pins",
                related=[
                    Related(
                        pool.spec.places.span,
                        f"pool `{pool.name}` runs {' and '.join(pool.drivers)}",
                    )
                    for pool in pools
                ],
                help="pin a version that a pool runs, or remove `neuronDriver`",
            )
        )
    unsure = [pool for pool in running if pool.drivers != (pin,)]
    if unsure:
        found.append(
            codes.DRIVER_PIN_PARTIAL.at(
                where,
                f"not every node of cluster `{cluster}` is known to run the Neuron driver {pin}",
                related=[
                    Related(pool.spec.places.span, f"pool `{pool.name}` {_running(pool)}")
                    for pool in unsure
                ],
                help="say the pool's `sdk` or `neuronDrivers`, or remove the pin",
            )
        )
    return tuple(running)


def _running(pool: Pool) -> str:
    return f"runs {' and '.join(pool.drivers)}" if pool.drivers else "does not say its driver"


def _check_gates(shape: AnyShape, profile: Profile) -> list[Diagnostic]:
    if not shape.tolerations or profile.release.is_on("DRADeviceTaints"):
        return []
    return [
        codes.FIELD_DROPPED.at(
            shape.places.key("tolerations"),
            f"Kubernetes {profile.minor} does not act on device tolerations: "
            "the gate DRADeviceTaints is off",
            help="remove `tolerations`, or raise the cluster to 1.36",
        )
    ]
