"""Literals that the API server refuses, and literals that it should have refused."""

from __future__ import annotations

import pytest

from neuron_dra.cel.environment import Compiled
from neuron_dra.cel.literals import find_literal_problems
from neuron_dra.cel.problem import CompileError

REFUSED = [
    ('[1, "a"].size() == 2', "expected type `int` but found `string`", '"a"'),
    ("[1, dyn(2)].size() == 2", "expected type `int` but found `dyn`", "dyn"),
    ('{"a": 1, 2: 3}.size() == 2', "expected type `string` but found `int`", "2"),
    ('{"a": 1, "b": "c"}.size() == 2', "expected type `int` but found `string`", '"c"'),
    ('[?optional.of("a"), 2].size() == 2', "expected type `string` but found `int`", "2"),
    ('[[1], ["a"]].size() == 2', "expected type `list(int)` but found `list(string)`", "["),
    ('device.driver.matches("(")', "`(` is not a regular expression", '"("'),
    ('matches("a", "[")', "`[` is not a regular expression", '"["'),
    ('matches("[", "a")', "`[` is not a regular expression", '"["'),
    ('device.driver.find("(") == ""', "`(` is not a regular expression", '"("'),
    ('device.driver.findAll("(") == []', "`(` is not a regular expression", '"("'),
    ('int("x") == 1', "invalid argument of `int`: cannot convert string to int", '"x"'),
    ('duration("x") == duration("1s")', "invalid argument of `duration`", '"x"'),
    ('timestamp("x") == timestamp("x")', "invalid argument of `timestamp`", '"x"'),
    ('[2] == [int(string("x"))]', "invalid argument of `int`", ""),
    ("1e400 > 1.0", "the number is too large for a double", "1e400"),
    ("[-1.5e309].size() == 1", "the number is too large for a double", "-1.5e309"),
    ('"%d".format(["a"]) == ""', "a value of type `string` cannot be formatted", '"a"'),
]
ACCEPTED = [
    "[[].max(), 1] == []",
    '{"a": 1, "b": [].min()} == {}',
    "[1, 2] == [1, 2]",
    "[?optional.of(1), 2].size() == 2",
    '{"a": 1, ?"b": optional.of(2)}.size() == 2',
    '[device.attributes["d"].x, device.attributes["d"].y].size() == 2',
    '"%s %d".format(["a", 1]) == "a 1"',
    'device.driver.matches("^[a-z]+$")',
    "device.driver.matches(device.driver)",
    'int("3") == 3',
    "1e308 > 1e-400",
    "int(device.driver) == 3",
]
UNPARSED = [
    ('semver("1.0").major() == 1', "`1.0` is not a semantic version, like `1.2.3`"),
    ('semver("1.x", true).major() == 1', "`1.x` is not a semantic version, like `1.2.3`"),
    ('quantity("10 Gi") == quantity("1")', "`10 Gi` is not a quantity, like `10Gi`"),
    ('ip("10.0.0") == ip("10.0.0.1")', "`10.0.0` is not an IP address"),
    (
        'cidr("10.0.0.0").prefixLength() == 8',
        "`10.0.0.0` is not a network address, like `10.0.0.0/8`",
    ),
    ('cidr("10.0.0.0/8").containsIP("x")', "`x` is not an IP address"),
    ('cidr("10.0.0.0/8").containsCIDR("x")', "`x` is not a network address, like `10.0.0.0/8`"),
    ('url("x").getHost() == "x"', "`x` is not an absolute URL"),
]
PARSED = [
    'semver("1.2.3").major() == 1',
    'semver("v1", true).major() == 1',
    "semver(device.driver).major() == 1",
    'semver("1.0", device.driver == "d").major() == 1',
    'cidr("10.0.0.0/8").containsIP(ip("10.0.0.1"))',
    'cidr("10.0.0.0/8").ip() == ip("10.0.0.0")',
    'isSemver("1.0")',
    'device.driver.matches("x")',
]


@pytest.mark.parametrize(("expression", "message", "token"), REFUSED)
def test_refused(expression, message, token, env):
    """A literal that the API server evaluates when it compiles is an error at the literal."""
    error = env.compile(expression)

    assert isinstance(error, CompileError)
    assert error.message.startswith(message)
    assert expression[error.column :].startswith(token)


@pytest.mark.parametrize("expression", ACCEPTED)
def test_accepted(expression, env):
    """Literals that fit are no errors, nor is what only a device decides."""
    assert isinstance(env.compile(expression), Compiled)


@pytest.mark.parametrize(("expression", "message"), UNPARSED)
def test_unparsed(expression, message, env):
    """A literal that its function cannot parse is a problem at the literal."""
    compiled = env.compile(expression)
    (problem,) = find_literal_problems(compiled.root, expression)

    assert problem.message == message
    assert expression[problem.column : problem.end] == f'"{message.split("`")[1]}"'


@pytest.mark.parametrize("expression", PARSED)
def test_parsed(expression, env):
    """Literals that parse are no problem, nor are functions that only ask."""
    assert find_literal_problems(env.compile(expression).root, expression) == ()
