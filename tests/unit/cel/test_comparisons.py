"""Attributes that a selector compares with literals."""

from __future__ import annotations

import pytest

from neuron_dra.cel.comparisons import Comparison, find_comparisons

A = 'device.attributes["d"]'
CASES = [
    (f"{A}.x == 1", ["x == 1 required"]),
    (f'{A}["x"] == "a"', ["x == 'a' required"]),
    (f"1 == {A}.x", ["x == 1 required"]),
    (f"{A}.x != 1", ["x != 1 required"]),
    (f"{A}.x < 1 && {A}.x <= 2", ["x < 1 required", "x <= 2 required"]),
    (f"1 < {A}.x && 2 >= {A}.x", ["x > 1 required", "x <= 2 required"]),
    (f"{A}.x > -1 && -1.5 <= {A}.y", ["x > -1 required", "y >= -1.5 required"]),
    (f'{A}.x in ["a", "b"]', ["x in 'a' 'b' required"]),
    (f"{A}.x in [1, size(device.driver)]", []),
    (f"{A}.x in [] || {A}.x in {A}.y", ["x in"]),
    (f'{A}.x == semver("1.2.3")', ["x == semver '1.2.3' required"]),
    (f'{A}.x in [semver("1.0.0"), semver("2.0.0")]', ["x in semver '1.0.0' '2.0.0' required"]),
    (f'{A}.x in [dyn(1), dyn(semver("1.0.0"))]', []),
    (f"{A}.x == {A}.y", []),
    (f"{A}.x == device.driver.size()", []),
    (f"{A}.x || {A}.y == 1", ["x == True", "y == 1"]),
    (f"{A}.x", ["x == True required"]),
    (f'{A}["x"] && !{A}.y', ["x == True required", "y == False required"]),
    (f"!({A}.x == 1)", ["x == 1"]),
    (f"!!{A}.x", ["x == True required"]),
    (f"!has({A}.x) || {A}.x == 1", ["x == 1"]),
    (f"has({A}.x) && {A}.x == 1", ["x == 1 required"]),
    (f"{A}.x ? {A}.y == 1 : {A}.z == 2", ["x == True", "y == 1", "z == 2"]),
    (f"({A}.x == 1) == true", ["x == 1"]),
    (f"{A}.x == 1 ? true : false", ["x == 1"]),
    (f"{A}.?x.orValue(1) == 1", []),
    (f"{A}[?'x'].orValue(false)", []),
    (f"size({A}.x) == 1 && size({A}['y']) == 1", []),
    (f"cel.bind(a, {A}, a.x == 1 && a.y)", ["x == 1 required", "y == True required"]),
    (f"cel.bind(v, {A}.x, v == 1 || v == 2)", ["x == 1", "x == 2"]),
    (f"cel.bind(t, {A}.x == 1, t)", ["x == 1 required"]),
    (f"[1].exists(v, {A}.x == v || {A}.y == 1)", ["y == 1"]),
    (f"[1].map(v, cel.bind(a, {A}, a.x == 1)) == [true]", ["x == 1"]),
    ("device.attributes.exists(d, device.attributes[d].x == 1)", []),
    ('device.driver == "d"', []),
]


def describe(comparison):
    """Return a comparison as a short text."""
    values = [repr(value) for value in comparison.values]
    parts = [comparison.name, comparison.operator, comparison.parser, *values]
    return " ".join(filter(None, [*parts, "required" * comparison.required]))


@pytest.mark.parametrize(("expression", "expected"), CASES)
def test_comparisons(expression, expected, env):
    """Comparisons come in the order of the attributes, with the attribute on the left."""
    found = find_comparisons(env.compile(expression))

    assert [describe(comparison) for comparison in found] == expected
    for comparison in found:
        assert comparison.domain == "d"
        assert expression[comparison.column : comparison.end].strip("\"'") == comparison.name


def test_capacity(env):
    """A capacity is compared with the text of a quantity."""
    (found,) = find_comparisons(env.compile('device.capacity["d"].m == quantity("1Gi")'))

    assert found == Comparison("d", "m", "==", ("1Gi",), "quantity", True, 21, 22, capacity=True)
