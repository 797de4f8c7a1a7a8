"""Semantic versions as `semver()` makes them.

In: a text. Out: a `Semver` that compares as semver.org 2.0.0 says: build metadata does not count.
"""

from __future__ import annotations

import re
from functools import total_ordering

from neuron_dra.cel.value import EvaluationError, Opaque, no_overload

_NUMBER = r"(0|[1-9]\d*)"
_SEMVER = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}"
    r"(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?"
    r"(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?",
    re.ASCII,
)
_LEADING_ZEROS = re.compile(r"^0+(?=\d)")
_UINT64 = 1 << 64

Precedence = tuple[int, int, int, tuple[tuple[int, int, str], ...]]


@total_ordering
class Semver(Opaque):
    """A version with the precedence that semver.org gives it."""

    __slots__ = ("text",)
    key: Precedence
    TYPE_NAME = "kubernetes.Semver"

    def __init__(self, text: str) -> None:
        match = _SEMVER.fullmatch(text)
        if not match or any(int(part) >= _UINT64 for part in match.groups()[:3]):
            raise EvaluationError(f"{text!r} is not a semantic version")
        major, minor, patch, pre, _ = match.groups()
        self.text = text
        super().__init__((int(major), int(minor), int(patch), _pre_release(pre)))

    @classmethod
    def normalized(cls, text: str) -> Semver:
        """Parse a version that may have a `v`, leading zeros or fewer than three numbers."""
        parts = text.removeprefix("v").split(".", 2)
        parts = [_LEADING_ZEROS.sub("", part) for part in parts]
        if len(parts) < 3:
            if re.search(r"[+-]", parts[-1]):
                raise EvaluationError(f"{text!r} is not a semantic version")
            parts += ["0"] * (3 - len(parts))
        return cls(".".join(parts))

    def __repr__(self) -> str:
        return f"Semver({self.text!r})"

    def __lt__(self, other: Semver) -> bool:
        return self.key < other.key


def _pre_release(text: str | None) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts pre-releases before the release and numbers before words."""
    if text is None:
        return ((2, 0, ""),)
    parts = text.split(".")
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def compare(left: Opaque, right: object) -> int:
    """Return -1, 0 or 1 for two values of one ordered opaque type."""
    if not isinstance(right, Opaque) or type(left) is not type(right):
        raise no_overload()
    return int(left.key > right.key) - int(left.key < right.key)


ORDER = {
    "compareTo": compare,
    "isGreaterThan": lambda left, right: compare(left, right) > 0,
    "isLessThan": lambda left, right: compare(left, right) < 0,
}
Semver.METHODS = {
    **ORDER,
    "major": lambda version: version.key[0],
    "minor": lambda version: version.key[1],
    "patch": lambda version: version.key[2],
}
