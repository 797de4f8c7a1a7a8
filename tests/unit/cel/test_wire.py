"""The protobuf wire format."""

from __future__ import annotations

import struct

import pytest

from neuron_dra.cel.wire import iter_fields, iter_varints, to_double, to_int64


def test_fields():
    """Every kind of field is read, in order; numbers may take several bytes."""
    double = struct.pack("<d", 1.5)
    data = b"\x08\x96\x01\x12\x02hi\x19" + double + b"\x25\x01\x02\x03\x04\x08\x01"

    assert list(iter_fields(data)) == [
        (1, 150),
        (2, b"hi"),
        (3, double),
        (4, b"\x01\x02\x03\x04"),
        (1, 1),
    ]
    assert list(iter_fields(b"")) == []


@pytest.mark.parametrize("data", [b"\x08", b"\x08\x80", b"\x12\x05hi", b"\x19\x00", b"\x12"])
def test_truncated(data):
    """A message that ends inside a field is an error."""
    with pytest.raises(ValueError, match="truncated"):
        list(iter_fields(data))


def test_unknown_wire_type():
    """Groups, which nothing writes any more, are an error."""
    with pytest.raises(ValueError, match="unknown wire type 3"):
        list(iter_fields(b"\x0b"))


def test_numbers():
    """Varints are signed by their top bit; doubles are little-endian; lists may be packed."""
    assert to_int64(5) == 5
    assert to_int64((1 << 64) - 1) == -1
    assert to_double(struct.pack("<d", -0.5)) == -0.5
    assert list(iter_varints(b"\x01\x96\x01")) == [1, 150]
