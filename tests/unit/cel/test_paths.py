"""Paths share arrays as Go's slices do."""

from __future__ import annotations

import pytest

from neuron_dra.cel.costs.paths import Path, no_path


@pytest.mark.parametrize(
    ("path", "first"),
    [
        (Path.of("device"), ("device", "a")),  # full: each longer path has an array of its own
        (Path.of("device.x"), ("device", "x", "a")),
        (Path.of("device.x").then("y"), ("device", "x", "y", "b")),  # room for one step more
        (no_path(), ("a",)),
    ],
)
def test_two_longer_paths(path, first):
    """A second longer path overwrites the first where the array had room."""
    before = path.steps
    one, other = path.then("a"), path.then("b")

    assert path.steps == before
    assert one.steps == first
    assert other.steps == (*before, "b")


def test_room_doubles():
    """An array of three steps has room for one more, one of five for three more."""
    path = Path.of("a.b.c.d.e")
    longer = path.then("f").then("g").then("h")
    path.then("x")

    assert longer.steps == ("a", "b", "c", "d", "e", "x", "g", "h")
    assert longer.then("i").steps[-1] == "i"
