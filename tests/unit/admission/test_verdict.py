"""What becomes of objects of resource.k8s.io: refused where, accepted, which fields are dropped."""

from __future__ import annotations

import copy

import pytest

from neuron_dra.admission.server import Server
from neuron_dra.admission.verdict import judge
from neuron_dra.catalog.locate import open_catalog

CATALOG = open_catalog(())
MINORS = CATALOG.minors()
V1 = "resource.k8s.io/v1"


def server_of(minor="1.36", **gates):
    release = CATALOG.kubernetes(minor)
    return Server(release, {**release.default_gates, **gates})


def template(*requests, api_version=V1, **devices):
    return {
        "apiVersion": api_version,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "x", "namespace": "team"},
        "spec": {"spec": {"devices": {"requests": list(requests), **devices}}},
    }


def request(name="a", **exactly):
    return {"name": name, "exactly": {"deviceClassName": "c", **exactly}}


def device_class(**spec):
    return {"apiVersion": V1, "kind": "DeviceClass", "metadata": {"name": "x"}, "spec": spec}


def resource_slice(*devices, api_version=V1, **spec):
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    nodes = (
        {} if {"nodeName", "allNodes", "perDeviceNodeSelection"} & set(spec) else {"nodeName": "n"}
    )
    return {
        "apiVersion": api_version,
        "kind": "ResourceSlice",
        "metadata": {"name": "x"},
        "spec": {
            "driver": "d.example.com",
            "pool": pool,
            **nodes,
            **({"devices": list(devices)} if devices else {}),
            **spec,
        },
    }


def taint_rule(api_version=V1, **spec):
    taint = {"key": "example.com/k", "effect": "NoExecute"}
    return {
        "apiVersion": api_version,
        "kind": "DeviceTaintRule",
        "metadata": {"name": "x"},
        "spec": {"taint": taint, **spec},
    }


def causes_of(data, server=None, labels=None):
    """Return type and field of each cause, the types without what they all begin with."""
    verdict = judge(data, server or server_of(), labels)
    assert verdict.problems == ()
    found = ((each.type.removeprefix("FieldValue"), each.field) for each in verdict.causes)
    return list(dict.fromkeys(found))


def fields_of(data, server=None):
    return [each.field for each in judge(data, server or server_of()).dropped]


R = "spec.spec.devices.requests"
C = "spec.spec.devices.constraints"
O = "spec.spec.devices.config[0].opaque"  # noqa: E741 -- as short as its neighbours
SHARED = {"name": "a", "allowMultipleAllocations": True}
OPAQUE = {"driver": "d", "parameters": {"a": 1}}
SUB = {"name": "s", "deviceClassName": "c"}

REFUSED = {
    # what is wrong: (object, its causes in 1.36)
    "count with All": (
        template(request(allocationMode="All", count=3)),
        [("Invalid", f"{R}[0].exactly.count")],
    ),
    "negative count": (template(request(count=-1)), [("Invalid", f"{R}[0].exactly.count")]),
    "unknown mode": (
        template(request(allocationMode="all")),
        [("NotSupported", f"{R}[0].exactly.allocationMode")],
    ),
    "neither choice": (template({"name": "a"}), [("Required", f"{R}[0]")]),
    "both choices": (
        template({**request(count=-1), "firstAvailable": [SUB]}),
        [("Invalid", f"{R}[0]")],
    ),
    "no class": (
        template({"name": "a", "exactly": {}}),
        [("Required", f"{R}[0].exactly.deviceClassName")],
    ),
    "bad class": (
        template(request(deviceClassName="C")),
        [("Invalid", f"{R}[0].exactly.deviceClassName")],
    ),
    "bad name": (template(request("A")), [("Invalid", f"{R}[0].name")]),
    "name twice": (template(request(), request()), [("Duplicate", f"{R}[1]")]),
    "33 requests": (template(*(request(f"r{i}") for i in range(33))), [("TooMany", R)]),
    "9 subrequests": (
        template({"name": "a", "firstAvailable": [{**SUB, "name": f"s{i}"} for i in range(9)]}),
        [("TooMany", f"{R}[0].firstAvailable")],
    ),
    "subrequest twice": (
        template({"name": "a", "firstAvailable": [SUB, SUB]}),
        [("Duplicate", f"{R}[0].firstAvailable[1]")],
    ),
    "no expression": (
        template(request(selectors=[{}])),
        [("Required", f"{R}[0].exactly.selectors[0].cel")],
    ),
    "no boolean": (
        template(request(selectors=[{"cel": {"expression": "1"}}])),
        [("Invalid", f"{R}[0].exactly.selectors[0].cel.expression")],
    ),
    "long expression": (
        template(request(selectors=[{"cel": {"expression": "x" * 10241}}])),
        [("TooLong", f"{R}[0].exactly.selectors[0].cel.expression")],
    ),
    "33 selectors": (
        template(request(selectors=[{}] * 33)),
        [("TooMany", f"{R}[0].exactly.selectors")],
    ),
    "value with Exists": (
        template(request(tolerations=[{"operator": "Exists", "value": "v"}])),
        [("Invalid", f"{R}[0].exactly.tolerations[0].value")],
    ),
    "bad toleration": (
        template(request(tolerations=[{"key": "-", "operator": "In", "effect": "Never"}])),
        [
            ("Invalid", f"{R}[0].exactly.tolerations[0].key"),
            ("NotSupported", f"{R}[0].exactly.tolerations[0].operator"),
            ("NotSupported", f"{R}[0].exactly.tolerations[0].effect"),
        ],
    ),
    "empty constraint": (template(constraints=[{}]), [("Required", f"{C}[0]")]),
    "attribute without domain": (
        template(constraints=[{"matchAttribute": "a"}]),
        [("Invalid", f"{C}[0].matchAttribute")],
    ),
    "unknown request": (
        template(request(), constraints=[{"matchAttribute": "d/a", "requests": ["b"]}]),
        [("Invalid", f"{C}[0].requests[0]")],
    ),
    "unknown subrequest": (
        template(request(), constraints=[{"matchAttribute": "d/a", "requests": ["a/s", "a/s/t"]}]),
        [("Invalid", f"{C}[0].requests[0]"), ("Invalid", f"{C}[0].requests[1]")],
    ),
    "no opaque": (template(config=[{}]), [("Required", O)]),
    "no driver": (template(config=[{"opaque": {"parameters": {}}}]), [("Required", f"{O}.driver")]),
    "long driver": (
        template(config=[{"opaque": {**OPAQUE, "driver": "d" * 64}}]),
        [("TooLong", f"{O}.driver")],
    ),
    "no parameters": (
        template(config=[{"opaque": {"driver": "d"}}]),
        [("Required", f"{O}.parameters")],
    ),
    "a list of parameters": (
        template(config=[{"opaque": {**OPAQUE, "parameters": []}}]),
        [("Invalid", f"{O}.parameters")],
    ),
    "large parameters": (
        template(config=[{"opaque": {**OPAQUE, "parameters": {"a": "<" * 2000}}}]),
        [("TooLong", f"{O}.parameters")],
    ),
    "admin access": (
        template(request(adminAccess=True)),
        [("Forbidden", "spec.devices.requests[0].adminAccess")],
    ),
    "33 configs of a class": (device_class(config=[{}] * 33), [("TooMany", "spec.config")]),
    "bad extended resource": (
        device_class(extendedResourceName="chip"),
        [("Invalid", "spec.extendedResourceName")],
    ),
    "no nodes": (resource_slice(nodeName=None), [("Required", "spec")]),
    "empty node": (
        resource_slice(nodeName=""),
        [("Invalid", "spec.nodeName"), ("Required", "spec")],
    ),
    "two kinds of nodes": (resource_slice(nodeName="n", allNodes=True), [("Invalid", "spec")]),
    "counters and devices": (
        resource_slice({"name": "a"}, sharedCounters=[]),
        [("Invalid", "spec")],
    ),
    "129 devices": (
        resource_slice(*({"name": f"d{i}"} for i in range(129))),
        [("TooMany", "spec.devices")],
    ),
    "65 devices with taints": (
        resource_slice(
            *({"name": f"d{i}", "taints": [{"key": "k", "effect": "None"}]} for i in range(65))
        ),
        [("TooMany", "spec.devices")],
    ),
    "device twice": (
        resource_slice({"name": "a"}, {"name": "a"}),
        [("Duplicate", "spec.devices[1]")],
    ),
    "33 attributes": (
        resource_slice({"name": "a", "attributes": {f"a{i}": {"int": 1} for i in range(33)}}),
        [("Invalid", "spec.devices[0]")],
    ),
    "no value": (
        resource_slice({"name": "a", "attributes": {"x": {}}}),
        [("Invalid", "spec.devices[0].attributes[x]")],
    ),
    "bad version": (
        resource_slice({"name": "a", "attributes": {"x": {"version": "v1"}}}),
        [("Invalid", "spec.devices[0].attributes[x].version")],
    ),
    "long text": (
        resource_slice({"name": "a", "attributes": {"x": {"string": "x" * 65}}}),
        [("TooLong", "spec.devices[0].attributes[x].string")],
    ),
    "bad key": (
        resource_slice(
            {"name": "a", "attributes": {"d/": {"int": 1}, "/x": {"int": 1}, "a-b": {"int": 1}}}
        ),
        [("Invalid", "spec.devices[0].attributes")],
    ),
    "taint without effect": (
        resource_slice({"name": "a", "taints": [{"key": "k"}]}),
        [("Required", "spec.devices[0].taints[0].effect")],
    ),
    "node of a device": (
        resource_slice({"name": "a", "nodeName": "n"}),
        [("Invalid", "spec.devices[0]")],
    ),
    "device without node": (
        resource_slice({"name": "a"}, perDeviceNodeSelection=True),
        [("Required", "spec.devices[0]")],
    ),
    "one list of conditions": (
        resource_slice({"name": "a", "bindingConditions": ["x"]}),
        [("Invalid", "spec.devices[0].bindingFailureConditions")],
    ),
    "conditions twice": (
        resource_slice(
            {"name": "a", "bindingConditions": ["x", "x"], "bindingFailureConditions": ["x"]}
        ),
        [
            ("Duplicate", "spec.devices[0].bindingConditions[1]"),
            ("Invalid", "spec.devices[0].bindingFailureConditions[0]"),
        ],
    ),
    "no counters": (
        resource_slice({"name": "a", "consumesCounters": [{"counterSet": "S", "counters": {}}]}),
        [
            ("Invalid", "spec.devices[0].consumesCounters[0].counterSet"),
            ("Required", "spec.devices[0].consumesCounters[0].counters"),
        ],
    ),
    "nameless counter set": (
        resource_slice(sharedCounters=[{"counters": {"C": {"value": "1"}}}]),
        [
            ("Required", "spec.sharedCounters[0].name"),
            ("Invalid", "spec.sharedCounters[0].counters"),
        ],
    ),
    "policy of a lone device": (
        resource_slice({"name": "a", "capacity": {"m": {"value": "1", "requestPolicy": {}}}}),
        [("Forbidden", "spec.devices[0].capacity[m].requestPolicy")],
    ),
}


S = "spec.nodeSelector.nodeSelectorTerms"
BINDING = {"bindingConditions": [], "bindingFailureConditions": ["x"]}
REFUSED |= {
    "costly selector": (
        template(
            request(
                selectors=[
                    {
                        "cel": {
                            "expression": "["
                            "0"
                            + ", 0" * 300
                            + "].all(x, ["
                            + "0"
                            + ", 0" * 300
                            + "].all(y, [0"
                            + ", 0" * 300
                            + "].all(z, x == z)))"
                        }
                    }
                ]
            )
        ),
        [("Forbidden", f"{R}[0].exactly.selectors[0].cel.expression")],
    ),
    "unknown effect": (
        resource_slice({"name": "a", "taints": [{"key": "k", "effect": "x"}]}),
        [("NotSupported", "spec.devices[0].taints[0].effect")],
    ),
    "no pool": (
        resource_slice(pool={"generation": -1}),
        [
            ("Required", "spec.pool.name"),
            ("Invalid", "spec.pool.resourceSliceCount"),
            ("Invalid", "spec.pool.generation"),
        ],
    ),
    "long pool": (
        resource_slice(pool={"name": "p" * 254, "resourceSliceCount": 1}),
        [("TooLong", "spec.pool.name"), ("Invalid", "spec.pool.name")],
    ),
    "long id": (
        resource_slice({"name": "a", "attributes": {"x" * 33: {"int": 1}}}),
        [("TooLong", "spec.devices[0].attributes")],
    ),
    "long key": (
        resource_slice({"name": "a", "attributes": {"x" * 200: {}}}),
        [
            ("TooLong", "spec.devices[0].attributes"),
            ("Invalid", f"spec.devices[0].attributes[{'x' * 47}...{'x' * 46}]"),
        ],
    ),
    "9 counter sets": (
        resource_slice(sharedCounters=[{"name": f"s{i}", "counters": {"c": {}}} for i in range(9)]),
        [("TooMany", "spec.sharedCounters")],
    ),
    "33 counters": (
        resource_slice(
            sharedCounters=[{"name": "s", "counters": {f"c{i}": {} for i in range(33)}}]
        ),
        [("TooMany", "spec.sharedCounters[0].counters")],
    ),
    "nameless consumption": (
        resource_slice({"name": "a", "consumesCounters": [{"counters": {"c": {}}}]}),
        [("Required", "spec.devices[0].consumesCounters[0].counterSet")],
    ),
    "empty node of a device": (
        resource_slice({"name": "a", "nodeName": ""}, perDeviceNodeSelection=True),
        [("Invalid", "spec.devices[0].nodeName"), ("Required", "spec.devices[0]")],
    ),
    "failures alone": (
        resource_slice({"name": "a", **BINDING}),
        [("Invalid", "spec.devices[0].bindingConditions")],
    ),
    "no term": (resource_slice(nodeName=None, nodeSelector={}), [("Required", S), ("Invalid", S)]),
    "odd expressions": (
        resource_slice(
            nodeName=None,
            nodeSelector={
                "nodeSelectorTerms": [
                    {
                        "matchExpressions": [
                            {"key": "k", "operator": "In"},
                            {"key": "k", "operator": "Exists", "values": ["v"]},
                            {"key": "k", "operator": "Gt", "values": ["1", "2"]},
                            {"key": "-", "operator": "x", "values": ["-"]},
                            {"key": "k", "operator": "NotIn", "values": ["v"]},
                            {"key": "k", "operator": "DoesNotExist"},
                            {"key": "k", "operator": "Lt", "values": ["1"]},
                        ]
                    }
                ]
            },
        ),
        [
            ("Required", f"{S}[0].matchExpressions[0].values"),
            ("Forbidden", f"{S}[0].matchExpressions[1].values"),
            ("Required", f"{S}[0].matchExpressions[2].values"),
            ("Invalid", f"{S}[0].matchExpressions[3].operator"),
            ("Invalid", f"{S}[0].matchExpressions[3].key"),
            ("Invalid", f"{S}[0].matchExpressions[3].values[0]"),
        ],
    ),
    "odd fields": (
        resource_slice(
            nodeName=None,
            nodeSelector={
                "nodeSelectorTerms": [
                    {
                        "matchFields": [
                            {"key": "metadata.name", "operator": "In", "values": ["N"]},
                            {"key": "metadata.name", "operator": "In"},
                            {"key": "x", "operator": "Exists"},
                        ]
                    }
                ]
            },
        ),
        [
            ("Invalid", f"{S}[0].matchFields[0].values[0]"),
            ("Required", f"{S}[0].matchFields[1].values"),
            ("Invalid", f"{S}[0].matchFields[2].operator"),
            ("Invalid", f"{S}[0].matchFields[2].key"),
        ],
    ),
}


@pytest.mark.parametrize(("data", "causes"), REFUSED.values(), ids=REFUSED)
def test_refused(data, causes):
    """Each rule refuses its object at its field, with the type that the server gives."""
    assert causes_of(copy.deepcopy(data)) == causes


POLICIES = {
    # policy of a capacity of 8: (policy, causes below the policy)
    "values": ({"default": "1", "validValues": ["1", "2"]}, []),
    "range": ({"default": "1", "validRange": {"min": "1", "max": "8", "step": "1"}}, []),
    "no default": ({"validValues": ["1"]}, [("Required", "default")]),
    "both": ({"default": "1", "validValues": ["1"], "validRange": {}}, [("Forbidden", "")]),
    "default not among values": (
        {"default": "3", "validValues": ["1"]},
        [("Invalid", "validValues")],
    ),
    "unsorted": ({"default": "1", "validValues": ["2", "1"]}, [("Invalid", "validValues[1]")]),
    "twice": ({"default": "1", "validValues": ["1", "1"]}, [("Duplicate", "validValues[1]")]),
    "value too large": (
        {"default": "1", "validValues": ["1", "9"]},
        [("Invalid", "validValues[1]")],
    ),
    "no min": ({"default": "1", "validRange": {}}, [("Required", "validRange.min")]),
    "large min": ({"default": "9", "validRange": {"min": "9"}}, [("Invalid", "validRange.min")]),
    "default below": (
        {"default": "1", "validRange": {"min": "2"}},
        [("Invalid", "validRange.min")],
    ),
    "max below": (
        {"default": "3", "validRange": {"min": "3", "max": "2"}},
        [("Invalid", "validRange.max")],
    ),
    "max too large": (
        {"default": "1", "validRange": {"min": "1", "max": "9"}},
        [("Invalid", "validRange.max")],
    ),
    "no step fits": (
        {"default": "1", "validRange": {"min": "1", "step": "8"}},
        [("Invalid", "validRange.step")],
    ),
    "off the steps": (
        {"default": "2", "validRange": {"min": "1", "step": "2"}},
        [("Invalid", "validRange.step")],
    ),
    "no step": (
        {"default": "1", "validRange": {"min": "1", "step": "0"}},
        [("InternalError", "validRange.step")],
    ),
}


@pytest.mark.parametrize(("policy", "causes"), POLICIES.values(), ids=POLICIES)
def test_policies(policy, causes):
    """The amounts of a shared device are checked against its capacity and each other."""
    capacity = {"m": {"value": "8", "requestPolicy": policy}}
    place = "spec.devices[0].capacity[m].requestPolicy"

    found = causes_of(resource_slice({**SHARED, "capacity": capacity}))

    assert found == [(kind, f"{place}.{field}".rstrip(".")) for kind, field in causes]


@pytest.mark.parametrize(
    ("bounds", "field"),
    [
        ({"min": "1", "step": "0"}, "step"),
        ({"min": "2"}, "default"),
        ({"min": "0", "max": "0.5"}, "default"),
        ({"min": "-1", "step": "1"}, "min"),
    ],
)
def test_policies_of_new_minors(bounds, field):
    """From 1.37 on a range is checked before it is computed with."""
    policy = {"default": "1", "validRange": bounds}
    data = resource_slice({**SHARED, "capacity": {"m": {"value": "8", "requestPolicy": policy}}})

    place = f"spec.devices[0].capacity[m].requestPolicy.validRange.{field}"
    assert causes_of(data, server_of("1.37")) == [("Invalid", place)]


def test_fractional_ranges():
    """With their gate, ranges are counted in thousandths, and nothing finer is taken."""
    server = server_of("1.37", DRAFractionalCapacityRange=True)

    def causes(default, step):
        policy = {"default": default, "validRange": {"min": "0.5", "step": step}}
        data = resource_slice(
            {**SHARED, "capacity": {"m": {"value": "8", "requestPolicy": policy}}}
        )
        return [field.rpartition(".")[2] for _, field in causes_of(data, server)]

    assert causes("1", "0.25") == []
    assert causes("1", "0.3") == ["step"]
    assert causes("1", "100u") == ["step"]


SOUND = {
    "request": template(request(count=40)),
    "alternatives": template(
        {"name": "a", "firstAvailable": [SUB]},
        constraints=[{"matchAttribute": "d/a", "requests": ["a", "a/s"]}],
    ),
    "nothing": template(),
    "class": device_class(selectors=[{"cel": {"expression": 'device.driver == "d"'}}]),
    "slice": resource_slice({"name": "a", "attributes": {"d.example.com/x": {"bool": False}}}),
    "per device": resource_slice({"name": "a", "allNodes": True}, perDeviceNodeSelection=True),
}


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
@pytest.mark.parametrize("data", SOUND.values(), ids=SOUND)
def test_sound(data, minor):
    """A sound object is accepted as it is."""
    verdict = judge(copy.deepcopy(data), server_of(minor))

    assert (verdict.problems, verdict.causes, verdict.dropped) == ((), (), ())
    assert not verdict.is_refused


def test_admin_access_with_label():
    """A namespace with the label allows admin access."""
    labels = {"resource.kubernetes.io/admin-access": "true"}

    assert causes_of(template(request(adminAccess=True)), labels=labels) == []


@pytest.mark.parametrize(
    ("asked", "fields"),
    [
        ({"capacity": {"requests": {"m": "1"}}}, [["capacity"], ["capacity"], [], []]),
        ({"tolerations": [{"operator": "Exists"}]}, [[], ["tolerations"], [], []]),
        ({"tolerations": []}, [[], [], [], []]),
    ],
)
def test_dropped(asked, fields):
    """A field behind a gate that is off is dropped by the minors that drop it."""
    found = [
        fields_of(template(request(**copy.deepcopy(asked))), server_of(minor)) for minor in MINORS
    ]

    assert found == [[f"{R}[0].exactly.{name}" for name in names] for names in fields]


def test_dropped_of_the_flat_version():
    """Fields are named as the object's own version has them."""
    flat = {"name": "a", "deviceClassName": "c", "capacity": {"requests": {"m": "1"}}}
    device = {"name": "a", "basic": {"taints": [{"key": "k", "effect": "NoSchedule"}]}}
    version = "resource.k8s.io/v1beta1"

    assert fields_of(template(flat, api_version=version), server_of("1.35")) == [f"{R}[0].capacity"]
    assert fields_of(resource_slice(device, api_version=version), server_of("1.35")) == [
        "spec.devices[0].basic.taints"
    ]


def test_dropped_beside_gates():
    """A status and the namespace of a kind that has none are dropped by every minor."""
    claim = {
        "apiVersion": V1,
        "kind": "ResourceClaim",
        "metadata": {"name": "x"},
        "spec": {},
        "status": {"reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}]},
    }
    named = device_class() | {"metadata": {"name": "x", "namespace": "team"}}

    assert fields_of(claim) == ["status.reservedFor"]
    assert fields_of(named) == ["metadata.namespace"]


def test_kept_gates_can_be_switched():
    """A gate that is on in this server keeps its field."""
    data = template(request(capacity={"requests": {"m": "1"}}))

    assert fields_of(data, server_of("1.35", DRAConsumableCapacity=True)) == []


def test_flat_version():
    """The flat version is judged in the newest shape; a declared rule names its own field."""
    flat = {"name": "a", "deviceClassName": "c", "count": -1, "allocationMode": "x"}
    data = template(flat, api_version="resource.k8s.io/v1beta1")

    assert causes_of(copy.deepcopy(data)) == [("NotSupported", f"{R}[0].exactly.allocationMode")]
    assert causes_of(data, server_of("1.37")) == [("NotSupported", f"{R}[0].allocationMode")]


DECLARED = {
    # what is wrong: (object, its causes in 1.37)
    "toleration": (
        template(request(tolerations=[{"key": "-", "operator": "In", "effect": "Never"}])),
        {
            ("Invalid", f"{R}[0].exactly.tolerations[0].key"),
            ("NotSupported", f"{R}[0].exactly.tolerations[0].operator"),
            ("NotSupported", f"{R}[0].exactly.tolerations[0].effect"),
        },
    ),
    "upper case domain": (
        template(constraints=[{"matchAttribute": "D/a", "distinctAttribute": "a"}]),
        {("Invalid", f"{C}[0].matchAttribute"), ("Invalid", f"{C}[0].distinctAttribute")},
    ),
    "long domain": (
        template(constraints=[{"matchAttribute": "d" * 64 + "/a"}]),
        {("TooLong", f"{C}[0].matchAttribute")},
    ),
    "config": (
        template(config=[{"requests": ["a", "a"], "opaque": {"parameters": {}}}]),
        {
            ("Invalid", "spec.spec.devices.config[0].requests[0]"),
            ("Invalid", "spec.spec.devices.config[0].requests[1]"),
            ("Duplicate", "spec.spec.devices.config[0].requests[1]"),
            ("Required", f"{O}.driver"),
        },
    ),
    "class": (
        device_class(config=[{"opaque": {"driver": "D_", "parameters": {}}}]),
        {("Invalid", "spec.config[0].opaque.driver")},
    ),
    "taints": (
        resource_slice({"name": "a", "taints": [{"key": "k"}, {"key": "k", "effect": "x"}]}),
        {
            ("Required", "spec.devices[0].taints[0].effect"),
            ("NotSupported", "spec.devices[0].taints[1].effect"),
        },
    ),
    "counters": (
        resource_slice(
            {"name": "a", "consumesCounters": [{"counters": {"C": {}}}, {"counterSet": "s"}]}
        ),
        {
            ("Required", "spec.devices[0].consumesCounters[0].counterSet"),
            ("Invalid", "spec.devices[0].consumesCounters[0].counters"),
            ("Required", "spec.devices[0].consumesCounters[1].counters"),
        },
    ),
    "five conditions": (
        resource_slice(
            {"name": "a", "bindingConditions": list("abcde"), "bindingFailureConditions": ["x"]}
        ),
        {("TooMany", "spec.devices[0].bindingConditions")},
    ),
    "no value": (
        resource_slice({"name": "a", "attributes": {"x": {}}}),
        {("Invalid", "spec.devices[0].attributes[x]")},
    ),
}


@pytest.mark.parametrize(("data", "causes"), DECLARED.values(), ids=DECLARED)
def test_declared(data, causes):
    """From 1.37 on declared rules decide beside the code, each reason once."""
    found = causes_of(copy.deepcopy(data), server_of("1.37"))

    assert set(found) == causes
    assert len(found) == len(causes)


def test_compatibility_groups():
    """With their gate, the groups of a consumption are few, and each once."""
    server = server_of("1.37", DRADeviceCompatibilityGroups=True)
    consumed = {"counterSet": "s", "counters": {"c": {}}, "compatibilityGroups": ["g", "g", "h"]}
    place = "spec.devices[0].consumesCounters[0].compatibilityGroups"

    assert causes_of(resource_slice({"name": "a", "consumesCounters": [consumed]}), server) == [
        ("TooMany", place)
    ]


def test_names_of_the_oldest_minor():
    """In 1.34 an empty name is a missing one, and the cause of a key lies at the item."""
    server = server_of("1.34")
    attributes = {"": {"int": 1}, "/x": {"int": 1}, "d/": {"int": 1}, "x": {}}
    place = "spec.devices[0].attributes"

    assert causes_of(resource_slice({"name": "a", "attributes": attributes}), server) == [
        ("Required", f"{place}[]"),
        ("Required", f"{place}[/x]"),
        ("Required", f"{place}[d/]"),
        ("Required", f"{place}[x]"),
    ]
    assert causes_of(template(constraints=[{"matchAttribute": ""}]), server) == [
        ("Required", f"{C}[0].matchAttribute")
    ]
    assert causes_of(template(constraints=[{}]), server) == [("Required", f"{C}[0].matchAttribute")]
    nameless = template(config=[{"opaque": {"parameters": {}}}])
    assert causes_of(nameless, server) == [("Required", f"{O}.driver"), ("Invalid", f"{O}.driver")]


def test_flat_slice():
    """In the flat version an empty node name is none, and devices stand in `basic`."""
    device = {"name": "a", "basic": {"attributes": {"x": {}}}}
    data = resource_slice(
        device, api_version="resource.k8s.io/v1beta1", nodeName="", allNodes=False
    )

    assert causes_of(data) == [
        ("Required", "spec"),
        ("Invalid", "spec.devices[0].attributes[x]"),
    ]


def test_declared_rules_look_everywhere():
    """From 1.37 on a request with both choices is looked into by the declared rules."""
    both = {**request(allocationMode="x"), "firstAvailable": [{"name": "s"}]}

    assert set(causes_of(template(both), server_of("1.37"))) == {
        ("Invalid", f"{R}[0]"),
        ("NotSupported", f"{R}[0].exactly.allocationMode"),
        ("Required", f"{R}[0].firstAvailable[0].deviceClassName"),
    }


def test_oldest_minor():
    """In 1.34 long lists are looked into, duplicates name their key, and counters refer to sets."""
    server = server_of("1.34", DRAPartitionableDevices=True)
    consumed = [{"counterSet": "s", "counters": {"c": {"value": "1"}}}]
    data = resource_slice({"name": "a", "consumesCounters": consumed}, sharedCounters=[])

    assert causes_of(data, server) == [
        ("Invalid", "spec.devices[0].consumesCounters[0].counterSet")
    ]
    assert causes_of(template(request(), request()), server) == [("Duplicate", f"{R}[1].name")]
    assert len(causes_of(template(*[request()] * 33), server)) == 33


def test_counters_of_the_oldest_minor():
    """1.34 limits counters over all sets, of the slice and of a device."""
    server = server_of("1.34", DRAPartitionableDevices=True)
    counters = {f"c{i}": {"value": "1"} for i in range(33)}
    shared = [{"name": "s", "counters": counters}]
    device = {
        "name": "a",
        "consumesCounters": [{"counterSet": "s", "counters": {**counters, "d": {"value": "1"}}}],
    }

    assert causes_of(resource_slice(device, sharedCounters=shared), server) == [
        ("Invalid", "spec.devices[0]"),
        ("Invalid", "spec.devices[0].consumesCounters[0].counters"),
        ("Invalid", "spec.sharedCounters"),
    ]
    many = [{**device, "name": f"d{i}"} for i in range(31)]
    found = causes_of(resource_slice(*many, sharedCounters=shared), server)
    assert ("Invalid", "spec.devices") in found


LIST_GATE = {"DRAListTypeAttributes": True}


@pytest.mark.parametrize(
    ("attribute", "fields"),
    [
        ({"ints": [1, 2]}, []),
        ({"strings": []}, ["attributes[x].strings"]),
        ({"versions": ["1"]}, ["attributes[x].versions[0]"]),
        ({"ints": list(range(49))}, [""]),
    ],
)
def test_lists(attribute, fields):
    """With their gate, attributes may be lists, with items as single values have to be."""
    data = resource_slice({"name": "a", "attributes": {"x": attribute}})
    found = [field for _, field in causes_of(data, server_of(**LIST_GATE))]

    assert found == [f"spec.devices[0].{field}".rstrip(".") for field in fields]


def test_derived_attributes():
    """With their gate, derived attributes need a constraint that compares them."""
    server = server_of("1.37", DRADerivedAttributes=True)
    derived = {"derivedAttributes": [{"name": "d.example.com/x", "expression": "1"}]}
    subrequest = {"name": "a", "firstAvailable": [{**SUB, **derived}]}
    match = {"matchAttribute": "d.example.com/x"}
    place = f"{R}[0].exactly.derivedAttributes[0]"

    assert causes_of(template(request(**derived), constraints=[match]), server) == []
    for name in ("a", "a/s"):
        data = template(subrequest, constraints=[{**match, "requests": [name]}])
        assert causes_of(data, server) == []
    assert causes_of(template(request(**derived)), server) == [("Invalid", f"{place}.name")]
    empty = {"derivedAttributes": [{}]}
    assert causes_of(template(request(**empty)), server) == [
        ("Required", f"{place}.name"),
        ("Required", f"{place}.expression"),
    ]


NODES = server_of("1.37", DRANodeAllocatableResources=True)


@pytest.mark.parametrize(
    ("resource", "fields"),
    [
        ({"cpu": {"mapping": {"deviceMultiplier": "2"}}}, []),
        ({"cpu": {}}, ["[cpu]"]),
        (
            {"gpu": {"mapping": {"deviceMultiplier": "0"}}},
            ["[gpu]", "[gpu].mapping.deviceMultiplier"],
        ),
        ({"cpu": {"mapping": {}}}, ["[cpu].mapping"]),
        (
            {"cpu": {"mapping": {"capacityKey": ""}}},
            ["[cpu].mapping.capacityKey", "[cpu].mapping.capacityMultiplier"],
        ),
        (
            {"cpu": {"mapping": {"capacityKey": "m", "capacityMultiplier": "1"}}},
            ["[cpu].mapping.capacityKey"],
        ),
        (
            {"cpu": {"mapping": {"deviceMultiplier": "1", "capacityMultiplier": "1"}}},
            ["[cpu].mapping.capacityKey"],
        ),
        ({"cpu": {"overhead": {}}}, ["[cpu].overhead"]),
        ({"cpu": {"overhead": {"perPod": "-1"}}}, ["[cpu].overhead.perPod"]),
    ],
)
def test_node_resources(resource, fields):
    """With their gate, resources of the node that come with a device are checked."""
    data = resource_slice({"name": "a", "nodeAllocatableResources": resource})
    place = "spec.devices[0].nodeAllocatableResources"

    assert [field for _, field in causes_of(data, NODES)] == [f"{place}{field}" for field in fields]


def test_old_node_resources():
    """1.36 has them under another name."""
    server = server_of(DRANodeAllocatableResources=True)
    mapping = {"allocationMultiplier": "0", "capacityKey": "m"}
    data = resource_slice({"name": "a", "nodeAllocatableResourceMappings": {"x.y/z": mapping}})
    place = "spec.devices[0].nodeAllocatableResourceMappings[x.y/z]"

    assert causes_of(data, server) == [
        ("Invalid", place),
        ("Invalid", f"{place}.allocationMultiplier"),
        ("NotFound", f"{place}.capacityKey"),
    ]


def test_partition_type():
    """With its gate, each partition has to have the attribute that tells partitions apart."""
    server = server_of("1.37", DRAPartitionableDevicesType=True)
    name = "d.example.com/kind"
    consumed = [{"counterSet": "s", "counters": {"c": {"value": "1"}}}]
    partitions = [
        {"name": "a", "consumesCounters": consumed, "attributes": {"kind": {"string": "x"}}},
        {"name": "b", "consumesCounters": consumed, "attributes": {name: {"int": 1}}},
        {"name": "c", "consumesCounters": consumed},
        {"name": "d"},
    ]

    assert causes_of(resource_slice(*partitions, partitionTypeAttribute=name), server) == [
        ("Invalid", f"spec.devices[1].attributes[{name}]"),
        ("Required", f"spec.devices[2].attributes[{name}]"),
    ]
    assert causes_of(resource_slice({"name": "d"}, partitionTypeAttribute=name), server) == [
        ("Invalid", "spec.partitionTypeAttribute")
    ]


def test_skipped_operations():
    """With their gate, operations on nodes are known ones, and none is skipped alone."""
    server = server_of("1.37", DRAOptionalNodeOperations=True)
    place = "spec.skipNodeOperations"

    def causes(*names):
        return causes_of(resource_slice(skipNodeOperations=list(names)), server)

    assert causes("*") == []
    assert causes("NodePrepareResources") == [("Invalid", place)]
    assert causes("x") == [("NotSupported", f"{place}[0]")]


def test_taint_rules():
    """A rule selects devices by valid names; 1.34 knows classes and selectors too."""
    wrong = {"driver": "", "pool": "P", "device": "A"}
    place = "spec.deviceSelector"

    assert causes_of(taint_rule(), server_of("1.37")) == []
    assert causes_of(taint_rule(deviceSelector=wrong), server_of("1.37")) == [
        ("Required", f"{place}.driver"),
        ("Invalid", f"{place}.pool"),
        ("Invalid", f"{place}.device"),
    ]
    old = taint_rule("resource.k8s.io/v1alpha3", deviceSelector={"deviceClassName": "C"})
    assert causes_of(old, server_of("1.34")) == [("Invalid", f"{place}.deviceClassName")]
    assert judge(taint_rule(), server_of("1.36")).problems[0].field == "apiVersion"


@pytest.mark.parametrize(
    ("meta", "causes"),
    [
        ({}, [("Required", "name")]),
        ({"name": "X"}, [("Invalid", "name")]),
        ({"generateName": "x-"}, []),
        ({"generateName": "Xy-"}, [("Invalid", "generateName"), ("Invalid", "name")]),
        ({"name": "x", "namespace": "a.b"}, [("Invalid", "namespace")]),
        ({"name": "x", "generation": -1}, [("Invalid", "generation")]),
        ({"name": "x", "labels": {"-": "-"}}, [("Invalid", "labels")]),
        ({"name": "x", "annotations": {"-": ""}}, [("Invalid", "annotations")]),
        ({"name": "x", "annotations": {"a": "x" * (1 << 18)}}, [("TooLong", "annotations")]),
        ({"name": "x", "finalizers": ["x"]}, [("Invalid", "finalizers[0]")]),
        (
            {"name": "x", "finalizers": ["orphan", "foregroundDeletion"]},
            [("Invalid", "finalizers")],
        ),
        (
            {"name": "x", "managedFields": [{"operation": "x"}]},
            [("Invalid", "managedFields[0].operation")],
        ),
    ],
)
def test_metadata(meta, causes):
    """Metadata is checked at the fields that the server names."""
    data = template() | {"metadata": meta}

    assert causes_of(data) == [(kind, f"metadata.{field}") for kind, field in causes]


def test_managed_fields():
    """Every part of a managed field has its own rule."""
    entry = {
        "operation": "Update",
        "fieldsType": "x",
        "manager": "\n" * 129,
        "subresource": "x" * 257,
    }
    data = template() | {"metadata": {"name": "x", "managedFields": [entry]}}
    place = "metadata.managedFields[0]"

    assert causes_of(data) == [
        ("Invalid", f"{place}.fieldsType"),
        ("TooLong", f"{place}.manager"),
        ("Invalid", f"{place}.manager"),
        ("TooLong", f"{place}.subresource"),
    ]
    for operation, kind in (("", "Required"), ("x", "NotSupported")):
        data["metadata"]["managedFields"] = [{"operation": operation}]
        assert causes_of(data, server_of("1.37")) == [(kind, f"{place}.operation")]


def test_owners():
    """An owner is named in full, and from 1.37 on the cause names which."""
    owner = {"apiVersion": "a/b/c", "kind": "", "name": "n", "uid": "u"}
    event = {"apiVersion": "v1", "kind": "Event", "name": "n", "uid": "u", "controller": True}
    data = template() | {"metadata": {"name": "x", "ownerReferences": [owner, event, event]}}

    assert causes_of(copy.deepcopy(data)) == [
        ("Invalid", "metadata.ownerReferences.kind"),
        ("Invalid", "metadata.ownerReferences.apiVersion"),
        ("Invalid", "metadata.ownerReferences"),
    ]
    assert ("Required", "metadata.ownerReferences[0].kind") in causes_of(data, server_of("1.37"))


def test_generated_names_of_classes():
    """A class's `generateName` is judged by the name that it gives, then as a part of a path."""
    data = device_class() | {"metadata": {"generateName": "x" * 60 + "/"}}

    assert causes_of(data) == [("Invalid", "metadata.generateName")]


def test_template_metadata():
    """A template's metadata has labels and annotations only."""
    data = template()
    data["spec"]["metadata"] = {"labels": {"a": "b"}, "name": "x", "uid": "u", "finalizers": []}

    assert causes_of(data) == [
        ("Forbidden", "spec.metadata.name"),
        ("Forbidden", "spec.metadata.uID"),
        ("Forbidden", "spec.metadata.finalizers"),
    ]


def test_other_kinds():
    """Of kinds of other groups nothing is known here."""
    assert judge({"apiVersion": "v1", "kind": "Pod"}, server_of()) is None
    assert judge({"apiVersion": "x.y/v1", "kind": "DeviceClass"}, server_of()) is None
