"""Reading of ResourceClaims, ResourceClaimTemplates and DeviceClasses."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import (
    ALL,
    DeviceClaim,
    DeviceClass,
    DeviceConstraint,
    DeviceRequest,
    DeviceToleration,
    ExactDeviceRequest,
    OpaqueConfig,
    ResourceClaim,
)
from neuron_dra.kube.read_claim import read_claim, read_class, read_results, read_template
from neuron_dra.kube.reading import ReadProblem
from neuron_dra.kube.slice import DeviceID

DATA = Path(__file__).resolve().parents[2] / "data"

CLAIM = """
metadata: {name: c, namespace: ns}
spec:
  devices:
    requests:
    - name: one
      EXACTLY
    - name: either
      firstAvailable:
      - name: many
        deviceClassName: k
        count: 4
        capacity: {requests: {x/mem: 2Gi, x/n: 1}}
      - name: every
        deviceClassName: k
        allocationMode: All
        tolerations:
        - {key: t, operator: Exists, effect: NoExecute, tolerationSeconds: 9}
        - {key: u, value: v}
    constraints:
    - {requests: [one, either/many], matchAttribute: x/g}
    - {distinctAttribute: x/u}
    config:
    - requests: [one]
      opaque: {driver: a.example, parameters: {kind: K, n: [1, 2]}}
"""
FIELDS = "deviceClassName: k, adminAccess: true, selectors: [{cel: {expression: 'true'}}]"
EXPECTED = DeviceClaim(
    (
        DeviceRequest("one", ExactDeviceRequest("k", 1, ("true",), admin_access=True)),
        DeviceRequest(
            "either",
            first_available=(
                ExactDeviceRequest("k", 4, name="many", capacity={"x/mem": "2Gi", "x/n": "1"}),
                ExactDeviceRequest(
                    "k",
                    0,
                    (),
                    (
                        DeviceToleration("t", "Exists", "", "NoExecute", 9),
                        DeviceToleration("u", "Equal", "v", ""),
                    ),
                    "every",
                    ALL,
                ),
            ),
        ),
    ),
    (DeviceConstraint(("one", "either/many"), "x/g"), DeviceConstraint((), "", "x/u")),
    (OpaqueConfig(("one",), "a.example", {"kind": "K", "n": [1, 2]}),),
)


def make(kind="ResourceClaim", version="v1", text=CLAIM):
    exactly = f"exactly: {{{FIELDS}}}" if version != "v1beta1" else FIELDS.replace(", ", "\n      ")
    data = yaml.safe_load(text.replace("EXACTLY", exactly))
    return {"apiVersion": f"resource.k8s.io/{version}", "kind": kind, **data}


@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1beta1"])
def test_claims(version):
    """A claim of any version is read with what the API server would default."""
    assert read_claim(make(version=version)) == (ResourceClaim("c", EXPECTED, "ns"), [])


def test_templates():
    """A template is read as the claim that it makes."""
    data = make("ResourceClaimTemplate")
    data["spec"] = {"spec": data["spec"]}

    template, problems = read_template(data)

    assert (template.devices, problems) == (EXPECTED, [])
    assert read_claim(data)[0] is None


@pytest.mark.parametrize("path", sorted(DATA.glob("samples/*.yaml")), ids=lambda path: path.name)
def test_published_samples(path):
    """Every template in the published samples is read without problems."""
    documents = list(yaml.safe_load_all(path.read_text(encoding="utf-8")))
    templates = [each for each in documents if each["kind"] == "ResourceClaimTemplate"]

    assert templates
    for data in templates:
        template, problems = read_template(data)
        assert problems == []
        assert template.devices.requests[0].exactly.device_class_name == "neuron.aws.com"


def test_classes():
    """A class is read with its selectors and parameters."""
    data = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "k"},
        "spec": {
            "selectors": [{"cel": {"expression": "a"}}, {"cel": {"expression": "b"}}],
            "extendedResourceName": "example.com/k",
            "config": [{"opaque": {"driver": "d", "parameters": {"n": 1}}}],
        },
    }

    expected = DeviceClass("k", ("a", "b"), "example.com/k", (OpaqueConfig((), "d", {"n": 1}),))
    assert read_class(data) == (expected, [])


def test_a_claim_that_asks_for_nothing():
    """A claim without requests, or without a spec, asks for nothing."""
    for spec in ({}, {"devices": None}, {"devices": {"requests": []}}):
        data = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "spec": spec}
        assert read_claim(data) == (ResourceClaim("", DeviceClaim(())), [])


@pytest.mark.parametrize(
    ("requests", "problem"),
    [
        ([{"name": "a"}], ("", "one of `exactly` and `firstAvailable` is required")),
        ([{"exactly": {"deviceClassName": "k"}}], (".name", "a value is required")),
        ([{"name": "a", "exactly": {}}], (".exactly.deviceClassName", "a value is required")),
        (
            [{"name": "a", "exactly": {"deviceClassName": "k", "count": "2"}}],
            (".exactly.count", "expected an integer, found `2`"),
        ),
        (
            [{"name": "a", "exactly": {"deviceClassName": "k", "selectors": [{"cel": {}}]}}],
            (".exactly.selectors[0].cel.expression", "a value is required"),
        ),
        (
            [
                {
                    "name": "a",
                    "exactly": {"deviceClassName": "k", "capacity": {"requests": {"m": "x"}}},
                }
            ],
            (".exactly.capacity.requests.m", "expected a quantity, found `x`"),
        ),
    ],
)
def test_problems(requests, problem):
    """What cannot be read of a request is told with its place."""
    data = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "spec": {"devices": {"requests": requests}},
    }

    _, problems = read_claim(data)

    assert problems == [ReadProblem(f"spec.devices.requests[0]{problem[0]}", problem[1])]


def test_what_claims_hold():
    """Results of an allocated claim are what it takes from others."""
    results = [
        {"request": "r", "driver": "d", "pool": "p", "device": "whole"},
        {"request": "r", "driver": "d", "pool": "p", "device": "seen", "adminAccess": True},
        {
            "request": "r/s",
            "driver": "d",
            "pool": "p",
            "device": "part",
            "shareID": "00000000-0000-0000-0000-000000000000",
            "consumedCapacity": {"x/mem": "2"},
        },
    ]
    data = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "status": {"allocation": {"devices": {"results": results}}},
    }

    read, problems = read_results(data)
    state = AllocatedState().taking(read).taking(read[2:])

    assert problems == []
    part = DeviceID("d", "p", "part")
    assert state.devices == {DeviceID("d", "p", "whole")}
    assert state.shared == {part}
    assert state.capacity == {part: {"x/mem": 4 * 10**9}}


def test_claims_that_hold_nothing():
    """A claim that is not allocated holds nothing, and another kind is no claim."""
    data = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "status": {}}

    assert read_results(data) == ((), [])
    assert read_results({**data, "kind": "Pod"})[1] != []
