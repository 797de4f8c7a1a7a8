"""What is told in the end."""

from __future__ import annotations

import pytest

from neuron_dra.api.baseline import write_baseline
from neuron_dra.api.policy import Policy, describe_settled, find_policy, settle, worst
from neuron_dra.diagnostics import Severity
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.source import Source, Span
from neuron_dra.spec.settings import Settings

CODES = load_codes()
ODD, OTHER = [code for code in CODES.values() if code.severity is Severity.WARNING][:2]
HINT = next(code for code in CODES.values() if code.severity is Severity.NOTE)
BAD = CODES["ND2001"]
UNUSED = "ND2072"


def source(text, path="a.yaml"):
    return Source(path, text.encode())


def at(code, where, line, column=0):
    return code.at(Span(where, line, column, line, column + 1), "told")


def ids(settled):
    return [each.code.id for each in settled.diagnostics]


@pytest.mark.parametrize("code", [ODD, HINT])
@pytest.mark.parametrize("text", ["a: b {}\n", "{}\na: b\n"])
def test_suppressed(code, text):
    """A comment takes back what is told at its line, or below it where it stands alone."""
    where = source(text.format(f"# neuron-dra: allow {code.slug} -- reason"))
    line = text.count("\n") - 1
    settled = settle([where], [at(code, where, line), at(code, where, line, 1)], is_complete=True)

    assert settled.diagnostics == ()
    assert settled.suppressed == 2


def test_not_suppressed():
    """Another finding, another line and another file are told, and the comment is of no use."""
    where = source(f"a: b # neuron-dra: allow {ODD.slug} -- reason\nc: d\n")
    other = source("a: b\n", "b.yaml")
    found = [at(OTHER, where, 0), at(ODD, where, 1), at(ODD, other, 0)]
    settled = settle([where, other], found, is_complete=True)

    assert set(found) < set(settled.diagnostics)
    assert sorted(ids(settled)) == sorted([OTHER.id, ODD.id, ODD.id, UNUSED])
    assert settled.suppressed == 0


def test_one_of_two():
    """Of several names in a comment, the one that takes nothing back is told."""
    where = source(f"a: b # neuron-dra: allow {ODD.slug}, {OTHER.slug} -- reason\n")
    settled = settle([where], [at(ODD, where, 0)], is_complete=True)

    assert ids(settled) == [UNUSED]
    assert OTHER.slug in settled.diagnostics[0].message


@pytest.mark.parametrize(("found", "is_complete"), [([BAD], True), ([], False)])
def test_unused_is_not_known(found, is_complete):
    """Beside errors, or where not everything is looked for, no comment is said to be of no use."""
    where = source(f"a: b # neuron-dra: allow {ODD.slug} -- reason\n")
    settled = settle([where], [at(code, where, 0) for code in found], is_complete=is_complete)

    assert UNUSED not in ids(settled)


@pytest.mark.parametrize(
    "code", [code for code in CODES.values() if code.severity is Severity.ERROR]
)
def test_errors(code):
    """An error is told whatever a comment says."""
    where = source(f"a: b # neuron-dra: allow {code.slug} -- reason\n")
    found = at(code, where, 0)
    settled = settle([where], [found], is_complete=True)

    assert found in settled.diagnostics
    assert settled.suppressed == 0


def test_describe():
    """What is not told is counted."""
    where = source(f"a: b # neuron-dra: allow {ODD.slug} -- reason\n")
    one = settle([where], [at(ODD, where, 0)])
    two = settle([where], [at(ODD, where, 0), at(ODD, where, 0, 1)])

    assert describe_settled(settle([where], [])) == ""
    assert describe_settled(one) == "1 finding is allowed by comments in the specs\n"
    assert describe_settled(two) == "2 findings are allowed by comments in the specs\n"


@pytest.mark.parametrize(
    ("level", "expected"),
    [("error", "error"), ("note", "note"), ("warning", "warning"), ("off", None)],
)
def test_settings(level, expected, tmp_path):
    """A severity that is chosen is told; what is off is counted."""
    (tmp_path / "neuron-dra.toml").write_text(f'[severity]\n{ODD.slug} = "{level}"\n')
    where = source("a: b\n")
    settled = settle([where], [at(ODD, where, 0)], find_policy([str(tmp_path)]))

    assert [each.severity.word for each in settled.diagnostics] == ([expected] if expected else [])
    assert settled.switched_off == (expected is None)
    assert ("off by neuron-dra.toml" in describe_settled(settled)) == (expected is None)


def test_settings_of_the_comments_themselves(tmp_path):
    """What is said of a useless comment has a severity too."""
    (tmp_path / "neuron-dra.toml").write_text('[severity]\nunused-suppression = "off"\n')
    where = source(f"a: b # neuron-dra: allow {ODD.slug} -- reason\n")

    assert ids(settle([where], [], find_policy([str(tmp_path)]), is_complete=True)) == []


def test_wrong_settings(tmp_path):
    """What is wrong with the settings is told beside everything else."""
    (tmp_path / "neuron-dra.toml").write_text("x = 1\n")
    where = source("a: b\n")
    settled = settle([where], [at(ODD, where, 0)], find_policy([str(tmp_path)]))

    assert sorted(ids(settled)) == sorted(["ND2074", ODD.id])


def test_baseline():
    """Known warnings are counted; a raised one is an error, which no baseline knows."""
    where = source("a: b\nc: d\n")
    known = Source("b.json", write_baseline([at(ODD, where, 0)]).encode())
    settled = settle([where], [at(ODD, where, 0), at(ODD, where, 1)], Policy(baseline=known))
    raised = Policy(Settings({ODD.id: Severity.ERROR}), baseline=known)

    assert [each.span.line for each in settled.diagnostics] == [1]
    assert settled.known == 1
    assert len(settled.accepted) == 2
    assert len(settle([where], [at(ODD, where, 0)], raised).diagnostics) == 1


@pytest.mark.parametrize(("most", "shown"), [(0, 4), (1, 1), (2, 2), (3, 3), (9, 4)])
def test_worst(most, shown):
    """The worst findings are shown, in the order of their places; the rest is left."""
    where = source("a\nb\nc\nd\n")
    found = [at(HINT, where, 0), at(ODD, where, 1), at(BAD, where, 2), at(BAD, where, 3)]
    chosen, rest = worst(found, most)

    assert len(chosen) == shown
    assert sorted(each.span.line for each in (*chosen, *rest)) == [0, 1, 2, 3]
    assert [each.span.line for each in chosen] == sorted(each.span.line for each in chosen)
    assert max(each.severity for each in chosen) <= min(
        (each.severity for each in rest), default=Severity.NOTE
    )
