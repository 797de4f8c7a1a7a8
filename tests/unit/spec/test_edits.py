"""Which mistakes of a spec come with the edit that repairs them."""

from __future__ import annotations

import pytest

from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents

CLUSTER = "apiVersion: neuron-dra.dev/v1alpha1\nkind: Cluster\nmetadata: {name: c}\nspec:\n"
PARTITION = CLUSTER.replace("Cluster", "Partition") + "  instanceType: t\n"


def edits(text):
    """Return the repairs of a text: what stands there, and what is to."""
    source = Source("a.yaml", text.encode())
    return [
        (source.line(edit.span.line)[edit.span.column : edit.span.end_column], edit.replacement)
        for each in read_documents([source])[1]
        for edit in each.edits
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{CLUSTER}  kubernetes: 1.36\n  regoin: x\n", [("regoin", "region")]),
        (f"{CLUSTER}  Kubernetes: 1.36\n", [("Kubernetes", "kubernetes")]),
        (f'{CLUSTER}  kubernetes: 1.36\n  "regoin": x\n', [('"regoin"', "region")]),
        (f"{PARTITION}  devices: ALL\n", [("ALL", "all")]),
        (f'{PARTITION}  devices: "4"\n', [('"4"', "4")]),
        (f"{PARTITION}  devices: 4\n  efa: pairde\n", [("pairde", "paired")]),
        (f"{PARTITION}  devices: 4\n  efa: Paired\n", [("Paired", "paired")]),
        (f"{PARTITION}  devices: 4\n  connected: True\n", [("True", "true")]),
        (f"{PARTITION}  devices: 4\n  connected: off\n", [("off", "false")]),
        (PARTITION.replace("Partition", "partition"), [("partition", "Partition")]),
        (
            PARTITION.replace("v1alpha1", "v1alpha2"),
            [("neuron-dra.dev/v1alpha2", "neuron-dra.dev/v1alpha1")],
        ),
    ],
)
def test_sure(text, expected):
    """A misspelt word with one near word that is possible there has an edit."""
    assert edits(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"{CLUSTER}  kubernetes: 1.36\n  region: a\n  regoin: b\n",
        f"{CLUSTER}  kubernetes: 1.36\n  regio: a\n  regoin: b\n",
        f"{CLUSTER}  kubernetes: 1.36\n  something: b\n",
        f"{PARTITION}  devices: many\n",
        f"{PARTITION}  devices: 4\n  efa: yes\n",
        f"{PARTITION}  devices: 4\n  connected: maybe\n",
        f"{PARTITION}  devices: 4\n  connected: 1\n",
        PARTITION.replace("Partition", "Pod"),
        PARTITION.replace("neuron-dra.dev/v1alpha1", "apps/v1"),
    ],
)
def test_not_sure(text):
    """Where a key is taken, two would become one, or nothing is near, there is no edit."""
    assert edits(text) == []
    assert read_documents([Source("a.yaml", text.encode())])[1]


def test_merged():
    """A key that comes from a merged map is not renamed: others may use that map."""
    text = f"{CLUSTER}  kubernetes: 1.36\n  <<: &x {{regoin: a}}\n"

    assert edits(text) == []
