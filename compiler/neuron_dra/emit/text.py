"""The YAML writer: plain data to text that every YAML 1.1 and 1.2 reader takes for that data.

In: dicts, lists, str, int, float, bool and None, keys in the order to print them. Out: block style
as kubectl prints it, list items at the indent of their key, nothing folded; an `Inline` mapping is
one line. It knows no Kubernetes kind, sorts nothing and reads nothing.

Readers disagree about plain words (`on`, `1e3`, `0o7`, `12:30`). A string stays plain only if it
matches an allow-list that none of them reads as anything but a string. Every other string is
double-quoted, or a literal block if it has several lines and a block keeps it exactly.

A text needed many times with a few different strings is compiled once: `Hole`s stand for those
strings, and `Template.fill` gives the bytes that `dump` gives for the data with the holes filled.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from neuron_dra.kube.hole import Hole
from neuron_dra.kube.inline import Inline

# A letter first, so that no number, date or indicator begins it; a space or a colon only before a
# harmless character, so that it holds neither `: ` nor ` #`.
_WORDS = re.compile(r"[A-Za-z_/](?:[ :]?[A-Za-z0-9_./@=,+()\[\]'\"&|!<>*-])*")
# Two dots, or a unit of Kubernetes quantities: no reader has such a number.
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+){2,}(?:[-/][A-Za-z0-9.-]*[A-Za-z0-9])?")
_QUANTITY = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi|Ei)")
# What some reader takes for a bool, null or number, in lower case.
_RESERVED = frozenset(
    {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "inf", "infinity", "nan"}
)
# What an editor does not show as it is: spaces and line breaks of Unicode, zero widths, changes of
# direction, tags, surrogates, noncharacters. A fixed list: Unicode's tables grow with Python.
_HIDDEN = (
    r"\x7f-\xa0\xad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
    r"\ud800-\udfff\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff"
)
_ESCAPED = re.compile(rf'["\\\x00-\x1f{_HIDDEN}]')
_COMMENT_ESCAPED = re.compile(rf"[\x00-\x1f{_HIDDEN}]")
_NOT_LITERAL = re.compile(rf"\A[ \n]|[\x00-\x09\x0b-\x1f{_HIDDEN}]| $", re.MULTILINE)
# What is plain in a block, but means something between braces to some reader.
_INLINE_QUOTED = re.compile(r"[,:\[\]{}]")
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# YAML readers look for the colon of a key in 1024 characters, quotes and escapes included.
_SIMPLE_KEY_MAX = 1000


class Template:
    """A compiled text whose holes can be filled many times."""

    __slots__ = ("_format", "_indents", "_names")

    def __init__(self, pieces: Iterable[str | _Gap]) -> None:
        pieces = tuple(pieces)
        gaps = [piece for piece in pieces if isinstance(piece, _Gap)]
        text = "".join("%s" if isinstance(p, _Gap) else p.replace("%", "%%") for p in pieces)
        self._format = text.encode()
        self._names = tuple(gap.name for gap in gaps)
        self._indents = tuple(gap.indent for gap in gaps)

    @property
    def names(self) -> frozenset[str]:
        """The names that `fill` needs."""
        return frozenset(self._names)

    def fill(self, values: Mapping[str, str]) -> bytes:
        """Return the text as UTF-8 with every hole replaced by its value."""
        texts = map(_encode_text, map(values.__getitem__, self._names), self._indents)
        return self._format % tuple(texts)


class _Gap:
    """Where the value of a hole goes, and how far a literal block there is indented."""

    __slots__ = ("indent", "name")

    def __init__(self, name: str, indent: str) -> None:
        self.name = name
        self.indent = indent


def dump(data: object, header: str = "") -> str:
    """Return the data as one YAML document, below the header as comment lines."""
    pieces: list[str | _Gap] = [_comment(header)]
    _write(pieces, data, "", "")
    holes = [piece.name for piece in pieces if isinstance(piece, _Gap)]
    if holes:
        raise ValueError(f"hole {holes[0]!r} has no value: compile a template")
    return "".join(piece for piece in pieces if isinstance(piece, str))


def compile_template(data: object, header: str = "") -> Template:
    """Return the template of the data, whose `Hole`s are filled later."""
    pieces: list[str | _Gap] = [_comment(header)]
    _write(pieces, data, "", "")
    return Template(pieces)


def _comment(header: str) -> str:
    lines = (_COMMENT_ESCAPED.sub(_escape, line) for line in header.splitlines())
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)


def _write(pieces: list[str | _Gap], data: object, indent: str, lead: str) -> None:
    """Add the lines of a value; `lead` stands before the first one, `indent` before the others."""
    if isinstance(data, dict) and data and type(data) is not Inline:
        for key, value in data.items():
            _write_entry(pieces, key, value, indent, lead)
            lead = indent
    elif isinstance(data, list | tuple) and data:
        for item in data:
            _write(pieces, item, indent + "  ", lead + "- ")
            lead = indent
    else:
        pieces.append(lead)
        _write_scalar(pieces, data, indent or "  ")


def _write_entry(
    pieces: list[str | _Gap], key: object, value: object, indent: str, lead: str
) -> None:
    pieces.append(lead + _key_text(key, indent))
    if isinstance(value, dict) and value and type(value) is not Inline:
        pieces.append("\n")
        _write(pieces, value, indent + "  ", indent + "  ")
    elif isinstance(value, list | tuple) and value:
        pieces.append("\n")
        _write(pieces, value, indent, indent)
    else:
        pieces.append(" ")
        _write_scalar(pieces, value, indent + "  ")


def _write_scalar(pieces: list[str | _Gap], value: object, indent: str) -> None:
    if isinstance(value, Hole):
        pieces += (_Gap(str(value), indent), "\n")
    elif isinstance(value, str):
        pieces.append(format_text(value, indent) + "\n")
    elif isinstance(value, Inline) and value:
        pieces.append(_inline_mapping(value) + "\n")
    else:
        pieces.append(_atom_text(value) + "\n")


def _inline_mapping(mapping: Inline) -> str:
    entries = (f"{_between_braces(key)}: {_between_braces(mapping[key])}" for key in mapping)
    return "{" + ", ".join(entries) + "}"


def _between_braces(value: object) -> str:
    if isinstance(value, Hole) or not isinstance(value, str):
        return _atom_text(value)
    return _quote(value) if _INLINE_QUOTED.search(value) else _inline_text(value)


def _key_text(key: object, indent: str) -> str:
    if not isinstance(key, str) or isinstance(key, Hole):
        raise TypeError(f"a key of a mapping is a plain str, not {key!r}")
    text = _inline_text(key)
    return text + ":" if len(text) <= _SIMPLE_KEY_MAX else "? " + text + "\n" + indent + ":"


def _atom_text(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _float_text(value)
    if value == {}:
        return "{}"
    if value in ([], ()):
        return "[]"
    raise TypeError(f"{type(value).__name__} is no plain data: {value!r}")


def _float_text(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number of JSON")
    digits, exponent, power = float.__repr__(value).partition("e")
    # YAML 1.1 wants a dot and a sign, 1.2 and JSON take them.
    return digits if not exponent else f"{digits}{'' if '.' in digits else '.0'}e{int(power):+03d}"


@lru_cache(maxsize=1 << 16)
def format_text(value: str, indent: str = "  ") -> str:
    """Return a string as the scalar that `dump` writes; `indent` is for the lines of a block."""
    if "\n" not in value or _NOT_LITERAL.search(value):
        return _inline_text(value)
    body = value.removesuffix("\n")
    keep = "-" if body == value else "+" if body.endswith("\n") else ""
    return f"|{keep}\n" + "\n".join(line and indent + line for line in body.split("\n"))


@lru_cache(maxsize=1 << 16)
def _encode_text(value: str, indent: str) -> bytes:
    return format_text(value, indent).encode()


@lru_cache(maxsize=1 << 16)
def _inline_text(value: str) -> str:
    if _WORDS.fullmatch(value):
        plain = value.lower() not in _RESERVED
    else:
        plain = bool(_VERSION.fullmatch(value) or _QUANTITY.fullmatch(value))
    return value if plain else _quote(value)


def _quote(value: str) -> str:
    return f'"{_ESCAPED.sub(_escape, value)}"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        raise ValueError(f"U+{code:04X} is half a character and has no UTF-8")
    short = _SHORT_ESCAPES.get(character)
    return short or (f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}")
