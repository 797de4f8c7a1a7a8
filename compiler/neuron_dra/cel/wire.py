"""The protobuf wire format, as far as reading needs it.

In: bytes of one message. Out: its fields in order, as numbers and raw bytes.
Knows no schema and writes nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
_INT64_SIGN = 1 << 63


def iter_fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and the raw value of each field of a message."""
    position = 0
    while position < len(data):
        tag, position = _read_varint(data, position)
        field, kind = tag >> 3, tag & 7
        if kind == VARINT:
            value, position = _read_varint(data, position)
            yield field, value
        else:
            size, position = _payload_size(data, position, kind)
            if position + size > len(data):
                raise ValueError("truncated message")
            yield field, data[position : position + size]
            position += size


def _payload_size(data: bytes, position: int, kind: int) -> tuple[int, int]:
    if kind == LENGTH:
        return _read_varint(data, position)
    if kind == FIXED64:
        return 8, position
    if kind == FIXED32:
        return 4, position
    raise ValueError(f"unknown wire type {kind}")


def _read_varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(data):
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
    raise ValueError("truncated message")


def to_int64(value: int) -> int:
    """Return the signed number that a varint of 64 bits stands for."""
    return value - (1 << 64) if value & _INT64_SIGN else value


def to_double(value: bytes) -> float:
    """Return the number that eight bytes stand for."""
    result: float = struct.unpack("<d", value)[0]
    return result


def iter_varints(data: bytes) -> Iterator[int]:
    """Yield the numbers of a packed repeated field."""
    position = 0
    while position < len(data):
        value, position = _read_varint(data, position)
        yield value
