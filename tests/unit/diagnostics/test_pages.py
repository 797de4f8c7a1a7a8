"""The explanations: their shape.

That every code has a page, and that the examples are true, is tested in `test_errors.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import neuron_dra.diagnostics
from neuron_dra.diagnostics.pages import examples, load_page, messages

FOLDER = Path(neuron_dra.diagnostics.__file__).with_name("explain")
# A page is read in a terminal, but its two examples are whole specs: a claim and its fleet.
LINES_MAX = 65


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_shape(path):
    """A page is short, is headed by its code, and holds one wrong and one right spec."""
    page = load_page(path.stem)

    assert page.startswith(f"# {path.stem} ")
    assert len(page.splitlines()) <= LINES_MAX
    assert page.endswith("\n")
    assert len(examples(page)) == 2


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


def test_messages():
    """The messages of a page are the code of its last list."""
    page = "# ND0\n\nWhat you would see:\n\n- Scheduler: `a b`\n- Driver, in `Event`: `c: d`\n"

    assert messages(page) == ["a b", "c: d"]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_messages_are_read(path):
    """A page that says what one would see lists nothing that is not read."""
    page = load_page(path.stem)
    listed = page.partition("What you would see:\n\n")[2].splitlines()

    assert len(messages(page)) == len(listed)
    assert ("What you would see" in page) == bool(listed)
