"""Tori as text."""

from __future__ import annotations

import pytest

from neuron_dra.picture.torus import draw_row, draw_torus, place_beside


def test_labels_stand_at_their_devices():
    """Ids run along the rows; what has no label is a dot."""
    assert draw_torus(2, 3, {0: "A", 4: "B"}) == [
        "A──·──·",
        "│  │  │",
        "·──B──·",
    ]


def test_wide_labels_keep_the_columns():
    """Every cell is as wide as the widest label, and links stay under their devices."""
    lines = draw_torus(2, 2, {0: "A10", 3: "B"})

    assert lines == ["A10── ·", " │    │", " · ── B"]


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (4, 4), (1, 12)])
def test_every_device_is_drawn(rows, columns):
    """There are as many dots as devices, and a line of links between each two rows."""
    lines = draw_torus(rows, columns, {})

    assert sum(line.count("·") for line in lines) == rows * columns
    assert len(lines) == 2 * rows - 1


def test_devices_without_links():
    """Devices whose links are not known stand in a row without links."""
    assert draw_row({1: "A"}, 3) == ["·  A  ·"]
    assert draw_row({}, 0) == [""]


def test_beside():
    """The shorter of two texts is padded, and no line ends in spaces."""
    assert place_beside(["ab", "c"], ["x"]) == ["ab   x", "c"]
    assert place_beside(["a"], ["x", "y"]) == ["a   x", "    y"]
