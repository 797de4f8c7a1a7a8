"""Decoding of checked expressions: shapes, types and columns."""

from __future__ import annotations

import pytest

from neuron_dra.cel.checked import DYN, UnsupportedExpressionError, decode_checked, decode_type
from neuron_dra.cel.tree import (
    Call,
    Comprehension,
    Constant,
    Ident,
    ListLiteral,
    MapLiteral,
    Select,
    Type,
    walk,
)


def find(compiled, kind):
    """Return the nodes of a kind, in the order of the tree."""
    return [node for node in walk(compiled.root) if isinstance(node, kind)]


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("1", 1, "int"),
        ("-9223372036854775808", -(2**63), "int"),
        ("18446744073709551615u", 2**64 - 1, "uint"),
        ("1.5", 1.5, "double"),
        ('"é"', "é", "string"),
        ("b'a'", b"a", "bytes"),
        ("null", None, "null_type"),
        ("true", True, "bool"),
        ("false", False, "bool"),
    ],
)
def test_constants(text, value, kind, env):
    """Literals keep their value and type."""
    constant = find(env.compile(f"dyn({text}) == 1"), Constant)[0]

    assert (constant.value, type(constant.value)) == (value, type(value))
    assert constant.type == Type(kind)


def test_columns(env):
    """Columns count code points from the start of the expression, over lines."""
    compiled = env.compile('"é" == device.driver\n  && has(device.attributes["d"].x)')
    text = compiled.expression
    driver, attributes = find(compiled, Ident)

    assert (driver.name, text[driver.column]) == ("device.driver", ".")
    assert (attributes.name, text[attributes.column]) == ("device.attributes", ".")
    assert [(call.function, text[call.column]) for call in find(compiled, Call)] == [
        ("_&&_", "&"),
        ("_==_", "="),
        ("_[_]", "["),
    ]


def test_select(env):
    """`has` is a selection that only tests."""
    test, read = find(
        env.compile('has(device.attributes["d"].x) && device.attributes["d"].y'), Select
    )

    assert (test.field, test.test_only, str(test.type)) == ("x", True, "bool")
    assert (read.field, read.test_only, str(read.type)) == ("y", False, "any")
    assert str(read.operand.type) == "map(string, any)"


def test_calls(env):
    """Methods have a target; overloads are those that the checker left."""
    method, operator = find(env.compile("!device.driver.startsWith('a')"), Call)[::-1]

    assert method.operands == (method.target, *method.args)
    assert method.overloads == ("starts_with_string",)
    assert operator.target is None
    assert operator.operands == operator.args


def test_literals(env):
    """Lists and maps say which of their parts are optional."""
    (items,) = find(env.compile("[1, ?optional.of(2)].size() == 2"), ListLiteral)
    (entries,) = find(env.compile('{"a": 1, ?"b": optional.of(2)}.size() == 2'), MapLiteral)

    assert (len(items.elements), items.optional) == (2, {1})
    assert [(key.value, optional) for key, _, optional in entries.entries] == [
        ("a", False),
        ("b", True),
    ]


def test_comprehensions(env):
    """Macros are folds; `cel.bind` is a fold over nothing."""
    (fold,) = find(env.compile("[1].all(i, x, x > i)"), Comprehension)
    (bind,) = find(env.compile("cel.bind(x, 1, x == 1)"), Comprehension)

    assert (fold.variable, fold.second, fold.is_bind) == ("i", "x", False)
    assert (bind.accumulator, bind.is_bind) == ("x", True)


def test_messages(env):
    """Messages have no place in a selector."""
    error = env.compile("google.protobuf.Int32Value{value: 1} == 1")

    assert error.message == "messages cannot be built in a selector"


def test_missing_expression():
    """A node that is nothing is an error, not a crash."""
    with pytest.raises(UnsupportedExpressionError):
        decode_checked(b"\x12\x04\x22\x02\x10\x01")


def test_types():
    """Types that selectors do not meet decode too: wrappers, errors, type parameters."""
    assert decode_type(b"\x0a\x00") == DYN
    assert decode_type(b"\x62\x00") == DYN
    assert decode_type(b"\x20\x01") == Type("wrapper(bool)")
    assert decode_type(b"\x52\x01A") == Type("A")
    assert decode_type(b"\x5a\x00") == Type("type")
    assert str(decode_type(b"\x4a\x03a.b")) == "a.b"
