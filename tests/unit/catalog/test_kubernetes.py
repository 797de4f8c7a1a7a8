"""Kubernetes releases."""

from __future__ import annotations

import pytest

RELEASE = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: KubernetesRelease
metadata: {name: "1.30"}
spec:
  api:
    group: resource.k8s.io
    served: {ResourceClaim: [v1]}
    known: {ResourceClaim: [v1beta1]}
    source: a test
    date: 2026-01-01
  limits:
    requests: 1
    results: 2
    constraints: 3
    configs: 4
    statusConfigs: 5
    selectors: 6
    firstAvailable: 7
    tolerations: 8
    celExpressionBytes: 9
    celCost: 10
    opaqueBytes: 11
    reservedFor: 12
    sliceDevices: 13
    sliceDevicesWithTaints: 14
    deviceAttributes: 15
    attributeValueBytes: 16
    deviceTaints: 17
    source: a test
    date: 2026-01-01
  gates:
    gates:
      On: {stage: GA, default: true, locked: true}
      Off: {stage: alpha, default: false, locked: false, fields: {taints: dropped}}
    source: a test
    date: 2026-01-01
"""
NODES = "  nodes: {barredPatches: [0, 1], source: a test, date: 2026-01-01}\n"


@pytest.fixture
def open_release(files):
    def open_release(text):
        files.files["kubernetes/1.30.yaml"] = text
        return files.open().kubernetes("1.30.4")

    return open_release


def test_minor(open_release):
    """A release is found by a full version, and keeps its minor as a text."""
    assert open_release(RELEASE).minor == "1.30"


def test_gates(open_release):
    """A gate is on, off, or does not exist; while off its fields are not kept."""
    release = open_release(RELEASE)

    assert [release.is_on(name) for name in ("On", "Off", "Missing")] == [True, False, False]
    assert release.gate("Off").fields == {"taints": "dropped"}
    assert release.gate("Missing") is None


def test_serves(open_release):
    """A version that is only known is not served."""
    release = open_release(RELEASE)

    assert release.serves("ResourceClaim", "v1")
    assert not release.serves("ResourceClaim", "v1beta1")
    assert not release.serves("DeviceTaintRule", "v1")


def test_barred_patches(open_release):
    """A minor may have patches that DRA drivers cannot run on."""
    assert open_release(RELEASE).barred_patches == ()
    assert open_release(RELEASE + NODES).barred_patches == (0, 1)


def test_limits(open_release):
    """Limits are typed; one that the release does not have is None."""
    limits = open_release(RELEASE).limits

    assert (limits.requests, limits.status_configs, limits.device_taints) == (1, 5, 17)
    assert limits.attribute_values is None
