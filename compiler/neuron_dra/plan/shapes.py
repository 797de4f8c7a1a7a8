"""A partition in one class of cluster: which pools serve it, and the claim that it means there.

In: a partition, a profile, the catalogue. Out: a `PlannedPartition`, or diagnostics. The hardware
part is judged once for each instance type (`hardware`); here the pools decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic, did_you_mean, has_errors
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.alternatives import check_alternatives, check_promise
from neuron_dra.plan.claims import Entry, build_claim
from neuron_dra.plan.demonstration import Alternative
from neuron_dra.plan.drivers import NeuronDriver
from neuron_dra.plan.fit import AnyShape, Fit
from neuron_dra.plan.hardware import fit_shape
from neuron_dra.plan.names import chip_class_name, device_class_name, hashed_name
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.pools import unknown_instance_type
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.plan.proof import Prover
from neuron_dra.plan.selectors import SelectorPlanner
from neuron_dra.plan.serving import find_pools, pinned_pools
from neuron_dra.spec.partition import Partition

Fits = Mapping[str, Fit]


@dataclass(slots=True)
class PartitionPlanner:
    """Plans partitions; remembers what does not depend on a cluster."""

    catalog: Catalog
    driver: NeuronDriver
    prover: Prover
    selectors: SelectorPlanner
    _hardware: dict[int, tuple[Fits, list[Diagnostic]]] = field(default_factory=dict)

    def check_hardware(self, partition: Partition) -> list[Diagnostic]:
        """Judge a partition on the catalogue alone, whoever is granted it."""
        found: list[Diagnostic] = []
        for shape in partition.spec.shapes:
            found += self._fits(shape)[1]
        alternatives = [
            Alternative(shape, kind, fit)
            for shape in partition.spec.first_available
            for name, fit in [*self._fits(shape)[0].items()][:1]
            if (kind := self.catalog.instance_type(name)) is not None
        ]
        sound = len(alternatives) == len(partition.spec.first_available)
        if alternatives and sound and not has_errors(found):
            found += check_alternatives(alternatives, self.prover.nodes)
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
        for shape, pools in planned:
            found += self.selectors.check(shape, _types(pools), self._fits(shape)[0], profile)
            found += _check_gates(shape, profile)
        if has_errors(found):
            return None, found
        planned = [
            (shape, self.selectors.selected(shape, pools, profile)) for shape, pools in planned
        ]
        entries = [self._entry(partition, shape, pools) for shape, pools in planned]
        made = self._planned(partition, profile, entries, [pools for _, pools in planned])
        proof = self.prover.prove(made, profile)
        found += proof.diagnostics
        if has_errors(found):
            return None, found
        return replace(made, held=proof.held, witnesses=proof.witnesses), found

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
            operator=_uses_operator(serving, partition, profile),
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
        return fits, [] if fits else _first_of_each_code(reasons)

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
        matching, able = find_pools(partition, shape, fits, profile, cluster, found)
        if not able:
            return ()
        found += check_promise(shape, able, matching, fits)
        return pinned_pools(partition, shape, able, cluster, found)


def _uses_operator(
    serving: Sequence[tuple[Pool, ...]], partition: Partition, profile: Profile
) -> bool:
    """Tell whether the UltraServer operator hands out the partition's nodes."""
    operator = profile.drivers.ultra_server_operator if profile.drivers else None
    if operator is None or not operator.enabled:
        return False
    servers = [pool.type.facts.ultra_server for pools in serving for pool in pools]
    nodes = all(shape.ultra_server_nodes is not None for shape in partition.spec.shapes)
    return nodes and all(server is not None and server.operator for server in servers)


def _first_of_each_code(reasons: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Tell each kind of reason once, by the first instance type that has it."""
    first: dict[str, Diagnostic] = {}
    for reason in reasons:
        first.setdefault(reason.code.id, reason)
    return list(first.values())


def _class_name(shape: AnyShape) -> str:
    if shape.instance_type is not None:
        return device_class_name(shape.instance_type)
    return chip_class_name(shape.chip or "", nodes=shape.ultra_server_nodes is not None)


def _types(pools: Sequence[Pool]) -> tuple[InstanceType, ...]:
    by_name = {pool.type.name: pool.type for pool in pools}
    return tuple(by_name[name] for name in sorted(by_name))


def _planned_shape(entry: Entry, pools: tuple[Pool, ...]) -> PlannedShape:
    return PlannedShape(
        spec=entry.shape,
        entry=entry.path,
        types=_types(pools),
        class_name=entry.class_name,
        devices=entry.fit.devices,
        efa=entry.fit.efa,
        group_attribute=entry.fit.group_attribute,
        logical_neuron_core=entry.shape.logical_neuron_core,
        ultra_server_nodes=entry.shape.ultra_server_nodes,
        pools=tuple(pool.name for pool in pools),
    )


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
