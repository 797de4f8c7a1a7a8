"""Texts of evaluation errors, and the limit of an evaluation."""

from __future__ import annotations

import pytest

from neuron_dra.cel import program


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ('device.attributes["d"].zz == 1', "no such key: zz"),
        ('device.attributes["d"].s.b == 1', "no such key: b"),
        ('device.attributes["d"].v == "1.2.3"', "no such overload"),
        ('device.attributes["d"].v in ["1.2.3"]', "a version cannot be looked up among literals"),
        ('device.attributes["d"].n < "a"', "no such overload"),
        ('device.attributes["d"].s', "the result is of type string, not bool"),
        ('device.attributes["d"].v', "the result is of type kubernetes.Semver, not bool"),
        ("semver(device.driver).major() == 1", "'d' is not a semantic version"),
        ('quantity(device.driver) == quantity("1")', "'d' is not a quantity"),
        ("[1][5] == 1", "index out of bounds: 5"),
        ("1 / 0 == 1", "divide by zero"),
        ("optional.none().value() == 1", "optional.none() dereference"),
    ],
)
def test_message(expression, message, outcome):
    """An error says what the scheduler says, or why in our words."""
    assert outcome(expression) == message


def test_too_many_steps(outcome, monkeypatch):
    """An evaluation that takes too long is an error that no operator absorbs."""
    monkeypatch.setattr(program, "MAX_STEPS", 1000)
    steps = "lists.range(100).all(x, lists.range(20).all(y, true))"

    assert outcome("lists.range(999).all(x, true)") is True
    assert outcome(f"true || {steps}") is True
    assert outcome(f"{steps} || true") == "actual cost limit exceeded"
