"""Problems of one object, and how their fields are written.

In: the steps from the object to a value. Out: a field path like `spec.requests[0].count`, and the
`Problem` that lies there. Knows no rule.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_FIELD_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")


class Problem(NamedTuple):
    """A reason why the API server would refuse an object."""

    field: str  # where; empty for the whole object
    message: str  # names the field too, so that it can be read alone
    help: str = ""
    at_key: bool = False  # the name of the field is wrong, not its value


def item_field(parent: str, item: str | int) -> str:
    """Return the field of an item of a list, or of a value in a map with free keys."""
    return f"{parent}[{item}]"


def inner_field(parent: str, name: str) -> str:
    """Return the field of a type's field; an odd name is written like a map's key."""
    if not _FIELD_NAME.fullmatch(name):
        return item_field(parent, name)
    return f"{parent}.{name}" if parent else name
