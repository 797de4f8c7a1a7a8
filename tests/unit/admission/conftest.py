"""Objects that the API server takes, to be broken by tests."""

from __future__ import annotations

import pytest


@pytest.fixture
def template():
    """Return a ResourceClaimTemplate as the compiler emits it."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "row", "namespace": "research", "labels": {"team": "ml"}},
        "spec": {
            "spec": {
                "devices": {
                    "requests": [
                        {
                            "name": "neuron",
                            "exactly": {
                                "deviceClassName": "trainium",
                                "selectors": [{"cel": {"expression": "true"}}],
                                "allocationMode": "ExactCount",
                                "count": 4,
                            },
                        }
                    ],
                    "constraints": [
                        {"requests": ["neuron"], "matchAttribute": "example.com/group"}
                    ],
                    "config": [
                        {
                            "requests": ["neuron"],
                            "opaque": {"driver": "example.com", "parameters": {"size": 1}},
                        }
                    ],
                }
            }
        },
    }


@pytest.fixture
def job():
    """Return a Job of one container."""
    container = {
        "name": "train",
        "image": "registry.example.com/train:1",
        "resources": {"limits": {"cpu": "4", "memory": "16Gi"}},
        "ports": [{"containerPort": 8080}],
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "pretrain", "namespace": "research"},
        "spec": {
            "template": {"spec": {"restartPolicy": "Never", "containers": [container]}},
        },
    }
