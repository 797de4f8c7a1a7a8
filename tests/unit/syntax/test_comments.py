"""Comments: found outside of texts only."""

from __future__ import annotations

import pytest

from neuron_dra.source import Source
from neuron_dra.syntax.comments import find_comments


def comments(text):
    return find_comments(Source("a.yaml", text.encode()), "tool:")


@pytest.mark.parametrize(
    "line",
    [
        "# tool: yes",
        "   # tool: yes",
        "a: b # tool: yes",
        "a: b\t# tool: yes",
        "a: # tool: yes",
        'a: "b" # tool: yes',
        "a: 'it''s # not' # tool: yes",
        '"a # b": [1, {c: d}] # tool: yes',
        "a: b#c # tool: yes",
        "a: | # tool: yes",
        "a: >-  # tool: yes",
        "- a # tool: yes",
        "--- # tool: yes",
        "#tool: yes",
        "a: [b, # tool: yes\n  c]",
        "a: ü😀 # tool: yes",
        "\ufeffa: b # tool: yes",
    ],
)
def test_comment(line):
    """A comment is what follows a blank and lies in no text; its place is that of the sign."""
    [found] = comments(f"{line}\n")
    first = line.split("\n")[0].removeprefix("\ufeff")

    assert found.text in ("# tool: yes", "#tool: yes")
    assert first[found.span.column : found.span.end_column] == found.text
    assert found.is_alone == first.lstrip().startswith("#")


@pytest.mark.parametrize(
    "text",
    [
        "a: 'b # tool: no'\n",
        'a: "b # tool: no"\n',
        '"a # tool: no": b\n',
        "a: 'b\n  # tool: no\n  '\n",
        'a: "b\n\n  # tool: no"\n',
        "a: |\n  # tool: no\n",
        "a: |\n  b\n\n  # tool: no\n\nc: d\n",
        "a: >-\n  # tool: no\n  b\n",
        "- |+\n  # tool: no\n\n- b\n",
        "a: |2\n    # tool: no\n",
        "a: b#tool:no\n",
        "a: b # see # tool: no\n",
        "# another tool: no\n",
        "a: b\n",
    ],
)
def test_no_comment(text):
    """Nothing inside of a text is a comment, however the text is written."""
    assert comments(text) == []


def test_after_a_block():
    """A comment below a block scalar, outside of its indentation, is no part of it."""
    assert [each.span.line for each in comments("a: |\n  b\n # tool: 1\n# tool: 2\nc: d\n")] == [
        2,
        3,
    ]


def test_aliases():
    """A node that stands in several places is looked at once."""
    assert len(comments("a: &x [b] # tool: yes\nc: [*x, *x]\n")) == 1


def test_several_documents():
    """Every document has comments, as have the places around documents."""
    text = "# tool: 1\n---\na: b # tool: 2\n---\n# tool: 3\nc: d\n...\n# tool: 4\n"

    assert [each.text for each in comments(text)] == [f"# tool: {number}" for number in range(1, 5)]


def test_broken():
    """What is no YAML has no comments, since nobody knows where its texts end."""
    assert comments('# tool: yes\na: "b\n') == []


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("a: b # tool: 1\nc: d\n", 0),
        ("# tool: 1\na: b\n", 1),
        ("# tool: 1\n# more\n  # and more\na: b\n", 3),
        ("# tool: 1\n\na: b\n", 1),
        ("a: b\n# tool: 1", 2),
    ],
)
def test_target(text, target):
    """A comment speaks of its own line, and one that stands alone of what is below it."""
    [found] = comments(text)

    assert found.target == target
