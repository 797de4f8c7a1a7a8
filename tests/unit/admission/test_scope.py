"""Scopes: known for every kind of Kubernetes itself."""

from __future__ import annotations

import pytest

from neuron_dra.admission.bundle import index_kinds
from neuron_dra.admission.scope import Scope, scope_of
from neuron_dra.kube.definitions import load_definitions


@pytest.mark.parametrize("minor", ["1.34", "1.37"])
def test_all_kinds(minor):
    """No kind of Kubernetes itself has an unknown scope, and every name in the table is a kind."""
    names = index_kinds(load_definitions(minor)).names
    scopes = {
        (version.rpartition("/")[0], kind): scope_of(version.rpartition("/")[0], kind)
        for version, kind in names
    }

    assert len(scopes) > 60
    assert Scope.UNKNOWN not in scopes.values()
    assert sum(scope is Scope.CLUSTER for scope in scopes.values()) > 25


@pytest.mark.parametrize(
    ("group", "kind", "scope"),
    [
        ("", "Namespace", Scope.CLUSTER),
        ("", "ResourceQuota", Scope.NAMESPACED),
        ("resource.k8s.io", "DeviceClass", Scope.CLUSTER),
        ("resource.k8s.io", "ResourceClaimTemplate", Scope.NAMESPACED),
        ("kueue.x-k8s.io", "ClusterQueue", Scope.CLUSTER),
        ("argoproj.io", "AppProject", Scope.NAMESPACED),
        ("argoproj.io", "Workflow", Scope.UNKNOWN),
        ("example.com", "Namespace", Scope.UNKNOWN),
    ],
)
def test_scopes(group, kind, scope):
    """A kind's scope depends on its group too."""
    assert scope_of(group, kind) is scope
