"""Which changes need a new object."""

from __future__ import annotations

import pytest

from neuron_dra.review.mutability import must_replace
from neuron_dra.review.tree import Identity


@pytest.mark.parametrize(
    ("group", "kind", "path", "expected"),
    [
        ("resource.k8s.io", "ResourceClaimTemplate", "spec.spec.devices", True),
        ("resource.k8s.io", "ResourceClaimTemplate", "spec", True),
        ("resource.k8s.io", "ResourceClaimTemplate", "metadata.labels.team", False),
        ("resource.k8s.io", "ResourceClaimTemplate", "specification", False),
        ("resource.k8s.io", "DeviceClass", "spec.selectors[0]", False),
        ("example.com", "ResourceClaimTemplate", "spec.a", False),
        ("jobset.x-k8s.io", "JobSet", "spec.replicatedJobs[workers].replicas", True),
        ("jobset.x-k8s.io", "JobSet", "spec.failurePolicy", False),
        ("batch", "Job", "spec.template.spec.containers[a].image", True),
        ("batch", "Job", "spec.parallelism", False),
        ("apps", "Deployment", "spec.selector.matchLabels.app", True),
        ("apps", "Deployment", "spec.template", False),
    ],
)
def test_must_replace(group, kind, path, expected):
    """A change must replace its object where the API server refuses an update of the field."""
    assert must_replace(Identity("a", group, kind, "", "x"), ["metadata", path]) == expected
