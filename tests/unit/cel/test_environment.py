"""Compilation: what each minor takes, and what is refused."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuron_dra.cel.environment import (
    MAX_EXPRESSION_LENGTH,
    REMEMBERED,
    Compiled,
    Environment,
    environment,
)
from neuron_dra.cel.problem import CompileError

EVERYWHERE = [
    'device.driver == "neuron.aws.com"',
    'device.attributes["d"].x == 1 && has(device.attributes["d"].y)',
    'device.attributes["d"].b',
    'device.capacity["d"].memory.isGreaterThan(quantity("1Gi"))',
    'cel.bind(d, device.attributes["d"], d.x == 1 || d.y == 2)',
    'device.attributes[?"d"].?x.orValue(1) == 1',
    'device.attributes["d"].all(name, value, name != "x" || value == 1)',
    'device.attributes["d"].v.isGreaterThan(semver("1.2.3"))',
    'isQuantity("1") && isSemver("1", true)',
    'ip("10.0.0.1").family() == 4 && cidr("10.0.0.0/8").containsIP("10.0.0.1")',
    'url("https://example.com").getHost() == "example.com"',
    'device.driver.find("[a-z]+") == "d" && device.driver.findAll("a", 1).size() == 0',
    '"%s".format([device.driver]).lowerAscii() == "d"',
    "sets.contains([1, 2], [1]) && [1, 2].sum() == 3",
    'format.named("dns1123Label").hasValue()',
    "1 < 1.5 && 2u >= 1",
    "[1, 2].first().hasValue()",
    "optional.unwrap([optional.of(1)]) == [1]",
]
NOWHERE = [
    "math.greatest(1, 2) == 2",
    'base64.encode(b"x") == ""',
    'authorizer.path("/").check("get").allowed()',
    "now() == 1",
    '"abc".reverse() == "cba"',
    'regex.replace("a", "b", "c") == ""',
    'device.attributes["d"].list.includes(1)',
    'device.name == "neuron-device-0"',
    'device.attributes["d"].list.exists(x, x == 1)',
    '[1, "a"].size() == 2',
    '["a"].indexOf(1) == 0',
    "1 == 1.0",
    "dyn(true)",
    "google.protobuf.Int32Value{value: 1} == 1",
]
MINORS = ["1.34", "1.35", "1.36", "1.37"]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("expression", EVERYWHERE)
def test_accepted(expression, minor):
    """What every minor takes compiles."""
    assert isinstance(environment(minor).compile(expression), Compiled)


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("expression", NOWHERE)
def test_refused(expression, minor):
    """What no minor takes with its default gates is an error with a place."""
    error = environment(minor).compile(expression)

    assert isinstance(error, CompileError)
    assert error.message
    assert 0 <= error.column < error.end <= len(expression)


@pytest.mark.parametrize(
    ("expression", "gates", "since"),
    [
        ("[1, 2].slice(0, 1) == [1]", {}, 35),
        ("lists.range(2) == [0, 1]", {}, 35),
        ("[2, 1].sortBy(x, -x) == [2, 1]", {}, 35),
        ("device.allowMultipleAllocations", {"DRAConsumableCapacity": True}, 34),
        ('device.attributes["d"].x.includes(1)', {"DRAListTypeAttributes": True}, 36),
        ('device.attributes["d"].x.all(y, y == 1)', {"DRAListTypeAttributes": True}, 36),
    ],
)
def test_first_minor(expression, gates, since):
    """A library is taken from one minor on, and a gated one only with its gate."""
    taken = {
        minor: isinstance(environment(minor, gates).compile(expression), Compiled)
        for minor in MINORS
    }

    assert taken == {minor: int(minor[2:]) >= since for minor in MINORS}
    if gates:
        off = dict.fromkeys(gates, False)
        assert isinstance(environment("1.37", off).compile(expression), CompileError)
        assert isinstance(environment("1.37").compile(expression), CompileError)


def test_length():
    """An expression may have 10 KiB, counted in bytes."""
    longest = f'"{"é" * 5115}" != ""  '

    assert len(longest.encode()) == MAX_EXPRESSION_LENGTH
    assert isinstance(environment("1.36").compile(longest), Compiled)
    assert environment("1.36").compile(longest + " ") == CompileError(
        "the expression has 10241 bytes, the limit is 10240", 0, len(longest) + 1
    )


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("1", "int"),
        ("device", "kubernetes.DRADevice"),
        ("device.attributes", "map(string, map(string, any))"),
        ("[1].first()", "optional_type(int)"),
        ("dyn(true)", "dyn"),
        ("null", "null_type"),
        ("int", "type(int)"),
        ('timestamp("2024-01-01T00:00:00Z")', "timestamp"),
        ('duration("1h")', "duration"),
        ('format.dns1123Label().validate("a")', "optional_type(list(string))"),
        ("b'a'", "bytes"),
        ("{1u: 1.5}", "map(uint, double)"),
    ],
)
def test_result_type(expression, kind, env):
    """A selector has to be a bool or an attribute."""
    error = env.compile(expression)

    assert error.message == f"the expression must evaluate to a bool, not `{kind}`"


def test_list_attributes_are_dyn(list_env):
    """With list attributes an attribute is of type dyn, and so may a selector be."""
    assert isinstance(list_env.compile('device.attributes["d"].x'), Compiled)


def test_environment_is_kept():
    """Equal arguments give the same environment, other gates do not matter."""
    assert environment("1.36", {"Other": True}) is environment("1.36")
    assert environment("1.36", {"DRAConsumableCapacity": True}) is not environment("1.36")


@pytest.mark.parametrize("minor", ["1.33", "2.36", "1.x", "1", ""])
def test_unknown_minor(minor):
    """A version without device selectors is a mistake of the caller."""
    with pytest.raises(ValueError, match="no device selectors"):
        Environment(minor, {})


def test_repr(env):
    """A compiled selector shows its text."""
    assert repr(env.compile("true")) == "Compiled('true')"


def test_import_is_cheap():
    """Importing the room loads neither the CEL runtime nor what evaluates."""
    code = (
        "import sys, neuron_dra.cel.environment;"
        "assert not {'cel_expr_python', 'ipaddress', 'neuron_dra.cel.program'} & set(sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


PIECES = st.sampled_from(
    [
        *("device", ".", "driver", "attributes", '["d"]', ".x", "==", "&&", "||", "!", "(", ")"),
        *("has(", "1", '"a"', "'", "in", "[", "]", "{", "}", ":", "?", ",", " ", "\n", "é", "-"),
        *("all(", "x", "semver(", "cel.bind(", "math", "\u201c", "`", "//", "\\", "\0", "0x", "1e"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=3), max_size=12).map("".join))
def test_any_text(expression):
    """Any text at all compiles or is an error whose range lies inside the text."""
    result = environment("1.36").compile(expression)

    if isinstance(result, CompileError):
        assert result.message
        assert 0 <= result.column <= result.end <= len(expression)
    else:
        assert result.expression == expression


def test_expressions_are_compiled_once():
    """An expression is compiled once, however many others come between, up to a bound."""
    compiler = Environment("1.36", {})
    first = compiler.compile("true")

    assert compiler.compile("true") is first
    for number in range(REMEMBERED):
        compiler.compile(f"{number} == 0")
    assert compiler.compile("true") is not first
    assert compiler.compile("true").expression == "true"
