"""Devices of which something is unknown: a verdict stands only where it does not matter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.cel.device import Device
from neuron_dra.cel.environment import environment
from neuron_dra.cel.unknown import UnknownValueError
from neuron_dra.cel.value import EvaluationError

A = 'device.attributes["d"]'
# `known` is 1, `live` has some value, nobody knows whether `maybe` is there, `none` is not.
DEVICE = Device.of("d", {"known": 1, "o/known": 2}, unknown=["live"], doubtful=["maybe", "p/maybe"])


def ask(expression, device=DEVICE):
    compiled = environment("1.37").compile(expression)
    try:
        return compiled.matches(device)
    except UnknownValueError as error:
        return f"? {error.key}"
    except EvaluationError as error:
        return str(error)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"{A}.known == 1", True),
        (f"{A}.live == 1", "? live"),
        (f'{A}["live"] == 1', "? live"),
        (f"{A}.maybe == 1", "? maybe"),
        (f"{A}.none == 1", "no such key: none"),
        (f"has({A}.live)", True),
        (f"has({A}.none)", False),
        (f"has({A}.maybe)", "? maybe"),
        (f'"maybe" in {A} || "live" in {A}', True),
        (f'{A}.?live.orValue(1) == 1 || "none" in {A}', "? live"),
        ('device.attributes["p"].?maybe.orValue(1) == 1', "? p/maybe"),
        ('device.attributes["o"].known == 2', True),
        (f"{A}.known == 2 && {A}.live == 1", False),
        (f"{A}.live == 1 && {A}.known == 2", False),
        (f"{A}.known == 1 || {A}.live == 1", True),
        (f"{A}.known == 1 && {A}.live == 1", "? live"),
        (f"{A}.live == 1 || {A}.none == 1", "? live"),
        (f"{A}.none == 1 || {A}.live == 1", "? live"),
        (f"{A}.live == 1 ? {A}.known == 1 : {A}.known == 2", "? live"),
        (f"{A}.known == 1 ? true : {A}.live == 1", True),
        (f"cel.bind(a, {A}, a.known == 1 && a.live == 1)", "? live"),
        (f"[1, 2].exists(x, {A}.live == x)", "? live"),
        (f"[1, 2].exists(x, {A}.live == x || x == 2)", True),
        (f"{A}.exists(k, k == 'known')", "? maybe"),
        (f"size({A}) == 2", "? maybe"),
        (f"{A} == {{}}", "? the whole map"),
        (f"type({A}) == map", True),
    ],
)
def test_verdicts(expression, expected):
    """A verdict is given where it does not depend on what is unknown, and only there."""
    assert ask(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"size({A}) == 2", True),
        (f"{A}.exists(k, k == 'live')", True),
        (f"{A}.exists(k, v, k == 'known' && v == 1)", True),
        (f"{A}.all(k, v, v == 1)", "? live"),
        (f"{A} == {{'known': 1, 'live': 1}}", "? the whole map"),
    ],
)
def test_names_are_known(expression, expected):
    """Where only values are unknown, the names can be visited."""
    assert ask(expression, Device.of("d", {"known": 1}, unknown=["live"])) == expected


ATOMS = st.sampled_from(
    [f"{A}.{name} == {value}" for name in ("known", "live", "maybe", "none") for value in (1, 2)]
    + [f"has({A}.maybe)", f"{A}.?maybe.orValue(1) == 1", "true", "false"]
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: (
        st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(lambda it: f"({' '.join(it)})")
        | inner.map(lambda text: f"!({text})")
        | st.tuples(inner, inner, inner).map(lambda it: f"({it[0]} ? {it[1]} : {it[2]})")
    ),
    max_leaves=6,
)


@given(CONDITIONS, st.integers(1, 2), st.sampled_from([None, 1, 2]))
def test_a_known_verdict_is_that_of_every_real_device(expression, live, maybe):
    """What is decided without the unknown is what any device decides that has values for it."""
    decided = ask(expression)
    there = {"known": 1, "live": live, **({} if maybe is None else {"maybe": maybe})}

    if not str(decided).startswith("?"):
        assert ask(expression, Device.of("d", there)) == decided
