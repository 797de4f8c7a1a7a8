"""Attributes that a selector reads, and whether a missing one would be an error."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuron_dra.cel.device import Device
from neuron_dra.cel.environment import environment
from neuron_dra.cel.reads import find_reads
from neuron_dra.cel.value import NoSuchKeyError

A = 'device.attributes["d"]'
CASES = [
    (f"{A}.x == 1", "x!"),
    (f'{A}["x"] == 1', "x!"),
    ('device.attributes["d"][r"x"] == 1', "x!"),
    ("device.attributes.d.x == 1", "x!"),
    (f"({A}).x == 1", "x!"),
    (f"{A} . x == 1", "x!"),
    (f"{A}.`x` == 1", "x!"),
    (f"has({A}.x)", "x"),
    (f'"x" in {A}', "x"),
    (f"{A}.?x.orValue(1) == 1", "x"),
    (f'{A}[?"x"].hasValue()', "x"),
    ('device.attributes[?"d"].x.orValue(1) == 1', "x"),
    ('device.attributes[?"d"].?x.orValue(1) == 1', "x"),
    (f"has({A}.x) && {A}.x == 1", "x x"),
    (f"{A}.x == 1 && has({A}.x)", "x x"),
    (f'"x" in {A} && {A}.x == 1', "x x"),
    (f"{A}.?x.hasValue() && {A}.x == 1", "x x"),
    (f"has({A}.x) || {A}.x == 1", "x x!"),
    (f"!has({A}.x) || {A}.x == 1", "x x"),
    (f"!(has({A}.x) && has({A}.y)) || {A}.x == {A}.y", "x y x y"),
    (f"(has({A}.x) || has({A}.y)) && {A}.x == 1", "x y x!"),
    (f"(has({A}.x) && has({A}.y)) && {A}.x == {A}.y", "x y x y"),
    (f"has({A}.x) && ({A}.x == 1 || {A}.y == 2)", "x x y!"),
    (f"has({A}.x) ? {A}.x == 1 : {A}.x == 2", "x x x!"),
    (f"!has({A}.x) ? true : {A}.x == 2", "x x"),
    (f"({A}.y ? has({A}.x) : false) && {A}.x == 1", "y! x x!"),
    (f"has({A}.x) && !({A}.x == 1)", "x x"),
    (f"has({A}.x) && size({A}.x) == 1", "x x"),
    (f"has({A}.x) == true && {A}.x == 1", "x x!"),
    (f"cel.bind(a, {A}, a.x == 1)", "x!"),
    (f"cel.bind(a, {A}, has(a.x) && a.x == 1)", "x x"),
    (f"cel.bind(a, {A}, has(a.x)) && {A}.x == 1", "x x"),
    (f"cel.bind(t, has({A}.x), t && {A}.x == 1)", "x x"),
    (f"cel.bind(v, {A}.x, has({A}.x) && v == 1)", "x x"),
    (f"cel.bind(v, {A}.x, v == 1 || (has({A}.x) && v == 2))", "x! x"),
    (f"cel.bind(v, {A}.x, true)", ""),
    ('cel.bind(a, device.attributes, cel.bind(a, a["d"], a.x == 1))', "x!"),
    ('cel.bind(a, device.attributes, a["d"]["x"] == 1 && has(a.d.y))', "x! y"),
    (f"cel.bind(x, {A}, [1].all(x, x == 1))", ""),
    (f"cel.bind(a, {A}, [1].all(v, a.x == v))", "x!"),
    (f"[{A}.x].all(v, v == 1)", "x!"),
    (f"[1].all(v, {A}.x == v)", "x!"),
    ("device.attributes[device.driver].x == 1", ""),
    ("device.attributes.all(d, has(device.attributes[d].x))", ""),
    ('"d" in device.attributes', ""),
    ('{"x": 1}.x == 1', ""),
    ('{"x": {"y": 1}}.x.y == 1', ""),
    ("device.driver.size() == 1", ""),
]


@pytest.mark.parametrize(("expression", "expected"), CASES)
def test_reads(expression, expected, env):
    """Reads come in the order of the text; an exclamation mark is one that is not guarded."""
    reads = find_reads(env.compile(expression))

    assert " ".join(f"{read.name}{'' if read.guarded else '!'}" for read in reads) == expected
    assert {read.domain for read in reads} <= {"d"}
    for read in reads:
        assert expression[read.column : read.end].strip("\"'`r") == read.name


def test_capacity(env):
    """Capacities are read like attributes and are not mixed up with them."""
    attribute, capacity = find_reads(
        env.compile('has(device.attributes["d"].m) && device.capacity["d"].m == quantity("1")')
    )

    assert (attribute.capacity, attribute.guarded) == (False, True)
    assert (capacity.capacity, capacity.guarded) == (True, False)


@pytest.mark.parametrize(
    ("expression", "driver"),
    [
        (f'device.driver == "n" && {A}.x == 1', "n"),
        (f'{A}.x == 1 && "n" == device.driver', "n"),
        (f'device.driver == "n" || {A}.x == 1', ""),
        (f'device.driver != "n" || {A}.x == 1', ""),
        (f'!(device.driver == "n") || {A}.x == 1', "n"),
        (f'(device.driver == "n" || device.driver == "m") && {A}.x == 1', ""),
        (f'cel.bind(v, {A}.x, (device.driver == "n" && v == 1) || v == 2)', ""),
        (f"device.driver == device.driver && {A}.x == 1", ""),
    ],
)
def test_driver(expression, driver, env):
    """A read under a comparison of the driver counts for devices of that driver only."""
    (read,) = find_reads(env.compile(expression))

    assert read.driver == driver


def conditions():
    """Return a strategy of conditions over three attributes of two domains."""
    places = st.sampled_from(
        [f'device.attributes["{domain}"].{name}' for domain in "de" for name in "xyz"]
    )
    leaves = st.one_of(
        places.map(lambda place: f"has({place})"),
        places.map(lambda place: f"{place} == 1"),
        places.map(lambda place: f"{place.replace('].', '].?')}.orValue(1) == 1"),
        places.map(lambda place: f'"{place[-1]}" in {place[:-2]}'),
        st.sampled_from(['device.driver == "d"', "true"]),
    )

    def combine(parts):
        return st.one_of(
            parts.map(lambda part: f"!({part})"),
            st.tuples(parts, st.sampled_from(["&&", "||"]), parts).map(
                lambda three: f"({three[0]} {three[1]} {three[2]})"
            ),
            st.tuples(parts, parts, parts).map(lambda three: "({} ? {} : {})".format(*three)),
            st.tuples(places, parts).map(
                lambda two: f"cel.bind(v, {two[0]}, ({two[1]}) && v == 1)"
            ),
        )

    return st.recursive(leaves, combine, max_leaves=6)


def missing_key(compiled, device):
    """Return the attribute for want of which an evaluation fails, if it fails."""
    try:
        compiled.matches(device)
    except NoSuchKeyError as error:
        return error.key
    return None


@settings(max_examples=300, deadline=None)
@given(
    expression=conditions(),
    driver=st.sampled_from("de"),
    names=st.sets(st.sampled_from([f"{domain}/{name}" for domain in "de" for name in "xyz"])),
    value=st.sampled_from([1, 2]),
)
def test_a_missing_attribute_is_an_unguarded_read(expression, driver, names, value):
    """Evaluation fails for want of an attribute only where a read says that it can."""
    compiled = environment("1.36").compile(expression)
    device = Device.of(driver, dict.fromkeys(names, value))
    dangerous = {
        read.name
        for read in find_reads(compiled)
        if not read.guarded
        and read.driver in ("", driver)
        and f"{read.domain}/{read.name}" not in names
    }

    assert missing_key(compiled, device) in {None, *dangerous}
