"""What users read when something is wrong: the texts of tests/errors/ and the explain pages."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from pathlib import Path

import pytest

import make_errors
import neuron_dra.diagnostics
from neuron_dra.api.policy import find_policy
from neuron_dra.diagnostics import Code, Severity
from neuron_dra.diagnostics.codes import load_codes, review, settings
from neuron_dra.diagnostics.pages import examples, load_page
from neuron_dra.source import Source

CODES = load_codes()
PAGES = Path(neuron_dra.diagnostics.__file__).with_name("explain")
ALL_AT_ONCE = "thirty-mistakes"
CASES = [case for case in make_errors.list_cases() if case != ALL_AT_ONCE]
# The examples of a review's codes are files of an output tree.
OF_A_TREE = {each.id for each in vars(review).values() if isinstance(each, Code)}
OF_SETTINGS = {each.id for each in vars(settings).values() if isinstance(each, Code)}
# An example that is a file of the catalogue names the file in its first line.
FILE = re.compile(rb"# (\S+\.yaml)\n")
CLUSTER = """apiVersion: neuron-dra.dev/v1alpha1
kind: Cluster
metadata: {name: uses-the-file}
spec:
  kubernetes: 1.36
  drivers: {neuron: {chartVersion: 1.10.0}}
"""


@pytest.mark.parametrize("case", [*CASES, ALL_AT_ONCE])
def test_text(case):
    """A bad spec is answered by exactly the committed text."""
    path = make_errors.expected_file(case)
    expected = path.read_bytes().decode() if path.exists() else ""
    made = make_errors.make_text(case)

    difference = "".join(
        difflib.unified_diff(
            expected.splitlines(keepends=True),
            made.splitlines(keepends=True),
            str(path.relative_to(make_errors.ERRORS)),
            "made now",
        )
    )
    assert not difference, f"{difference}\nrun: make errors, then review the diff"
    assert made == expected


@pytest.mark.parametrize("case", CASES)
def test_case_is_about_its_code(case):
    """A case gives its code, and nothing else that is as bad."""
    code = CODES[case.partition("-")[0]]
    told = [each for each in make_errors.diagnose(case) if each.severity <= code.severity]
    if code.severity is Severity.NOTE:
        told = [each for each in told if each.severity < Severity.NOTE or each.code == code]

    assert {each.code.id for each in told} == {code.id}


def test_every_code_has_a_case():
    """Each code has one case, named by its id and slug; no case is of no code."""
    assert [f"{code.id}-{code.slug}" for code in CODES.values()] == CASES


def test_no_text_is_left_over():
    """Each text belongs to a case."""
    texts = {make_errors.expected_file(case) for case in (*CASES, ALL_AT_ONCE)}

    assert set(make_errors.ERRORS.rglob("*.err")) == texts


def test_thirty_mistakes():
    """One run tells of thirty mistakes in one file: thirty codes, once each."""
    told = Counter(each.code.id for each in make_errors.diagnose(ALL_AT_ONCE) if each.severity < 2)

    assert len(told) == 30
    assert set(told.values()) == {1}


def test_every_code_has_a_page():
    """Each code has a page, and no page is of no code."""
    assert sorted(path.stem for path in PAGES.iterdir()) == list(CODES)


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.id)
def test_title(code):
    """A page is headed by the id and slug of its code."""
    assert load_page(code.id).splitlines()[0] == f"# {code.id} {code.slug}"


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.id)
def test_wrong_example(code, tmp_path):
    """The wrong example of a page gives its code once, and nothing else that is as bad."""
    told = diagnose(code, examples(load_page(code.id))[0], tmp_path)
    as_bad = [each.code.id for each in told if each.severity <= code.severity]
    if code.severity is Severity.NOTE:
        as_bad = [each for each in as_bad if CODES[each].severity < 2 or each == code.id]

    assert as_bad == [code.id]


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.id)
def test_right_example(code, tmp_path):
    """The right example of a page gives no error, and not its code."""
    told = diagnose(code, examples(load_page(code.id))[1], tmp_path)

    assert [each.code.id for each in told if each.severity is Severity.ERROR] == []
    assert code.id not in [each.code.id for each in told]


def diagnose(code, example, folder):
    """Build an example as what it is: a spec, a dump, a file of the catalogue or of a tree."""
    if make_errors.is_dump(example):
        return make_errors.diagnose_dump("example.yaml", example)
    if code.id in OF_SETTINGS:
        return diagnose_settings(example, folder)
    if code.id in OF_A_TREE:
        write(folder / "clusters/prod-usw2/manifests/example.yaml", example)
        return make_errors.read_tree(str(folder))
    named = FILE.match(example)
    if not named:
        return make_errors.check([Source("example.yaml", example)])
    file = folder / named[1].decode()
    write(file, example)
    spec = CLUSTER
    if file.parent.name == "instances":  # such a file is read when a spec names it
        spec += f"  nodePools: [{{name: main, instanceType: {file.stem}}}]\n"
    return make_errors.check([Source("example.yaml", spec.encode())], str(folder))


def diagnose_settings(example, folder):
    """Check a small spec with settings, or with a baseline: an example that is JSON."""
    spec = folder / "specs" / "example.yaml"
    write(spec, CLUSTER.encode())
    baseline = Source("baseline.json", example) if example.startswith(b"{") else None
    if baseline is None:
        (folder / "neuron-dra.toml").write_bytes(example)
    policy = find_policy([str(folder / "specs")], baseline)
    return make_errors.check([Source("example.yaml", spec.read_bytes())], policy=policy)


def write(file, data):
    file.parent.mkdir(parents=True)
    file.write_bytes(data)
