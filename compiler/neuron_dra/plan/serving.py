"""The pools of a cluster that serve a shape: by hardware, by what hands it out, by driver pin.

In: a shape with its fits, a profile. Out: pools, or diagnostics that say what each pool lacks.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.fit import AnyShape
from neuron_dra.plan.hardware import fit_shape
from neuron_dra.plan.partition import PlannedShape
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.spec.partition import Partition


def find_pools(
    partition: Partition,
    shape: AnyShape,
    fits: Container[str],
    profile: Profile,
    cluster: str,
    found: list[Diagnostic],
) -> tuple[list[Pool], list[Pool]]:
    """Return the pools that have the hardware, and those of them that hand it out."""
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
    return matching, able


def _is_hardware(shape: AnyShape, kind: InstanceType) -> bool:
    return shape.instance_type == kind.name or shape.chip == kind.chip.name


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


def why_not(shape: PlannedShape, pool: Pool, profile: Profile) -> str:
    """Return why a pool does not serve a planned shape, or an empty text where it does."""
    if pool.name in shape.pools:
        return ""
    if not _is_hardware(shape.spec, pool.type):
        return f"has `{pool.type.name}`"
    fit, found = fit_shape(shape.spec, pool.type)
    if fit is None:
        return found[0].message
    return _obstacle(shape.spec, pool, True, profile) or f"runs {' and '.join(pool.drivers)}"


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


def pinned_pools(
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
