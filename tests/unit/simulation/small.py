"""Small clusters as text: objects as `kubectl` prints them, and what is said of them."""

from __future__ import annotations

import json

from neuron_dra.catalog.locate import open_catalog
from neuron_dra.diagnostics import Severity
from neuron_dra.simulation.asked import asked_claims, asked_pods
from neuron_dra.simulation.dump import read_dump
from neuron_dra.simulation.simulate import simulate
from neuron_dra.simulation.state import state_of_dump
from neuron_dra.source import LongSource

GROUP = "resource.k8s.io"
DRIVER = "a.example"


def named(kind, name, spec, *, api_version=f"{GROUP}/v1", namespace=None, **fields):
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec, **fields}


def device(name, **attributes):
    kinds = {bool: "bool", int: "int", str: "string"}
    return {
        "name": name,
        "attributes": {key: {kinds[type(value)]: value} for key, value in attributes.items()},
    }


def node_slice(node, *devices, name=None, driver=DRIVER, generation=1, slices=1):
    """A slice of devices; a number stands for as many that are alike."""
    if devices and isinstance(devices[0], int):
        devices = [device(f"d{number}", row=number // 2) for number in range(devices[0])]
    pool = {"name": node, "generation": generation, "resourceSliceCount": slices}
    spec = {"driver": driver, "pool": pool, "nodeName": node, "devices": list(devices)}
    return named("ResourceSlice", name or f"{node}-{driver}", spec)


def device_class(name="any", *expressions):
    selectors = [{"cel": {"expression": each}} for each in expressions]
    return named("DeviceClass", name, {"selectors": selectors})


def request(count=1, name="r", device_class="any", **fields):
    return {"name": name, "exactly": {"deviceClassName": device_class, "count": count, **fields}}


def devices_of(*requests, row=False):
    constraints = [{"matchAttribute": f"{DRIVER}/row"}] if row else []
    return {"devices": {"requests": list(requests), "constraints": constraints}}


def claim(name, *requests, row=False, namespace="default", holds=(), node="node-a"):
    """A claim; `holds` are the devices of a node that it has got."""
    made = named("ResourceClaim", name, devices_of(*requests, row=row), namespace=namespace)
    if holds:
        results = [
            {"request": "r", "driver": DRIVER, "pool": node, "device": each} for each in holds
        ]
        made["status"] = {"allocation": {"devices": {"results": results}}}
    return made


def template(name, *requests, row=False, namespace="default"):
    spec = {"spec": devices_of(*requests, row=row)}
    return named("ResourceClaimTemplate", name, spec, namespace=namespace)


def node(name, labels=None, taints=(), version="v1.36.2", **spec):
    made = named("Node", name, {"taints": list(taints), **spec}, api_version="v1")
    made["metadata"]["labels"] = labels or {}
    made["status"] = {"nodeInfo": {"kubeletVersion": version}}
    return made


def pod(name, *claims, **spec):
    """A pod; a claim is `claim:NAME` or `template:NAME`."""
    keys = {"claim": "resourceClaimName", "template": "resourceClaimTemplateName"}
    wanted = [
        {"name": f"c{index}", keys[each.partition(":")[0]]: each.partition(":")[2]}
        for index, each in enumerate(claims)
    ]
    return named("Pod", name, {"resourceClaims": wanted, **spec}, api_version="v1")


def text_of(*objects):
    """A stream of documents."""
    return "".join(f"---\n{json.dumps(each)}\n" for each in objects)


def read(*objects, path="dump.yaml"):
    text = objects[0] if objects and isinstance(objects[0], str) else text_of(*objects)
    data = text if isinstance(text, bytes) else text.encode()
    return read_dump([LongSource(path, data)])


def codes_of(found):
    return [each.code.id for each in found]


def serve(dumped, asked, *, minor="1.36", by_pods=False, free=False, plan=None):
    """Return the verdicts of what is asked for, which must be sound."""
    dump, found = read(*dumped)
    wanted, more = read(*asked, path="asked.yaml")
    state = state_of_dump(dump, wanted, plan, free=free)
    each, problems = asked_pods(wanted, dump, state.templates) if by_pods else asked_claims(wanted)
    told = [*found, *more, *problems]
    assert [one for one in told if one.severity is Severity.ERROR] == []
    gates = open_catalog().kubernetes(minor).default_gates
    return simulate(state, minor, gates, each)


def told(verdicts):
    """Return the verdicts in short: name, verdict, node and devices."""
    return [
        (each.name, str(each.verdict), each.node, [one.device.device for one in each.results])
        for each in verdicts
    ]
