"""Small trees, made in code, and the pair of trees on disk that the formats are shown on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neuron_dra.review.compare import compare
from neuron_dra.review.tree import read_output_tree, tree_from_files
from neuron_dra.source import read_sources

FIXTURES = Path(__file__).with_name("fixtures")


@pytest.fixture
def make_tree():
    """Return a function that makes a tree of data by path; JSON is YAML."""

    def make(files, root=""):
        return tree_from_files(
            {path: json.dumps(data).encode() for path, data in files.items()}, root
        )

    return make


@pytest.fixture
def make_template():
    """Return a function that makes a ResourceClaimTemplate of one request."""

    def make(name="row", namespace="research", count=4, **labels):
        return {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaimTemplate",
            "metadata": {"name": name, "namespace": namespace, "labels": labels},
            "spec": {
                "spec": {"devices": {"requests": [{"name": "n", "exactly": {"count": count}}]}}
            },
        }

    return make


@pytest.fixture
def compare_files(make_tree):
    """Return a function that compares the trees of two mappings of data by path."""

    def compare_two(old, new):
        review = compare(make_tree(old), make_tree(new))
        assert review.diagnostics == ()
        return review

    return compare_two


@pytest.fixture
def fixture_review():
    """Return the review of the two trees on disk."""
    sides = [
        read_output_tree(str(folder), read_sources([str(folder)]))
        for folder in (FIXTURES / "old", FIXTURES / "new")
    ]
    return compare(*sides)
