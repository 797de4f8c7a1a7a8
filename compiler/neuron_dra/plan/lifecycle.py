"""The life of partitions: references to others, and partitions that nobody uses."""

from __future__ import annotations

from collections.abc import Collection

from neuron_dra.diagnostics import Diagnostic, did_you_mean
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.diagnostics.codes import spec as spec_codes
from neuron_dra.spec.documents import Specs


def check_lifecycle(specs: Specs, name: str) -> list[Diagnostic]:
    """Judge the partitions that a partition's lifecycle names."""
    lifecycle = specs.partitions[name].spec.lifecycle
    if lifecycle is None:
        return []
    found = []
    for key, other in (
        ("replacedBy", lifecycle.replaced_by),
        ("frozenFrom", lifecycle.frozen_from),
    ):
        where = lifecycle.places.value(key)
        if other == name:
            problem = f"`{key}` names the partition itself"
            found.append(spec_codes.INVALID_VALUE.at(where, problem))
        elif other and specs.lacks("Partition", other):
            problem = f"there is no Partition `{other}`"
            advice = did_you_mean(other, specs.partitions)
            found.append(spec_codes.UNKNOWN_REFERENCE.at(where, problem, help=advice))
        elif key == "frozenFrom" and other in frozen_partitions(specs):
            problem = f"`{other}` is a frozen partition itself"
            advice = "name the partition that both come from"
            found.append(spec_codes.INVALID_VALUE.at(where, problem, help=advice))
    return found


def frozen_partitions(specs: Specs) -> dict[str, str]:
    """Return the frozen partitions and the one that each comes from."""
    return {
        name: partition.spec.lifecycle.frozen_from
        for name, partition in specs.partitions.items()
        if partition.spec.lifecycle and partition.spec.lifecycle.frozen_from
    }


def check_use(specs: Specs, used: Collection[str]) -> list[Diagnostic]:
    """Tell of partitions that nobody is granted and nobody asks for."""
    if not specs.tenants:
        return []
    granted = {
        getattr(grant, "name", grant)
        for tenant in specs.tenants.values()
        for grant in tenant.spec.partitions
    }
    wanted = {workload.spec.partition for workload in specs.workloads}
    return [
        codes.UNUSED_PARTITION.at(
            partition.metadata.places.value("name"),
            f"partition `{name}` is granted to no tenant and compiles to nothing",
        )
        for name, partition in specs.partitions.items()
        if name not in {*used, *granted, *wanted}
    ]
