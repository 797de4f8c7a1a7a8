"""A review to text for one reader: a terminal, a pull request, a program.

In: a `Review`, and the diagnostics of what could not be compared. Out: one text that ends with a
line end. Writes to no stream and decides no exit code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.review.change import Review

# Each module has `render(review, diagnostics, layout) -> str`.
FORMATS = {
    "json": "neuron_dra.review.render.json",
    "markdown": "neuron_dra.review.render.markdown",
    "text": "neuron_dra.review.render.text",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """How much is shown, and how.

    Attributes:
        stat: counts only, no single change.
        color: whether text for terminals has colours.
        width: the terminal cells of a line of text.
    """

    stat: bool = False
    color: bool = False
    width: int = 100


def render(
    review: Review,
    format_name: str,
    *,
    diagnostics: Iterable[Diagnostic] = (),
    layout: Layout | None = None,
) -> str:
    """Return a review in the named format."""
    module = import_module(FORMATS[format_name])
    text: str = module.render(review, tuple(diagnostics), layout or Layout())
    return text
