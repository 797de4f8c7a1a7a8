"""Reading of Kubernetes objects as plain data, such as `kubectl get -o yaml` prints them.

In: the dict of an object. Out: its fields by type, and problems as values for what cannot be read.
A field that is not known is left alone, a field without a value (`null`) is one not written, and a
field of another type counts as not written, with a problem. What values mean is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from neuron_dra.kube.quantity import is_quantity

GROUP = "resource.k8s.io"
VERSIONS = ("v1", "v1beta2", "v1beta1")
CORE_VERSION = "v1"  # of nodes and pods
FLAT_VERSION = "v1beta1"  # has no `exactly` in requests, and `basic` in devices


@dataclass(frozen=True, slots=True)
class ReadProblem:
    """Something in an object that cannot be read."""

    path: str  # like `spec.devices[0].name`; empty for the whole object
    message: str


class Fields:
    """The fields of a map in an object.

    Attributes:
        path: where the map stands.
        problems: shared by all maps of an object.
    """

    __slots__ = ("data", "path", "problems")

    def __init__(self, data: Mapping[str, Any], path: str, problems: list[ReadProblem]) -> None:
        self.data = data
        self.path = path
        self.problems = problems

    def place(self, name: str) -> str:
        """Return the path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def has(self, name: str) -> bool:
        """Tell whether a field has a value."""
        return self.data.get(name) is not None

    def add_problem(self, name: str, message: str) -> None:
        """Note what is wrong with a field."""
        self.problems.append(ReadProblem(self.place(name), message))

    def text(self, name: str, default: str = "", *, required: bool = False) -> str:
        """Return a string."""
        value = self._typed(name, str, "a string")
        if value is None and required and not self.has(name):
            self.add_problem(name, "a value is required")
        return default if value is None else str(value)

    def integer(self, name: str, default: int = 0) -> int:
        """Return an integer."""
        value = self._typed(name, int, "an integer")
        return default if value is None else int(value)

    def boolean(self, name: str) -> bool | None:
        """Return a boolean, or None when it is not written."""
        value = self._typed(name, bool, "a boolean")
        return None if value is None else bool(value)

    def quantity(self, name: str) -> str | None:
        """Return an amount as it is written, or None."""
        return self._quantity(name, self.data.get(name))

    def quantities(self, name: str) -> dict[str, str]:
        """Return the amounts in a map."""
        inner = self.fields(name)
        amounts = {key: inner.quantity(key) for key in inner.data}
        return {key: amount for key, amount in amounts.items() if amount is not None}

    def texts_by_name(self, name: str) -> dict[str, str]:
        """Return the strings in a map."""
        inner = self.fields(name)
        return {key: inner.text(key) for key in inner.data if inner.has(key)}

    def fields(self, name: str) -> Fields:
        """Return the fields of a map; of one not written, none."""
        value = self._typed(name, dict, "a map")
        return Fields(value or {}, self.place(name), self.problems)

    def maps(self, name: str) -> Iterator[tuple[str, Fields]]:
        """Yield the maps in a map, by key."""
        inner = self.fields(name)
        for key in inner.data:
            if inner.has(key):
                yield key, inner.fields(key)

    def items(self, name: str) -> Iterator[Fields]:
        """Yield the maps in a list."""
        for index, value in enumerate(self._list(name)):
            place = f"{name}[{index}]"
            if isinstance(value, dict):
                yield Fields(value, self.place(place), self.problems)
            else:
                self.add_problem(place, f"expected a map, found {describe(value)}")

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the strings in a list."""
        values = self._list(name)
        for index, value in enumerate(values):
            if not isinstance(value, str):
                self.add_problem(f"{name}[{index}]", f"expected a string, found {describe(value)}")
        return tuple(value for value in values if isinstance(value, str))

    def amounts(self, name: str) -> tuple[str, ...]:
        """Return the amounts in a list."""
        found = (
            self._quantity(f"{name}[{index}]", value)
            for index, value in enumerate(self._list(name))
        )
        return tuple(amount for amount in found if amount is not None)

    def _list(self, name: str) -> list[Any]:
        value = self._typed(name, list, "a list")
        return value if isinstance(value, list) else []

    def _typed(self, name: str, kind: type, what: str) -> Any:
        value = self.data.get(name)
        is_flag = kind is int and isinstance(value, bool)
        if value is None or (isinstance(value, kind) and not is_flag):
            return value
        self.add_problem(name, f"expected {what}, found {describe(value)}")
        return None

    def _quantity(self, name: str, value: Any) -> str | None:
        if value is None:
            return None
        is_number = isinstance(value, str | int | float) and not isinstance(value, bool)
        if is_number and is_quantity(str(value)):
            return str(value)
        self.add_problem(name, f"expected a quantity, found {describe(value)}")
        return None


def open_object(data: Any, kind: str, problems: list[ReadProblem]) -> tuple[Fields, str] | None:
    """Return an object's fields and its API version, or None when it is not of a kind."""
    if not isinstance(data, dict):
        problems.append(ReadProblem("", f"expected a {kind}, found {describe(data)}"))
        return None
    found, api_version = data.get("kind"), data.get("apiVersion")
    group, _, version = str(api_version).rpartition("/")
    if found != kind:
        problems.append(ReadProblem("kind", f"expected `{kind}`, found {describe(found)}"))
    elif group != GROUP or version not in VERSIONS:
        known = ", ".join(f"`{GROUP}/{each}`" for each in VERSIONS)
        message = f"expected one of {known}, found {describe(api_version)}"
        problems.append(ReadProblem("apiVersion", message))
    else:
        return Fields(data, "", problems), version
    return None


def open_core_object(data: Any, kind: str, problems: list[ReadProblem]) -> Fields | None:
    """Return the fields of an object of the core group, or None when it is not of a kind."""
    if not isinstance(data, dict):
        problems.append(ReadProblem("", f"expected a {kind}, found {describe(data)}"))
        return None
    for name, expected in (("kind", kind), ("apiVersion", CORE_VERSION)):
        if data.get(name) != expected:
            message = f"expected `{expected}`, found {describe(data.get(name))}"
            problems.append(ReadProblem(name, message))
            return None
    return Fields(data, "", problems)


def describe(value: Any) -> str:
    """Say what a value is."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list):
        return "a list"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{text if len(text) <= 40 else text[:39] + '…'}`"
