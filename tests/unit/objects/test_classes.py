"""DeviceClasses."""

import pytest

from neuron_dra.kube.claim import DeviceClass
from neuron_dra.objects.classes import render_classes
from neuron_dra.objects.object import CLUSTER_DOCUMENT
from unit.objects.small_plans import CLUSTER, make_profile, read_specs, validate

EXPRESSION = 'device.driver == "neuron.aws.com"'


def profile(version="v1", **further):
    text = f"{CLUSTER}      resourceApiVersion: {version}\n"
    return make_profile(read_specs(text).clusters["east"], **further)


@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1beta1"])
def test_class(version):
    """A class comes in the version that the cluster says, before the templates."""
    (made,) = render_classes([DeviceClass("neuron-a", (EXPRESSION,))], profile(version))

    assert made.path == "manifests/deviceclasses/neuron-a.yaml"
    assert made.documents == (CLUSTER_DOCUMENT,)
    assert validate(made) == {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "DeviceClass",
        "metadata": {
            "name": "neuron-a",
            "labels": {"app.kubernetes.io/managed-by": "neuron-dra"},
            "annotations": {"argocd.argoproj.io/sync-wave": "-2"},
        },
        "spec": {"selectors": [{"cel": {"expression": EXPRESSION}}]},
    }


@pytest.mark.parametrize(
    ("gates", "spec"),
    [((), {}), (("DRAExtendedResource",), {"extendedResourceName": "example.com/a"})],
)
def test_extended_resource(gates, spec):
    """The extended resource's name is left out where the API server would drop it."""
    device_class = DeviceClass("neuron-a", (EXPRESSION,), "example.com/a")

    (made,) = render_classes([device_class], profile(gates=gates))

    assert validate(made)["spec"] == {"selectors": [{"cel": {"expression": EXPRESSION}}], **spec}
