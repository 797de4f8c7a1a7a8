"""YAML text to plain data, as kubectl and Argo CD read it.

In: a `Source`. Out: the data of its documents, and diagnostics for those that are left out. Plain
scalars follow sigs.k8s.io/yaml (YAML 1.1 with Go's numbers): `n` and `on` are booleans, `0777` is
octal, a date is a text. A number that JSON cannot hold stays a text. Knows no type: specs are read
by `decode`, which guesses nothing.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import Any, NamedTuple

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import syntax as codes
from neuron_dra.source import Source, Span
from neuron_dra.syntax.mappings import pairs
from neuron_dra.syntax.parse import (
    MAX_DEPTH,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    parse,
    span_of,
)
from neuron_dra.syntax.places import Context, Origin

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}
_INTEGER = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))")
_BASES = (16, 2, 8, 10)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NUMBER_STARTS = frozenset("+-.0123456789")
_LONGEST_INTEGER = 64  # digits, in base two
_INTEGERS = range(-(2**63), 2**64)


def is_word(text: str) -> bool:
    """Tell whether an unquoted text is a boolean for kubectl though it does not look like one."""
    return isinstance(_WORDS.get(text), bool) and text.lower() not in ("true", "false")


class PlainDocument(NamedTuple):
    """The data of one YAML document and where it stands."""

    data: Any
    span: Span


def load_plain(source: Source) -> tuple[list[PlainDocument], list[Diagnostic]]:
    """Return the data of every sound document of a source."""
    documents, diagnostics = parse(source)
    loaded = []
    for document in documents:
        data, problems = read_plain(source, document.root)
        if not problems:
            loaded.append(PlainDocument(data, span_of(source, document.root)))
        diagnostics += problems
    return loaded, diagnostics


def read_plain(source: Source, node: Node) -> tuple[Any, list[Diagnostic]]:
    """Return the data of a node."""
    context = Context(Origin(source, ""))
    return _read(node, context, 0), context.diagnostics


def _read(node: Node, context: Context, depth: int) -> Any:
    if node.tag is not None:
        span = context.span(node)
        context.add(codes.EXPLICIT_TAG.at(span, "a tag is not allowed", help="remove the tag"))
    elif depth > MAX_DEPTH:
        message = f"the document is nested more than {MAX_DEPTH} levels deep"
        context.add(codes.TOO_DEEP.at(context.span(node), message))
    elif isinstance(node, MappingNode):
        return {
            _key_text(key): _read(value, context, depth + 1)
            for _, key, value in pairs(node, context)
        }
    elif isinstance(node, SequenceNode):
        return [_read(item, context, depth + 1) for item in node.value]
    else:
        return _resolve(node)
    return None


def _key_text(node: Node) -> str:
    """Return a key as JSON has it: what reads as another type is that value's text."""
    value = _resolve(node)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(node.value if value is None else value)


def _resolve(node: Node) -> Any:
    text = node.value
    if not isinstance(node, ScalarNode) or node.style:
        return text
    if text in _WORDS:
        return _WORDS[text]
    return _read_number(text) if text[0] in _NUMBER_STARTS else text


def _read_number(text: str) -> Any:
    """Return the number that a plain scalar is, or its text."""
    plain = text.replace("_", "")
    match = _INTEGER.fullmatch(plain)
    if match and len(plain) <= _LONGEST_INTEGER:
        sign, *groups = match.groups()
        digits, base = next(pair for pair in zip(groups, _BASES, strict=True) if pair[0])
        number = int(sign + digits, base)
        if number in _INTEGERS:
            return number
    if not _FLOAT.fullmatch(plain):
        return text
    value = float(plain)
    if not isfinite(value):
        return text
    return int(value) if value.is_integer() and int(value) in _INTEGERS else value
