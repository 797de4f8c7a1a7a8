"""Values of the CEL language as Python values, and what the language says of any of them.

In: Python values. Out: equality, order, lookup and type names as cel-go has them.
Booleans, integers, doubles, strings, bytes, lists, maps and null are Python's own; what Python
lacks is here. An error of an evaluation is an exception, and the operators that absorb errors
catch it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, ClassVar


class EvaluationError(Exception):
    """An expression failed on a device; the scheduler gives up on the whole pod."""


class NoSuchKeyError(EvaluationError):
    """The expression read an attribute or a key that is not there."""

    def __init__(self, key: object) -> None:
        super().__init__(f"no such key: {key}")
        self.key = key


def no_overload() -> EvaluationError:
    """Return the error for operands of the wrong type."""
    return EvaluationError("no such overload")


class Uint(int):
    """An unsigned integer; a type of its own in CEL."""

    __slots__ = ()


class Opaque:
    """A value of a type that only a library knows.

    Attributes:
        key: what makes two values of the type equal, and orders them if they have an order.
        computed: whether it is a result that Kubernetes fails to compare with when it stands on
            the right of `==`.
        TYPE_NAME: the name of the type in CEL.
        METHODS: what may be called on it.
    """

    __slots__ = ("key",)
    computed = False
    TYPE_NAME: ClassVar[str]
    METHODS: ClassVar[dict[str, Callable[..., Any]]] = {}

    def __init__(self, key: Any) -> None:
        self.key = key

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.key!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Opaque)
            and self.TYPE_NAME == other.TYPE_NAME
            and (bool(self.key == other.key))
        )

    def __hash__(self) -> int:
        return hash((self.TYPE_NAME, self.key))


class Domains(dict[str, dict[str, Any]]):
    """The attributes or capacities of a device: asking for an unknown domain is no error."""

    __slots__ = ()

    def __missing__(self, domain: str) -> dict[str, Any]:
        return {}


class TypeValue(Opaque):
    """A type as a value, as in `type(x) == int`."""

    __slots__ = ()
    TYPE_NAME = "type"


class Optional(Opaque):
    """A value that may be missing; `Optional.NONE` has none."""

    __slots__ = ()
    TYPE_NAME = "optional_type"
    NONE: ClassVar[Optional]

    @property
    def item(self) -> Any:
        return self.key

    def __eq__(self, other: object) -> bool:
        if self is Optional.NONE or other is Optional.NONE:
            return self is other
        return isinstance(other, Optional) and are_equal(self.item, other.item)

    __hash__ = None  # type: ignore[assignment]  # what it holds may be a list

    def has_value(self) -> bool:
        return self is not Optional.NONE

    def value(self) -> Any:
        if self is Optional.NONE:
            raise EvaluationError("optional.none() dereference")
        return self.item


Optional.NONE = Optional(None)
Optional.METHODS = {"hasValue": Optional.has_value, "value": Optional.value}

_TYPE_NAMES: dict[type, str] = {
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    type(None): "null_type",
    list: "list",
    dict: "map",
    datetime: "google.protobuf.Timestamp",
    timedelta: "google.protobuf.Duration",
}
_NUMBERS = {int, Uint, float}
_ORDERED = (str, bool, bytes, datetime, timedelta)


def type_name(value: Any) -> str:
    """Return the name of the CEL type of a value."""
    if isinstance(value, Opaque):
        return value.TYPE_NAME
    return next(_TYPE_NAMES[base] for base in type(value).__mro__ if base in _TYPE_NAMES)


def are_equal(left: Any, right: Any) -> bool:
    """Compare as `==`: values of different types differ, except numbers.

    An opaque value on the left refuses to be compared with another type; on the right it differs.
    """
    if left is None or right is None:
        return left is right
    if isinstance(left, Opaque):
        if type(left) is not type(right) or right.computed:
            raise no_overload()
        return left == right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and not any(map(_certainly_differ, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and not any(
            _certainly_differ(value, right[key]) for key, value in left.items()
        )
    kinds = type(left), type(right)
    if kinds[0] is kinds[1]:
        return bool(left == right)
    if not _NUMBERS.issuperset(kinds):
        return False
    left, right = _as_compared(left, right)
    return bool(left == right)


def _as_compared(left: Any, right: Any) -> tuple[Any, Any]:
    """Return numbers as cel-go compares them: an integer beside a double becomes a double."""
    if isinstance(left, float) or isinstance(right, float):
        return float(left), float(right)
    return left, right


def _certainly_differ(left: Any, right: Any) -> bool:
    """Tell whether two elements differ; cel-go lets those pass that refuse to be compared."""
    try:
        return not are_equal(left, right)
    except EvaluationError:
        return False


def _certainly_equal(left: Any, right: Any) -> bool:
    try:
        return are_equal(left, right)
    except EvaluationError:
        return False


def is_less(left: Any, right: Any) -> bool:
    """Compare as `<`; only values of one ordered type or numbers have an order."""
    kinds = {type(left), type(right)}
    if left != left or right != right:
        raise EvaluationError("NaN values cannot be ordered")
    if kinds <= _NUMBERS:
        left, right = _as_compared(left, right)
        return bool(left < right)
    if len(kinds) == 1 and isinstance(left, _ORDERED):
        return bool(left < right)
    raise no_overload()


def contains(item: Any, collection: Any) -> bool:
    """Tell whether a list holds an item or a map a key, as `in` does."""
    if isinstance(collection, list):
        return any(_certainly_equal(item, element) for element in collection)
    if isinstance(collection, dict):
        return _find_key(item, collection)
    raise no_overload()


def _find_key(key: Any, mapping: dict[Any, Any]) -> bool:
    if isinstance(key, Opaque | list | dict):
        return False
    if isinstance(key, str):
        return key in mapping
    return any(are_equal(key, found) for found in mapping) if key in mapping else False


def index(collection: Any, key: Any) -> Any:
    """Return `collection[key]`; of an optional, what it holds under the key, if anything."""
    if isinstance(collection, Optional):
        return optional_index(collection, key)
    found = _look_up(collection, key)
    if found is not _MISSING:
        return found
    if isinstance(collection, list):
        raise EvaluationError(f"index out of bounds: {key}")
    if isinstance(collection, dict) or isinstance(key, str):
        raise NoSuchKeyError(key)
    raise no_overload()


def optional_index(collection: Any, key: Any) -> Optional:
    """Return `collection[?key]`: nothing when the key is missing."""
    if isinstance(collection, Optional):
        return optional_index(collection.item, key) if collection.has_value() else Optional.NONE
    found = _look_up(collection, key)
    return Optional.NONE if found is _MISSING else Optional(found)


_MISSING = object()


def _look_up(collection: Any, key: Any) -> Any:
    """Return the value of a key, or a mark for what is not there; some keys are errors."""
    if isinstance(collection, list):
        if type(key) not in _NUMBERS or key != int(key):
            raise EvaluationError(f"unsupported index in list: {key}")
        return collection[int(key)] if 0 <= key < len(collection) else _MISSING
    if not isinstance(collection, dict):
        return _MISSING
    if key is None or isinstance(key, Opaque | list | dict):
        raise EvaluationError(f"invalid key of type {type_name(key)}")
    if isinstance(collection, Domains):
        return collection[key]
    return collection[key] if _find_key(key, collection) else _MISSING


def select(operand: Any, field: str) -> Any:
    """Return `operand.field`; a value without fields lacks the field."""
    if isinstance(operand, list):
        raise NoSuchKeyError(field)
    return index(operand, field)


def has_field(operand: Any, field: str) -> bool:
    """Tell whether `operand.field` is there, as `has` does."""
    if isinstance(operand, Optional):
        return operand.has_value() and has_field(operand.item, field)
    return isinstance(operand, Domains) or (isinstance(operand, dict) and field in operand)
