"""Where a field of an object stands."""

from __future__ import annotations

import pytest

from neuron_dra.simulation.places import find_place
from neuron_dra.source import LongSource
from neuron_dra.syntax.stream import stream_objects

TEXT = b"""\
spec:
  devices:
  - name: d
    attributes: {a.example/x: {int: 1}, a.example/x.y: {int: 2}, a: {b: 3}}
  nothing: 7
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("", "1:1"),
        ("spec.nothing", "5:12"),
        ("spec.devices[0].name", "3:11"),
        ("spec.devices[0].attributes.a.example/x.int", "4:37"),
        ("spec.devices[0].attributes.a.example/x.y.int", "4:62"),
        ("spec.devices[0].attributes.a.b", "4:73"),
        ("spec.devices[3].name", "3:3"),
        ("spec.devices.name", "3:3"),
        ("spec.nothing.below", "5:12"),
        ("missing.field", "1:1"),
    ],
)
def test_place(path, place):
    """The place is that of the value, or of the nearest one that was written."""
    source = LongSource("x", TEXT)
    (only,) = stream_objects(source, [])

    assert str(find_place(source, only.node, path)) == f"x:{place}"
