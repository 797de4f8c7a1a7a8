"""Functions of plain values and optionals."""

from __future__ import annotations

import pytest

TRUE = [
    'size("é") == 1',
    "size([1]) == 1",
    'size({"a":1}) == 1',
    'size(b"ab") == 2',
    'string(1) == "1"',
    'string(true) == "true"',
    'string("x") == "x"',
    'string(b"x") == "x"',
    "type(1) == int",
    'type("x") == string',
    "type(1u) == uint",
    "type(1.0) == double",
    "type(true) == bool",
    "type(null) == null_type",
    "type([1]) == list",
    'type({"a":1}) == map',
    'type(b"x") == bytes',
    "type(type(1)) == type",
    "1 + 2 == 3",
    "1 - 2 == -1",
    "2 * 3 == 6",
    "7 / 2 == 3",
    "7 % 4 == 3",
    '-device.attributes["d"].n == -3',
    "1.5 + 1.0 == 2.5",
    "1u + 2u == 3u",
    '"a" + "b" == "ab"',
    'b"a" + b"b" == b"ab"',
    'int("3") == 3',
    "int(2.9) == 2",
    "uint(3) == 3u",
    'double("1.5") == 1.5',
    'bool("true")',
    'bytes("x") == b"x"',
    'timestamp("2024-01-01T00:00:00Z") + duration("1h") == timestamp("2024-01-01T01:00:00Z")',
    'timestamp("2024-01-01T00:00:00Z").getFullYear() == 2024',
    'timestamp("2024-01-01T00:00:00Z").getHours("America/New_York") == 19',
    'duration("90m").getHours() == 1',
    'timestamp("2024-01-01T00:00:00Z") < timestamp("2025-01-01T00:00:00Z")',
    '"abc".startsWith("a")',
    '"abc".contains("bc")',
    '"abc".matches("^a.c$")',
    '"abc".matches("b")',
    '"aXb".lowerAscii() == "axb"',
    '"aXb".upperAscii() == "AXB"',
    '" a ".trim() == "a"',
    '"a.b".split(".") == ["a","b"]',
    '"a.b.c".split(".", 2) == ["a","b.c"]',
    '"aab".replace("a","x") == "xxb"',
    '"aab".replace("a","x",1) == "xab"',
    '"abc".substring(1) == "bc"',
    '"abc".substring(1,2) == "b"',
    '"abc".charAt(1) == "b"',
    '["a","b"].join("-") == "a-b"',
    '["a","b"].join() == "ab"',
    '"%s %d".format(["a",1]) == "a 1"',
    'strings.quote("a") == "\\"a\\""',
    '"ab12".find("[0-9]+") == "12"',
    '"ab".find("[0-9]+") == ""',
    '"a1b2".findAll("[a-z][0-9]") == ["a1","b2"]',
    '"a1b2".findAll("[0-9]", 1) == ["1"]',
    '"a1b2".findAll("[0-9]", -1).size() == 2',
    '"a1b2".findAll("([a-z])([0-9])") == ["a1","b2"]',
    '"a(b".find("[(]b|\\\\(") == "(b"',
    '"x1".find("(?P<letter>x)(1)") == "x1"',
    '"x1".find("(?i)(X)1") == "x1"',
    'device.driver.find(device.attributes["d"].s) == ""',
    "optional.of(1).value() == 1",
    "optional.of(1).hasValue()",
    'optional.ofNonZeroValue("a").hasValue()',
    'optional.ofNonZeroValue(semver("0.0.0")).hasValue()',
    "optional.of(1).or(optional.of(2)).value() == 1",
    "optional.none().or(optional.of(2)).value() == 2",
    "optional.none().orValue(2) == 2",
    "optional.of(1).orValue(1/0) == 1",
    "optional.of(1).optMap(x, x + 1).value() == 2",
    "optional.of(1) == optional.of(1)",
    "optional.none() == optional.none()",
]
FALSE = [
    "type(1) == string",
    'type(timestamp("2024-01-01T00:00:00Z")) == type(duration("1h"))',
    '"abc".endsWith("b")',
    'matches("abc", "z")',
    "optional.none().hasValue()",
    'optional.ofNonZeroValue("").hasValue()',
    "optional.ofNonZeroValue(0).hasValue()",
    "optional.of(1).optFlatMap(x, optional.none()).hasValue()",
    "optional.of(1) == optional.of(2)",
    "optional.of(1) == optional.none()",
]
FAILS = [
    'size(device.attributes["d"].n) == 1',
    'string(device.attributes["d"].v) == "1"',
    "1u - 2u == 1u",
    "9223372036854775807 + 1 == 0",
    "1/0 == 1",
    'device.attributes["d"].s + 1 == 1',
    "int(device.driver) == 1",
    'device.attributes["d"].n.startsWith("x")',
    'device.driver.matches(device.attributes["d"].s + "(")',
    '"abc".substring(2,1) == ""',
    '"abc".charAt(5) == ""',
    'dyn(1).find("x") == ""',
    'device.driver.find(device.driver + "(") == ""',
    "optional.none().value() == 1",
    "dyn(1).or(optional.of(1)).hasValue()",
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
