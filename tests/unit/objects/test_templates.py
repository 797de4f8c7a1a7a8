"""ResourceClaimTemplates."""

from types import SimpleNamespace

import pytest

from neuron_dra.kube.claim import (
    DeviceClaim,
    DeviceConstraint,
    DeviceRequest,
    DeviceToleration,
    ExactDeviceRequest,
    OpaqueConfig,
)
from neuron_dra.objects.templates import render_claim, render_template
from unit.objects.small_plans import CLUSTER, make_profile, read_specs, validate

PARAMETERS = {"apiVersion": "neuron.aws.com/v1", "kind": "NeuronConfig", "logicalNeuronCore": 1}
CLAIM = DeviceClaim(
    requests=(
        DeviceRequest("neurons", exactly=ExactDeviceRequest("neuron-a", 4)),
        DeviceRequest("efa", exactly=ExactDeviceRequest("neuron-efa", 2)),
    ),
    constraints=(DeviceConstraint(("neurons", "efa"), "resource.aws.com/devicegroup4_id"),),
    config=(OpaqueConfig(("neurons",), "neuron.aws.com", PARAMETERS),),
)
FIELDS = {
    "devices.requests[0].exactly.count": "devices",
    "devices.config[0].opaque.parameters": "logicalNeuronCore",
}


def planned(rollout="replace", claim=CLAIM):
    partition = SimpleNamespace(
        metadata=SimpleNamespace(name="row"),
        places=SimpleNamespace(origin=SimpleNamespace(document="Partition/row")),
    )
    return SimpleNamespace(
        name="row-1", partition=partition, claim=claim, rollout=rollout, fields=FIELDS
    )


def profile(version="v1"):
    text = f"{CLUSTER}      resourceApiVersion: {version}\n"
    return make_profile(read_specs(text).clusters["east"])


def test_template():
    """A template holds the claim with every default written out, for any namespace and tenant."""
    made = render_template(planned(), profile())

    assert made.path == "manifests/namespaces/{namespace}/resourceclaimtemplates/row-1.yaml"
    assert made.documents == ("Partition/row",)
    assert made.fields == {
        "spec.spec.devices.requests[0].exactly.count": "Partition/row spec.devices",
        "spec.spec.devices.config[0].opaque.parameters": "Partition/row spec.logicalNeuronCore",
    }
    assert validate(made) == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {
            "name": "row-1",
            "namespace": "team-a",
            "labels": {
                "app.kubernetes.io/managed-by": "neuron-dra",
                "neuron-dra.dev/partition": "row",
                "neuron-dra.dev/tenant": "team",
            },
            "annotations": {
                "argocd.argoproj.io/sync-options": "Force=true",
                "argocd.argoproj.io/sync-wave": "-1",
            },
        },
        "spec": {
            "spec": {
                "devices": {
                    "requests": [
                        {
                            "name": "neurons",
                            "exactly": {
                                "deviceClassName": "neuron-a",
                                "allocationMode": "ExactCount",
                                "count": 4,
                            },
                        },
                        {
                            "name": "efa",
                            "exactly": {
                                "deviceClassName": "neuron-efa",
                                "allocationMode": "ExactCount",
                                "count": 2,
                            },
                        },
                    ],
                    "constraints": [
                        {
                            "requests": ["neurons", "efa"],
                            "matchAttribute": "resource.aws.com/devicegroup4_id",
                        }
                    ],
                    "config": [
                        {
                            "requests": ["neurons"],
                            "opaque": {"driver": "neuron.aws.com", "parameters": PARAMETERS},
                        }
                    ],
                }
            }
        },
    }


@pytest.mark.parametrize("rollout", ["rename", "fail"])
def test_no_force(rollout):
    """Only a template that is to be replaced lets Argo CD delete it."""
    made = render_template(planned(rollout), profile())

    assert made.data["metadata"]["annotations"] == {"argocd.argoproj.io/sync-wave": "-1"}


def test_never_replace():
    """No template carries `Replace=true`, which would recreate all of them on every sync."""
    made = render_template(planned(), profile())

    assert "Replace=true" not in str(made.data)


def test_flat_requests():
    """In v1beta1 a request has no `exactly`, and its provenance has none either."""
    made = render_template(planned(), profile("v1beta1"))

    data = validate(made)
    assert data["apiVersion"] == "resource.k8s.io/v1beta1"
    assert data["spec"]["spec"]["devices"]["requests"][0] == {
        "name": "neurons",
        "deviceClassName": "neuron-a",
        "allocationMode": "ExactCount",
        "count": 4,
    }
    assert "spec.spec.devices.requests[0].count" in made.fields


@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1beta1"])
def test_alternatives(version):
    """Subrequests look alike in every version, with selectors and tolerations."""
    claim = DeviceClaim(
        requests=(
            DeviceRequest(
                "neurons",
                first_available=(
                    ExactDeviceRequest(
                        "neuron-a",
                        8,
                        selectors=("true",),
                        tolerations=(
                            DeviceToleration("sick", "Equal", "maybe", "NoExecute", 30),
                            DeviceToleration("", "Exists", "", ""),
                        ),
                        name="a-0",
                    ),
                    ExactDeviceRequest("neuron-b", 4, name="b-1"),
                ),
            ),
        )
    )

    data = validate(render_template(planned(claim=claim), profile(version)))

    assert (
        data["spec"]["spec"]
        == render_claim(claim, version)
        == {
            "devices": {
                "requests": [
                    {
                        "name": "neurons",
                        "firstAvailable": [
                            {
                                "name": "a-0",
                                "deviceClassName": "neuron-a",
                                "selectors": [{"cel": {"expression": "true"}}],
                                "allocationMode": "ExactCount",
                                "count": 8,
                                "tolerations": [
                                    {
                                        "key": "sick",
                                        "operator": "Equal",
                                        "value": "maybe",
                                        "effect": "NoExecute",
                                        "tolerationSeconds": 30,
                                    },
                                    {"operator": "Exists"},
                                ],
                            },
                            {
                                "name": "b-1",
                                "deviceClassName": "neuron-b",
                                "allocationMode": "ExactCount",
                                "count": 4,
                            },
                        ],
                    }
                ]
            }
        }
    )
