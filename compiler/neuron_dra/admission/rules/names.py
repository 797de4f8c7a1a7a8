"""Formats of names as causes: a text and its field in, what the API server would say out.

The formats themselves are those of `syntax.formats`; here is which of them a rule joins, and with
which type the server refuses each part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from neuron_dra.admission.cause import Cause, invalid, required, too_long
from neuron_dra.admission.server import Dialect
from neuron_dra.syntax import formats

Names = Callable[[str, str], Iterator[Cause]]

# k8s.io/api/resource/v1/types.go, v0.34 to v0.37: DriverNameMaxLength, PoolNameMaxLength,
# DeviceMaxIDLength, DeviceMaxDomainLength.
DRIVER_MAX = 63
POOL_MAX = 253
IDENTIFIER_MAX = 32
# Keys of attributes and capacities are cut to this length in paths.
QUALIFIED_MAX = DRIVER_MAX + 1 + IDENTIFIER_MAX
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CUT = "..."


def size_of(text: str) -> int:
    """Return the bytes of a text, which is what limits count."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut(text: str, limit: int) -> str:
    """Return a key as paths show it: its middle is left out where it is too long."""
    if size_of(text) <= limit:
        return text
    left = limit - len(_CUT)
    return text[: (left + 1) // 2] + _CUT + text[len(text) - left // 2 :]


def format_of(check: formats.Check) -> Names:
    """Return a check of a format as causes."""

    def judge(text: str, field: str) -> Iterator[Cause]:
        if reason := check(text):
            yield invalid(field, f"`{text}` {reason}")

    return judge


label = format_of(formats.dns_label)
subdomain = format_of(formats.dns_subdomain)
label_key = format_of(formats.label_key)
label_value = format_of(formats.label_value)


def class_name(text: str, field: str) -> Iterator[Cause]:
    """Check the name of a DeviceClass that a request refers to."""
    if text:
        yield from subdomain(text, field)
    else:
        yield required(field)


def driver(text: str, field: str, dialect: Dialect) -> Iterator[Cause]:
    """Check the name of a driver; upper case letters are let through."""
    if not text:
        yield required(field)
        if not dialect.goes_on_without_driver:
            return
    if size_of(text) > DRIVER_MAX:
        yield too_long(field, size_of(text), DRIVER_MAX)
    yield from subdomain(text.lower(), field)


def pool(text: str, field: str) -> Iterator[Cause]:
    """Check the name of a pool: subdomains between slashes."""
    if not text:
        yield required(field)
        return
    if size_of(text) > POOL_MAX:
        yield too_long(field, size_of(text), POOL_MAX)
    for part in text.split("/"):
        yield from subdomain(part, field)


def identifier(text: str, field: str) -> Iterator[Cause]:
    """Check the name of an attribute or capacity without its domain."""
    if size_of(text) > IDENTIFIER_MAX:
        yield too_long(field, size_of(text), IDENTIFIER_MAX)
    if not _IDENTIFIER.fullmatch(text):
        yield invalid(field, f"`{text}` may hold letters, digits and `_`, and begins with no digit")


def qualified(text: str, field: str, dialect: Dialect) -> Iterator[Cause]:
    """Check the name of an attribute or capacity; one with two slashes is let through."""
    missing = required if dialect.empty_names_are_missing else invalid
    if not text and dialect.empty_names_are_missing:
        yield required(field, "the name is required")
        return
    parts = text.split("/")
    if len(parts) == 1:
        yield from identifier(text, field)
    elif len(parts) == 2:
        domain, name = parts
        yield from (
            driver(domain, field, dialect) if domain else [missing(field, "the domain is empty")]
        )
        yield from identifier(name, field) if name else [missing(field, "the name is empty")]


def fully_qualified(text: str, field: str, dialect: Dialect) -> Iterator[Cause]:
    """Check the name of an attribute with its domain."""
    yield from qualified(text, field, dialect)
    if "/" not in text and not (dialect.empty_names_are_missing and not text):
        yield invalid(field, f"`{text}` has no domain, like `example.com/{text}`")
