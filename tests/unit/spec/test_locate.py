"""Places of keys, by the names that other rooms use."""

import pytest

from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents
from neuron_dra.spec.locate import locate

TEXT = """apiVersion: neuron-dra.dev/v1alpha1
kind: Cluster
metadata: {name: dev}
spec:
  kubernetes: 1.36
  networkGroups:
    storage: {cidrs: [10.8.0.0/22, 10.9.0.0/22]}
  nodePools:
  - {name: a, instanceType: trn2.48xlarge}
  - name: b
    instanceType: trn1.32xlarge
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Tenant
metadata: {name: research}
spec:
  clusters: [dev]
  namespaces: [research]
---
apiVersion: neuron-dra.dev/v1alpha1
kind: NeuronWorkload
metadata: {name: serve, namespace: research}
spec: {cluster: dev, partition: row, controller: external, podSelector: {matchLabels: {a: b}}}
"""


@pytest.mark.parametrize(
    ("document", "path", "line"),
    [
        ("Cluster/dev", "spec.kubernetes", 5),
        ("Cluster/dev", "spec.nodePools[1].instanceType", 11),
        ("Cluster/dev", "spec.nodePools[1]", 10),
        ("Cluster/dev", "spec.networkGroups[storage].cidrs[1]", 7),
        ("Tenant/research", "spec.namespaces[0]", 18),
        ("NeuronWorkload/research/serve", "spec.partition", 23),
        # what was never written: the nearest thing around it
        ("Cluster/dev", "spec.nodePools[0].sdk", 9),
        ("Tenant/research", "spec.network.isolation", 17),
        ("Cluster/dev", "spec.noSuchKey", 5),
    ],
)
def test_place(document, path, line):
    specs, found = read_documents([Source("x.yaml", TEXT.encode())])

    assert found == []
    assert locate(specs, document, path).line + 1 == line


def test_place_of_no_document():
    specs, _ = read_documents([Source("x.yaml", TEXT.encode())])

    assert str(locate(specs, "Partition/row", "spec.devices")) == "Partition/row:1:1"
