"""Addresses and networks."""

from __future__ import annotations

from unit.cel.outcomes import describe, judged

TRUE = [
    'ip("1.1.1.1").family()==4',
    'ip("::1").family()==6',
    'ip.isCanonical("2001:db8::1")',
    'cidr("10.0.0.0/8").containsIP("10.1.1.1")',
    'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")',
    'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8")',
    'cidr("10.1.2.3/8").prefixLength()==8',
    'string(cidr("10.1.2.3/8"))=="10.1.2.3/8"',
    'string(ip("10.1.2.3"))=="10.1.2.3"',
    'cidr("10.1.2.3/8").ip() == ip("10.1.2.3")',
    'isCIDR("::1/128")',
    'ip("224.0.0.1").isLinkLocalMulticast()',
    'ip("169.254.1.1").isLinkLocalUnicast()',
    'ip("0.0.0.0").isUnspecified()',
    'ip("127.0.0.1").isLoopback()',
    'ip("8.8.8.8").isGlobalUnicast()',
    'ip("10.0.0.1").isGlobalUnicast()',
    'ip("::1") in [ip("::1")]',
    'cidr("10.0.0.0/8").containsCIDR(cidr("10.1.0.0/16"))',
]
FALSE = [
    'isIP("::ffff:1.1.1.1")',
    'isIP("fe80::1%eth0")',
    'isIP("01.1.1.1")',
    'ip.isCanonical("2001:DB8::1")',
    'cidr("10.0.0.0/8").containsIP(ip("11.1.1.1"))',
    'cidr("10.0.0.0/8").containsIP("::1")',
    'cidr("10.0.0.0/8").containsCIDR("0.0.0.0/0")',
    'cidr("10.1.2.3/8") == cidr("10.0.0.0/8")',
    'isCIDR("1.1.1.1")',
    'isCIDR("1.1.1.1/33")',
    'isCIDR("1.1.1.1/08")',
    'isCIDR("1.1.1.1/255.0.0.0")',
    'ip("224.0.1.1").isLinkLocalMulticast()',
    'ip("fe80::1").isGlobalUnicast()',
    'ip("255.255.255.255").isGlobalUnicast()',
    'ip("ff00::1").isGlobalUnicast()',
    'ip("1.1.1.1") == ip("1.1.1.2")',
    'cidr("10.0.0.0/8").containsCIDR(cidr("10.0.0.0/4"))',
    'isCIDR("1.1.1.1/0008")',
    'isIP("")',
    "isIP(device.driver)",
]
FAILS = [
    'ip("1.1.1.256").family()==6',
    'dyn(ip("1.1.1.1")) == "1.1.1.1"',
    "dyn(1).family() == 4",
    'cidr("10.0.0.0/8").containsIP(dyn(1))',
    'cidr("10.0.0.0/8").containsCIDR(dyn(1))',
    'cidr("10.0.0.0/8").containsIP("x")',
    'cidr("x") == cidr("10.0.0.0/8")',
    'dyn(cidr("10.0.0.0/8")) == dyn(ip("10.0.0.0"))',
    'ip(dyn(1)) == ip("::1")',
]


@judged(TRUE, FALSE, FAILS)
def test_outcomes(expression, expected, outcome):
    """The device gets the outcome that it gets in the real API server."""
    assert describe(outcome(expression)) == expected
