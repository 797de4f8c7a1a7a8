"""A review as a comment: its text, its size, and that nothing in it has an effect."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from neuron_dra.diagnostics import Code, Severity
from neuron_dra.review.change import (
    ChangeGroup,
    ChangeKind,
    FieldChange,
    ObjectChange,
    Place,
    Review,
)
from neuron_dra.review.render import Layout, render
from neuron_dra.review.render.markdown import LIMIT, quote
from neuron_dra.review.tree import Identity
from neuron_dra.source import Source, Span

EXPECTED = Path(__file__).parents[1] / "fixtures" / "expected.md"
BAD = Code("ND2001", "x", Severity.ERROR, "").at(Span.of_file(Source("x", b"")), "bad")
PARSER = MarkdownIt("gfm-like", {"linkify": False}).enable("table")

# The only HTML that a comment has: details with a summary of signs, words and code.
CODE = r"<code>[^<>\n]*</code>"
HTML = re.compile(
    rf"<details><summary>[-+~±>] {CODE} {CODE}(?: → {CODE})?: [0-9]+ fields?</summary>|</details>"
)
# What stands outside of code: signs, numbers and the words of this program.
VOCABULARY = """
neuron dra added changed replaced renamed removed immutable must be deleted and created anew
in of from for not clusters cluster objects object Clusters more others
"""


def make_group(text, *, fields=1, clusters=1, kind=ChangeKind.CHANGED):
    identity = Identity("", text, text, text, text)
    changes = tuple(
        FieldChange(f"{text}.{number}", ChangeKind.CHANGED, text, {text: number})
        for number in range(fields)
    )
    change = ObjectChange(identity, kind, text, changes, True, text, (text,))
    names = tuple(f"{text}{number}" for number in range(clusters))
    return ChangeGroup(change, (Place(names, (text,), (text,)),))


def read_markdown(text):
    """Return what stands in code, in HTML and in plain words, and every other kind of token."""
    code, tags, words, others = [], [], [], set()
    for block in PARSER.parse(text):
        for token in block.children or [block]:
            if token.type in ("code_inline", "fence"):
                code.append(token.content)
            elif token.type == "html_block":
                tags.append(token.content.strip())
            elif token.type == "text":
                words.append(token.content)
            else:
                others.add(token.type)
    return code, tags, words, others


def test_the_fixture(fixture_review):
    """The summary comes first, the fields are folded away below it."""
    assert render(fixture_review, "markdown") == EXPECTED.read_text(encoding="utf-8")


def test_stat(fixture_review):
    """With `--stat`, objects are counted by kind."""
    assert render(fixture_review, "markdown", layout=Layout(stat=True)) == (
        "### neuron-dra: 1 added, 3 changed, 1 replaced, 1 renamed, 2 removed in 4 clusters"
        " (14 objects)\n\n"
        "- `AppProject`: 1 changed\n"
        "- `Application`: 3 changed, 1 removed\n"
        "- `HelmValues`: 1 changed\n"
        "- `NetworkPolicy`: 1 added\n"
        "- `ResourceClaimTemplate`: 4 replaced, 1 renamed, 2 removed\n"
    )


def test_nothing():
    """Where nothing differs, the comment says so."""
    assert render(Review(()), "markdown") == "### neuron-dra: no changes\n"


def test_gaps():
    """A comparison that is not whole says so."""
    assert render(Review(()), "markdown", diagnostics=[BAD]) == (
        "### neuron-dra: no changes\n\n"
        "**incomplete: 1 error; what is broken may show as removed or added**\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "`",
        "``` ",
        "a`b``c",
        "`@octocat`",
        "</code></summary></details><script>alert(1)</script>",
        "</summary>\n\n# title\n\n",
        "<!-- ",
        "&lt;b&gt;",
        "[x](https://example.com)",
        "![x](https://example.com/x.png)",
        "@octocat #1 GH-1",
        "**bold** _it_ ~~x~~ \\",
        "```\n</details>\n# title",
        "a | b\n|---|---|",
        "\r\n- [ ] task",
        "\u202e\u2028# title",
        "",
        " ",
    ],
)
def test_injection(text):
    """No name and no value ends the code that it stands in."""
    check_inert(text)


@given(st.lists(st.sampled_from("`<>&/\\\n\r \t*_[]()!@#|~-+=:\"'qz\u2028\0"), max_size=12))
def test_any_text_is_inert(characters):
    """Whatever characters a tree holds, a comment is code and words of this program."""
    check_inert("".join(characters))


def check_inert(text):
    marked = f"{text}marker{text}"
    review = Review(
        (make_group(marked), make_group(text, clusters=9), make_group(f"x{text}", fields=2))
    )
    for layout in (Layout(), Layout(stat=True)):
        code, tags, words, others = read_markdown(render(review, "markdown", layout=layout))

        assert any("marker" in each for each in code)
        assert [each for each in tags if not HTML.fullmatch(each)] == []
        assert set(re.findall(r"[^\W\d_]+", " ".join(words))) <= set(VOCABULARY.split())
        assert re.fullmatch(r"[\w ,:;()→-]*", " ".join(words))
        assert others <= {
            *("heading_open", "heading_close", "bullet_list_open", "bullet_list_close"),
            *("list_item_open", "list_item_close", "paragraph_open", "paragraph_close"),
            *("strong_open", "strong_close", "softbreak"),
        }


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=20))
def test_code_spans_say_what_they_hold(text):
    """A code span shows the text itself."""
    code, tags, words, _ = read_markdown(f"x {quote(text)} y")

    assert (code, tags, words) == ([text], [], ["x ", " y"])


def test_summaries_say_what_they_hold():
    """A name in HTML shows the text itself."""
    text = render(Review((make_group("<b>&amp;`"),)), "markdown")

    assert html.unescape(re.search(CODE, text)[0]) == "<code><b>&amp;`</code>"


@pytest.mark.parametrize(
    "groups",
    [
        [make_group(f"name-{number}", fields=3) for number in range(3000)],
        [make_group("a" * 300, fields=2000, clusters=2000)] * 3,
        [make_group("`" * 5000)] * 50,
        [make_group("<" * 5000)] * 200,
        [make_group(f"name-{number}", fields=0, kind=ChangeKind.ADDED) for number in range(9000)],
    ],
    ids=["many", "large", "backticks", "escaped", "added"],
)
def test_size(groups):
    """A comment has a limit, says how much it leaves out, and stays well-formed."""
    text = render(Review(tuple(groups)), "markdown")

    assert len(text) <= LIMIT
    assert text.count("<details>") == text.count("</details>")
    assert text.count("```diff\n") * 2 == len(re.findall(r"^```", text, re.MULTILINE))
    listed = len(re.findall(r"^- `[-+~±>]` ", text, re.MULTILINE))
    left = re.search(r"^- and ([0-9,]+) more changes$", text, re.MULTILINE)
    assert listed + (int(left[1].replace(",", "")) if left else 0) == len(groups)
    detailed = sum(bool(group.change.fields) for group in groups)
    cut = re.search(
        r"^The fields of ([0-9]+) of ([0-9,]+) changes? are left out", text, re.MULTILINE
    )
    assert text.count("<details>") + (int(cut[1]) if cut else 0) == detailed
    assert not cut or int(cut[2].replace(",", "")) == detailed


def test_many_kinds():
    """With `--stat`, kinds beyond what has room are counted."""
    groups = tuple(make_group(f"Kind{number}") for number in range(9000))
    text = render(Review(groups), "markdown", layout=Layout(stat=True))
    listed = text.count("\n- `")

    assert len(text) < LIMIT
    assert text.endswith(f"\n- and {9000 - listed:,} more kinds\n")


def test_several_places():
    """Places that are not one are a list below their change."""
    change = ObjectChange(Identity("", "", "A", "", "b"), ChangeKind.ADDED, "p")
    places = (Place(("c",), ("x",)), Place(("c", "d"), ("y",)))
    text = render(Review((ChangeGroup(change, places),)), "markdown")

    assert text.endswith(
        "- `+` `A` `b`\n  - in `x` of cluster `c`\n  - in `y` of 2 clusters: `c`, `d`\n"
    )


def test_long_values():
    """A value is cut with the number of characters that are left out."""
    field = FieldChange("spec.a", ChangeKind.CHANGED, "x" * 1000, 1)
    change = ObjectChange(Identity("", "", "A", "", "b"), ChangeKind.CHANGED, "p", (field,))
    text = render(Review((ChangeGroup(change, (Place(("c",), ()),)),)), "markdown")

    assert f'\n- "{"x" * 399}… (602 more characters)\n+ 1\n' in text


def test_many_fields():
    """Fields beyond what has room are counted."""
    text = render(Review((make_group("a", fields=2000),)), "markdown")
    shown = text.count("@@ a.")

    assert 100 < shown < 2000
    assert f"\nand {2000 - shown:,} more fields\n```\n" in text
