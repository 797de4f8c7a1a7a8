"""The verdict on files: places, words, updates, drivers, what is not checked."""

from __future__ import annotations

import json

import pytest

from neuron_dra.admission.manifests import read_manifests
from neuron_dra.admission.run import Judge, collect_existing, collect_namespaces
from neuron_dra.admission.server import Server
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.source import Source

CATALOG = open_catalog(())
TEMPLATE = """apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: x, namespace: team}}
spec:
  spec:
    devices:
      requests:
      - name: a
        exactly: {{deviceClassName: c, {exactly}}}
"""
SLICE = """apiVersion: resource.k8s.io/{version}
kind: ResourceSlice
metadata: {{name: x}}
spec:
  driver: {driver}
  nodeName: {node}
  pool: {{name: {pool}, generation: 1, resourceSliceCount: 1}}
"""


def manifests_of(text):
    return list(read_manifests([Source("a.yaml", text.encode())]))


def outcomes_of(text, minor="1.36", old=""):
    release = CATALOG.kubernetes(minor)
    manifests, before = manifests_of(text), manifests_of(old)
    judge = Judge(
        Server(release, release.default_gates),
        CATALOG,
        collect_namespaces([*before, *manifests]),
        collect_existing(before),
    )
    return [judge.outcome(each) for each in manifests]


def told(outcome):
    return [(each.code.id, str(each.span)) for each in outcome.diagnostics]


def template(exactly="count: 1"):
    return TEMPLATE.format(exactly=exactly)


def slice_of(version="v1", driver="d", node="node-a", pool="p"):
    return SLICE.format(version=version, driver=driver, node=node, pool=pool)


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [
        (template(), "accepted", []),
        (template("count: -1"), "refused", [("ND4073", "a.yaml:9:46")]),
        (template("Count: 1"), "refused", [("ND4070", "a.yaml:9:39")]),
        (template("count: n"), "refused", [("ND4070", "a.yaml:9:46")]),
        (template("count: 1, count: 2"), "refused", [("ND1008", "a.yaml:9:49")]),
        ("[1", "refused", [("ND1002", "a.yaml:1:3")]),
        ("- 1", "refused", [("ND4070", "a.yaml:1:1")]),
        ("kind: Pod", "refused", [("ND4070", "a.yaml:1:1")]),
        ("apiVersion: x.y/v1\nkind: Thing", "unchecked", [("ND4072", "a.yaml:2:7")]),
    ],
)
def test_words(text, word, found):
    """Each document has one verdict, and what is wrong has its place."""
    (outcome,) = outcomes_of(text)

    assert (outcome.word, told(outcome)) == (word, found)
    assert outcome.is_bad == (word == "refused")


def test_dropped():
    """A dropped field is told at its name, with the gate that it needs."""
    (outcome,) = outcomes_of(template("capacity: {requests: {m: 1}}"), "1.35")

    assert outcome.word == "dropped"
    assert told(outcome) == [("ND4074", "a.yaml:9:39")]
    assert "`DRAConsumableCapacity` is off" in outcome.diagnostics[0].message


def test_dropped_first():
    """A cause that comes of a dropped field says so."""
    text = template() + "      constraints: [{distinctAttribute: d/a}]\n"
    (outcome,) = outcomes_of(text, "1.35")

    assert [each.field for each in outcome.verdict.causes] == [
        "spec.spec.devices.constraints[0].matchAttribute"
    ]
    assert outcome.diagnostics[0].help.startswith(
        "`spec.spec.devices.constraints[0].distinctAttribute` is dropped first"
    )


def test_flat_version():
    """A field that the version names otherwise is found, and the version is off by default."""
    text = template().replace("k8s.io/v1", "k8s.io/v1beta1").replace("exactly: {", "").rstrip("}\n")
    flat = text.replace("deviceClassName: c, count: 1", "deviceClassName: c\n        count: -1")
    (outcome,) = outcomes_of(flat)

    assert not outcome.served
    assert told(outcome) == [("ND4073", "a.yaml:10:16"), ("ND4075", "a.yaml:1:13")]


def test_devices_of_the_flat_version():
    """A field of a device is found in `basic`."""
    text = slice_of("v1beta1") + "  devices:\n  - name: a\n    basic:\n      attributes: {x: {}}\n"
    (outcome,) = outcomes_of(text)

    assert told(outcome)[0] == ("ND4073", "a.yaml:11:20")


def test_lists_and_json():
    """Items of a list are objects of their own, and JSON is read as well."""
    items = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "A"}}] * 2
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=1)

    assert [told(each) for each in outcomes_of(text)] == [
        [("ND4073", "a.yaml:9:13")],
        [("ND4073", "a.yaml:16:13")],
    ]
    assert outcomes_of("") == []
    assert [each.word for each in outcomes_of("apiVersion: v1\nkind: PodList\nitems: 1")] == [
        "refused"
    ]


def test_admin_access():
    """The label of a Namespace among the files counts; the cause is shown in the template."""
    text = template("adminAccess: true")
    namespace = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team%s}\n"
    label = ', labels: {resource.kubernetes.io/admin-access: "true"}'

    assert told(outcomes_of(text)[0]) == [("ND4073", "a.yaml:9:52")]
    assert outcomes_of(text + namespace % label)[0].word == "accepted"
    assert outcomes_of(text + namespace % "")[0].word == "refused"


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        (template(), template(), []),
        (template("count: 0"), template("selectors: [], tolerations: null, count: 1"), []),
        (
            template("capacity: {requests: {m: 1024Mi}}"),
            template("capacity: {requests: {m: 1Gi}}"),
            [],
        ),
        (template(), template("count: 2"), ["spec"]),
        (
            template().replace("kind: ResourceClaimTemplate", "kind: ResourceClaim"),
            template("count: 2"),
            [],
        ),
        (slice_of(), slice_of(), []),
        (slice_of("v1beta1"), slice_of(), []),
        (slice_of(), slice_of(driver="e"), ["spec.driver"]),
        (slice_of(), slice_of(pool="q", node="node-b"), ["spec.pool.name", "spec.nodeName"]),
    ],
)
def test_updates(old, new, fields):
    """What an update may not change is a cause, compared as the server holds it."""
    (outcome,) = outcomes_of(new, old=old)

    assert [each.field for each in outcome.verdict.causes] == fields


@pytest.mark.parametrize(
    "old",
    [
        template("capacity: {requests: {m: x}}"),
        template().replace("k8s.io/v1", "k8s.io/v9"),
        template().replace("spec:\n  spec:", "spec: x\nnone:"),
    ],
)
def test_updates_of_what_cannot_be_read(old):
    """Nothing is compared with an object that no server can hold."""
    (outcome,) = outcomes_of(template(), old=old)

    assert outcome.word == "accepted"


def test_updates_of_claims():
    """A claim is immutable as its template is, across versions of the API."""
    claim = (
        "apiVersion: resource.k8s.io/%s\nkind: ResourceClaim\nmetadata: {name: x}\n"
        "spec: {devices: {requests: [%s]}}\n"
    )
    old = claim % ("v1beta1", "{name: a, deviceClassName: c}")
    same = claim % ("v1", "{name: a, exactly: {deviceClassName: c}}")
    other = claim % ("v1", "{name: a, exactly: {deviceClassName: d}}")

    assert outcomes_of(same, old=old)[0].word == "accepted"
    assert outcomes_of(other, old=old)[0].word == "refused"
    assert outcomes_of("[1", old=old)[0].word == "refused"


PARAMETERS = "{apiVersion: %s, kind: %s, %s}"


@pytest.mark.parametrize(
    ("version", "kind", "rest", "found"),
    [
        ("neuron.aws.com/v1", "NeuronConfig", "logicalNeuronCore: 2", []),
        ("neuron.aws.com/v1", "NeuronConfig", "logicalNeuronCore: 3", ["ND4076"]),
        ("neuron.aws.com/v1", "NeuronConfig", "logicalNeuronCore: true", ["ND4076"]),
        ("neuron.aws.com/v1", "NeuronConfig", "cores: 2", ["ND4076"]),
        ("neuron.aws.com/v1", "Neuronconfig", "logicalNeuronCore: 2", ["ND4076"]),
        ("neuron.aws.com/v2", "NeuronConfig", "logicalNeuronCore: 2", ["ND4076"]),
        ("neuron.aws.com/v1alphav1", "NeuronConfig", "logicalNeuronCore: 2", ["ND4077"]),
        ("neuron.aws.com/v1", "UltraServerConfig", "ultraserverMode: 4", []),
        ("neuron.aws.com/v1", "UltraServerConfig", "ultraserverMode: 3", ["ND4076"]),
    ],
)
def test_parameters(version, kind, rest, found):
    """What the Neuron driver fails on stands beside the verdict of the server."""
    config = (
        f"{{opaque: {{driver: neuron.aws.com, parameters: {PARAMETERS % (version, kind, rest)}}}}}"
    )
    (outcome,) = outcomes_of(template() + f"      config: [{config}]\n")

    assert outcome.word == "accepted"
    assert [each.code.id for each in outcome.diagnostics] == found
    assert outcome.is_bad == ("ND4076" in found)


def test_parameters_of_others():
    """Of parameters for another driver, or of none at all, nothing is said."""
    other = "{opaque: {driver: x.example.com, parameters: {a: 1}}}"
    none = "{opaque: {driver: neuron.aws.com, parameters: 1}}"
    (outcome,) = outcomes_of(template() + f"      config: [{other}, {{}}, 1, {none}]\n")

    assert outcome.beside == ()
