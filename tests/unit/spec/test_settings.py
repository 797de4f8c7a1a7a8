"""The settings of a team: what they may say, and where they are wrong."""

from __future__ import annotations

import pytest

from neuron_dra.diagnostics import Severity
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.source import Source
from neuron_dra.spec.settings import read_settings

CODES = load_codes().values()
WARNING = next(code for code in CODES if code.severity is Severity.WARNING)
NOTE = next(code for code in CODES if code.severity is Severity.NOTE)
ERRORS = [code for code in CODES if code.severity is Severity.ERROR]


def read(text):
    return read_settings(Source("neuron-dra.toml", text.encode()))


def problem(text):
    """Return the code of the only problem and the text that it points at."""
    _, [found] = read(text)
    line = text.splitlines()[found.span.line] if text.strip() else ""
    return found.code.id, line[found.span.column : found.span.end_column]


def test_empty():
    """An empty file changes nothing."""
    settings, problems = read("")

    assert (settings.severities, settings.fail_on, settings.max_findings) == ({}, "", 0)
    assert problems == []


@pytest.mark.parametrize("code", [WARNING, NOTE])
@pytest.mark.parametrize(
    ("level", "severity"),
    [
        ("error", Severity.ERROR),
        ("warning", Severity.WARNING),
        ("note", Severity.NOTE),
        ("off", None),
    ],
)
def test_severity(code, level, severity):
    """A warning or a note can be raised, lowered and switched off."""
    settings, problems = read(f'[severity]\n{code.slug} = "{level}"\n')

    assert problems == []
    assert settings.severities == {code.id: severity}


@pytest.mark.parametrize("code", ERRORS)
def test_errors(code):
    """An error can be called one, and nothing less."""
    assert read(f'[severity]\n{code.slug} = "error"\n')[1] == []
    for level in ("warning", "note", "off"):
        text = f'[severity]\n{code.slug} = "{level}"\n'
        assert read(text)[0].severities == {}
        assert problem(text) == ("ND2076", code.slug)


def test_check():
    """The options of `check` have settings."""
    settings, problems = read('[check]\nfail-on = "warning"\nmax-findings = 20\n')

    assert problems == []
    assert (settings.fail_on, settings.max_findings) == ("warning", 20)


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ('[severity]\nunused-default = "off"\n', "ND2074", "unused-default"),
        ("[chekc]\n", "ND2074", "chekc"),
        ("chekc = 1\n", "ND2074", "chekc"),
        ("[check]\nmax-finding = 1\n", "ND2074", "max-finding"),
        ("check.max-finding = 1\n", "ND2074", "max-finding"),
        ("check = {max-findings = 0, max-finding = 1}\n", "ND2074", "max-finding"),
        ('[check]\n"max finding" = 1\n', "ND2074", "max finding"),
        ("severity = 1\n", "ND2075", "severity"),
        (f'[severity]\n{WARNING.slug} = "of"\n', "ND2075", WARNING.slug),
        (f"[severity]\n{WARNING.slug} = true\n", "ND2075", WARNING.slug),
        (f'[severity]\n{WARNING.slug} = ["off"]\n', "ND2075", WARNING.slug),
        ('[check]\nfail-on = "note"\n', "ND2075", "fail-on"),
        ("[check]\nfail-on = [1]\n", "ND2075", "fail-on"),
        ("[check]\nmax-findings = -1\n", "ND2075", "max-findings"),
        ("[check]\nmax-findings = true\n", "ND2075", "max-findings"),
        ('[check]\nmax-findings = "1"\n', "ND2075", "max-findings"),
        ("[severity]\nx = off\n", "ND2073", "o"),
        ("[severity\n", "ND2073", ""),
        ("a = 1\na = 2\n", "ND2073", ""),
    ],
)
def test_problems(text, code, place):
    """What is wrong is told at the key, or at the place where TOML ends."""
    assert problem(text) == (code, place)


def test_place_without_a_line():
    """A key that is written in another way is told at the start of the file."""
    assert problem('"\\u0063hekc" = 1\n') == ("ND2074", "")


def test_not_utf8():
    """Bytes that are no text are told at their place."""
    _, [found] = read_settings(Source("neuron-dra.toml", b"a = '\xff'\n"))

    assert (found.code.id, found.span.column) == ("ND1001", 5)


def test_hint():
    """The nearest key is named; of many that are all far, none."""
    assert read("[chekc]\n")[1][0].help == "did you mean `check`?"
    assert read("[severity]\nzzzzzzz = 1\n")[1][0].help == "`neuron-dra explain` lists all findings"
    assert read("zzz = 1\n")[1][0].help == "known: `check`, `severity`"


def test_all_at_once():
    """Every mistake is told, and what is sound is kept."""
    settings, problems = read(
        f'[severity]\n{WARNING.slug} = "off"\nx = "off"\n[check]\nfail-on = "x"\nmax-findings = 3\n'
    )

    assert [each.code.id for each in problems] == ["ND2074", "ND2075"]
    assert settings.severities == {WARNING.id: None}
    assert settings.max_findings == 3
