"""Comparisons with literals, asked of known values."""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne

import pytest

from neuron_dra.cel.comparisons import find_comparisons
from neuron_dra.cel.environment import environment
from neuron_dra.plan.comparing import (
    describe_literal,
    describe_type,
    describe_values,
    fits_type,
    holds,
)

A = 'device.attributes["d"].x'


OPERATORS = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("value", [1, 2, 3])
def test_numbers(operator, value):
    """A comparison holds for a number as it does in Python."""
    (comparison,) = find_comparisons(environment("1.36").compile(f"{A} {operator} 2"))

    assert holds(comparison, value) is OPERATORS[operator](value, 2)


@pytest.mark.parametrize(
    ("expression", "value", "expected"),
    [
        (f'{A} in ["a", "b"]', "b", True),
        (f'{A} in ["a", "b"]', "c", False),
        (f"{A} in []", 1, False),
        (f'{A} < "b"', "a", True),
        (f"{A} == 1", True, False),
        (f"{A} == 1.0", 1, True),
        (f'{A} < "b"', 1, False),
        (f'{A} <= "b"', True, False),
        (f'{A} == semver("1.2.3")', "1.2.3", False),
        (f'{A} != semver("1.2.3")', "1.2.3", True),
        (f"{A}", True, True),
        (f"!{A}", True, False),
    ],
)
def test_types(expression, value, expected):
    """Values of another type than the literal differ, and have no order."""
    (comparison,) = find_comparisons(environment("1.36").compile(expression))

    assert holds(comparison, value) is expected


@pytest.mark.parametrize(
    ("literal", "parser", "kind"),
    [
        (1, "", "int"),
        (1.5, "", "int"),
        (True, "", "bool"),
        ("x", "", "string"),
        ("1.2.3", "semver", "version"),
        (b"x", "", ""),
        (None, "", ""),
        ("1Gi", "quantity", ""),
    ],
)
def test_fits_type(literal, parser, kind):
    """A literal fits attributes of its own type alone; some fit none."""
    fitting = [
        each for each in ("bool", "int", "string", "version") if fits_type(literal, parser, each)
    ]

    assert fitting == [kind] * bool(kind)


@pytest.mark.parametrize(
    ("literal", "parser", "plain", "typed"),
    [
        (3, "", "`3`", "the number `3`"),
        ('a"é', "", '`"a\\"é"`', 'the string `"a\\"é"`'),
        (True, "", "`true`", "`true`"),
        (None, "", "`null`", "`null`"),
        (b"x", "", "`b'x'`", "the bytes `b'x'`"),
        ("1.2.3", "semver", '`semver("1.2.3")`', 'the version `semver("1.2.3")`'),
        ("1Gi", "quantity", '`quantity("1Gi")`', 'the quantity `quantity("1Gi")`'),
    ],
)
def test_literals(literal, parser, plain, typed):
    """A literal is shown as it is written, with its type where that matters."""
    assert (describe_literal(literal, parser), describe_type(literal, parser)) == (plain, typed)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({3, 1}, "`1`, `3`"),
        ({0, 1, 2, 3}, "`0`, `1`, `2`, `3`"),
        (set(range(2, 18)), "`2` to `17`"),
        (set(range(0, 40, 2)), "`0`, `2`, `4`, `6`, `8`, `10`, `12`, `14`, ..."),
        ({"b", "a"}, '`"a"`, `"b"`'),
        ({True, False}, "`false`, `true`"),
    ],
)
def test_values(values, expected):
    """Values rise, a run of numbers is told by its ends, and a long list is cut."""
    assert describe_values(values) == expected
