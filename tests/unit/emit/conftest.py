"""Small output trees, and what is seen of them from outside."""

from __future__ import annotations

import json

import pytest

from neuron_dra.emit.tree import Unit


@pytest.fixture
def build_unit():
    """Return a function that makes a unit and its manifest from texts by path."""

    def build(folder, files):
        contents = {path: text.encode() for path, text in files.items()}
        if folder:
            listed = [{"path": path, "sha256": "0" * 64} for path in contents]
            contents["manifest.json"] = json.dumps({"files": listed}).encode()
        return Unit(folder, contents)

    return build


@pytest.fixture
def read_tree():
    """Return a function that lists files with content and folders, without work files."""

    def read(root):
        return {
            str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
            for path in sorted(root.rglob("*"))
            if not path.relative_to(root).parts[0].startswith(".neuron-dra")
        }

    return read
