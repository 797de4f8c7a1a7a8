"""The reference and the glossary: generated pages are fresh, links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from neuron_dra.commands.schema_data import KINDS
from neuron_dra.diagnostics.codes import load_codes

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = [
    DOCS / name
    for name in ("README.md", "glossary.md", "reference/diagnostics.md", "reference/spec.md")
]
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def generate():
    """Import the script that writes the pages."""
    spec = importlib.util.spec_from_file_location("generate_docs", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def anchors(text):
    """Return the anchors of a page's headings as GitHub makes them."""
    titles = (re.sub(r"[^\w\- ]", "", title.lower()) for title in HEADING.findall(text))
    return [title.replace(" ", "-") for title in titles]


def test_fresh(generate):
    """The committed pages are what the models and the table of codes give now."""
    made = generate.make_pages()

    assert {path.name for path in (DOCS / "reference").iterdir()} == set(made)
    for name, text in made.items():
        committed = (DOCS / "reference" / name).read_text(encoding="utf-8")
        assert committed == text, f"docs/reference/{name} is stale, run: make docs"


def test_written(generate, tmp_path, monkeypatch):
    """The script writes the pages byte for byte as they are compared."""
    monkeypatch.setattr(generate, "FOLDER", tmp_path / "reference")
    monkeypatch.setattr(generate, "EXPLAIN", tmp_path / "explain")

    generate.write_pages()

    written = {path.name: path.read_bytes() for path in (tmp_path / "reference").iterdir()}
    assert written == {name: text.encode() for name, text in generate.make_pages().items()}


def test_every_key(generate):
    """Every key of every kind is in the reference, with what it says."""
    page = generate.make_pages()["spec.md"]

    for kind in KINDS.values():
        assert f"\n## {kind.name}\n" in page
        for key in kind.spec.KEYS.values():
            assert f"| `spec.{key.name}` | " in page
            assert f" | {key.doc} |\n" in page


def test_every_code(generate):
    """Every code is in its table once."""
    page = generate.make_pages()["diagnostics.md"]

    for code in load_codes().values():
        assert page.count(f" | `{code.slug}` | {code.severity.word} | {code.summary} |\n") == 1


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links(page):
    """Every link leads to a file of the repository, and to a heading in it."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.is_file(), f"{target} leads nowhere"
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), target


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_headings(page):
    """No heading stands twice in a page, so every anchor is one place."""
    found = anchors(page.read_text(encoding="utf-8"))

    assert found
    assert len(found) == len(set(found))


def test_glossary():
    """The glossary is sorted in each part, says one sentence per line, and has the main words."""
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    parts = [
        re.findall(r"^\*\*`?([^*`.]+)", part, re.MULTILINE) for part in text.split("\n## ")[1:]
    ]
    terms = {term for part in parts for term in part}

    assert [sorted(part, key=str.casefold) for part in parts] == parts
    assert {"Partition", "Class of cluster", "Witness", "Conflict", "Device group"} <= terms
    assert {"UltraServer", "NeuronLink", "EFA", "Request", "ResourceClaimTemplate"} <= terms
    assert [line for line in text.splitlines() if re.search(r"[.?] [A-Z]", line)] == []
