"""Comments that take a warning back: how they are read."""

from __future__ import annotations

import pytest

from neuron_dra.diagnostics import Severity
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.source import Source
from neuron_dra.spec.suppressions import read_suppressions

BY_SEVERITY = {
    severity: sorted(code.slug for code in load_codes().values() if code.severity is severity)
    for severity in Severity
}
WARNING, OTHER = BY_SEVERITY[Severity.WARNING][:2]
NOTE = BY_SEVERITY[Severity.NOTE][0]


def read(comment, text="a: b {}\n"):
    return read_suppressions([Source("a.yaml", text.format(comment).encode())])


@pytest.mark.parametrize(
    ("words", "slugs"),
    [
        (f"allow {WARNING} -- a reason", [WARNING]),
        (f"allow {NOTE} -- a reason", [NOTE]),
        (f"allow {WARNING},{OTHER} -- a reason", [WARNING, OTHER]),
        (f"allow {WARNING} , {OTHER} -- a reason", [WARNING, OTHER]),
        (f"allow  {WARNING}  --  a reason -- of two parts # and a sign", [WARNING]),
    ],
)
def test_read(words, slugs):
    """A comment allows every finding that it names, each at its own place."""
    line = f"a: b # neuron-dra: {words}\n"
    suppressions, problems = read_suppressions([Source("a.yaml", line.encode())])

    assert problems == []
    assert [each.code.slug for each in suppressions] == slugs
    assert [each.line for each in suppressions] == [0] * len(slugs)
    for each in suppressions:
        assert line[each.span.column : each.span.end_column] == each.code.slug


def test_alone():
    """A comment that stands alone speaks of the line below it."""
    suppressions, _ = read(f"# neuron-dra: allow {WARNING} -- reason", "{}\na: b\n")

    assert [each.line for each in suppressions] == [1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "`allow` is missing"),
        ("alow x -- reason", "a comment can `allow` a finding, not `alow`"),
        ("allow", "the name of the finding is missing"),
        ("allow -- reason", "the name of the finding is missing"),
        (f"allow {WARNING}", "the reason is missing"),
        (f"allow {WARNING} --", "the reason is missing"),
        (f"allow {WARNING} --  ", "the reason is missing"),
        (f"allow {WARNING} --reason", "the reason is missing"),
        (
            f"allow {WARNING} {OTHER} -- reason",
            f"one comma belongs between `{WARNING}` and `{OTHER}`",
        ),
        (
            f"allow {WARNING},,{OTHER} -- reason",
            f"one comma belongs between `{WARNING}` and `{OTHER}`",
        ),
    ],
)
def test_malformed(words, message):
    """A comment without one of its parts is told as a whole, with the form."""
    suppressions, [problem] = read(f"# neuron-dra: {words}".rstrip())

    assert suppressions == []
    assert problem.code.id == "ND2070"
    assert problem.severity is Severity.ERROR
    assert problem.message == message
    assert problem.help == "write `# neuron-dra: allow SLUG -- reason`"
    assert problem.span.column == 5


@pytest.mark.parametrize(
    ("slug", "hint"),
    [
        (WARNING[:-1], f"did you mean `{WARNING}`?"),
        ("ND2018", "write its name, `unused-defaults`"),
        ("nd2018", "write its name, `unused-defaults`"),
        ("zzzzzzzzzzzzzzz", ""),
    ],
)
def test_unknown(slug, hint):
    """A name that is no finding's is told at its place, with the nearest one."""
    suppressions, [problem] = read(f"# neuron-dra: allow {slug}, {OTHER} -- reason")

    assert [each.code.slug for each in suppressions] == [OTHER]
    assert (problem.code.id, problem.help) == ("ND2070", hint)
    assert problem.span.end_column - problem.span.column == len(slug)


@pytest.mark.parametrize("slug", BY_SEVERITY[Severity.ERROR])
def test_errors(slug):
    """No error can be allowed, whichever it is."""
    suppressions, [problem] = read(f"# neuron-dra: allow {slug} -- reason")

    assert suppressions == []
    assert problem.code.id == "ND2071"


def test_texts():
    """What looks like such a comment inside of a text allows nothing and is not judged."""
    assert read("# neuron-dra: allow", 'a: "{}"\nb: |\n  # neuron-dra: x\n') == ([], [])
