"""Generated devices: slices, classes, and what is taken already.

In: a source of chance and a setting. Out: plain objects as the API server gets them. They are made
to be accepted and to get in each other's way: few names, few values, small amounts.
"""

from __future__ import annotations

from itertools import count

DRIVERS = ("a.example", "b.example")
NODE = {"metadata": {"name": "node", "labels": {"zone": "here", "size": "4"}}}
LABELS = ({"key": "zone", "operator": "In", "values": ["here"]},) * 2 + (
    {"key": "zone", "operator": "NotIn", "values": ["here"]},
    {"key": "rack", "operator": "DoesNotExist"},
    {"key": "size", "operator": "Gt", "values": ["3"]},
    {"key": "size", "operator": "Lt", "values": ["4"]},
)
BROKEN_LABEL = {"key": "size", "operator": "Gt", "values": ["many"]}
TAINTS = [
    {"key": "k.example/t", "value": value, "effect": effect}
    for effect in ("NoSchedule", "NoExecute")
    for value in ("x", "y")
]
_POLICIES = (
    None,
    None,
    {"default": "1", "validValues": ["1", "2", "4"]},
    {"default": "2", "validRange": {"min": "1", "max": "4", "step": "1"}},
    {"default": "2", "validRange": {"min": "2"}},
)
_FRACTIONAL = {"default": "500m", "validRange": {"min": "500m", "max": "4", "step": "500m"}}
CLASSES = {
    "any": [],
    "a": ['device.driver == "a.example"'],
    "guarded": ['device.driver == "a.example" && has(device.attributes["x.example"].group)'],
    "grouped": ['device.attributes["x.example"].?group.orValue(0) == 1'],
    "reads": ['device.attributes["x.example"].group >= 0'],
    "two": ["true", 'device.driver.startsWith("a")'],
    "none": ["false"],
}


def make_object(kind, name, spec):
    """Return an object of resource.k8s.io; a claim is in a namespace."""
    metadata = {"name": name} | ({"namespace": "default"} if kind == "ResourceClaim" else {})
    head = {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": metadata}
    return head | {"spec": spec}


def make_classes():
    """Return the device classes of every case; those with parameters are two."""
    return [
        make_object(
            "DeviceClass",
            name,
            {
                "selectors": [{"cel": {"expression": each}} for each in expressions],
                "config": [make_config(DRIVERS[0], name)] if name in ("a", "grouped") else [],
            },
        )
        for name, expressions in CLASSES.items()
    ]


def make_config(driver, value):
    return {"opaque": {"driver": driver, "parameters": {"kind": value}}}


def make_slices(chance, setting):
    """Make the slices of one to three pools, in any order."""
    names = count()
    slices = []
    for pool in chance.choice(("p", "p", "p", "pq", "pq", "pq", "pqr")):
        slices += _pool(chance, setting, pool, names)
    if chance.random() < 0.3:
        chance.shuffle(slices)
    return slices


def _pool(chance, setting, name, names):
    """Make a pool: slices with devices, maybe counters, an older generation, or one too few."""
    driver = chance.choice(DRIVERS)
    number = chance.choice((1, 1, 1, 2))
    counters = setting.has("DRAPartitionableDevices") and chance.random() < 0.3
    place = _place(chance, setting)
    contents = [
        {"devices": _devices(chance, setting, f"d{index}", counters, place)}
        for index in range(number)
    ]
    if counters and setting.minor == "1.34":  # there counters stand beside the devices
        contents = [each | _counter_sets(chance) for each in contents]
    elif counters:
        contents.append(_counter_sets(chance))
    generation = chance.choice((1, 1, 2))
    wanted = len(contents) + (chance.random() < 0.06)
    made = [_slice(names, driver, (name, generation, wanted), place, each) for each in contents]
    if chance.random() < 0.1:
        old = {"devices": _devices(chance, setting, "old", False, place)}
        made.append(_slice(names, driver, (name, generation - 1, 1), place, old))
    return made


def _slice(names, driver, pool, place, content):
    name, generation, wanted = pool
    described = {"name": name, "generation": generation, "resourceSliceCount": wanted}
    spec = {"driver": driver, "pool": described, **place, **content}
    return make_object("ResourceSlice", f"slice-{next(names)}", spec)


def _place(chance, setting):
    """Say for which cluster nodes a pool is."""
    drawn = chance.random()
    if drawn < 0.1 and setting.has("DRAPartitionableDevices"):
        return {"perDeviceNodeSelection": True}
    if drawn < 0.25:
        return {"allNodes": True}
    if drawn < 0.45:
        return {"nodeSelector": _node_selector(chance)}
    return {"nodeName": "other" if drawn > 0.98 else "node"}


def _node_selector(chance):
    label = BROKEN_LABEL if chance.random() < 0.05 else chance.choice(LABELS)
    term = {"matchExpressions": [label]}
    if chance.random() < 0.2:
        term["matchFields"] = [{"key": "metadata.name", "operator": "In", "values": ["node"]}]
    return {"nodeSelectorTerms": [term]}


def _counter_sets(chance):
    counters = {"mem": {"value": chance.choice(("4", "6", "8"))}, "cores": {"value": "2"}}
    return {"sharedCounters": [{"name": "set", "counters": counters}]}


def _devices(chance, setting, prefix, counters, place):
    likely = chance.choice((0.0, 0.1, 0.4))  # how many devices are odd in one way or another
    number = chance.choice((0, 1, 2, 3, 3, 4, 4, 5))
    return [
        _device(chance, setting, f"{prefix}-{index}", likely, counters, place)
        for index in range(number)
    ]


def _device(chance, setting, name, likely, counters, place):
    def happens(weight=1.0):
        return chance.random() < likely * weight

    device = {"name": name, "attributes": _attributes(chance, setting, happens)}
    shared = setting.has("DRAConsumableCapacity") and happens()
    if shared:
        device["allowMultipleAllocations"] = True
    if chance.random() < (0.8 if shared else 0.4):
        device["capacity"] = {"mem": _capacity(chance, setting, shared)}
    if setting.has("DRADeviceTaints") and happens():
        device["taints"] = [chance.choice(TAINTS)]
    if counters and chance.random() < 0.8:
        amount = {"mem": {"value": chance.choice(("1", "2", "4"))}}
        device["consumesCounters"] = [{"counterSet": "set", "counters": amount}]
    if place.get("perDeviceNodeSelection"):
        device |= chance.choice(
            (
                {"nodeName": "node"},
                {"nodeName": "other"},
                {"allNodes": True},
                {"nodeSelector": _node_selector(chance)},
            )
        )
    if setting.has("DRADeviceBindingConditions") and happens(0.5):
        device |= {
            "bindsToNode": chance.choice((True, False)),
            "bindingConditions": ["x.example/ready"],
            "bindingFailureConditions": ["x.example/broken"],
        }
    return device


def _attributes(chance, setting, happens):
    """Make attributes: a group, a colour and a version, each missing now and then."""
    attributes = {
        "x.example/group": {"int": chance.choice((0, 0, 1))},
        "colour": {"string": chance.choice(("red", "blue"))},
        "version": {"version": chance.choice(("1.0.0", "1.2.0"))},
        "x.example/fast": {"bool": chance.choice((True, False))},
    }
    if happens():
        del attributes[chance.choice(sorted(attributes))]
    if happens(0.3):
        attributes["x.example/group"] = {"string": "0"}
    if setting.has("DRAListTypeAttributes") and chance.random() < 0.6:
        attributes["x.example/group"] = {"ints": chance.choice(([0], [0, 1], [1, 2]))}
    return attributes


def _capacity(chance, setting, shared):
    capacity = {"value": chance.choice(("4", "4", "6", "8"))}
    if shared:
        fractional = setting.has("DRAFractionalCapacityRange")
        policy = chance.choice((*_POLICIES, _FRACTIONAL) if fractional else _POLICIES)
        if policy:
            capacity["requestPolicy"] = policy
    return capacity
