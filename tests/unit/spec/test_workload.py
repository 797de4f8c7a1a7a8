"""The keys of a NeuronWorkload that need each other."""

import pytest

from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents

DOCUMENT = """
apiVersion: neuron-dra.dev/v1alpha1
kind: NeuronWorkload
metadata: {name: train, namespace: research}
spec: {cluster: prod, partition: row, FIELDS}
"""


def problems_of(fields):
    """Return what is told of a workload: slugs, the text they point at, and messages."""
    text = DOCUMENT.replace("FIELDS", fields)
    _, problems = read_documents([Source("train.yaml", text.encode())])
    return [
        (
            each.code.slug,
            each.span.source.line(each.span.line)[each.span.column : each.span.end_column],
            each.message,
        )
        for each in problems
    ]


@pytest.mark.parametrize("controller", ["external", "Job"])
def test_containers_of_no_template(controller):
    """Containers are named of a template, which somebody else's pods do not have."""
    assert problems_of(f"controller: {controller}, claimContainers: [train]") == [
        ("key-needs-another", "claimContainers", "`claimContainers` needs `template`")
    ]


def test_containers_of_a_template():
    """Whether the template has the containers is seen when it is read."""
    assert problems_of("controller: Job, template: {}, claimContainers: [train]") == []


def test_empty_network():
    """A network that says nothing is no network."""
    assert problems_of("controller: external, network: {}") == [
        ("missing-key", "{}", "one of `peers`, `ingress` and `egress` is required here")
    ]


@pytest.mark.parametrize("network", ["{peers: workload}", "{ingress: []}", "{egress: [dns]}"])
def test_network(network):
    """Each key alone is a network."""
    assert problems_of(f"controller: external, network: {network}") == []
