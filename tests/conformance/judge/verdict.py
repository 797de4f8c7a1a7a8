"""What a judged case is counted as.

Values only.
"""

from __future__ import annotations

from typing import NamedTuple


class Verdict(NamedTuple):
    """What came of one case.

    Attributes:
        kind: what Kubernetes says; of a case that was left out, nothing.
        left_out: why nothing was compared.
        difference: what we say and what Kubernetes says, when they disagree.
    """

    kind: str = ""
    left_out: str = ""
    difference: str = ""


def compare(kind, ours, theirs):
    """Return the verdict of a case that was asked of both."""
    if ours == theirs:
        return Verdict(kind)
    return Verdict(kind, difference=f"ours:   {ours}\ntheirs: {theirs}")
