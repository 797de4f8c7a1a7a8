"""Diagnostics of objects: code, place, subject."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from neuron_dra.admission.check import check_objects
from neuron_dra.admission.server import Server
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.diagnostics import Severity
from neuron_dra.source import Source, Span

CATALOG = open_catalog(())
SOURCE = Source("specs/a.yaml", b"a\nb\nc\n")


@dataclass(frozen=True)
class Made:
    data: dict[str, Any]
    path: str = "manifests/a.yaml"
    documents: tuple[str, ...] = ("Partition/row", "Cluster/prod")
    fields: dict[str, str] = field(default_factory=dict)

    def locate(self, path):
        return None


class Places:
    """Remembers which places were asked for."""

    def __init__(self):
        self.asked = []

    def __call__(self, document, key):
        self.asked.append((document, key))
        return Span(SOURCE, len(self.asked), 0, len(self.asked), 1)


def server_of(minor):
    release = CATALOG.kubernetes(minor)
    return Server(release, release.default_gates)


def check(*objects):
    places = Places()
    return check_objects(objects, server_of("1.36"), CATALOG, places), places.asked


def test_sound(template, job):
    """Sound objects give nothing."""
    assert check(Made(template), Made(job)) == ([], [])


def test_schema(template):
    """A violation stands at the document that caused the object, and names object and field."""
    template["spec"]["spec"]["devices"]["requst"] = []

    (found,), asked = check(Made(template))

    assert asked == [("Partition/row", "")]
    assert (found.code.id, found.severity) == ("ND4070", Severity.ERROR)
    assert found.message == "Kubernetes 1.36 has no field `spec.spec.devices.requst`"
    assert found.help == "did you mean `requests`?"
    assert found.subject == "ResourceClaimTemplate research/row spec.spec.devices.requst"
    assert found.span.line == 1


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({"metadata.labels": "Cluster/prod spec.objectLabels"}, "Cluster/prod spec.objectLabels"),
        (
            {
                "": "Cluster/prod spec.extraObjects[0]",
                "metadata": "Cluster/prod metadata",
                "metadata.labels[team]": "Tenant/ml spec.namespaceLabels[team]",
                "metadata.labels[tea]": "Tenant/ml metadata.name",
            },
            "Tenant/ml spec.namespaceLabels[team]",
        ),
        ({"": "Cluster/prod spec.extraObjects[0]"}, "Cluster/prod spec.extraObjects[0]"),
        ({"metadata.lab": "Cluster/prod spec.objectLabels"}, "Partition/row "),
    ],
)
def test_cause(fields, cause, template):
    """The place is the key that gave the field, or the nearest one around it."""
    template["metadata"]["labels"]["team"] = "a b"

    (found,), asked = check(Made(template, fields=fields))

    assert (found.code.id, found.severity) == ("ND4071", Severity.ERROR)
    assert asked == [tuple(cause.split(" "))]


def test_told_once(template):
    """What the schema tells of a field is not told again by the rules of metadata."""
    template["metadata"]["labels"]["team"] = 4

    found, _ = check(Made(template))

    assert [each.code.id for each in found] == ["ND4070"]


def test_unchecked():
    """A kind that nothing knows is noted, and its metadata is still checked."""
    data = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "A"}}

    found, _ = check(Made(data))

    assert [(each.code.id, each.severity) for each in found] == [
        ("ND4072", Severity.NOTE),
        ("ND4071", Severity.ERROR),
    ]
    assert found[0].message == (
        "`example.com/v1` `Thing` is no kind of Kubernetes 1.36 itself: "
        "only its metadata is checked"
    )
    assert [each.subject for each in found] == ["Thing A", "Thing A metadata.name"]


def test_kinds_of_consumers():
    """Kinds of other groups that the compiler itself emits are no news to the user."""
    named = {"name": "a", "namespace": "b"}
    data = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": named}

    assert check(Made(data)) == ([], [])


def test_chart_values():
    """The values of a chart are no object."""
    assert check(Made({"devicePlugin": {}}, path="helm/neuron/values.yaml")) == ([], [])


def test_no_object_at_all():
    """Something without kind and documents is still told somewhere."""
    found, asked = check(Made({}, documents=()))

    assert [each.subject for each in found] == [
        "object apiVersion",
        "object kind",
        "object metadata",
    ]
    assert set(asked) == {("", "")}


def test_order(template, job):
    """Diagnostics follow the order of the objects."""
    for each in (template, job):
        each["metadata"]["nmae"] = "x"

    found, _ = check(Made(job), Made(template))

    assert [each.subject.split()[0] for each in found] == ["Job", "ResourceClaimTemplate"]


@dataclass(frozen=True)
class Written(Made):
    """An object that a user wrote."""

    def locate(self, path):
        return Span(SOURCE, 2, 0, 2, 1)


def test_rules(template):
    """What the schema lets through is judged by the rules of its kind, at the field."""
    template["spec"]["spec"]["devices"]["requests"][0]["exactly"]["count"] = 0
    template["spec"]["spec"]["devices"]["requests"][0]["exactly"]["allocationMode"] = "All"
    assert check(Made(template))[0] == []

    template["spec"]["spec"]["devices"]["requests"][0]["exactly"]["count"] = 1
    (found,), asked = check(Made(template))

    assert asked == [("Partition/row", "")]
    assert found.code.id == "ND4073"
    assert found.subject.endswith("spec.spec.devices.requests[0].exactly.count")
    assert template["spec"]["spec"]["devices"]["requests"][0]["exactly"]["count"] == 1


def test_metadata_is_told_once(template):
    """A name that rules and metadata refuse alike is told as metadata."""
    template["metadata"]["name"] = "Row"

    assert [each.code.id for each in check(Made(template))[0]] == ["ND4071"]


def test_pods_that_users_wrote(job):
    """The claims of pods are judged where a user wrote the object; others are checked before."""
    container = job["spec"]["template"]["spec"]["containers"][0]
    container["resources"] = {"claims": [{"name": "nobody"}]}

    assert check(Made(job))[0] == []
    (found,), _ = check(Written(job))
    assert (found.code.id, found.span.line) == ("ND4073", 2)


def test_other_rules():
    """A NetworkPolicy is judged by its rules too."""
    policy = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "a", "namespace": "b"},
        "spec": {"podSelector": {}, "policyTypes": ["ingress"]},
    }

    assert [each.code.id for each in check(Made(policy))[0]] == ["ND4073"]
