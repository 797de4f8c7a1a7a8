"""Node selectors."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.nodes import Node, node_matches
from neuron_dra.allocator.outcome import AbortError
from neuron_dra.kube.slice import NodeSelectorRequirement, NodeSelectorTerm

NODE = Node("n", {"zone": "a", "size": "3"})


def selects(*terms):
    return node_matches(NODE, "", False, terms)


def labels(*requirements):
    return NodeSelectorTerm(tuple(NodeSelectorRequirement(*each) for each in requirements))


def fields(*requirements):
    return NodeSelectorTerm((), tuple(NodeSelectorRequirement(*each) for each in requirements))


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        (("zone", "In", ("a", "b")), True),
        (("zone", "In", ("b",)), False),
        (("none", "In", ("a",)), False),
        (("zone", "NotIn", ("b",)), True),
        (("zone", "NotIn", ("a",)), False),
        (("none", "NotIn", ("a",)), True),
        (("zone", "Exists"), True),
        (("none", "Exists"), False),
        (("none", "DoesNotExist"), True),
        (("zone", "DoesNotExist"), False),
        (("size", "Gt", ("2",)), True),
        (("size", "Gt", ("3",)), False),
        (("size", "Lt", ("4",)), True),
        (("size", "Lt", ("3",)), False),
        (("zone", "Gt", ("2",)), False),
        (("none", "Lt", ("2",)), False),
    ],
)
def test_labels(requirement, expected):
    """A requirement on a label holds as Kubernetes reads it."""
    assert selects(labels(requirement)) == expected


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        (("metadata.name", "In", ("n",)), True),
        (("metadata.name", "In", ("m",)), False),
        (("metadata.name", "NotIn", ("m",)), True),
        (("metadata.name", "NotIn", ("n",)), False),
    ],
)
def test_fields(requirement, expected):
    """A requirement on a field concerns the node's name."""
    assert selects(fields(requirement)) == expected


def test_terms():
    """One term must hold, of it every requirement; a term without any holds never."""
    here, there = ("zone", "In", ("a",)), ("zone", "In", ("b",))

    assert selects(labels(there), labels(here))
    assert not selects(labels(here, there))
    assert not selects(NodeSelectorTerm())
    assert not selects()


@pytest.mark.parametrize(
    "term",
    [
        labels(("zone", "In")),
        labels(("zone", "NotIn")),
        labels(("zone", "Exists", ("a",))),
        labels(("zone", "DoesNotExist", ("a",))),
        labels(("zone", "Gt", ("x",))),
        labels(("zone", "Lt", ("1", "2"))),
        labels(("zone", "Is", ("a",))),
        fields(("metadata.name", "Exists")),
        fields(("metadata.name", "In", ("a", "b"))),
    ],
)
def test_requirements_that_make_no_sense(term):
    """A requirement that Kubernetes cannot parse ends the allocation."""
    with pytest.raises(AbortError, match="failed to parse node selector"):
        selects(labels(("zone", "In", ("a",))), term)
