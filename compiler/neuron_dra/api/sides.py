"""The two sides of a comparison, whatever they are: specs or an output tree.

In: a path. Out: the objects in it. Specs are compiled as `compile` does, with the same findings.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from neuron_dra.api.pipeline import build
from neuron_dra.diagnostics import Diagnostic
from neuron_dra.emit.tree import check_settled
from neuron_dra.review.tree import ObjectTree, read_output_tree, tree_from_files
from neuron_dra.source import read_sources


def read_side(
    path: str, catalog_folders: Sequence[str] = ()
) -> tuple[ObjectTree, tuple[Diagnostic, ...]]:
    """Return the objects of one side of a comparison: of an output tree, or compiled from specs.

    Raises:
        FatalError: the path cannot be read, or a compile into it is not finished.
    """
    if _is_output_tree(path):
        check_settled(path)
        return read_output_tree(path, read_sources([path])), ()
    made = build(read_sources([path]), catalog_folders)
    files = {
        f"{unit.folder}/{name}": content
        for unit in made.units
        if unit.folder
        for name, content in unit.files.items()
    }
    return tree_from_files(files), made.diagnostics


def _is_output_tree(path: str) -> bool:
    marks = ("clusters", "argocd/manifest.json")
    return any(os.path.exists(os.path.join(path, mark)) for mark in marks)  # noqa: PTH110, PTH118 -- keeps pathlib off the compile path
