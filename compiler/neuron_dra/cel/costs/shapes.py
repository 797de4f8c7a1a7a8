"""What an estimate knows of a call, and what it says.

In: nothing; these are shapes. Out: the operands of a call with their sizes, and its cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from neuron_dra.cel.costs.paths import Path
from neuron_dra.cel.costs.sizes import UNKNOWN, Size, scale
from neuron_dra.cel.tree import Constant, Node

# StringTraversalCostFactor and ListCreateBaseCost in cel-go common/cost.go.
TRAVERSAL = 0.1
LIST_COST = 10


class Argument(NamedTuple):
    """An operand of a call; its path starts at a variable."""

    node: Node
    known_size: Size | None
    path: Path

    @property
    def size(self) -> Size:
        return self.known_size or UNKNOWN

    @property
    def traversal(self) -> int:
        """The cost of reading it once as a text."""
        return scale(self.size.most, TRAVERSAL)

    @property
    def number(self) -> int | None:
        """The value of a literal of type int."""
        value = self.node.value if isinstance(self.node, Constant) else None
        return value if type(value) is int and self.node.type.name == "int" else None


class CallShape(NamedTuple):
    """A call without the choice of its overload; `costs` are those of `args`."""

    function: str
    target: Argument | None
    args: list[Argument]
    costs: list[int]
    minor: int

    @property
    def receiver(self) -> Argument:
        """The target of a method."""
        assert self.target
        return self.target


class CallCost(NamedTuple):
    """The cost of a call without its arguments, and the size of its result if that is known."""

    cost: int
    size: Size | None = None


# The second argument is the identifier of the overload.
Estimate = Callable[[CallShape, str], CallCost | None]
