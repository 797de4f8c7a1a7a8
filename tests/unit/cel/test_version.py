"""Semantic versions."""

from __future__ import annotations

from unit.cel.outcomes import describe, judged

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


@judged(TRUE, FALSE, FAILS)
def test_outcomes(expression, expected, outcome):
    """The device gets the outcome that it gets in the real API server."""
    assert describe(outcome(expression)) == expected
