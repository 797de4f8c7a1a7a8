"""Kubernetes itself says what the facts of `targets/` say, and accepts what the compiler writes.

Every test asks the real code of all four minors: tests/oracle/README.md.
"""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import pytest
import yaml

from oracle.build import MINORS
from oracle.client import OracleError

pytestmark = pytest.mark.oracle

ROOT = Path(__file__).resolve().parents[2]
CEL_COST_LIMIT = 1_000_000
NODE = {"metadata": {"name": "node-a"}}

on_every_minor = pytest.mark.parametrize("minor", MINORS)


def read_documents(path):
    return [each for each in yaml.safe_load_all(path.read_text(encoding="utf-8")) if each]


@cache
def release(minor):
    """The facts about a minor that the compiler works with."""
    (document,) = read_documents(ROOT / f"targets/kubernetes/{minor}.yaml")
    return document["spec"]


# --- feature gates


@on_every_minor
def test_gates_are_those_of_the_target(oracle, minor):
    """Every gate of a target has the stage, default and lock that it has in the real code."""
    real = oracle.ask({"op": "gates"})["gates"]
    ours = release(minor)["gates"]["gates"]
    facts = {
        name: {key: gate[key] for key in ("stage", "default", "locked")}
        for name, gate in ours.items()
    }

    assert facts == {name: real.get(name) for name in ours}


@on_every_minor
def test_no_gate_is_missing_in_the_target(oracle, minor):
    """Every gate whose name begins with DRA is in the target."""
    real = oracle.ask({"op": "gates"})["gates"]

    assert {name for name in real if name.startswith("DRA")} - set(
        release(minor)["gates"]["gates"]
    ) == set()


@on_every_minor
def test_version_is_that_of_the_minor(oracle, minor):
    """The program that answers for a minor was built from that minor."""
    assert oracle.ask({"op": "gates"})["kubernetes"].startswith(f"v{minor}.")


# --- what the API server does with fields behind gates


def make_template(*requests, **devices):
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "x", "namespace": "team"},
        "spec": {"spec": {"devices": {"requests": list(requests), **devices}}},
    }


def make_request(**exactly):
    return {"name": "a", "exactly": {"deviceClassName": "c", **exactly}}


def make_subrequests(**subrequest):
    return {"name": "a", "firstAvailable": [{"name": "b", "deviceClassName": "c", **subrequest}]}


def make_slice(*devices, **spec):
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "x"},
        "spec": {
            "driver": "d.example.com",
            "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
            **({"devices": list(devices)} if devices else {}),
            **(spec or {"nodeName": "node-a"}),
        },
    }


TOLERATIONS = {"tolerations": [{"key": "example.com/x", "operator": "Exists"}]}
CONSUMED = {
    "counterSet": "s",
    "counters": {"c": {"value": "1"}},
    "compatibilityGroups": ["g"],
}
COUNTERS = [{"name": "s", "counters": {"c": {"value": "1"}}}]
CLASS = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "x"},
    "spec": {"extendedResourceName": "example.com/chip"},
}
GATED = {
    "request tolerations": make_template(make_request(**TOLERATIONS)),
    "subrequest tolerations": make_template(make_subrequests(**TOLERATIONS)),
    "request capacity": make_template(make_request(capacity={"requests": {"memory": "1Gi"}})),
    "distinctAttribute": make_template(
        make_request(), constraints=[{"distinctAttribute": "d.example.com/a"}]
    ),
    "adminAccess": make_template(make_request(adminAccess=True)),
    "firstAvailable": make_template(make_subrequests()),
    "extendedResourceName": CLASS,
    "taints": make_slice({"name": "a", "taints": [{"key": "k", "effect": "NoSchedule"}]}),
    "consumesCounters": make_slice(
        {"name": "a", "consumesCounters": [{"counterSet": "s", "counters": {"c": {"value": "1"}}}]}
    ),
    "sharedCounters": make_slice(nodeName="node-a", sharedCounters=COUNTERS),
    "perDeviceNodeSelection": make_slice(
        {"name": "a", "nodeName": "node-a"}, perDeviceNodeSelection=True
    ),
    "allowMultipleAllocations": make_slice({"name": "a", "allowMultipleAllocations": True}),
    "requestPolicy": make_slice(
        {
            "name": "a",
            "allowMultipleAllocations": True,
            "capacity": {
                "m": {"value": "8", "requestPolicy": {"default": "1", "validValues": ["1", "2"]}}
            },
        }
    ),
    "bindingConditions": make_slice(
        {
            "name": "a",
            "bindsToNode": True,
            "bindingConditions": ["y"],
            "bindingFailureConditions": ["n"],
        }
    ),
    "list attribute": make_slice({"name": "a", "attributes": {"a": {"strings": ["s"]}}}),
    "nodeAllocatableResourceMappings": make_slice(
        {"name": "a", "nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "2"}}}
    ),
    "nodeAllocatableResources": make_slice(
        {"name": "a", "nodeAllocatableResources": {"cpu": {"mapping": {"deviceMultiplier": "2"}}}}
    ),
    "derivedAttributes": make_template(
        make_request(derivedAttributes=[{"name": "d.example.com/a", "expression": "1"}])
    ),
    "compatibilityGroups": make_slice({"name": "a", "consumesCounters": [CONSUMED]}),
    "skipNodeOperations": make_slice(nodeName="node-a", skipNodeOperations=["*"]),
    "partitionTypeAttribute": make_slice(
        nodeName="node-a", partitionTypeAttribute="d.example.com/a"
    ),
}

STORED = ("stored", "")
NO_NODES = ("refused", "spec: FieldValueRequired")
UNKNOWN_LIST = ("refused", "decode: spec.devices[0].attributes.a.strings")
EMPTY_ATTRIBUTE = ("refused", "spec.devices[0].attributes[a]: FieldValueInvalid")
NO_ATTRIBUTE = ("refused", "spec.spec.devices.constraints[0].matchAttribute: FieldValueRequired")


def dropped(*names):
    return ("dropped", ",".join(names))


def unknown(field):
    return ("refused", f"decode: {field}")


BINDING = dropped("bindingConditions", "bindingFailureConditions", "bindsToNode")
POLICY = dropped("allowMultipleAllocations", "requestPolicy")

FATES = {
    # field: 1.34, 1.35, 1.36, 1.37
    "request tolerations": (STORED, dropped("tolerations"), STORED, STORED),
    "subrequest tolerations": (STORED, dropped("tolerations"), STORED, STORED),
    "request capacity": (dropped("capacity"), dropped("capacity"), STORED, STORED),
    "distinctAttribute": (STORED, NO_ATTRIBUTE, STORED, STORED),
    "adminAccess": (STORED, STORED, STORED, STORED),
    "firstAvailable": (STORED, STORED, STORED, STORED),
    "extendedResourceName": (*[dropped("extendedResourceName")] * 2, STORED, STORED),
    "taints": (dropped("taints"), dropped("taints"), STORED, STORED),
    "consumesCounters": (*[dropped("consumesCounters")] * 2, STORED, STORED),
    "sharedCounters": (*[dropped("sharedCounters")] * 2, STORED, STORED),
    "perDeviceNodeSelection": (NO_NODES, NO_NODES, STORED, STORED),
    "allowMultipleAllocations": (*[dropped("allowMultipleAllocations")] * 2, STORED, STORED),
    "requestPolicy": (POLICY, POLICY, STORED, STORED),
    "bindingConditions": (BINDING, BINDING, STORED, STORED),
    "list attribute": (UNKNOWN_LIST, UNKNOWN_LIST, EMPTY_ATTRIBUTE, EMPTY_ATTRIBUTE),
    "nodeAllocatableResourceMappings": (
        *[unknown("spec.devices[0].nodeAllocatableResourceMappings")] * 2,
        dropped("nodeAllocatableResourceMappings"),
        unknown("spec.devices[0].nodeAllocatableResourceMappings"),
    ),
    "nodeAllocatableResources": (
        *[unknown("spec.devices[0].nodeAllocatableResources")] * 3,
        dropped("nodeAllocatableResources"),
    ),
    "derivedAttributes": (
        *[unknown("spec.spec.devices.requests[0].exactly.derivedAttributes")] * 3,
        dropped("derivedAttributes"),
    ),
    "compatibilityGroups": (
        *[unknown("spec.devices[0].consumesCounters[0].compatibilityGroups")] * 3,
        dropped("compatibilityGroups"),
    ),
    "skipNodeOperations": (
        *[unknown("spec.skipNodeOperations")] * 3,
        dropped("skipNodeOperations"),
    ),
    "partitionTypeAttribute": (
        *[unknown("spec.partitionTypeAttribute")] * 3,
        dropped("partitionTypeAttribute"),
    ),
}


def find_lost(sent, stored, path=""):
    """Yield the paths of what was sent and is not stored as it was sent."""
    if isinstance(sent, dict) and isinstance(stored, dict):
        for key, value in sent.items():
            if key in stored:
                yield from find_lost(value, stored[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}"
    elif isinstance(sent, list) and isinstance(stored, list) and len(sent) == len(stored):
        for index, (ours, theirs) in enumerate(zip(sent, stored, strict=True)):
            yield from find_lost(ours, theirs, f"{path}[{index}]")
    elif sent != stored:
        yield path


def find_fate(oracle, sent):
    """Return what became of an object, in the words of `targets/kubernetes`."""
    labels = {"resource.kubernetes.io/admin-access": "true"}
    answer = oracle.ask({"op": "create", "object": sent, "namespaceLabels": labels})
    if text := answer.get("decodeError"):
        return "refused", "decode: " + text.partition("unknown field ")[2].strip('"')
    if not answer["accepted"]:
        (cause,) = answer["causes"]
        return "refused", f"{cause['field']}: {cause['type']}"
    names = {path.rpartition(".")[2] for path in find_lost(sent, answer["stored"])}
    return dropped(*sorted(names)) if names else STORED


@on_every_minor
@pytest.mark.parametrize("field", GATED)
def test_fate_of_gated_fields(oracle, minor, field):
    """With default gates the API server drops, refuses or stores a field as it was measured."""
    assert find_fate(oracle, GATED[field]) == FATES[field][MINORS.index(minor)]


LISTS = {"bools": True, "ints": 1, "strings": "s", "versions": "1.0.0"}
CARRIERS = {
    # field of a target: the objects above that have it, where it is not their own name
    "tolerations": ["request tolerations", "subrequest tolerations"],
    "capacity": ["request capacity"],
    "bindingFailureConditions": ["bindingConditions"],
    "bindsToNode": ["bindingConditions"],
}


def list_carriers(field):
    """Return objects that have a field."""
    if field in LISTS:
        return [make_slice({"name": "a", "attributes": {"a": {field: [LISTS[field]]}}})]
    return [GATED[name] for name in CARRIERS.get(field, [field])]


@on_every_minor
def test_fates_are_those_of_the_target(oracle, minor):
    """The target tells of each gated field what the API server does with it."""
    gates = release(minor)["gates"]["gates"].values()
    told = {field: fate for gate in gates for field, fate in gate.get("fields", {}).items()}
    real = {field: {find_fate(oracle, sent) for sent in list_carriers(field)} for field in told}

    assert told
    assert {field: {fate} for field, fate in told.items()} == {
        field: {fate for fate, _ in fates} for field, fates in real.items()
    }
    for field, fates in real.items():
        for fate, detail in fates:
            assert fate != "dropped" or field in detail.split(",")


def test_gates_of_one_question_do_not_reach_the_next(oracle_of):
    """A gate that one question sets has its default again in the next."""
    oracle = oracle_of("1.36")
    question = {"op": "create", "object": GATED["request tolerations"]}
    off = {"gates": {"DRADeviceTaints": False, "DRADeviceTaintRules": False}}
    lost = [
        list(find_lost(GATED["request tolerations"], answer["stored"]))
        for answer in oracle.ask_many([question, question | off, question])
    ]

    assert [len(each) for each in lost] == [0, 1, 0]


@on_every_minor
def test_no_question_ends_the_process(oracle):
    """The next question is answered after one that makes no sense, or that Kubernetes panics at."""
    for nonsense in [
        {"op": "sing"},
        {"op": "cel", "expresion": "true"},
        {"op": "create"},
        {"op": "create", "object": {"apiVersion": "v1", "kind": "Node"}},
        {"op": "allocate", "claims": [{"kind": "Pod"}]},
        {"op": "gates", "gates": {"NoSuchGate": True}},
        {"op": "gates", "gates": {"DynamicResourceAllocation": 3}},
    ]:
        with pytest.raises(OracleError):
            oracle.ask(nonsense)
    panic = allocate(oracle, make_claim(-1))
    deep = "(" * 2000 + "true" + ")" * 2000

    assert "makeslice" in panic["panic"]
    assert oracle.ask({"op": "cel", "expression": deep})["compileError"]
    assert oracle.ask({"op": "cel", "expression": "true"})["compileError"] is None


# --- what the compiler writes

WRITTEN = ("DeviceClass", "ResourceClaimTemplate", "ResourceSlice")

LOST = {
    # minor: what the API server drops of a golden file, and why that is no mistake of ours
    "1.35": {"tolerations": "golden files are compiled for 1.36; DRADeviceTaints is alpha in 1.35"},
}


@cache
def read_golden():
    """The objects of all golden files whose kinds the real code can judge, with their files."""
    files = sorted((ROOT / "golden").glob("*/*.yaml"))
    return [
        (str(path.relative_to(ROOT)), each)
        for path in files
        for each in read_documents(path)
        if each.get("kind") in WRITTEN
    ]


@on_every_minor
def test_golden_objects_are_accepted(oracle, minor):
    """Every object in golden/ is accepted and stored as it was written."""
    written = read_golden()
    answers = oracle.ask_many([{"op": "create", "object": each} for _, each in written])
    problems = [
        (path, each["kind"], each["metadata"]["name"], answer["causes"])
        for (path, each), answer in zip(written, answers, strict=True)
        if not answer["accepted"]
    ]
    lost = {
        where.rpartition(".")[2]
        for (_, each), answer in zip(written, answers, strict=True)
        for where in find_lost(each, answer.get("stored", each))
    }

    assert {each["kind"] for _, each in written} == set(WRITTEN)
    assert problems == []
    assert lost == set(LOST.get(minor, {}))


def find_expressions(value):
    """Yield every CEL expression in an object."""
    if isinstance(value, dict):
        if isinstance(expression := value.get("expression"), str):
            yield expression
        for each in value.values():
            yield from find_expressions(each)
    elif isinstance(value, list):
        for each in value:
            yield from find_expressions(each)


@on_every_minor
def test_golden_expressions_compile(oracle):
    """Every selector in golden/ compiles as that of a new object, at a cost under the limit."""
    expressions = sorted({text for _, each in read_golden() for text in find_expressions(each)})
    answers = oracle.ask_many(
        [{"op": "cel", "expression": text, "new": True} for text in expressions]
    )
    judged = dict(zip(expressions, answers, strict=True))

    assert judged
    assert {text: each for text, each in judged.items() if each["compileError"]} == {}
    assert {text: each for text, each in judged.items() if each["cost"] > CEL_COST_LIMIT} == {}


# --- what the allocator does on a real node

CLASSES = [
    {
        "metadata": {"name": name},
        "spec": {"selectors": [{"cel": {"expression": expression}}]},
    }
    for name, expression in {
        "neuron.aws.com": 'device.driver == "neuron.aws.com"',
        "efa-rdma": 'device.driver == "dra.net" && device.attributes["dra.net"].rdma',
        "everything": "true",
    }.items()
]
FOUR = "resource.aws.com/devicegroup4_id"
SIXTEEN = "resource.aws.com/devicegroup16_id"
MISSING = 'device.attributes["neuron.aws.com"].nickname == "x"'
GUARDED = 'has(device.attributes["neuron.aws.com"].nickname) && ' + MISSING
ON_OTHER_DRIVER = 'device.attributes["neuron.aws.com"].resourceType == "neuron_device"'
GUARDED_BY_DRIVER = 'device.driver == "neuron.aws.com" && ' + ON_OTHER_DRIVER


@cache
def read_capture():
    """The ResourceSlices of a real trn1.32xlarge: 16 Neuron devices and 8 EFA interfaces."""
    folder = ROOT / "tests/data/captures/trn1.32xlarge"
    return [
        each
        for path in sorted(folder.glob("*.yaml"))
        for each in read_documents(path)
        if each["kind"] == "ResourceSlice"
    ]


def make_claim(neurons, efa=0, match="", **exactly):
    """Make a claim for Neuron devices, EFA interfaces, and what they have to share."""
    requests = [{"name": "neurons", "exactly": {"deviceClassName": "neuron.aws.com", **exactly}}]
    if neurons:
        requests[0]["exactly"]["count"] = neurons
    if efa:
        requests.append({"name": "efa", "exactly": {"deviceClassName": "efa-rdma", "count": efa}})
    constraints = [{"matchAttribute": match}] if match else []
    devices = {"requests": requests, "constraints": constraints}
    return {"metadata": {"name": "claim", "namespace": "team"}, "spec": {"devices": devices}}


def make_selected(expression, count=1, **exactly):
    """Make a claim for devices of any driver, or for all of them if the count is 0."""
    selectors = [{"cel": {"expression": expression}}]
    return make_claim(count, deviceClassName="everything", selectors=selectors, **exactly)


def allocate(oracle, *claims, **question):
    return oracle.ask(
        {
            "op": "allocate",
            "claims": list(claims),
            "classes": CLASSES,
            "slices": read_capture(),
            "node": NODE,
            **question,
        }
    )


def list_devices(answer, request):
    return [
        device["device"]
        for result in answer["results"]
        for device in result["devices"]
        if device["request"] == request
    ]


def number(names):
    return [int(name.rpartition("-")[2]) for name in names]


@on_every_minor
def test_paired_row(oracle):
    """Four devices and two EFA interfaces of one group are found in the order of the slice."""
    answer = allocate(oracle, make_claim(4, efa=2, match=FOUR))

    assert answer["allocated"]
    assert number(list_devices(answer, "neurons")) == [6, 7, 4, 5]
    assert list_devices(answer, "efa") == ["pci-0000-20-19-0", "pci-0000-90-19-0"]


@on_every_minor
@pytest.mark.parametrize(
    "claim",
    [make_claim(16), make_claim(16, efa=8, match=SIXTEEN)],
    ids=["16", "16 + 8 EFA of one group of 16"],
)
def test_whole_node(oracle, claim):
    """All devices of the node can be had in one claim, with all EFA interfaces."""
    answer = allocate(oracle, claim)

    assert answer["allocated"]
    assert sorted(number(list_devices(answer, "neurons"))) == list(range(16))
    assert len(list_devices(answer, "efa")) in (0, 8)


@on_every_minor
@pytest.mark.parametrize(
    "claim",
    [make_claim(4, efa=4, match=FOUR), make_claim(5, match=FOUR), make_selected(GUARDED)],
    ids=["4 + 4 EFA of a row", "5 of a row", "an attribute that no device has, guarded"],
)
def test_does_not_fit(oracle, claim):
    """What the hardware does not have is refused for this node only, and at once."""
    answer = allocate(oracle, claim)

    assert not answer["allocated"]
    assert not answer["fatal"]
    assert not answer["timedOut"]


@on_every_minor
def test_one_more_than_the_node_has(oracle, minor):
    """Up to 1.35 the search for 17 of 16 devices does not end: the scheduler cuts it off."""
    answer = allocate(oracle, make_claim(17), timeoutSeconds=2)

    assert not answer["allocated"]
    assert not answer["fatal"]
    assert answer["timedOut"] == (minor in ("1.34", "1.35"))
    if answer["timedOut"]:
        assert "context deadline exceeded" in answer["error"]


@on_every_minor
def test_all_devices_of_one_row(oracle):
    """A constraint on all devices that does not hold ends the scheduling attempt."""
    answer = allocate(oracle, make_claim(0, match=FOUR, allocationMode="All"))

    assert answer["fatal"]
    assert "because a claim constraint would not be satisfied" in answer["error"]


@on_every_minor
@pytest.mark.parametrize(
    "claim",
    [make_selected(MISSING), make_selected(ON_OTHER_DRIVER, count=0, allocationMode="All")],
    ids=["nobody has it", "another driver lacks it"],
)
def test_missing_attribute(oracle, minor, claim):
    """A selector that reads an attribute which some device lacks ends the scheduling attempt."""
    answer = allocate(oracle, claim)

    assert answer["fatal"]
    assert "no such key" in answer["error"]
    assert ("consider using CEL optional chaining" in answer["error"]) == (minor == "1.37")


@pytest.mark.parametrize("minor", MINORS[2:])
def test_missing_attribute_of_the_first_pool(oracle):
    """From 1.36 on pools are in order, so that the EFA interfaces are always met first."""
    assert allocate(oracle, make_selected(ON_OTHER_DRIVER))["fatal"]


@pytest.mark.parametrize("minor", MINORS[:2])
def test_order_of_pools_is_chance(oracle):
    """Up to 1.35 the order of pools is chance: the same question gets two answers."""
    claim = make_selected(ON_OTHER_DRIVER)

    assert {allocate(oracle, claim)["allocated"] for _ in range(256)} == {True, False}


@on_every_minor
def test_driver_guard(oracle):
    """A selector that asks for the driver first meets no device of another driver."""
    answer = allocate(oracle, make_selected(GUARDED_BY_DRIVER))

    assert number(list_devices(answer, "neurons")) == [6]


@on_every_minor
def test_devices_of_other_claims_are_taken(oracle):
    """Four pods get a row each with its EFA interfaces, and the fifth gets nothing."""
    claim = make_claim(4, efa=2, match=FOUR)
    taken = []
    for _ in range(4):
        answer = allocate(oracle, claim, allocated=taken)
        taken += answer["results"][0]["devices"]

    assert len({each["device"] for each in taken}) == 4 * 6
    assert not allocate(oracle, claim, allocated=taken)["allocated"]


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_shares_of_other_claims_are_taken(oracle):
    """A device that can be shared serves claims as long as its capacity lasts."""
    shared = {"name": "a", "allowMultipleAllocations": True, "capacity": {"m": {"value": "8"}}}
    claim = make_claim(1, deviceClassName="everything", capacity={"requests": {"m": "3"}})
    taken = []
    while (answer := allocate(oracle, claim, slices=[make_slice(shared)], allocated=taken))[
        "allocated"
    ]:
        taken += answer["results"][0]["devices"]

    assert [each["consumedCapacity"] for each in taken] == [{"m": "3"}, {"m": "3"}]


@on_every_minor
def test_admin_access_takes_nothing(oracle):
    """A device that another claim watches with admin access can still be had."""
    lone = make_slice({"name": "a"})
    claim = make_claim(1, deviceClassName="everything")
    held = {"request": "r", "driver": "d.example.com", "pool": "p", "device": "a"}
    answers = [
        allocate(oracle, claim, slices=[lone], allocated=[held | {"adminAccess": admin}])
        for admin in (True, False)
    ]

    assert [each["allocated"] for each in answers] == [True, False]


@on_every_minor
def test_claims_of_one_pod_share_a_node(oracle):
    """Claims of one pod take their devices one after the other."""
    answer = allocate(oracle, make_claim(12), make_claim(4))
    devices = list_devices(answer, "neurons")

    assert [len(each["devices"]) for each in answer["results"]] == [12, 4]
    assert len(set(devices)) == 16


MISFITS = {
    # golden claim: why the captured node cannot serve it
    "driver-pin": "the node runs another driver version than the one that is pinned",
}


@on_every_minor
def test_golden_claims_are_allocated(oracle):
    """The claims that are compiled for an instance type get devices on a real node of that type."""
    ours = [each for path, each in read_golden() if "/trn1.32xlarge/" in path]
    classes = [each for each in ours if each["kind"] == "DeviceClass"]
    answers = {
        each["metadata"]["name"]: allocate(
            oracle, {"metadata": {"name": "claim"}, **each["spec"]}, classes=classes
        )
        for each in ours
        if each["kind"] == "ResourceClaimTemplate"
    }

    assert {name for name, each in answers.items() if not each["allocated"]} == set(MISFITS)
    assert [each for each in answers.values() if each["fatal"]] == []


# --- selectors and devices

DEVICE = {
    "driver": "d.example.com",
    "attributes": {"size": {"int": 4}, "other.example.com/row": {"string": "r"}},
    "capacity": {"memory": {"value": "16Gi"}},
}
SELECTORS = {
    'device.attributes["d.example.com"].size == 4': True,
    'device.attributes["other.example.com"].row == "x"': False,
    'device.capacity["d.example.com"].memory.isGreaterThan(quantity("8Gi"))': True,
    'device.attributes["d.example.com"].row == "r"': "no such key: row",
}


@on_every_minor
@pytest.mark.parametrize("expression", SELECTORS)
def test_selectors_on_a_device(oracle, expression):
    """A selector is true, false or an error for a device, at no more than its estimated cost."""
    answer = oracle.ask({"op": "cel", "expression": expression, "device": DEVICE})
    expected = SELECTORS[expression]

    assert answer["actualCost"] <= answer["cost"]
    if isinstance(expected, bool):
        assert answer["match"] is expected
    else:
        assert expected in answer["error"]


NEW_LIBRARIES = {
    # expression: the first minor whose API server accepts it in a new object
    "[1, 2].distinct() == [1, 2]": "1.35",
    "device.allowMultipleAllocations == true": "1.36",
}


@pytest.mark.parametrize(("minor", "expression"), list(itertools.product(MINORS, NEW_LIBRARIES)))
def test_new_libraries(oracle, minor, expression):
    """A library can be used in new selectors one minor after it came."""
    answer = oracle.ask({"op": "cel", "expression": expression, "new": True})

    assert (answer["compileError"] is None) == (minor >= NEW_LIBRARIES[expression])
