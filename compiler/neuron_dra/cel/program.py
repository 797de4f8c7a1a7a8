"""From a tree to a function that evaluates it.

In: a tree of `tree` and a device. Out: whether the device matches, or an `EvaluationError`.
Every node becomes a closure over the closures of its parts; a frame maps variables to values.
Three things in CEL do not fail although a part of them does, and each catches the exception: `&&`
and `||` when the other side decides, the accumulator of a comprehension, which then carries the
error, and the value of `cel.bind`, which is computed only when it is read.
"""

from __future__ import annotations

from typing import Any

from neuron_dra.cel.device import Device
from neuron_dra.cel.library.functions import find_function
from neuron_dra.cel.operators import OPERATORS, Evaluate, Frame, plan_in
from neuron_dra.cel.tree import (
    Call,
    Comprehension,
    Constant,
    Ident,
    ListLiteral,
    MapLiteral,
    Node,
    Select,
)
from neuron_dra.cel.unknown import find_unknown
from neuron_dra.cel.value import (
    EvaluationError,
    TypeValue,
    Uint,
    has_field,
    no_overload,
    select,
    type_name,
)

_ABSENT = object()
# Where a frame counts the steps of its comprehensions.
_STEPS = "@steps"
# The scheduler stops at a cost of 1,000,000; the cheapest step of a comprehension costs two.
MAX_STEPS = 500_000


class _TooManyStepsError(Exception):
    """The evaluation takes too long; unlike an `EvaluationError` no operator absorbs it."""


def run(program: Evaluate, device: Device) -> bool:
    """Evaluate a planned selector for a device."""
    try:
        result = program({**device.variables, _STEPS: [0]})
    except _TooManyStepsError:
        raise EvaluationError("actual cost limit exceeded") from None
    except EvaluationError as error:
        raise (find_unknown(error) or error) from None
    if not isinstance(result, bool):
        raise EvaluationError(f"the result is of type {type_name(result)}, not bool")
    return result


def plan(node: Node) -> Evaluate:
    """Return the function that evaluates a node."""
    match node:
        case Constant():
            return _plan_constant(node)
        case Ident():
            return _plan_ident(node)
        case Select():
            return _plan_select(node)
        case Call():
            return _plan_call(node)
        case ListLiteral():
            return _plan_list(node)
        case MapLiteral():
            return _plan_map(node)
        case _:
            assert isinstance(node, Comprehension)
            return _plan_bind(node) if node.is_bind else _plan_fold(node)


def _plan_constant(node: Constant) -> Evaluate:
    is_uint = node.type.name == "uint" and isinstance(node.value, int)
    value = Uint(node.value) if is_uint else node.value  # type: ignore[arg-type]  # an int
    return lambda frame: value


def _plan_ident(node: Ident) -> Evaluate:
    name = node.name
    if node.type.name == "type":
        type_value = TypeValue(name)
        return lambda frame: frame.get(name, type_value)

    def read(frame: Frame) -> Any:
        value = frame[name]
        if isinstance(value, EvaluationError):
            raise value
        return value() if isinstance(value, _Lazy) else value

    return read


def _plan_select(node: Select) -> Evaluate:
    operand, field = plan(node.operand), node.field
    if node.test_only:
        return lambda frame: has_field(operand(frame), field)
    return lambda frame: select(operand(frame), field)


def _plan_call(node: Call) -> Evaluate:
    operands = tuple(map(plan, node.operands))
    if node.function == "@in":
        if isinstance(node.args[1], ListLiteral) and not node.args[1].elements:
            return lambda frame: False  # cel-go does not even look at what is searched for
        return plan_in(*operands, hashed=_is_hashed(node.args[1]))
    if node.function in OPERATORS:
        return OPERATORS[node.function](*operands)
    function = find_function(node.function, node.target is not None)
    if len(operands) == 1:
        (only,) = operands
        return lambda frame: function(only(frame))
    if len(operands) == 2:
        left, right = operands
        return lambda frame: function(left(frame), right(frame))
    return lambda frame: function(*[operand(frame) for operand in operands])


def _is_hashed(node: Node) -> bool:
    """Tell whether cel-go looks up values in a node by their hash."""
    if isinstance(node, ListLiteral):
        literals = [isinstance(element, Constant) for element in node.elements]
        return bool(literals) and all(literals)
    return isinstance(node, MapLiteral)


def _plan_list(node: ListLiteral) -> Evaluate:
    elements = tuple(map(plan, node.elements))
    optional = node.optional
    if not optional:
        return lambda frame: [element(frame) for element in elements]

    def build(frame: Frame) -> list[Any]:
        values = [element(frame) for element in elements]
        return [
            value.item if number in optional else value
            for number, value in enumerate(values)
            if number not in optional or value.has_value()
        ]

    return build


def _plan_map(node: MapLiteral) -> Evaluate:
    entries = [(plan(key), plan(value), optional) for key, value, optional in node.entries]

    def build(frame: Frame) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for plan_key, plan_value, optional in entries:
            key, value = plan_key(frame), plan_value(frame)
            if not optional or value.has_value():
                result[key] = value.item if optional else value
        return result

    return build


class _Lazy:
    """The value of a `cel.bind`, computed once when it is first read."""

    __slots__ = ("_compute", "_frame", "_value")

    def __init__(self, compute: Evaluate, frame: Frame) -> None:
        self._compute = compute
        self._frame = dict(frame)
        self._value: Any = _ABSENT

    def __call__(self) -> Any:
        if self._value is _ABSENT:
            self._value = self._compute(self._frame)
        return self._value


def _plan_bind(node: Comprehension) -> Evaluate:
    start, result = plan(node.start), plan(node.result)
    name = node.accumulator
    return lambda frame: result({**frame, name: _Lazy(start, frame)})


def _plan_fold(node: Comprehension) -> Evaluate:
    source, start, condition, step, result = map(
        plan, (node.range, node.start, node.condition, node.step, node.result)
    )
    accumulator, first, second = node.accumulator, node.variable, node.second

    def fold(frame: Frame) -> Any:
        items = _items(source(frame), pairs=bool(second))
        inner = {**frame, accumulator: _attempt(start, frame)}
        for key, value in items:
            _count_step(frame)
            if condition(inner) is not True:
                break
            inner[first] = key
            if second:
                inner[second] = value
            inner[accumulator] = _attempt(step, inner)
        return result(inner)

    return fold


def _count_step(frame: Frame) -> None:
    steps: list[int] = frame[_STEPS]
    steps[0] += 1
    if steps[0] > MAX_STEPS:
        raise _TooManyStepsError


def _attempt(evaluate: Evaluate, frame: Frame) -> Any:
    """Return the value or, as a value, the error."""
    try:
        return evaluate(frame)
    except EvaluationError as error:
        return error


def _items(collection: Any, *, pairs: bool) -> list[tuple[Any, Any]]:
    """Return what a comprehension visits: elements or keys, or indices or keys with values."""
    if isinstance(collection, dict):
        return list(collection.items())
    if not isinstance(collection, list):
        raise no_overload()
    if pairs:
        return list(enumerate(collection))
    return [(element, None) for element in collection]
