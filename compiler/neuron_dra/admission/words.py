"""What is said of kinds that are not there, versions that are off and fields that are dropped.

In: an object or a dropped field, and a server. Out: words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_dra.admission.gated import Dropped
from neuron_dra.admission.problem import Problem
from neuron_dra.admission.schemas import kinds_of
from neuron_dra.admission.server import Server
from neuron_dra.diagnostics import did_you_mean
from neuron_dra.kube.reading import GROUP


def explain_unknown(api_version: str, kind: str, server: Server) -> Problem:
    """Return the problem of a kind that a minor does not have, with where it does."""
    kinds, (group, _, version) = kinds_of(server.minor), api_version.rpartition("/")
    others = kinds.versions_of(group, kind)
    if others:
        advice = "it is in " + ", ".join(f"`{each}`" for each in others)
        return Problem(
            "apiVersion", f"Kubernetes {server.minor} has no `{kind}` in `{api_version}`", advice
        )
    message = f"Kubernetes {server.minor} has no kind `{kind}` in `{group or version}`"
    return Problem("kind", message, did_you_mean(kind, kinds.kinds_of(group)))


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
