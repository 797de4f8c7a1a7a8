"""Semantic versions."""

from __future__ import annotations

import pytest

TRUE = [
    'semver("v1.2",true) == semver("1.2.0")',
    'isSemver("v1.2",true)',
    'isSemver("1.02.3",true)',
    'isSemver("1.2.3-rc.1+b")',
    'semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))',
    'semver("1.0.0-rc.2").isLessThan(semver("1.0.0-rc.10"))',
    'semver("1.0.0-rc").compareTo(semver("1.0.0-1")) == 1',
    'semver("1.0.0-a.b").compareTo(semver("1.0.0-a")) == 1',
    'isSemver("00.0.0",true)',
    'device.attributes["d"].v == semver("1.2.3")',
    'device.attributes["d"].v == semver("1.2.3+b")',
    '[dyn(semver("1.0.0"))] == [dyn("1.0.0")]',
    'semver("1.0.0") in [semver("1.0.0")]',
    'device.attributes["d"].?v.orValue(semver("0.0.0")).isGreaterThan(semver("1.0.0"))',
    'device.attributes["d"].v.minor() == 2',
    'device.attributes["d"].v.patch() == 3',
    'device.attributes["d"].v.compareTo(semver("1.2.4")) == -1',
    'semver("1", true).compareTo(semver("1.0.0")) == 0',
    'type(semver("1.0.0")) == type(semver("2.0.0"))',
]
FALSE = [
    'isSemver("v1.2")',
    'isSemver("1.02.3")',
    'isSemver("1.2-rc",true)',
    'isSemver("1.2.3-01")',
    'isSemver("18446744073709551616.0.0")',
    'isSemver("1.2.3.4",true)',
    'isSemver("1.x",true)',
    '[dyn("1.0.0")] == [dyn(semver("1.0.0"))]',
    'type(semver("1.0.0")) == type(quantity("2"))',
]
FAILS = [
    'semver("a")==semver("1.0.0")',
    'semver(device.attributes["d"].s).major() == 1',
    'semver("1.0").major() == 1',
    "semver(dyn(1)).major() == 1",
    "isSemver(dyn(1))",
    'semver("1.0.0", dyn(1)).major() == 1',
    'device.attributes["d"].v.isGreaterThan(quantity("1"))',
    'device.attributes["d"].v.asInteger() == 1',
    'semver("1.0").compareTo(semver("1.0.0")) == 0',
    'semver("1.2+b", true).major() == 1',
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
