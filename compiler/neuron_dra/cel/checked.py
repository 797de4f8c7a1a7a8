"""From the bytes of a checked expression to its tree.

In: `Expression.serialize()`: an `Any` of `cel.expr.CheckedExpr`. Out: the root node of `tree`.
Field numbers are those of cel-spec's `checked.proto` and `syntax.proto` (v0.25). Does no checking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from neuron_dra.cel.tree import (
    Call,
    Comprehension,
    Constant,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Node,
    Select,
    Type,
)
from neuron_dra.cel.wire import iter_fields, iter_varints, to_double, to_int64

Message = dict[int, list[int | bytes]]

_PRIMITIVES = {1: "bool", 2: "int", 3: "uint", 4: "double", 5: "string", 6: "bytes"}
_WELL_KNOWN = {1: "any", 2: "timestamp", 3: "duration"}
DYN = Type("dyn")


class UnsupportedExpressionError(ValueError):
    """The expression holds a construct that has no place in a selector."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


def decode_checked(data: bytes) -> Node:
    """Return the tree of a serialized expression."""
    checked = _message(_bytes(_message(data), 2))
    decoder = _Decoder(
        references=dict(map(_map_entry, _all_bytes(checked, 2))),
        types=dict(map(_map_entry, _all_bytes(checked, 3))),
        columns=dict(_positions(_bytes(checked, 5))),
    )
    return decoder.node(_bytes(checked, 4))


def _message(data: bytes) -> Message:
    fields: Message = defaultdict(list)
    for number, value in iter_fields(data):
        fields[number].append(value)
    return fields


def _bytes(message: Message, field: int) -> bytes:
    value = message[field][-1] if message[field] else b""
    assert isinstance(value, bytes)
    return value


def _all_bytes(message: Message, field: int) -> Iterable[bytes]:
    return (value for value in message[field] if isinstance(value, bytes))


def _number(message: Message, field: int) -> int:
    value = message[field][-1] if message[field] else 0
    assert isinstance(value, int)
    return value


def _text(message: Message, field: int) -> str:
    return _bytes(message, field).decode()


def _map_entry(data: bytes) -> tuple[int, bytes]:
    entry = _message(data)
    return _number(entry, 1), _bytes(entry, 2)


def _positions(source_info: bytes) -> Iterable[tuple[int, int]]:
    for entry in map(_message, _all_bytes(_message(source_info), 4)):
        yield _number(entry, 1), _number(entry, 2)


def decode_type(data: bytes) -> Type:
    """Return the type that a `cel.expr.Type` message describes."""
    ((field, value),) = iter_fields(data)
    if isinstance(value, int):
        return Type(_scalar_name(field, value))
    match field:
        case 6 | 7:
            name = "list" if field == 6 else "map"
            return Type(name, tuple(decode_type(part) for _, part in _parts(value)))
        case 11:
            return Type("type", (decode_type(value),) if value else ())
        case 9 | 10:
            return Type(value.decode())
        case 14:
            fields = _message(value)
            return Type(_text(fields, 1), tuple(map(decode_type, _all_bytes(fields, 2))))
        case _:
            return DYN


def _scalar_name(field: int, value: int) -> str:
    match field:
        case 2:
            return "null_type"
        case 3:
            return _PRIMITIVES[value]
        case 4:
            return f"wrapper({_PRIMITIVES[value]})"
        case _:
            return _WELL_KNOWN[value]


def _parts(data: bytes) -> Iterable[tuple[int, bytes]]:
    return ((field, value) for field, value in iter_fields(data) if isinstance(value, bytes))


class _Decoder:
    """Decodes the nodes of one expression."""

    def __init__(
        self, references: dict[int, bytes], types: dict[int, bytes], columns: dict[int, int]
    ) -> None:
        self._references = references
        self._types = types
        self._columns = columns
        self._known: dict[bytes, Type] = {}

    def node(self, data: bytes) -> Node:
        expression = _message(data)
        identity = _number(expression, 2)
        column = self._columns.get(identity, 0)
        kind = self._type(identity)
        for field, decode in self._KINDS.items():
            if expression[field]:
                return decode(self, _bytes(expression, field), column, kind, identity)
        raise UnsupportedExpressionError("messages cannot be built in a selector", column)

    def _type(self, identity: int) -> Type:
        data = self._types.get(identity)
        if data is None:
            return DYN
        if data not in self._known:
            self._known[data] = decode_type(data)
        return self._known[data]

    def _constant(self, data: bytes, column: int, kind: Type, _: int) -> Node:
        ((field, value),) = iter_fields(data)
        return Constant(column, kind, _literal(field, value))

    def _ident(self, data: bytes, column: int, kind: Type, _: int) -> Node:
        return Ident(column, kind, _text(_message(data), 1))

    def _select(self, data: bytes, column: int, kind: Type, _: int) -> Node:
        fields = _message(data)
        operand = self.node(_bytes(fields, 1))
        return Select(column, kind, operand, _text(fields, 2), bool(_number(fields, 3)))

    def _call(self, data: bytes, column: int, kind: Type, identity: int) -> Node:
        fields = _message(data)
        target = self.node(_bytes(fields, 1)) if fields[1] else None
        args = tuple(map(self.node, _all_bytes(fields, 3)))
        reference = _message(self._references.get(identity, b""))
        overloads = tuple(value.decode() for value in _all_bytes(reference, 3))
        return Call(column, kind, _text(fields, 2), target, args, overloads)

    def _list(self, data: bytes, column: int, kind: Type, _: int) -> Node:
        fields = _message(data)
        elements = tuple(map(self.node, _all_bytes(fields, 1)))
        return ListLiteral(column, kind, elements, frozenset(iter_varints(_bytes(fields, 2))))

    def _map(self, data: bytes, column: int, kind: Type, _: int) -> Node:
        fields = _message(data)
        if fields[1]:
            raise UnsupportedExpressionError("messages cannot be built in a selector", column)
        entries = (_message(entry) for entry in _all_bytes(fields, 2))
        triples = (
            (self.node(_bytes(entry, 3)), self.node(_bytes(entry, 4)), bool(_number(entry, 5)))
            for entry in entries
        )
        return MapLiteral(column, kind, tuple(triples))

    def _comprehension(self, data: bytes, column: int, kind: Type, _: int) -> Node:
        fields = _message(data)
        names = (_text(fields, 1), _text(fields, 8))
        source, start, condition, step, result = (
            self.node(_bytes(fields, field)) for field in (2, 4, 5, 6, 7)
        )
        accumulator = _text(fields, 3)
        return Comprehension(
            column, kind, *names, source, accumulator, start, condition, step, result
        )

    _KINDS: dict[int, Callable[[_Decoder, bytes, int, Type, int], Node]] = {  # noqa: RUF012 -- never changed
        3: _constant,
        4: _ident,
        5: _select,
        6: _call,
        7: _list,
        8: _map,
        9: _comprehension,
    }


def _literal(field: int, value: int | bytes) -> Literal:
    match field, value:
        case 1, _:
            return None
        case 2, int():
            return bool(value)
        case 4, int():
            return value
        case 3, int():
            return to_int64(value)
        case 5, bytes():
            return to_double(value)
        case 6, bytes():
            return value.decode()
        case _:
            assert isinstance(value, bytes)
            return value
