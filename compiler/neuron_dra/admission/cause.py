"""Why the API server refuses an object: causes, as its status names them.

In: a field and what is wrong. Out: a `Cause` with the type that the server gives it. The field is
written as the server writes it, like `spec.devices.requests[0].exactly.count`; the detail is in our
words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Cause(NamedTuple):
    """One reason of a refusal.

    Attributes:
        type: as in `details.causes[].reason` of the server's status.
        field: where, in the words of the newest version of the API.
    """

    type: str
    field: str
    detail: str


# k8s.io/apimachinery pkg/util/validation/field/errors.go, v0.34 to v0.37.
REQUIRED = "FieldValueRequired"
INVALID = "FieldValueInvalid"
DUPLICATE = "FieldValueDuplicate"
NOT_SUPPORTED = "FieldValueNotSupported"
FORBIDDEN = "FieldValueForbidden"
TOO_LONG = "FieldValueTooLong"
TOO_MANY = "FieldValueTooMany"
NOT_FOUND = "FieldValueNotFound"
INTERNAL = "InternalError"


def required(field: str, detail: str = "a value is required") -> Cause:
    """A value is missing."""
    return Cause(REQUIRED, field, detail)


def invalid(field: str, detail: str) -> Cause:
    """A value breaks a rule."""
    return Cause(INVALID, field, detail)


def duplicate(field: str, value: object) -> Cause:
    """A value stands twice where it has to be unique."""
    return Cause(DUPLICATE, field, f"`{value}` stands here for a second time")


def unsupported(field: str, value: object, known: Iterable[str]) -> Cause:
    """A value is none of those that are known."""
    names = ", ".join(f"`{each}`" for each in known)
    return Cause(NOT_SUPPORTED, field, f"`{value}` is not supported, supported are {names}")


def forbidden(field: str, detail: str) -> Cause:
    """A value may not be set here."""
    return Cause(FORBIDDEN, field, detail)


def too_long(field: str, size: int, limit: int) -> Cause:
    """A text has too many bytes."""
    return Cause(TOO_LONG, field, f"has {size} bytes, at most {limit} are allowed")


def too_many(field: str, count: int, limit: int) -> Cause:
    """A list or map has too many items."""
    return Cause(TOO_MANY, field, f"has {count} items, at most {limit} are allowed")


def not_found(field: str, value: object, detail: str) -> Cause:
    """A name refers to nothing."""
    return Cause(NOT_FOUND, field, f"`{value}` {detail}")


def internal(field: str, detail: str) -> Cause:
    """The server itself fails on a value."""
    return Cause(INTERNAL, field, detail)
