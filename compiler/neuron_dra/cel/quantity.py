"""Quantities as `quantity()` makes them and as a device's capacity holds them.

In: a text like `10Gi`. Out: a `Quantity` that knows its exact amount, down to a billionth.
Does not print quantities: the canonical form belongs to whoever writes objects.
"""

from __future__ import annotations

import re
from functools import total_ordering

from neuron_dra.cel.value import EvaluationError, Opaque, no_overload
from neuron_dra.cel.version import ORDER

NANO = 10**9
_QUANTITY = re.compile(
    r"([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?", re.ASCII
)
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_MAX_INT64 = 2**63 - 1
_MAX_DIGITS = 18
# Larger exponents are sums that no machine has and that would take long to compute with.
_MAX_EXPONENT = 1000


@total_ordering
class Quantity(Opaque):
    """An amount.

    Attributes:
        key: the amount in billionths.
        scale: the power of ten in which Kubernetes counts it, or nothing for a big decimal; only
            amounts counted in whole numbers are integers to it, so `1000m` is none.
        computed: whether it is a sum. Kubernetes fails to compare anything with a sum on the right
            (k8s.io/apiserver pkg/cel/quantity.go: `Equal` expects no pointer).
    """

    __slots__ = ("computed", "scale")
    key: int
    TYPE_NAME = "kubernetes.Quantity"

    def __init__(self, nano: int, scale: int | None, *, computed: bool = False) -> None:
        super().__init__(nano)
        self.scale = scale
        self.computed = computed

    @classmethod
    def parse(cls, text: str) -> Quantity:
        """Return the amount of a text, rounded away from zero to a billionth."""
        match = _QUANTITY.fullmatch(text)
        if not match or not text:
            raise EvaluationError(f"{text!r} is not a quantity")
        sign, whole, fraction, suffix = (group or "" for group in match.groups())
        nano = _nano(int(whole + fraction or "0"), len(fraction), suffix)
        digits = len(whole.lstrip("0") or "0")
        return cls(-nano if sign == "-" else nano, _power(digits, len(fraction), suffix))

    @property
    def nano(self) -> int:
        return self.key

    def __lt__(self, other: Quantity) -> bool:
        return self.nano < other.nano

    def is_integer(self) -> bool:
        return (
            self.scale is not None
            and self.scale >= 0
            and -_MAX_INT64 <= self.nano // NANO + 1 <= _MAX_INT64 + 1
        )

    def as_integer(self) -> int:
        if not self.is_integer():
            raise EvaluationError("cannot convert value to integer")
        return self.nano // NANO


def _nano(mantissa: int, places: int, suffix: str) -> int:
    """Return a number with decimal places and a suffix in billionths."""
    if suffix in _BINARY:
        nano = _divide_up((mantissa << _BINARY[suffix]) * NANO, 10**places)
        return min(nano, _MAX_INT64 * NANO)
    power = 9 + _exponent(suffix) - places
    return mantissa * 10**power if power >= 0 else _divide_up(mantissa, 10**-power)


def _exponent(suffix: str) -> int:
    exponent = _DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:])
    if abs(exponent) > _MAX_EXPONENT:
        raise EvaluationError(f"the exponent of a quantity may not exceed {_MAX_EXPONENT}")
    return exponent


def _power(digits: int, places: int, suffix: str) -> int | None:
    """Return the power of ten in which Kubernetes counts, or nothing for a big decimal."""
    if suffix in _BINARY:
        room = 14 - digits - _BINARY[suffix] * 3 // 10
        return 0 if room >= 0 and not places else None
    scale = _exponent(suffix) - places
    return scale if digits + places <= _MAX_DIGITS and scale >= -9 else None


def _divide_up(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)


def _add(left: Quantity, right: object, sign: int = 1) -> Quantity:
    other = Quantity(right * NANO, 0) if type(right) is int else right
    if not isinstance(other, Quantity):
        raise no_overload()
    scales = [amount.scale for amount in (left, other) if amount.nano]
    exact = [scale for scale in scales if scale is not None]
    scale = min(exact, default=0) if len(exact) == len(scales) else None
    return Quantity(left.nano + sign * other.nano, scale, computed=True)


def _subtract(left: Quantity, right: object) -> Quantity:
    """Subtract; Kubernetes negates an integer first, and the least one has no negative."""
    if type(right) is not int or right > -_MAX_INT64 - 1:
        return _add(left, right, -1)
    if left.nano >= 0 and left.scale is not None and left.scale >= 0:
        return _add(left, right)
    return Quantity(left.nano - right * NANO, None, computed=True)


def sign_of(value: Quantity) -> int:
    """Return -1, 0 or 1; `sign(q)` is a function, not a method."""
    return (value.nano > 0) - (value.nano < 0)


Quantity.METHODS = {
    **ORDER,
    "add": _add,
    "sub": _subtract,
    "asInteger": Quantity.as_integer,
    "isInteger": Quantity.is_integer,
    "asApproximateFloat": lambda quantity: quantity.nano / NANO,
}
