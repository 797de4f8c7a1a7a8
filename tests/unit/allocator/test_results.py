"""What is written into a claim: parameters for drivers, and the nodes where devices can be used."""

from __future__ import annotations

import pytest

from neuron_dra.allocator.outcome import Cause, Fatal
from neuron_dra.kube.claim import DeviceClass, OpaqueConfig
from neuron_dra.kube.slice import NodeSelectorRequirement, NodeSelectorTerm
from unit.allocator.small import (
    MINORS,
    allocate,
    claim,
    device,
    devices,
    exactly,
    first_available,
    node_slice,
    request,
)


def parameters(number, *requests):
    return OpaqueConfig(requests, "a.example", {"n": number})


CLASSES = (
    DeviceClass("one", (), config=(parameters(1), parameters(2))),
    DeviceClass("other", (), config=(parameters(3),)),
)


def configure(minor, *requests, config=()):
    """Return source, requests and number of each entry of the result."""
    outcome = allocate(
        minor, claim(*requests, config=config), [node_slice(*devices(8))], more_classes=CLASSES
    )
    (result,) = outcome.results
    return [(each.source, each.requests, each.parameters["n"]) for each in result.config]


def names(minor, *requests):
    """Return the list of requests of an entry for all: from 1.37 on it is empty."""
    return () if minor == "1.37" else requests


@pytest.mark.parametrize("minor", MINORS)
def test_class_parameters(minor):
    """Each class gives its parameters once, with the requests that it serves."""
    found = configure(
        minor, request("a", 1, "one"), request("b", 1, "other"), request("c", 2, "one")
    )

    assert found == [
        ("FromClass", ("a", "c"), 1),
        ("FromClass", ("a", "c"), 2),
        ("FromClass", ("b",), 3),
    ]


@pytest.mark.parametrize("minor", MINORS)
def test_class_parameters_for_all(minor):
    """Parameters for all requests lose the list of requests in 1.37."""
    found = configure(minor, request("a", 1, "other"), request("b", 1, "other"))

    assert found == [("FromClass", names(minor, "a", "b"), 3)]


@pytest.mark.parametrize("minor", MINORS)
def test_claim_parameters(minor):
    """Parameters of a claim follow, once per request that they name up to 1.36."""
    requests = [request(name) for name in "abc"]

    found = configure(minor, *requests, config=[parameters(1), parameters(2, "a", "c")])

    assert found[0] == ("FromClaim", (), 1)
    assert found[1:] == [("FromClaim", ("a", "c"), 2)] * (1 if minor == "1.37" else 2)


@pytest.mark.parametrize("minor", MINORS)
def test_claim_parameters_for_all(minor):
    """Parameters that name all requests lose the list of them in 1.37."""
    found = configure(minor, request("a"), request("b"), config=[parameters(1, "a", "b")])

    assert found == [("FromClaim", names(minor, "a", "b"), 1)] * (1 if minor == "1.37" else 2)


@pytest.mark.parametrize("minor", MINORS)
def test_parameters_of_alternatives(minor):
    """Only parameters of the alternative that was taken are listed, and those of its parent."""
    parts = first_available("a", exactly(9, "one"), exactly(1, "other"))
    config = [parameters(4, "a/s0"), parameters(5, "a/s1"), parameters(6, "a")]

    found = configure(minor, parts, request("b"), config=config)

    assert found == [
        ("FromClass", ("a/s1",), 3),
        ("FromClaim", ("a/s1",), 5),
        ("FromClaim", ("a",), 6),
    ]


@pytest.mark.parametrize("minor", MINORS)
def test_parameters_of_requests_without_devices(minor):
    """Parameters that name no request of the claim are left out."""
    assert configure(minor, request("a"), config=[parameters(1, "z")]) == []


def select(*slices, count=1):
    outcome = allocate("1.36", claim(request("r", count)), list(slices))
    return outcome if isinstance(outcome, Fatal) else outcome.results[0].node_selector


def term(*requirements, fields=()):
    return NodeSelectorTerm(tuple(requirements), tuple(fields))


ZONE = NodeSelectorRequirement("zone", "In", ("here", "there"))
OTHER = NodeSelectorRequirement("zone", "NotIn", ("nowhere",))
THIS_NODE = (term(fields=[NodeSelectorRequirement("metadata.name", "In", ("node",))]),)


def test_nodes_of_a_local_device():
    """A device of one node ties the claim to it, whatever else is in the claim."""
    everywhere = node_slice(device("a"), all_nodes=True, pool="p")
    local = node_slice(device("b"), pool="q")

    assert select(local) == THIS_NODE
    assert select(everywhere, local, count=2) == THIS_NODE


def test_nodes_of_devices_for_all():
    """A device that every node reaches ties the claim to none."""
    assert select(node_slice(device("a"), all_nodes=True)) is None


def test_nodes_of_several_slices():
    """Selectors of several slices are joined, equal requirements once."""
    swapped = NodeSelectorRequirement("zone", "In", ("there", "here"))
    slices = [
        node_slice(device("a"), node_selector=(term(ZONE),), pool="p"),
        node_slice(device("b"), node_selector=(term(OTHER, swapped),), pool="q"),
    ]

    assert select(*slices, count=2) == (term(ZONE, OTHER),)


def test_nodes_of_each_device():
    """With node selection per device the device says where it can be used."""
    local = device("a", node_name="node")
    shared = device("b", node_selector=(term(ZONE),))

    assert select(node_slice(local, per_device_node_selection=True)) == THIS_NODE
    assert select(node_slice(shared, per_device_node_selection=True)) == (term(ZONE),)


def test_devices_that_bind_to_their_node():
    """A device that binds to a node ties the claim to the node where it was allocated."""
    binding = device("a", binds_to_node=True)

    assert select(node_slice(binding, all_nodes=True)) == THIS_NODE


def test_too_many_terms():
    """A slice with two terms is refused."""
    two = (term(ZONE), term(OTHER))

    outcome = select(node_slice(device("a"), node_selector=two))

    assert isinstance(outcome, Fatal)
    assert outcome.cause is Cause.NODE_SELECTOR
