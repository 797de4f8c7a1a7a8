"""Kubernetes quantities: the text of an amount to its number.

In: a text. Out: whether it is a quantity, and its value as an integer, rounded up as the API
server does. Writes no quantities.
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Decimal

_QUANTITY = re.compile(
    r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([-+]?[0-9]{1,2}))?"
)
_BINARY_POWERS = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_POWERS = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


def is_quantity(text: str) -> bool:
    """Tell whether a text is a quantity."""
    return _QUANTITY.fullmatch(text) is not None


def to_integer(text: str) -> int:
    """Return the value of a quantity, rounded up."""
    match = _QUANTITY.fullmatch(text)
    assert match is not None, f"{text!r} is not a quantity"
    number, binary, decimal, exponent = match.groups()
    if binary:
        value = Decimal(number) * (1 << _BINARY_POWERS[binary])
    else:
        value = Decimal(number).scaleb(_DECIMAL_POWERS[decimal] if decimal else int(exponent or 0))
    return int(value.to_integral_value(ROUND_CEILING))
