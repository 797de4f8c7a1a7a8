"""Diagnostics to text for one reader: a terminal, a program, a pull request.

In: diagnostics in any order. Out: one text, sorted, that ends with a line end; what has nothing to
say about no diagnostics is an empty text. Writes to no stream; reads sources line by line only.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from neuron_dra.diagnostics import Diagnostic

# Each module has `render(diagnostics, *, color) -> str`.
FORMATS = {
    "github": "neuron_dra.diagnostics.render.github",
    "gitlab": "neuron_dra.diagnostics.render.gitlab",
    "json": "neuron_dra.diagnostics.render.json",
    "junit": "neuron_dra.diagnostics.render.junit",
    "sarif": "neuron_dra.diagnostics.render.sarif",
    "text": "neuron_dra.diagnostics.render.text",
}


def render(diagnostics: Iterable[Diagnostic], format_name: str, *, color: bool = False) -> str:
    """Return the diagnostics in the named format; only text for terminals has colours."""
    text: str = import_module(FORMATS[format_name]).render(diagnostics, color=color)
    return text
