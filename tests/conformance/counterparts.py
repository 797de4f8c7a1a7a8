"""The cases of `cases/`: read from their short form, with whole objects as Kubernetes takes them.

In: the YAML files; the README beside this module says what the short form leaves out.
Out: cases with the question that the oracle is asked, the feature gates and what is expected.
Asks nobody and compares nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parent / "cases"
DRIVER = "a.example"
NODE = {"name": "node-a", "labels": {"zone": "here", "rack": "r7"}}
CLASSES = {name: {"selectors": [f'device.driver == "{name}.example"']} for name in ("a", "b")}
LISTS = {bool: "bools", int: "ints", str: "strings"}
SCALARS = {bool: "bool", int: "int", str: "string"}
ANY = "any"


@dataclass(frozen=True)
class Case:
    """A situation, and the names under which Kubernetes tests the same one.

    Attributes:
        on: the feature gates that the situation needs.
        off: those that must be off.
        minors: where it can be asked; none: wherever its gates can be set.
        expect: in one word what the real code says, by minor or by `default`.
        question: without its gates.
        is_unreadable: whether the API server takes no such object.
    """

    name: str
    covers: tuple
    on: tuple
    off: tuple
    minors: tuple
    expect: dict
    question: dict
    is_unreadable: bool = False

    def expected(self, minor):
        return self.expect.get(minor, self.expect["default"])


def read_cases(kind):
    """Return the cases of a folder by file."""
    make = {"allocation": make_allocation, "cel": make_selector}[kind]
    files = sorted((FOLDER / kind).glob("*.yaml"))
    found = {}
    for path in files:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        found[path.stem] = [make_case(each, data, make) for each in data["cases"]]
    return found


def make_case(data, file, make):
    off = tuple(data.get("without", ()))
    gates = [*file.get("gates", ()), *data.get("gates", ())]
    expect = data["expect"]
    return Case(
        data["name"],
        tuple(data["covers"]),
        tuple(gate for gate in dict.fromkeys(gates) if gate not in off),
        off,
        tuple(data.get("minors", ())),
        expect if isinstance(expect, dict) else {"default": expect},
        make(data),
        data.get("unreadable", False),
    )


# --- selectors


def make_selector(data):
    question = {"op": "cel", "expression": data["expression"], "new": True}
    device = data.get("device", {})
    if device is None:
        return question
    return question | {
        "device": {
            "driver": device.get("driver", DRIVER),
            "attributes": make_attributes(device.get("attributes", {})),
            "capacity": make_capacities(device.get("capacity", {})),
            **({"allowMultipleAllocations": device["shared"]} if "shared" in device else {}),
        }
    }


# --- allocation


def make_allocation(data):
    node = NODE | data.get("node", {})
    classes = CLASSES | data.get("classes", {})
    return {
        "op": "allocate",
        "claims": [make_claim(f"c{index}", each) for index, each in enumerate(data["claims"])],
        "classes": [make_class(name, each) for name, each in classes.items() if each is not None],
        "slices": make_slices(data["slices"]),
        "node": {"metadata": node},
        "allocated": [make_held(each) for each in data.get("held", ())],
    }


def make_object(kind, name, spec, **metadata):
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name, **metadata},
        "spec": spec,
    }


def make_claim(name, data):
    data = {"requests": data} if isinstance(data, list) else data
    devices = {
        "requests": [make_request(f"r{i}", each) for i, each in enumerate(data["requests"])],
        "constraints": [make_constraint(each) for each in data.get("constraints", ())],
        "config": [make_config(each) for each in data.get("config", ())],
    }
    return make_object("ResourceClaim", name, {"devices": devices}, namespace="team")


def make_request(name, data):
    data = {"count": data} if isinstance(data, int) else data
    if "first" in data:
        subrequests = (make_exactly(each) for each in data["first"])
        named = [{"name": f"s{index}", **each} for index, each in enumerate(subrequests)]
        return {"name": name, "firstAvailable": named}
    own = data.get("name", name) if isinstance(data, dict) else name
    return {"name": own, "exactly": make_exactly(data)}


def make_exactly(data):
    if data == "all" or isinstance(data, int):
        data = {"all": True} if data == "all" else {"count": data}
    made = {"deviceClassName": data.get("class", "a")}
    if data.get("all"):
        made["allocationMode"] = "All"
    elif "mode" in data:
        made["allocationMode"] = data["mode"]
    else:
        made |= {"allocationMode": "ExactCount", "count": data.get("count", 1)}
    if "selectors" in data:
        made["selectors"] = make_selectors(data["selectors"])
    if "capacity" in data:
        made["capacity"] = {"requests": texts(data["capacity"])}
    if "tolerations" in data:
        made["tolerations"] = data["tolerations"]
    return made | ({"adminAccess": True} if data.get("admin") else {})


def make_selectors(expressions):
    return [{"cel": {"expression": each}} if each else {} for each in expressions]


def make_constraint(data):
    fields = {"match": "matchAttribute", "distinct": "distinctAttribute"}
    made = {fields[key]: qualify(value) for key, value in data.items() if key in fields}
    return made | ({"requests": data["of"]} if "of" in data else {})


def qualify(attribute):
    return attribute if "/" in attribute else f"{DRIVER}/{attribute}"


def make_config(data):
    opaque = {"driver": data.get("driver", DRIVER), "parameters": data["parameters"]}
    return ({"requests": data["for"]} if "for" in data else {}) | {"opaque": opaque}


def make_class(name, data):
    spec = {
        "selectors": make_selectors(data["selectors"]),
        "config": [make_config(each) for each in data.get("config", ())],
    }
    return make_object("DeviceClass", name, spec)


def make_slices(slices):
    """Return slices; a pool has as many as are listed of its generation."""
    pools = [
        (each.get("driver", DRIVER), each.get("pool", "p"), each.get("generation", 1))
        for each in slices
    ]
    counts = Counter(pools)
    return [
        make_slice(f"slice-{index}", each, pool, counts[pool])
        for index, (each, pool) in enumerate(zip(slices, pools, strict=True))
    ]


def make_slice(name, data, pool, count):
    driver, pool_name, generation = pool
    spec = {
        "driver": driver,
        "pool": {
            "name": pool_name,
            "generation": generation,
            "resourceSliceCount": data.get("of", count),
        },
        **make_nodes(data.get("at", NODE["name"])),
    }
    if "devices" in data:
        spec["devices"] = make_devices(data["devices"])
    if "counters" in data:
        spec["sharedCounters"] = [
            {"name": counter_set, "counters": make_values(counters)}
            for counter_set, counters in data["counters"].items()
        ]
    return make_object("ResourceSlice", data.get("name", name), spec)


def make_nodes(where):
    """Return for which nodes something is."""
    if isinstance(where, dict):
        ((key, value),) = where.items()
        kind = "matchFields" if key == "metadata.name" else "matchExpressions"
        requirement = {"key": key, "operator": "In", "values": [value]}
        return {"nodeSelector": {"nodeSelectorTerms": [{kind: [requirement]}]}}
    words = {"all": {"allNodes": True}, "each": {"perDeviceNodeSelection": True}}
    return words.get(where, {"nodeName": where})


def make_devices(data):
    if isinstance(data, int):
        data = [f"d{index}" for index in range(data)]
    if isinstance(data, list):
        data = {name: {} for name in data}
    return [{"name": name, **make_device(each)} for name, each in data.items()]


def make_device(data):
    made = {
        "attributes": make_attributes(data.get("attributes", {})),
        "capacity": make_capacities(data.get("capacity", {})),
        "consumesCounters": make_consumed(data.get("counters", {}), data.get("groups", {})),
        "taints": data.get("taints", []),
        "bindingConditions": data.get("binding", []),
        "bindingFailureConditions": data.get("failure", []),
        "bindsToNode": data.get("binds"),
        "allowMultipleAllocations": data.get("shared"),
    }
    written = {key: value for key, value in made.items() if value not in ({}, [], None)}
    return written | (make_nodes(data["at"]) if "at" in data else {})


def make_consumed(counters, groups):
    return [
        {
            "counterSet": name,
            "counters": make_values(each),
            **({"compatibilityGroups": groups[name]} if name in groups else {}),
        }
        for name, each in counters.items()
    ]


def make_attributes(data):
    return {name: make_attribute(each) for name, each in data.items()}


def make_attribute(value):
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {LISTS[type(value[0])]: value}
    return {SCALARS[type(value)]: value}


def make_capacities(data):
    return {name: make_capacity(each) for name, each in data.items()}


def make_capacity(data):
    """Return a capacity: an amount, or one with a policy."""
    if not isinstance(data, dict):
        return {"value": str(data)}
    policy = {"default": str(data["default"])} if "default" in data else {}
    if "values" in data:
        policy["validValues"] = [str(each) for each in data["values"]]
    if bounds := {key: str(data[key]) for key in ("min", "max", "step") if key in data}:
        policy["validRange"] = bounds
    return {"value": str(data["value"]), "requestPolicy": policy}


def make_values(amounts):
    return {name: {"value": str(amount)} for name, amount in amounts.items()}


def texts(amounts):
    return {name: str(amount) for name, amount in amounts.items()}


def make_held(data):
    """Return a device that another claim holds: as a whole, or a share of it."""
    data = {"device": data} if isinstance(data, str) else data
    *driver, pool, device = data["device"].split("/")
    made = {"request": "r", "driver": driver[0] if driver else DRIVER, "pool": pool}
    made["device"] = device
    if "consumed" in data:
        made["shareID"] = "b2f1c5d2-7a57-4d7c-9c4f-3f1c1a4f9e01"
        made["consumedCapacity"] = texts(data["consumed"])
    return made
