"""The explain pages: the wrong example gives its code and nothing else, the right one is sound."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import neuron_dra.diagnostics
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.diagnostics import Code
from neuron_dra.diagnostics.codes import catalog as codes
from neuron_dra.source import Source
from neuron_dra.syntax.parse import parse

PAGES = Path(neuron_dra.diagnostics.__file__).parent / "explain"
CODES = [code for code in vars(codes).values() if isinstance(code, Code)]
FILE = re.compile(r"# (\S+\.yaml)\n")


def find_example(code, word):
    page = (PAGES / f"{code.id}.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"^```yaml {word}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return block


def diagnose(text, folder):
    """Read an example as the file that its first line names, else as a spec."""
    named = FILE.match(text)
    if not named:
        documents, problems = parse(Source("specs/example.yaml", text.encode()))
        assert problems == []
        return open_catalog().with_instance_types(documents).diagnostics
    file = folder / named.group(1)
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    catalog = open_catalog([str(folder)])
    catalog.instance_type(file.stem)
    return catalog.diagnostics


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_wrong_example(code, tmp_path):
    """The wrong example of a page gives its code and nothing else."""
    found = diagnose(find_example(code, "wrong"), tmp_path)

    assert [one.code for one in found] == [code]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_right_example(code, tmp_path):
    """The right example of a page is sound."""
    assert diagnose(find_example(code, "right"), tmp_path) == []


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_heading(code):
    """A page begins with the code and its slug, and stays short."""
    page = (PAGES / f"{code.id}.md").read_text(encoding="utf-8")

    assert page.startswith(f"# {code.id} {code.slug}\n")
    assert len(page.splitlines()) <= 45
