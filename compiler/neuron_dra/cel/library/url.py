"""URLs as `url()` makes them.

In: a text. Out: a `Url` value. Absolute URLs and absolute paths only, as Go's `ParseRequestURI`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from neuron_dra.cel.library.typed import parser, tester
from neuron_dra.cel.value import EvaluationError, Opaque

_ABSOLUTE = re.compile(r"/|[A-Za-z][A-Za-z0-9+.-]*:")
_BROKEN = re.compile(r"[\x00-\x1f\x7f]|%(?![0-9A-Fa-f]{2})")
_PORT = re.compile(r"\d*", re.ASCII)
# Characters that Go leaves as they are in a path (net/url, shouldEscape).
_PATH_SAFE = "$&+,/:;=@!'()*~-_."


class Url(Opaque):
    """A parsed URL."""

    __slots__ = ("parts",)
    TYPE_NAME = "kubernetes.URL"

    def __init__(self, text: str, parts: SplitResult) -> None:
        super().__init__(text)
        self.parts = parts

    @classmethod
    def parse(cls, text: str) -> Url:
        """Return the URL of a text."""
        problem = EvaluationError(f"{text!r} is not an absolute URL")
        if not _ABSOLUTE.match(text) or _BROKEN.search(text):
            raise problem
        try:
            parts = urlsplit(text)
        except ValueError as error:
            raise problem from error
        if " " in parts.netloc or not _PORT.fullmatch(_port(parts)):
            raise problem
        return cls(text, parts)

    @property
    def host(self) -> str:
        return self.parts.netloc.rpartition("@")[2]

    @property
    def hostname(self) -> str:
        host = self.host.removesuffix(f":{_port(self.parts)}") if ":" in self.host else self.host
        return host.removeprefix("[").removesuffix("]")


def _port(parts: SplitResult) -> str:
    host = parts.netloc.rpartition("@")[2]
    _, colon, port = host.rpartition(":")
    return port if colon and not port.endswith("]") else ""


def _escaped_path(url: Url) -> str:
    path = url.parts.path
    return (
        quote(unquote(path), safe=_PATH_SAFE)
        if path != quote(path, safe=_PATH_SAFE + "%")
        else path
    )


Url.METHODS = {
    "getScheme": lambda url: url.parts.scheme,
    "getHost": lambda url: url.host,
    "getHostname": lambda url: url.hostname,
    "getPort": lambda url: _port(url.parts),
    "getEscapedPath": _escaped_path,
    "getQuery": lambda url: parse_qs(url.parts.query, keep_blank_values=True),
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"url": parser(Url.parse), "isURL": tester(Url.parse)}
