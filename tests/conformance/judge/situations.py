"""Generated situations: claims of a pod, and all that a scheduler knows of devices.

In: a source of chance and a setting. Out: a `Situation`, and simpler ones like it; and its objects,
read as dumps of a cluster are read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from conformance.judge.claims import make_allocated, make_claims
from conformance.judge.inventories import make_classes, make_object, make_slices
from conformance.judge.reduce import simplify
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.read_claim import read_claim, read_class, read_results
from neuron_dra.kube.read_slice import read_slice

# What an object needs to be one.
_KEPT = frozenset(
    (
        *("apiVersion", "kind", "metadata", "name", "spec", "devices", "requests"),
        *("driver", "pool", "device", "cel", "expression", "opaque", "value"),
    )
)


class UnreadError(Exception):
    """An object that the API server takes, and of which we cannot read all."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What is asked for, and what there is; plain objects."""

    claims: list
    classes: list
    slices: list
    allocated: list

    def data(self):
        """Return what the oracle is asked, with the classes that are asked for."""
        used = set(_find_class_names(self.claims))
        classes = [each for each in self.classes if each["metadata"]["name"] in used]
        whole = {"claims": self.claims, "classes": classes}
        return whole | {"slices": self.slices, "allocated": self.allocated}

    def simpler(self):
        """Yield situations with one thing less."""
        for name in ("claims", "slices", "allocated", "classes"):
            for smaller in simplify(getattr(self, name), _KEPT):
                yield replace(self, **{name: smaller})


def make_situation(chance, setting):
    """Make a situation."""
    slices = make_slices(chance, setting)
    claims = make_claims(chance, setting)
    allocated = make_allocated(chance, slices)
    return Situation(claims, make_classes(), slices, allocated)


def make_hopeless(chance):
    """Make a situation with too few devices: the scheduler may search it for minutes or more."""
    number = chance.randint(13, 18)
    devices = [{"name": f"d{index}"} for index in range(number)]
    spec = {
        "driver": "a.example",
        "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
        "nodeName": "node",
        "devices": devices,
    }
    request = {"name": "r", "exactly": {"deviceClassName": "any", "count": number + 1}}
    claim = make_object("ResourceClaim", "claim", {"devices": {"requests": [request]}})
    return Situation([claim], make_classes(), [make_object("ResourceSlice", "slice", spec)], [])


def read_situation(case, features):
    """Return claims, classes, slices and what is held already."""
    problems = []

    def read(reader, data):
        value, found = reader(data)
        problems.extend(found)
        return value

    data = case.data()
    claims = [read(read_claim, each) for each in data["claims"]]
    classes = [read(read_class, each) for each in data["classes"]]
    slices = [read(read_slice, each) for each in data["slices"]]
    held = read(read_results, make_holder(data["allocated"]))
    if problems:
        raise UnreadError(problems)
    if not features.consumable_capacity:  # then the scheduler takes shares for whole devices
        held = [replace(each, shared=False) for each in held]
    return claims, classes, slices, AllocatedState().taking(held)


def make_holder(results):
    """Return a claim that holds devices."""
    status = {"allocation": {"devices": {"results": results}}}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "status": status}


def _find_class_names(claims):
    for claim in claims:
        for request in claim["spec"].get("devices", {}).get("requests", ()):
            for each in (request.get("exactly", {}), *request.get("firstAvailable", ())):
                yield each.get("deviceClassName")
