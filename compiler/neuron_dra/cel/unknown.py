"""What nobody knows of a device: values, and whether some attributes are there.

In: names. Out: a map that raises where an answer depends on them. As `&&` and `||` absorb an error
when the other side decides, an evaluation ends in `UnknownValueError` only when the verdict depends
on what is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.cel.value import EvaluationError


class UnknownValueError(EvaluationError):
    """The expression read what nobody knows of the device; a real one may match or not."""

    def __init__(self, key: object) -> None:
        super().__init__(f"unknown: {key}")
        self.key = key


def find_unknown(error: BaseException | None) -> UnknownValueError | None:
    """Return what was unknown when an error arose: it might have decided in place of the error."""
    while error is not None and not isinstance(error, UnknownValueError):
        error = error.__context__
    return error


class PartialMap(dict[str, Any]):
    """A map of which something is unknown: the values of some keys, or whether some are there.

    It raises `UnknownValueError` where the answer depends on that. A value that is unknown is held
    as that error, so that whoever visits the values meets it when it reads one.
    """

    __slots__ = ("doubtful",)

    def __init__(self, doubtful: Mapping[str, str] | None = None) -> None:
        """Make an empty map; `doubtful` are keys, each with the name to tell of."""
        super().__init__()
        self.doubtful = doubtful or {}

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        if isinstance(value, UnknownValueError):
            raise value
        return value

    def __contains__(self, key: object) -> bool:
        if key in self.doubtful:
            raise UnknownValueError(self.doubtful[str(key)])
        return super().__contains__(key)

    def __iter__(self) -> Iterator[str]:
        self._require_names()
        return super().__iter__()

    def __len__(self) -> int:
        self._require_names()
        return super().__len__()

    def items(self) -> Any:
        self._require_names()
        return super().items()

    def keys(self) -> Any:
        """Refuse to be compared as a whole."""
        raise UnknownValueError("the whole map")

    def _require_names(self) -> None:
        for key in sorted(self.doubtful):
            raise UnknownValueError(self.doubtful[key])
