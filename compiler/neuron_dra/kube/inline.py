"""Small mappings that read best on one line, like the value of an attribute."""

from __future__ import annotations

from typing import Any


class Inline(dict[str, Any]):
    """A mapping of short keys to scalars, written as `{key: value}`."""

    __slots__ = ()
