"""Documents in short, and their plan on the shipped catalogue."""

from neuron_dra.api import pipeline as api
from neuron_dra.source import Source

HEAD = "apiVersion: neuron-dra.dev/v1alpha1\n"
CLUSTER = """kind: Cluster
metadata: {name: %s, labels: {env: test}}
spec:
  kubernetes: 1.36
  drivers: {neuron: {chartVersion: 1.10.0}, efa: {chartVersion: 1.0.0}}
  nodePools:
  - {name: main, instanceType: trn2.48xlarge, sdk: 2.32.0}
"""
PARTITION = "kind: Partition\nmetadata: {name: %s}\nspec: %s\n"
TENANT = "kind: Tenant\nmetadata: {name: %s}\nspec: %s\n"


def plan(*documents):
    text = "---\n".join(HEAD + document for document in documents)
    analysis = api.analyse([Source("x.yaml", text.encode())])
    return analysis.fleet, [
        (each.code.slug, each.message) for each in analysis.diagnostics if each.severity < 2
    ]
