"""What is said of fields that are dropped and of versions that are off, whoever wrote the object.

In: a dropped field or an object, and a server. Out: words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_dra.admission.gated import Dropped
from neuron_dra.admission.problem import Problem
from neuron_dra.admission.schemas import kinds_of
from neuron_dra.admission.server import Server
from neuron_dra.kube.reading import GROUP


def say_dropped(dropped: Dropped, server: Server) -> str:
    """Return the message of a field that the server does not store."""
    return f"Kubernetes {server.minor} drops `{dropped.field}` without a word: {dropped.reason}"


def is_served(data: Mapping[str, Any], server: Server) -> bool:
    """Tell whether a server has the apiVersion of an object by default, if it has it at all."""
    api_version, kind = str(data.get("apiVersion")), str(data.get("kind"))
    group, _, version = api_version.rpartition("/")
    if group != GROUP or not kinds_of(server.minor).name_of(api_version, kind):
        return True
    return server.release.serves(kind, version)


def not_served(data: Mapping[str, Any], server: Server) -> Problem:
    """Return the problem of an apiVersion that is off unless somebody switched it on."""
    api_version, kind = data.get("apiVersion"), str(data.get("kind"))
    served = server.release.api.served.get(kind, ())
    advice = ", ".join(f"`{GROUP}/{version}`" for version in served)
    return Problem(
        "apiVersion",
        f"Kubernetes {server.minor} has `{api_version}` of `{kind}` switched off by default, "
        "and Amazon EKS does not let it be switched on",
        f"write {advice}" if advice else "",
    )
