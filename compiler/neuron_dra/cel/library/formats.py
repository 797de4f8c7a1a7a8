"""Named formats of Kubernetes names and values, as `format.dns1123Label()` and its like.

In: the name of a format and a text. Out: what is wrong with the text, in our words.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from neuron_dra.cel.library.typed import typed
from neuron_dra.cel.library.url import Url
from neuron_dra.cel.value import EvaluationError, Opaque, Optional

Check = Callable[[str], bool]

_LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_VALUE = "[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?"
_UUID = "[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}"
_DATE_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII
)


def _pattern(pattern: str, longest: int) -> Check:
    compiled = re.compile(pattern)
    return lambda text: len(text) <= longest and compiled.fullmatch(text) is not None


def _prefix(check: Check) -> Check:
    """Return a check of a name that something will be appended to."""
    return lambda text: check(text[:-1] + "a" if len(text) > 1 and text[-1] == "-" else text)


_dns_label = _pattern(_LABEL, 63)
_dns_subdomain = _pattern(rf"{_LABEL}(?:\.{_LABEL})*", 253)
_dns_1035_label = _pattern("[a-z](?:[-a-z0-9]*[a-z0-9])?", 63)
_name_part = _pattern(_VALUE, 63)


def _is_qualified_name(text: str) -> bool:
    prefix, slash, name = text.rpartition("/")
    return _name_part(name) and (_dns_subdomain(prefix) if slash else True)


def _succeeds(parse: Callable[[str], Any]) -> Check:
    def check(text: str) -> bool:
        try:
            parse(text)
        except (ValueError, Base64Error, EvaluationError):
            return False
        return True

    return check


def _parse_instant(text: str) -> datetime:
    if not _DATE_TIME.fullmatch(text):
        raise ValueError(text)
    return datetime.fromisoformat(text.upper())


def _parse_date(text: str) -> date:
    return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 -- a date has no zone


_is_base64 = _succeeds(lambda text: b64decode(text, validate=True))
_CHECKS: dict[str, Check] = {
    "byte": lambda text: text != "" and _is_base64(text),
    "date": _succeeds(_parse_date),
    "datetime": _succeeds(_parse_instant),
    "dns1035Label": _dns_1035_label,
    "dns1035LabelPrefix": _prefix(_dns_1035_label),
    "dns1123Label": _dns_label,
    "dns1123LabelPrefix": _prefix(_dns_label),
    "dns1123Subdomain": _dns_subdomain,
    "dns1123SubdomainPrefix": _prefix(_dns_subdomain),
    "labelValue": lambda text: text == "" or _name_part(text),
    "qualifiedName": _is_qualified_name,
    "uri": _succeeds(Url.parse),
    "uuid": _pattern(_UUID, 36),
}


class Format(Opaque):
    """A format that texts can be checked against."""

    __slots__ = ()
    key: str
    TYPE_NAME = "kubernetes.NamedFormat"

    def validate(self, text: str) -> Optional:
        """Return a list of what is wrong, or nothing."""
        return Optional.NONE if _CHECKS[self.key](text) else Optional([f"not a {self.key}"])


def _named(name: str) -> Optional:
    return Optional(Format(name)) if name in _CHECKS else Optional.NONE


def _constant(name: str) -> Callable[[], Format]:
    value = Format(name)
    return lambda: value


Format.METHODS = {"validate": typed(Format.validate, Format, str)}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "format.named": typed(_named, str),
    **{f"format.{name}": _constant(name) for name in _CHECKS},
}
