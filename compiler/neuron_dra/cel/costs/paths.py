"""Where a value comes from: a path from a variable, as cel-go holds it.

In: steps. Out: longer paths. A slice of Go has an array with room behind its end, and appending to
it twice writes into the same place, so that the first of two longer paths changes into the second.
Estimates depend on that, so it is done alike: an array doubles when it is full.
"""

from __future__ import annotations

ITEMS, INDICES, KEYS, VALUES = "@items", "@indices", "@keys", "@values"


class Path:
    """A path; `steps` may change when a path that shares its array is made longer."""

    __slots__ = ("_array", "_length", "_room")

    def __init__(self, array: list[str], length: int, room: int) -> None:
        self._array = array
        self._length = length
        self._room = room

    @classmethod
    def of(cls, name: str) -> Path:
        """Return the path of a variable; a dotted name has a step for each part."""
        first, *rest = name.split(".")
        path = cls([first], 1, 1)
        for step in rest:
            path = path.then(step)
        return path

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(self._array[: self._length])

    def then(self, step: str) -> Path:
        """Return the path with one more step, in the same array where it has room."""
        length = self._length
        if length == self._room:
            return Path([*self.steps, step], length + 1, max(1, 2 * self._room))
        self._array[length:] = [step, *self._array[length + 1 :]]
        return Path(self._array, length + 1, self._room)


def no_path() -> Path:
    """Return the path of what comes from no variable."""
    return Path([], 0, 0)
