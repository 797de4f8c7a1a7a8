"""Requests of cpu and memory against the hosts: pods that no cluster node can hold.

In: a pod template, and the pools that its selectors leave open. Out: diagnostics. A request above
the whole of every instance can never be met, and the pod waits without end. How much of a host is
left beside the system's own pods and the pods of others is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from neuron_dra.catalog.instance_facts import Host
from neuron_dra.diagnostics import Related
from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.kube.amount import billionths
from neuron_dra.objects.workload.template import Data, PodTemplate, Where, all_containers
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.plan.profile import Pool

_BILLION = 10**9


class _Resource(NamedTuple):
    """A resource of a host: its name in a pod, its key in the catalogue, and its unit there."""

    name: str
    key: str
    unit: int  # in billionths of what Kubernetes counts
    suffix: str
    of: Callable[[Host], int | None]


_RESOURCES = (
    _Resource("cpu", "vcpu", _BILLION, "", lambda host: host.vcpu),
    _Resource("memory", "memoryGiB", _BILLION << 30, "Gi", lambda host: host.memory_gib),
)


def check_host(wiring: Wiring, template: PodTemplate, pools: Sequence[Pool]) -> None:
    """Refuse pods that are larger than the host of every pool."""
    for resource in _RESOURCES:
        rooms = {pool.type.name: _room(pool, resource) for pool in pools}
        wanted = _pod_request(template.spec, resource.name)
        if pools and all(room is not None and room < wanted for room in rooms.values()):
            largest = max(pools, key=lambda pool: rooms[pool.type.name] or 0)
            _refuse(wiring, template, resource, wanted, largest)


def _refuse(
    wiring: Wiring, template: PodTemplate, resource: _Resource, wanted: int, pool: Pool
) -> None:
    host = pool.type.facts.host
    assert host is not None
    wiring.report(
        codes.EXCEEDS_HOST.at(
            template.span(*_largest(template, resource.name)),
            f"the pod requests `{resource.name}: {_show(wanted, resource)}`, and the host of "
            f"`{pool.type.name}` has {resource.of(host)}{resource.suffix}: it would stay Pending",
            related=[Related(host.places.value(resource.key), f"`{pool.type.name}`")],
            help="request less than a host has: the system and the drivers need some of it",
        )
    )


def _room(pool: Pool, resource: _Resource) -> int | None:
    amount = resource.of(pool.type.facts.host) if pool.type.facts.host else None
    return None if amount is None else amount * resource.unit


def _show(amount: int, resource: _Resource) -> str:
    return f"{amount / resource.unit:.3f}".rstrip("0").rstrip(".") + resource.suffix


def _pod_request(spec: Data, name: str) -> int:
    """Return what the scheduler reserves for a pod: all that run together, or an init container."""
    of_pod = _request(spec, name)
    if of_pod is not None:
        return of_pod
    inits: list[Data] = spec.get("initContainers", [])
    staying = [each for each in inits if each.get("restartPolicy") == "Always"]
    passing = [each for each in inits if each not in staying]
    together = sum(_request(each, name) or 0 for each in (*spec["containers"], *staying))
    return max(together, *(_request(each, name) or 0 for each in passing), 0)


def _request(owner: Data, name: str) -> int | None:
    """Return a request in billionths; a limit alone is a request too."""
    resources = owner.get("resources", {})
    for kind in ("requests", "limits"):
        if name in resources.get(kind, {}):
            return billionths(resources[kind][name])
    return None


def _largest(template: PodTemplate, name: str) -> Where:
    """Return the path of the largest request of a pod, or of that of the pod itself."""
    owners: Iterable[tuple[Where, Data]] = [((), template.spec)]
    if _request(template.spec, name) is None:
        owners = [((key, index), each) for key, index, each in all_containers(template)]
    where, owner = max(owners, key=lambda each: _request(each[1], name) or 0)
    kind = "requests" if name in owner["resources"].get("requests", {}) else "limits"
    return (*where, "resources", kind, name)
