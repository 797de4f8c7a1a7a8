"""What an API server refuses of a container, as far as it is cheap to know.

In: a container that has the types of Kubernetes. Out: `Refusal`s whose words follow the container's
name. The rules are those of Kubernetes' pkg/apis/core/validation (v1.34 to v1.37). Probes, security
contexts and what needs knowledge of a cluster are left to the server.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from neuron_dra.diagnostics import did_you_mean
from neuron_dra.kube.amount import billionths
from neuron_dra.objects.workload.template import Data, Where


class Refusal(NamedTuple):
    """What is wrong, where from the owner on, and what helps."""

    where: Where
    message: str
    help: str = ""


_RESOURCES = ("cpu", "memory", "ephemeral-storage")
_HUGEPAGES = "hugepages-"
_PORTS = range(1, 65536)
_PORT_NAME = re.compile(r"(?=.*[a-z])(?=.{1,15}$)[a-z0-9]+(-[a-z0-9]+)*")
_VARIABLE = re.compile(r"[ -<>-~]+")  # printable ASCII but `=`
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "protocol": ("SCTP", "TCP", "UDP"),
    "terminationMessagePolicy": ("FallbackToLogsOnError", "File"),
}


def find_refusals(container: Data, volumes: Collection[str]) -> Iterator[Refusal]:
    """Yield what is wrong with a container of a pod with these volumes."""
    yield from _check_image(container)
    yield from _check_choices(container, ())
    yield from _check_mounts(container, volumes)
    yield from _check_ports(container)
    yield from _check_environment(container)
    yield from _check_resources(container.get("resources", {}))


def _check_image(container: Data) -> Iterator[Refusal]:
    image = container.get("image", "")
    if not image.strip():
        yield Refusal(("image",), "has no image")
    elif image != image.strip():
        yield Refusal(("image",), f"has the image `{image}` with a space around it")


def _check_choices(owner: Data, where: Where) -> Iterator[Refusal]:
    for key, choices in _CHOICES.items():
        if key in owner and owner[key] not in choices:
            yield Refusal(
                (*where, key), f"has `{key}: {owner[key]}`", did_you_mean(owner[key], choices)
            )


def _check_mounts(container: Data, volumes: Collection[str]) -> Iterator[Refusal]:
    paths: set[str] = set()
    for index, mount in enumerate(container.get("volumeMounts", ())):
        name, path = mount["name"], mount["mountPath"]
        where = ("volumeMounts", index)
        if name not in volumes:
            message = f"mounts the volume `{name}`, which the pod does not have"
            yield Refusal((*where, "name"), message, did_you_mean(name, volumes))
        if not path or ":" in path:
            message = f"mounts a volume at `{path}`, which is empty or has a `:`"
            yield Refusal((*where, "mountPath"), message)
        elif path in paths:
            yield Refusal((*where, "mountPath"), f"mounts two volumes at `{path}`")
        paths.add(path)


def _check_ports(container: Data) -> Iterator[Refusal]:
    names: set[str] = set()
    for index, port in enumerate(container.get("ports", ())):
        where = ("ports", index)
        yield from _check_choices(port, where)
        for key in ("containerPort", "hostPort"):
            if port.get(key, 1) not in _PORTS:
                limits = f"{_PORTS.start} to {_PORTS.stop - 1}"
                yield Refusal((*where, key), f"has the port {port[key]}, not in {limits}")
        name = port.get("name")
        if name is not None and not _PORT_NAME.fullmatch(name):
            rule = "at most 15 lower case letters, digits and inner single `-`, and one letter"
            yield Refusal((*where, "name"), f"has the port name `{name}`", f"use {rule}")
        elif name in names:
            yield Refusal((*where, "name"), f"has two ports of the name `{name}`")
        names.add(name or "")


def _check_environment(container: Data) -> Iterator[Refusal]:
    for index, variable in enumerate(container.get("env", ())):
        where, name = ("env", index), variable["name"]
        if not _VARIABLE.fullmatch(name):
            yield Refusal(
                (*where, "name"),
                f"has the variable `{name}`, which is empty or has a `=` or no printable ASCII",
            )
        source = variable.get("valueFrom")
        if source is not None and variable.get("value"):
            message = f"gives the variable `{name}` a `value` and a `valueFrom`"
            yield Refusal((*where, "valueFrom"), message, "keep one of them")
        elif source is not None and len(source) != 1:
            message = f"takes the variable `{name}` from {len(source)} sources, needs 1"
            yield Refusal((*where, "valueFrom"), message)


def _check_resources(resources: Data) -> Iterator[Refusal]:
    requests, limits = resources.get("requests", {}), resources.get("limits", {})
    for kind, amounts in (("limits", limits), ("requests", requests)):
        for name, amount in amounts.items():
            where = ("resources", kind, name)
            if "/" not in name and name not in _RESOURCES and not name.startswith(_HUGEPAGES):
                message = f"asks for `{name}`, which is no resource"
                yield Refusal(where, message, did_you_mean(name, _RESOURCES))
            elif billionths(amount) < 0:
                yield Refusal(where, f"asks for `{name}: {amount}`, less than nothing")
    for name, amount in requests.items():
        where = ("resources", "requests", name)
        limit = limits.get(name)
        if limit is not None and billionths(amount) > billionths(limit):
            yield Refusal(where, f"requests `{name}: {amount}`, more than its limit of {limit}")
        elif name.startswith(_HUGEPAGES) and (limit is None or _differ(amount, limit)):
            message = f"requests `{name}: {amount}` without the same limit"
            yield Refusal(where, message, "write both, with one value")


def _differ(first: str, second: str) -> bool:
    return billionths(first) != billionths(second)
