"""Quantities."""

from __future__ import annotations

import pytest

from neuron_dra.kube.quantity import is_quantity, to_integer


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("16Gi", 16 << 30),
        ("0.5Gi", 1 << 29),
        ("1.5G", 1_500_000_000),
        ("1e3", 1000),
        ("2E2", 200),
        ("3E", 3 * 10**18),
        ("100m", 1),
        ("1500m", 2),
        (".5k", 500),
        ("8.", 8),
    ],
)
def test_values(text, value):
    """A quantity is its number times its unit, rounded up."""
    assert is_quantity(text)
    assert to_integer(text) == value


@pytest.mark.parametrize("text", ["", "Gi", "4 Gi", "4GB", "1e", "1.2.3", "1e999", "0x10", "4gi"])
def test_no_quantities(text):
    """A text with another unit or form is no quantity."""
    assert not is_quantity(text)
