"""Quantities."""

from __future__ import annotations

import pytest

TRUE = [
    'isQuantity("1Gi")',
    'isQuantity("1.5Gi")',
    'isQuantity("1e3")',
    'isQuantity("1E")',
    'isQuantity(".5")',
    'isQuantity("5.")',
    'isQuantity(".")',
    'isQuantity("+1")',
    'isQuantity("-1")',
    'isQuantity("Gi")',
    'quantity("1500m").asApproximateFloat() == 1.5',
    'quantity("1e3") == quantity("1k")',
    'quantity("0.0000000001") == quantity("1n")',
    'quantity("-0.0000000001") == quantity("-1n")',
    'quantity("100Ei") == quantity("9223372036854775807")',
    'quantity("1").sub(2) == quantity("-1")',
    'sign(quantity("-1")) == -1',
    'quantity("1").compareTo(quantity("2")) == -1',
    'isQuantity("Ki")',
    'device.capacity["d"].m == quantity("1Gi")',
    'device.capacity["d"].m == quantity("1024Mi")',
    'quantity("2").add(quantity("1")) == quantity("3")',
    'isQuantity("+")',
    'isQuantity("-")',
    'isQuantity("+Gi")',
    'isQuantity("1e400")',
    'isQuantity("1e+3")',
    'isQuantity("1E-3")',
    'isQuantity("1.5e3")',
    'isQuantity("00")',
    'isQuantity("100000000000000000000")',
    'isQuantity("0.1n")',
    'quantity("1").isInteger()',
    'quantity("1.5k").isInteger()',
    'quantity("0").isInteger()',
    'quantity("1Gi").isInteger()',
    'quantity("123456789012345678").isInteger()',
    'quantity("1e18").isInteger()',
    'quantity("0001").isInteger()',
    'quantity("1Ti").isInteger()',
    'quantity("1").add(quantity("1")).isInteger()',
    'quantity("0m").add(quantity("1")).isInteger()',
    'quantity("1k").add(quantity("1")).isInteger()',
    'quantity("1").add(1) == quantity("2")',
    'quantity("2") != quantity("1").add(1)',
    'quantity("1").add(2).asInteger() == 3',
    'quantity("100Ei").add(1).isGreaterThan(quantity("100Ei"))',
    '[quantity("2")] == [quantity("1").add(1)]',
    'quantity("1").isLessThan(quantity("1").add(1))',
    'sign(quantity("0")) == 0',
]
FALSE = [
    'isQuantity("1 G")',
    'isQuantity("")',
    'isQuantity("1e")',
    'isQuantity("1K")',
    'isQuantity("1.2.3")',
    'isQuantity("1ki")',
    'isQuantity("1mi")',
    'quantity("1m").isInteger()',
    'quantity("1000m").isInteger()',
    'isQuantity("1Kii")',
    'isQuantity("1 ")',
    'quantity("1.0").isInteger()',
    'quantity("1500m").isInteger()',
    'quantity("0m").isInteger()',
    'quantity("1.5Gi").isInteger()',
    'quantity("8Ei").isInteger()',
    'quantity("7Ei").isInteger()',
    'quantity("1234567890123456789").isInteger()',
    'quantity("9223372036854775807").isInteger()',
    'quantity("1e19").isInteger()',
    'quantity("10E").isInteger()',
    'quantity("1000000Ti").isInteger()',
    'quantity("1234Pi").isInteger()',
    'quantity("1.0Ki").isInteger()',
    'quantity("1500m").add(quantity("500m")).isInteger()',
    'quantity("1.5Gi").add(quantity("1")).isInteger()',
    'quantity("0").add(quantity("1m")).isInteger()',
    'quantity("2") in [quantity("1").add(1)]',
]
FAILS = [
    'quantity("1.5Gi").asInteger() == 1610612736',
    'quantity("1000m").asInteger() == 1',
    'quantity("") == quantity("0")',
    'device.capacity["d"].zz == quantity("1024Mi")',
    'quantity("3") == quantity("2").add(quantity("1"))',
    'quantity("2") == quantity("1").add(1)',
    'quantity("1").compareTo(dyn(1)) == 0',
    'quantity("1").add(dyn("x")) == quantity("1")',
    'quantity(dyn(1)) == quantity("1")',
]


@pytest.mark.parametrize("expression", TRUE)
def test_true(expression, outcome):
    """These hold for the device, as in the real API server."""
    assert outcome(expression) is True


@pytest.mark.parametrize("expression", FALSE)
def test_false(expression, outcome):
    """These do not hold for the device, as in the real API server."""
    assert outcome(expression) is False


@pytest.mark.parametrize("expression", FAILS)
def test_fails(expression, outcome):
    """These are errors for the device, as in the real API server."""
    assert isinstance(outcome(expression), str)
