"""The explanations: their shape, and that their examples are true."""

from __future__ import annotations

from pathlib import Path

import pytest

import neuron_dra.diagnostics
from neuron_dra.diagnostics import Code
from neuron_dra.diagnostics.codes import spec, syntax
from neuron_dra.diagnostics.pages import examples, load_page
from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents

FOLDER = Path(neuron_dra.diagnostics.__file__).with_name("explain")
# Whoever reads all sources tells this one, not the reader of documents.
TOLD_LATER = {"ND2010"}


def list_codes(*modules):
    return sorted(
        (value for module in modules for value in vars(module).values() if isinstance(value, Code)),
        key=lambda code: code.id,
    )


WITH_PAGE = [code for code in list_codes(syntax, spec) if (FOLDER / f"{code.id}.md").exists()]
READ = [code for code in WITH_PAGE if code.id not in TOLD_LATER]


def test_pages_are_found():
    """The codes of syntax have pages, so the parametrised tests below do run."""
    assert {code.id for code in list_codes(syntax)} <= {code.id for code in READ}


@pytest.mark.parametrize("code", READ, ids=lambda code: code.id)
def test_examples_are_true(code):
    """The wrong spec gives its code once and no other, the right spec none."""
    wrong, right = examples(load_page(code.id))

    assert [each.code.id for each in read_documents([Source("wrong", wrong)])[1]] == [code.id]
    assert read_documents([Source("right", right)])[1] == []


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_shape(path):
    """A page is short, is headed by its code, and holds one wrong and one right spec."""
    page = load_page(path.stem)

    assert page.startswith(f"# {path.stem} ")
    assert len(page.splitlines()) <= 45
    assert page.endswith("\n")
    assert len(examples(page)) == 2


@pytest.mark.parametrize("code", WITH_PAGE, ids=lambda code: code.id)
def test_title(code):
    """A page is headed by the id and slug of its code."""
    assert load_page(code.id).splitlines()[0] == f"# {code.id} {code.slug}"


def test_escapes():
    """An escaped block holds bytes and repetitions that a page cannot."""
    page = "```yaml wrong escaped\na: \\xff[\\{3}\n```\n\n```yaml right\na: \\xff\n```\n"

    assert examples(page) == (b"a: \xff[[[\n", b"a: \\xff\n")


@pytest.mark.parametrize(
    "page",
    [
        "no block",
        "```yaml wrong\na\n```\n",
        "```yaml wrong\na\n```\n```yaml wrong\nb\n```\n```yaml right\nc\n```\n",
        "```yaml\na\n```\n```yaml right\nc\n```\n",
    ],
)
def test_missing_examples(page):
    """A page without exactly one example of each kind is refused."""
    with pytest.raises(ValueError, match="one block `yaml wrong`"):
        examples(page)
