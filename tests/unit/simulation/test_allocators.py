"""Allocators of the nodes of a cluster."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.allocator.allocator import NOTHING_ALLOCATED, Allocator
from neuron_dra.allocator.nodes import Node
from neuron_dra.kube.node import ClusterNode
from neuron_dra.simulation import allocators
from neuron_dra.simulation.allocators import Allocators
from unit.allocator.small import claim, classes, devices, node_slice, request


def make(slices, minor="1.36"):
    return Allocators(minor, {}, classes(), slices)


PLACES = ({"node_name": "n0"}, {"node_name": "n1"}, {"all_nodes": True})


@given(
    st.lists(
        st.tuples(st.sampled_from("pq"), st.sampled_from(PLACES), st.integers(0, 2)), max_size=5
    ),
    st.integers(1, 4),
    st.sampled_from(("1.34", "1.35", "1.36", "1.37")),
)
def test_only_slices_that_matter(parts, count, minor):
    """A node that knows the pools that matter there allocates as one that knows all slices."""
    slices = [
        node_slice(*devices(number), pool=pool, name=f"s{index}", slices=2, **place)
        for index, (pool, place, number) in enumerate(parts)
    ]
    known = make(slices, minor)
    for name in ("n0", "n1"):
        wanted = [claim(request("r", count))]
        everything = Allocator(
            allocators.Features.of(minor, {}),
            minor,
            classes(),
            slices,
            NOTHING_ALLOCATED,
            allocators.environment(minor, {}),
        )

        outcome = known.allocate(ClusterNode(name), wanted, NOTHING_ALLOCATED)

        assert outcome == everything.allocate(Node(name), wanted)


def test_few_are_kept(monkeypatch):
    """More nodes than are kept still get their answers, and the same ones again."""
    monkeypatch.setattr(allocators, "KEPT", 2)
    slices = [node_slice(*devices(1), node_name=f"n{n}", pool=f"n{n}") for n in range(4)]
    cluster = make(slices)

    for _ in range(2):
        for number in range(4):
            node = ClusterNode(f"n{number}")
            outcome = cluster.allocate(node, [claim(request("r"))], NOTHING_ALLOCATED)
            assert outcome.results[0].results[0].device.pool == f"n{number}"
