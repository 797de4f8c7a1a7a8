"""Generated claims, and what other claims hold.

In: a source of chance, a setting and slices. Out: plain ResourceClaims as the API server gets them.
"""

from __future__ import annotations

from conformance.judge.inventories import CLASSES, DRIVERS, TAINTS, make_config, make_object

_SAFE = (
    'device.attributes["x.example"].?group.orValue(0) == 0',
    'device.driver == "a.example" && device.attributes["a.example"].colour == "red"',
    'has(device.attributes["x.example"].fast) && device.attributes["x.example"].fast',
    'device.attributes.exists(d, d == "a.example")',
    '"mem" in device.capacity["a.example"]',
    'device.capacity[device.driver].?mem.orValue(quantity("0")).isLessThan(quantity("6"))',
    "device.attributes[device.driver].?version.optMap(v, v.minor() > 0).orValue(true)",
)
_GATED_SELECTORS = {
    "DRAConsumableCapacity": "device.allowMultipleAllocations",
    "DRAListTypeAttributes": 'device.attributes["x.example"].?group.orValue([]).includes(0)',
}
# These read attributes without asking whether they are there.
_UNSAFE = (
    'device.attributes["x.example"].group == 0',
    'device.attributes["x.example"].fast',
    'device.attributes[device.driver].colour == "blue"',
    'device.attributes["x.example"].none == 1',
)
_UNSAFE_SHARE = 0.3
_ATTRIBUTES = ("x.example/group", "x.example/group", "a.example/colour", "x.example/fast")
_ODD_ATTRIBUTES = ("a.example/version", "b.example/colour", "x.example/none")


def make_claims(chance, setting):
    """Make the claims of a pod."""
    number = chance.choice((1, 1, 1, 1, 1, 2, 2, 3))
    return [_claim(chance, setting, f"claim-{index}") for index in range(number)]


def _claim(chance, setting, name):
    number = chance.choice((1, 1, 1, 2, 2, 3))
    requests = [_request(chance, setting, f"r{index}") for index in range(number)]
    names = [each["name"] for each in requests]
    names += [f"{each['name']}/s0" for each in requests if "firstAvailable" in each]
    devices = {"requests": requests, "constraints": [], "config": []}
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
        devices["constraints"].append(_constraint(chance, setting, names))
    for _ in range(chance.choice((0, 0, 0, 1, 2))):
        config = make_config(chance.choice(DRIVERS), "claim")
        devices["config"].append(config | _some(chance, names))
    return make_object("ResourceClaim", name, {"devices": devices})


def _request(chance, setting, name):
    if chance.random() < (0.25 if setting.has("DRAPrioritizedList") else 0.01):
        number = chance.choice((1, 2, 2, 3))
        subrequests = [_exactly(chance, setting) | {"name": f"s{index}"} for index in range(number)]
        return {"name": name, "firstAvailable": subrequests}
    exactly = _exactly(chance, setting)
    if chance.random() < (0.06 if setting.has("DRAAdminAccess") else 0.01):
        exactly["adminAccess"] = True
    return {"name": name, "exactly": exactly}


def _exactly(chance, setting):
    request = {"deviceClassName": chance.choice((*CLASSES, *("any",) * 10, "guarded", "grouped"))}
    if chance.random() < 0.01:
        request["deviceClassName"] = "missing"
    if chance.random() < 0.12:
        request["allocationMode"] = "All"
    else:
        request["count"] = 33 if chance.random() < 0.01 else chance.choice((1, 1, 1, 1, 2, 3))
    if chance.random() < 0.3:
        request["selectors"] = [{"cel": {"expression": _selector(chance, setting)}}]
    if setting.has("DRADeviceTaints") and chance.random() < 0.3:
        request["tolerations"] = [_toleration(chance)]
    if chance.random() < (0.25 if setting.has("DRAConsumableCapacity") else 0.01):
        name = "mem" if chance.random() < 0.9 else "b.example/mem"
        amount = chance.choice(("1", "2", "3", "5", "500m"))
        request["capacity"] = {"requests": {name: amount}}
    return request


def _selector(chance, setting):
    gated = tuple(text for gate, text in _GATED_SELECTORS.items() if setting.has(gate))
    return chance.choice(_UNSAFE if chance.random() < _UNSAFE_SHARE else _SAFE + gated)


def _toleration(chance):
    if chance.random() < 0.4:
        return {"operator": "Exists"}
    taint = chance.choice(TAINTS)
    toleration = {"key": taint["key"], "operator": "Equal", "value": taint["value"]}
    return toleration | ({"effect": taint["effect"]} if chance.random() < 0.5 else {})


def _constraint(chance, setting, names):
    odd = chance.random() < 0.1
    attribute = chance.choice(_ODD_ATTRIBUTES if odd else _ATTRIBUTES)
    distinct = setting.has("DRAConsumableCapacity") and chance.random() < 0.3
    kind = "distinctAttribute" if distinct else "matchAttribute"
    return {kind: attribute} | _some(chance, names)


def _some(chance, names):
    """Name some requests, or none, which means all."""
    if chance.random() < 0.5:
        return {}
    return {"requests": chance.sample(names, chance.randint(1, min(2, len(names))))}


def make_allocated(chance, slices):
    """Give some devices to other claims, as wholes or in shares."""
    likely = chance.choice((0, 0, 0.3))
    taken = []
    for each in slices:
        for device in each["spec"].get("devices", ()):
            if chance.random() < likely:
                taken.append(_result(chance, each["spec"], device, len(taken)))
    return taken


def _result(chance, spec, device, number):
    ids = {"driver": spec["driver"], "pool": spec["pool"]["name"], "device": device["name"]}
    result = {"request": "r", **ids}
    if device.get("allowMultipleAllocations"):
        result["shareID"] = f"00000000-0000-4000-8000-{number:012}"
        result["consumedCapacity"] = dict.fromkeys(device.get("capacity", ()), chance.choice("123"))
    return result
