"""Documents that nothing names."""

from __future__ import annotations

import pytest

from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents
from neuron_dra.spec.unused import find_unused

HEAD = "apiVersion: neuron-dra.dev/v1alpha1\n"
DEFAULTS = HEAD + "kind: ClusterDefaults\nmetadata: {name: base}\nspec: {kubernetes: 1.36}\n"
TYPE = HEAD + "kind: InstanceType\nmetadata: {name: lab.large}\nspec: {chip: a}\n"
CLUSTER = HEAD + "kind: Cluster\nmetadata: {name: c}\nspec: {kubernetes: 1.36%s}\n"


def unused(*documents):
    specs, _ = read_documents([Source("x.yaml", "---\n".join(documents).encode())])
    return [(each.code.slug, str(each.span)) for each in find_unused(specs)]


def test_defaults():
    """ClusterDefaults are of use when a Cluster names them."""
    assert unused(DEFAULTS) == [("unused-defaults", "x.yaml:3:18")]
    assert unused(DEFAULTS, CLUSTER % "") == [("unused-defaults", "x.yaml:3:18")]
    assert unused(DEFAULTS, CLUSTER % ", defaults: base") == []


@pytest.mark.parametrize(
    "user",
    [
        CLUSTER % ", nodePools: [{name: a, instanceType: lab.large}]",
        CLUSTER % ", extendedResources: {lab.large: example.com/lab}",
        HEAD
        + "kind: Partition\nmetadata: {name: p}\nspec: {instanceType: lab.large, devices: 1}\n",
        HEAD
        + "kind: Partition\nmetadata: {name: p}\n"
        + "spec: {firstAvailable: [{instanceType: lab.large, devices: 1}]}\n",
        HEAD
        + "kind: Tenant\nmetadata: {name: t}\nspec: {clusters: [c], namespaces: [n],"
        + " quota: [{instanceType: lab.large, devices: 1}]}\n",
    ],
)
def test_instance_types(user):
    """An instance type is of use wherever its name can stand."""
    assert unused(TYPE, user) == []
    assert unused(TYPE, user.replace("lab.large", "other.large")) == [
        ("unused-instance-type", "x.yaml:3:18")
    ]


def test_types_of_merged_pools():
    """A pool that only the defaults give counts too."""
    defaults = DEFAULTS.replace("1.36", "1.36, nodePools: [{name: a, instanceType: lab.large}]")

    assert unused(TYPE, defaults, CLUSTER % ", defaults: base") == []
