"""Objects of resource.k8s.io as people write them, right and wrong, for the API server to judge.

In: a random number generator, a kind and a version of the API. Out: objects. Most are valid but for
one to three mutations; what a mutation breaks is left to chance. The same seed gives the same
objects.
"""

from __future__ import annotations

import copy
import json

GROUP = "resource.k8s.io"
VERSIONS = ("v1", "v1beta2", "v1beta1")
NAMES = ("a", "b", "row-1", "x0")
DOMAINS = ("d.example.com", "e.example.com")
IDS = ("size", "row_1", "_x")
QUANTITIES = ("1", "2", "4Gi", "1500m", "8", 3, "1e3", "0", "0.5")
DOMAIN = 'device.attributes["d.example.com"]'
NESTED = f"{DOMAIN}.all(i, {DOMAIN}.all(j, {DOMAIN}.all(k, {DOMAIN}.all(l, i == j && k == l))))"
EXPRESSIONS = (
    'device.driver == "d.example.com"',
    'device.attributes["d.example.com"].size == 4',
    'device.attributes["d.example.com"].row_1 == "x"',
    'device.capacity["d.example.com"].memory.isGreaterThan(quantity("8Gi"))',
    'has(device.attributes["d.example.com"].size) && true',
    "device.allowMultipleAllocations == true",
    "[1, 2].distinct() == [1, 2]",
    "1",
    "device.driver ==",
    " || ".join(f'device.attributes["d.example.com"].all(i, {x})' for x in ["i == i"] * 9),
    NESTED,
)


def maybe(rng, chance=0.3):
    return rng.random() < chance


def some(rng, make, most=3, least=0):
    return [make(index) for index in range(rng.randint(least, most))]


def make_meta(rng, *, namespaced):
    meta = {"name": rng.choice(("x", "x.y", "a-1"))}
    if namespaced and maybe(rng, 0.7):
        meta["namespace"] = "team"
    if maybe(rng):
        meta["labels"] = {"example.com/a": "b", "c": ""}
    if maybe(rng, 0.2):
        meta["annotations"] = {"Example.com/A": "text"}
    if maybe(rng, 0.1):
        meta["generateName"] = meta.pop("name") + "-"
    if maybe(rng, 0.05):
        meta["finalizers"] = ["example.com/x"]
    if maybe(rng, 0.05):
        meta["ownerReferences"] = [
            {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": True}
        ]
    if maybe(rng, 0.05):
        meta["creationTimestamp"] = None
    return meta


def make_attribute_name(rng):
    return f"{rng.choice(DOMAINS)}/{rng.choice(IDS)}"


def make_selector(rng):
    return {"cel": {"expression": rng.choice(EXPRESSIONS[:7] if maybe(rng, 0.9) else EXPRESSIONS)}}


def make_toleration(rng):
    toleration = {}
    if maybe(rng, 0.8):
        toleration["key"] = "example.com/k"
    if maybe(rng, 0.6):
        toleration["operator"] = rng.choice(("Exists", "Equal"))
    if toleration.get("operator") != "Exists" and maybe(rng, 0.5):
        toleration["value"] = "v"
    if maybe(rng, 0.5):
        toleration["effect"] = rng.choice(("NoSchedule", "NoExecute", "None"))
    if maybe(rng, 0.1):
        toleration["tolerationSeconds"] = 30
    return toleration


def make_asked(rng):
    asked = {"deviceClassName": rng.choice(("c", "neuron.example.com"))}
    if maybe(rng, 0.4):
        asked["selectors"] = some(rng, lambda _: make_selector(rng), 2)
    if maybe(rng, 0.5):
        asked["allocationMode"] = rng.choice(("ExactCount", "All"))
    if asked.get("allocationMode") != "All" and maybe(rng, 0.5):
        asked["count"] = rng.randint(1, 40)
    if maybe(rng, 0.2):
        asked["tolerations"] = some(rng, lambda _: make_toleration(rng), 2)
    if maybe(rng, 0.15):
        asked["capacity"] = {"requests": {"m": rng.choice(QUANTITIES)}}
    if maybe(rng, 0.05):
        asked["derivedAttributes"] = [{"name": "d.example.com/size", "expression": "1"}]
    return asked


def make_request(rng, index, version):
    request = {"name": f"{rng.choice(NAMES)}{index}"}
    if maybe(rng, 0.25):
        request["firstAvailable"] = some(
            rng, lambda i: {"name": f"s{i}", **make_asked(rng)}, 3, least=1
        )
        return request
    asked = make_asked(rng)
    if maybe(rng, 0.15):
        asked["adminAccess"] = rng.choice((True, False))
    return {**request, **asked} if version == "v1beta1" else {**request, "exactly": asked}


def make_references(rng, requests):
    names = [request["name"] for request in requests]
    names += [
        f"{request['name']}/{each['name']}"
        for request in requests
        for each in request.get("firstAvailable", [])
    ]
    return rng.sample(names, rng.randint(0, len(names)))


def make_constraint(rng, requests):
    constraint = {
        rng.choice(("matchAttribute",) * 3 + ("distinctAttribute",)): make_attribute_name(rng)
    }
    if maybe(rng, 0.5):
        constraint["requests"] = make_references(rng, requests)
    return constraint


def make_config(rng, requests=()):
    parameters = {"apiVersion": "example.com/v1", "kind": "Config", "size": rng.randint(0, 5)}
    config = {"opaque": {"driver": rng.choice(DOMAINS), "parameters": parameters}}
    if requests and maybe(rng, 0.5):
        config["requests"] = make_references(rng, requests)
    return config


def make_devices(rng, version):
    requests = some(rng, lambda index: make_request(rng, index, version), 3)
    devices = {"requests": requests}
    if maybe(rng, 0.4):
        devices["constraints"] = some(rng, lambda _: make_constraint(rng, requests), 2)
    if maybe(rng, 0.3):
        devices["config"] = some(rng, lambda _: make_config(rng, requests), 2)
    return devices


def make_object(kind, version, meta, **parts):
    return {"apiVersion": f"{GROUP}/{version}", "kind": kind, "metadata": meta, **parts}


def make_claim(rng, version):
    spec = {"devices": make_devices(rng, version)}
    made = make_object("ResourceClaim", version, make_meta(rng, namespaced=True), spec=spec)
    if maybe(rng, 0.05):
        made["status"] = {"reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}]}
    return made


def make_template(rng, version):
    spec = {"spec": {"devices": make_devices(rng, version)}}
    if maybe(rng, 0.3):
        spec["metadata"] = {"labels": {"a": "b"}, "annotations": {"c": "d"}}
    return make_object("ResourceClaimTemplate", version, make_meta(rng, namespaced=True), spec=spec)


def make_class(rng, version):
    spec = {}
    if maybe(rng, 0.7):
        spec["selectors"] = some(rng, lambda _: make_selector(rng), 2)
    if maybe(rng, 0.5):
        spec["config"] = some(rng, lambda _: make_config(rng), 2)
    if maybe(rng, 0.3):
        spec["extendedResourceName"] = "example.com/chip"
    return make_object("DeviceClass", version, make_meta(rng, namespaced=False), spec=spec)


def make_scalar(rng):
    return rng.choice(
        ({"int": 4}, {"bool": True}, {"bool": False}, {"string": "s"}, {"version": "1.2.3"})
    )


def make_attribute(rng):
    if maybe(rng, 0.06):
        return rng.choice(
            ({"ints": [1, 2]}, {"bools": [True]}, {"strings": ["s"]}, {"versions": []})
        )
    return make_scalar(rng)


def make_policy(rng):
    policy = {"default": rng.choice(("1", "2", "0.5"))}
    if maybe(rng, 0.5):
        policy["validValues"] = rng.choice((["1", "2"], ["1"], ["1", "1500m", "2"], ["2", "4Gi"]))
    else:
        policy["validRange"] = {"min": "1"}
        if maybe(rng, 0.5):
            policy["validRange"]["max"] = rng.choice(("4", "8", "2.5"))
        if maybe(rng, 0.5):
            policy["validRange"]["step"] = rng.choice(("1", "2", "500m", "0", "-1"))
    return policy


def make_capacity(rng):
    capacity = {"value": rng.choice(QUANTITIES)}
    if maybe(rng, 0.3):
        capacity["requestPolicy"] = make_policy(rng)
    return capacity


def make_node_selector(rng):
    requirement = {"key": "example.com/k", "operator": rng.choice(("In", "Exists", "Gt"))}
    if requirement["operator"] != "Exists":
        requirement["values"] = ["1"]
    term = {"matchExpressions": [requirement]}
    if maybe(rng, 0.3):
        term["matchFields"] = [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]
    return {"nodeSelectorTerms": [term]}


def make_nodes(rng):
    return rng.choice(
        ({"nodeName": "node-a"}, {"allNodes": True}, {"nodeSelector": make_node_selector(rng)})
    )


def make_counters(rng):
    return {name: {"value": rng.choice(QUANTITIES)} for name in rng.sample(("c", "d-1", "e"), 2)}


def make_consumption(rng, index):
    consumption = {"counterSet": f"s{index}", "counters": make_counters(rng)}
    if maybe(rng, 0.1):
        consumption["compatibilityGroups"] = ["g"]
    return consumption


def make_values(rng):
    device = {}
    if maybe(rng, 0.8):
        keys = rng.sample((*IDS, *(f"{DOMAINS[0]}/{name}" for name in IDS)), rng.randint(0, 4))
        device["attributes"] = {key: make_attribute(rng) for key in keys}
    if maybe(rng, 0.5):
        device["capacity"] = {key: make_capacity(rng) for key in rng.sample(IDS, rng.randint(0, 2))}
    if maybe(rng, 0.3):
        device["allowMultipleAllocations"] = rng.choice((True, True, False))
    return device


def make_taint(rng):
    return {"key": "example.com/k", "effect": rng.choice(("NoSchedule", "NoExecute", "None"))}


# What a device has seldom: how often, and what it is.
EXTRAS = (
    (0.15, lambda rng: {"taints": [make_taint(rng)]}),
    (0.15, lambda rng: {"consumesCounters": some(rng, lambda i: make_consumption(rng, i), 2)}),
    (0.1, lambda _: {"bindingConditions": ["y"], "bindingFailureConditions": ["n"]}),
    (0.05, lambda _: {"bindsToNode": True}),
    (0.03, make_nodes),
    (0.05, lambda _: {"nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "2"}}}),
    (0.05, lambda _: {"nodeAllocatableResources": {"cpu": {"mapping": {"deviceMultiplier": "2"}}}}),
)


def make_device(rng, index, version, per_device):
    device = make_values(rng)
    for chance, make in EXTRAS:
        if maybe(rng, chance):
            device |= make(rng)
    if per_device:
        device |= make_nodes(rng)
    name = {"name": f"dev-{index}"}
    if version == "v1beta1":
        return {**name, "basic": device} if device or maybe(rng, 0.5) else name
    return {**name, **device}


def make_slice(rng, version):
    pool = {"name": rng.choice(("p", "node-a", "a/b")), "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": DOMAINS[0], "pool": pool}
    per_device = maybe(rng, 0.15)
    spec |= {"perDeviceNodeSelection": True} if per_device else make_nodes(rng)
    if maybe(rng, 0.15):
        spec["sharedCounters"] = some(
            rng, lambda i: {"name": f"s{i}", "counters": make_counters(rng)}, 3
        )
    if "sharedCounters" not in spec or maybe(rng, 0.2):
        spec["devices"] = some(rng, lambda index: make_device(rng, index, version, per_device), 3)
    if maybe(rng, 0.03):
        spec["partitionTypeAttribute"] = "d.example.com/size"
    if maybe(rng, 0.03):
        spec["skipNodeOperations"] = ["*"]
    return make_object("ResourceSlice", version, make_meta(rng, namespaced=False), spec=spec)


MAKERS = {
    "ResourceSlice": make_slice,
    "ResourceClaim": make_claim,
    "ResourceClaimTemplate": make_template,
    "DeviceClass": make_class,
}


# --- mutations

STRANGE_TEXTS = (
    *("", "A", "a_b", "a.b", "a/b", "a/b/c", "-a", "a-", "A.Example.com/x", "/x", "x/", " "),
    *("x" * 33, "x" * 64, "x" * 254, "d.example.com/" + "y" * 33, "z" * 64 + "/y", "ä"),
    *("All", "all", "Exists", "None", "NoSchedule", "1", "true", "kubernetes.io/x", "requests.a/b"),
    *("1.2.3", "v1.2.3", "01.2.3", "1Gi", "1.5", "-1", "2026-12-01T08:00:00Z", "device.driver"),
)
STRANGE_NUMBERS = (0, 1, -1, 2, 33, 2**31, 2**63 - 1, 2**63, 1.5)
OTHERS = ("", "x", 0, 1, 1.5, True, False, None, [], {}, ["x"], {"x": "y"}, [None], [{}])


class Twice(dict):
    """A map that writes one of its keys twice."""

    def items(self):
        pairs = list(super().items())
        return [*pairs, *pairs[:1]]


def list_places(value, path=()):
    """Yield the path of every value inside a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(pairs):
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from list_places(item, (*path, key))


def find_parent(tree, path):
    for step in path[:-1]:
        tree = tree[step]
    return tree


def drop(_rng, parent, key):
    del parent[key]


def retype(rng, parent, key):
    parent[key] = copy.deepcopy(rng.choice(OTHERS))


def lengthen(rng, parent, key):
    value = parent[key]
    if isinstance(value, str):
        parent[key] = value * rng.choice((2, 40)) + rng.choice(("", "x" * 60))
    elif isinstance(value, list) and value:
        parent[key] = [
            copy.deepcopy(each) for _ in range(rng.choice((2, 9, 33, 129))) for each in value[:1]
        ]
    elif isinstance(value, dict) and value:
        first = next(iter(value.values()))
        value |= {f"k{i}": copy.deepcopy(first) for i in range(rng.choice((2, 33, 49)))}


def rename(rng, parent, key):
    if isinstance(parent, dict):
        name = rng.choice((key.upper(), key + "x", rng.choice(STRANGE_TEXTS), key.capitalize()))
        parent[name] = parent.pop(key)


def reorder(rng, parent, key):
    if isinstance(parent[key], list):
        rng.shuffle(parent[key])


def repeat(rng, parent, key):
    if isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]))
    elif isinstance(parent[key], list) and parent[key]:
        parent[key].append(copy.deepcopy(parent[key][0]))
    elif type(parent[key]) is dict and parent[key] and maybe(rng, 0.2):
        parent[key] = Twice(parent[key])


def replace(rng, parent, key):
    value = parent[key]
    if isinstance(value, str):
        parent[key] = rng.choice(STRANGE_TEXTS)
    elif isinstance(value, bool):
        parent[key] = not value
    elif isinstance(value, int | float):
        parent[key] = rng.choice(STRANGE_NUMBERS)
    elif isinstance(value, list):
        parent[key] = rng.choice(([], [None], None))
    else:
        parent[key] = rng.choice(({}, None))


MUTATIONS = (drop, retype, lengthen, rename, reorder, repeat, replace, replace, replace)


def mutate(rng, made):
    """Change one thing somewhere in an object."""
    if maybe(rng, 0.04):
        made["apiVersion"] = f"{GROUP}/{rng.choice((*VERSIONS, 'v1alpha3', 'v2'))}"
        return
    places = [path for path in list_places(made) if path not in (("apiVersion",), ("kind",))]
    if places:
        path = rng.choice(places)
        rng.choice(MUTATIONS)(rng, find_parent(made, path), path[-1])


def make_case(rng, kind, versions=VERSIONS):
    """Make an object with none to three mutations."""
    made = MAKERS[kind](rng, rng.choice((versions[0], *versions)))
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        mutate(rng, made)
    return made


# --- what the server did with an object


def find_lost(sent, stored, path=""):
    """Yield the fields that were sent with a value and are not stored."""
    if isinstance(sent, dict) and isinstance(stored, dict):
        for key, value in sent.items():
            inner = join(path, key)
            if key in stored:
                yield from find_lost(value, stored[key], inner)
            elif value:
                yield inner
    elif isinstance(sent, list) and isinstance(stored, list):
        for index, (ours, theirs) in enumerate(zip(sent, stored, strict=False)):
            yield from find_lost(ours, theirs, f"{path}[{index}]")


FREE_KEYS = (
    *("attributes", "capacity", "counters", "requests"),
    *("nodeAllocatableResources", "nodeAllocatableResourceMappings"),
)


def strip(sent, key=""):
    """Return what was sent without the fields that have no value; a key of a map is none."""
    if isinstance(sent, dict):
        pairs = ((name, strip(value, name)) for name, value in sent.items())
        is_map = key in FREE_KEYS and set(sent) != {"requests"}
        return {name: value for name, value in pairs if value is not None or is_map}
    return [strip(each) for each in sent] if isinstance(sent, list) else sent


def join(path, key):
    """Return the field of a key; keys of maps stand in brackets."""
    if path.rpartition(".")[2] in FREE_KEYS:
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key


def summarize(sent, answer):
    """Return the answer of the real server as `outcome, causes, dropped fields`."""
    if "panic" in answer:
        return "panic", frozenset(), frozenset()
    if answer.get("decodeError"):
        return "unread", frozenset(), frozenset()
    if not answer["accepted"]:
        found = frozenset((each["type"], each["field"]) for each in answer["causes"])
        return "refused", found, frozenset()
    lost = frozenset(
        field
        for field in find_lost(strip(sent), answer["stored"])
        if not field.startswith("metadata.") or field == "metadata.namespace"
    )
    return "accepted", frozenset(), lost


def repeats_key(made):
    """Tell whether a key stands twice in a map somewhere."""
    inner = made.values() if isinstance(made, dict) else made if isinstance(made, list) else ()
    return isinstance(made, Twice) or any(map(repeats_key, inner))


def show(made):
    return json.dumps(made)[:3000]
