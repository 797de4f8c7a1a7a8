"""Messages, places and help of expressions that do not compile."""

from __future__ import annotations

import pytest

from neuron_dra.cel.environment import environment
from neuron_dra.cel.problem import CompileError
from neuron_dra.cel.report import read_report

OVERLOAD = "found no matching overload for"
CASES = [
    ("device.foo == 1", "undefined field `foo` of `device`", "foo"),
    ("has(device.foo)", "undefined field `foo` of `device`", "foo"),
    ('"é" == device.foo', "undefined field `foo` of `device`", "foo"),
    ("\n\n device.foo == 1 && \n bar", "undefined field `foo` of `device`", "foo"),
    ("device . foo", "undefined field `foo` of `device`", "foo"),
    ("device.driver.foo == 1", "type `string` has no field `foo`", "foo"),
    ("has(device.driver.foo)", "type `string` has no field `foo`", "foo"),
    ("device.driver == 1", f"{OVERLOAD} `==` applied to `(string, int)`", "=="),
    (
        "device.driver.startsWith(1)",
        f"{OVERLOAD} `startsWith` applied to `(string, int)`",
        "startsWith",
    ),
    ("semver(1).major() == 1", f"{OVERLOAD} `semver` applied to `(int)`", "semver"),
    ("[1][true] == 1", f"{OVERLOAD} `[]` applied to `(list(int), bool)`", "["),
    ("1 ? true : false", f"{OVERLOAD} `?:` applied to `(int, bool, bool)`", "?"),
    ("x", "undeclared reference to `x`", "x"),
    ("foo(1)", "undeclared reference to `foo`", "foo"),
    ("(foo)(1)", "syntax error: unexpected `(`", "("),
    ("a.b.c", "undeclared reference to `a.b.c`", "a.b.c"),
    ("a . b", "undeclared reference to `a.b`", "b"),
    ("a.b == 1 && c", "undeclared reference to `a.b`", "a.b"),
    ("device.driver.foo()", "undeclared reference to `foo`", "foo"),
    ("1 +", "syntax error: unexpected end of the expression", ""),
    ("", "syntax error: unexpected end of the expression", ""),
    ("((true)", "syntax error: missing `)` at end of the expression", ""),
    ("true)", "syntax error: unexpected `)`", ")"),
    ("device..driver", "syntax error: unexpected `..`", "driver"),
    ('device.attributes["a"].in == 1', "syntax error: unexpected `.in`", "in"),
    ("has(x)", "has() argument must be a field selection", "x"),
    ("has(1 + 1)", "has() argument must be a field selection", "+"),
]
HELP = [
    ("device.name == 'x'", "a selector sees `device.driver`"),
    ("device.allowMultipleAllocations", "needs the gate DRAConsumableCapacity"),
    ('device.capacity["d"].m > "1Gi"', "with `quantity()`"),
    ('semver("1.0.0") > semver("2.0.0")', "with `semver()`"),
    ("[1].slice(0, 1) == [1]", "new selectors may use `slice` from Kubernetes 1.35 on"),
    ("math.abs(1) == 1", "device selectors have no `math`"),
    ('device.attributes["a"].x.includes(1)', "`includes` needs list attributes"),
    ('device.attributes["a"].a-b == 1', "the name of an attribute has no hyphen"),
    ('device.driver = "a"', "equality is written `==`"),
    ('device.driver == "a" and true', "write `&&`"),
    ('device.driver == "a" or true', "write `||`"),
    ("not true", "write `!`"),
    ("device.driver == \u201ca\u201d", "use straight quotes"),
    ("device.driver == 'a", "the string is not closed"),
    ('"\\d" == device.driver', "the string is not closed, or it holds an unknown escape"),
    ('"a" "b"', ""),
    ("foo(1)", ""),
]


@pytest.mark.parametrize(("expression", "message", "token"), CASES)
def test_message(expression, message, token):
    """The leftmost error is told in our words, and its range is the token that it is about."""
    error = environment("1.34").compile(expression)

    assert error.message == message
    assert expression[error.column : error.end] == token


@pytest.mark.parametrize(("expression", "text"), HELP)
def test_help(expression, text):
    """Common mistakes come with their repair."""
    error = environment("1.34").compile(expression)

    assert error.help.startswith(text) or (text and text in error.help)


def test_nesting():
    """The checker's limit of nesting is an error of the whole expression."""
    deep = "(" * 40 + "true" + ")" * 40

    assert environment("1.36").compile(deep) == CompileError(
        "the expression nests deeper than 32 levels", 0, len(deep)
    )


def test_long_names():
    """A message quotes no more of a name than a line can hold."""
    error = environment("1.36").compile("x" * 100)

    assert error.message == f"undeclared reference to `{'x' * 60}...`"
    assert (error.column, error.end) == (0, 100)


@pytest.mark.parametrize(
    ("report", "message"),
    [("INTERNAL: no idea [INTERNAL]", "no idea"), ("strange", "strange")],
)
def test_other_reports(report, message):
    """A report without a place is about the whole expression."""
    assert read_report("true", report) == CompileError(message, 0, 4)
