"""An expression that does not compile.

In: nothing; this is a shape. Out: what is wrong, where, and how to repair it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CompileError:
    """An expression that the API server would refuse.

    Attributes:
        column: where it is wrong, in code points from the start of the expression.
        end: the first code point after it; greater than `column` unless the text ends there.
        help: how to repair it, when known.
    """

    message: str
    column: int
    end: int
    help: str = ""
