"""Values as Python sees them."""

from __future__ import annotations

import pytest

from neuron_dra.cel.device import Device
from neuron_dra.cel.quantity import Quantity
from neuron_dra.cel.value import (
    EvaluationError,
    NoSuchKeyError,
    Optional,
    TypeValue,
    are_equal,
    is_less,
)
from neuron_dra.cel.version import Semver


def test_order_and_hash():
    """Versions and quantities are equal, ordered and hashed by what they mean."""
    assert Semver("1.0.0+a") == Semver("1.0.0+b") != Semver("1.0.1")
    assert len({Semver("1.0.0+a"), Semver("1.0.0+b"), Quantity.parse("1")}) == 2
    assert Semver("1.0.0-rc.2") < Semver("1.0.0-rc.10") < Semver("1.0.0")
    assert Semver("1.0.0") >= Semver("1.0.0")
    assert Quantity.parse("1Gi") == Quantity.parse("1024Mi")
    assert Quantity.parse("1G") < Quantity.parse("1Gi") <= Quantity.parse("1Gi")
    assert Quantity.parse("1500m").nano == 1_500_000_000


def test_other_types():
    """A value differs from values of other types."""
    assert Semver("1.0.0") != "1.0.0"
    assert TypeValue("int") != Optional("int")
    assert Optional(None) != Optional.NONE
    assert Optional(1) == Optional(1)


def test_repr():
    """Values show what they were made of."""
    assert repr(Semver("1.2.3+b")) == "Semver('1.2.3+b')"
    assert repr(Optional("a")) == "Optional('a')"


@pytest.mark.parametrize("text", ["", "1.5.5", "1e1001", "1e-1001"])
def test_not_a_quantity(text):
    """A text that is no quantity, or one beyond all measure, is an error."""
    with pytest.raises(EvaluationError):
        Quantity.parse(text)


def test_missing_key(env):
    """The error of a missing attribute carries its name."""
    selector = env.compile('device.attributes["d"].x == 1')

    with pytest.raises(NoSuchKeyError, match="no such key: x") as caught:
        selector.matches(Device.of("d", {}))
    assert caught.value.key == "x"


@pytest.mark.parametrize("number", [2**63 - 1, 2**53 + 1, -(2**63) + 1])
def test_an_integer_beside_a_double_is_one(number):
    """Beside a double an integer loses the digits that a double does not have."""
    assert are_equal(number, float(number))
    assert not is_less(number, float(number))
    assert not is_less(float(number), number)
