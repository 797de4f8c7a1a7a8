"""Attributes that a claim derives from those of devices, for its constraints.

In: the constraints of a claim, then its requests one by one. Out: causes. Derived attributes exist
behind a gate that is off by default; whether an expression returns a value that can be compared is
not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.admission.cause import Cause, invalid
from neuron_dra.admission.rules.lists import unique
from neuron_dra.admission.server import Dialect

_EVERY_REQUEST = ""


class Budget:
    """Which attributes the constraints of a claim compare, by the request that they name."""

    def __init__(self, compared: Mapping[str, frozenset[str]], parent: str = "") -> None:
        self._compared = compared
        self._parent = parent

    @classmethod
    def from_constraints(cls, constraints: list[Any]) -> Budget:
        """Return what constraints compare."""
        compared: dict[str, frozenset[str]] = {}
        for constraint in constraints:
            name = constraint.get("matchAttribute") or constraint.get("distinctAttribute")
            if name:
                for request in constraint.get("requests") or [_EVERY_REQUEST]:
                    compared[request] = compared.get(request, frozenset()) | {name}
        return cls(compared)

    def of(self, request: str) -> Budget:
        """Return the same for the subrequests of a request."""
        return Budget(self._compared, request)

    def check(
        self, asked: dict[str, Any], field: str, name: str, dialect: Dialect
    ) -> Iterator[Cause]:
        """Check the derived attributes of a request or subrequest."""
        places = {_EVERY_REQUEST, f"{self._parent}/{name}" if self._parent else name, self._parent}
        used = frozenset[str]().union(*(self._compared.get(place, ()) for place in places))

        def check(attribute: dict[str, Any], place: str) -> Iterator[Cause]:
            name = attribute.get("name", "")
            if name and name not in used:
                yield invalid(f"{place}.name", f"no constraint on this request compares `{name}`")

        attributes = asked.get("derivedAttributes") or []
        yield from unique(attributes, f"{field}.derivedAttributes", None, check, dialect, "name")
