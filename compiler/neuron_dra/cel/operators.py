"""Operators that may leave an operand unread or survive its error.

In: the functions that evaluate the operands. Out: the function that evaluates the operator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from neuron_dra.cel.value import EvaluationError, Optional, are_equal, contains, no_overload
from neuron_dra.cel.version import Semver

Frame = dict[str, Any]
Evaluate = Callable[[Frame], Any]


def plan_equal(left: Evaluate, right: Evaluate) -> Evaluate:
    """Plan `==`."""
    return lambda frame: are_equal(left(frame), right(frame))


def plan_differ(left: Evaluate, right: Evaluate) -> Evaluate:
    """Plan `!=`, for which an opaque value differs from one of another type."""

    def differ(frame: Frame) -> bool:
        operands = left(frame), right(frame)
        try:
            return not are_equal(*operands)
        except EvaluationError:
            return True

    return differ


def plan_in(item: Evaluate, collection: Evaluate, *, hashed: bool) -> Evaluate:
    """Plan `in`; a version has no hash in Go."""

    def find(frame: Frame) -> bool:
        value = item(frame)
        if hashed and isinstance(value, Semver):
            raise EvaluationError("a version cannot be looked up among literals")
        return contains(value, collection(frame))

    return find


def _plan_logic(left: Evaluate, right: Evaluate, *, decisive: bool) -> Evaluate:
    """Plan `&&` or `||`: the side that decides wins over an error of the other."""

    def decides(value: Any) -> bool:
        return value is decisive

    def decide(frame: Frame) -> bool:
        try:
            first = left(frame)
        except EvaluationError:
            if decides(right(frame)):
                return decisive
            raise
        if decides(first):
            return decisive
        second = right(frame)
        if decides(second):
            return decisive
        _truth(first)
        return _truth(second)

    return decide


def _plan_not(operand: Evaluate) -> Evaluate:
    return lambda frame: not _truth(operand(frame))


def _plan_conditional(condition: Evaluate, then: Evaluate, otherwise: Evaluate) -> Evaluate:
    return lambda frame: then(frame) if _truth(condition(frame)) else otherwise(frame)


def _plan_not_strictly_false(operand: Evaluate) -> Evaluate:
    """Plan the condition under which a comprehension goes on."""

    def holds(frame: Frame) -> bool:
        try:
            return operand(frame) is not False
        except EvaluationError:
            return True

    return holds


def _plan_or(target: Evaluate, fallback: Evaluate, *, unwrap: bool) -> Evaluate:
    """Plan `or` and `orValue` of an optional, which read the fallback only when they need it."""

    def choose(frame: Frame) -> Any:
        found = target(frame)
        if not isinstance(found, Optional):
            raise no_overload()
        if not found.has_value():
            return fallback(frame)
        return found.item if unwrap else found

    return choose


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise no_overload()


OPERATORS: Mapping[str, Callable[..., Evaluate]] = {
    "_==_": plan_equal,
    "_!=_": plan_differ,
    "_&&_": lambda left, right: _plan_logic(left, right, decisive=False),
    "_||_": lambda left, right: _plan_logic(left, right, decisive=True),
    "!_": _plan_not,
    "_?_:_": _plan_conditional,
    "@not_strictly_false": _plan_not_strictly_false,
    "or": lambda target, fallback: _plan_or(target, fallback, unwrap=False),
    "orValue": lambda target, fallback: _plan_or(target, fallback, unwrap=True),
}
