"""SARIF 2.1.0 logs: what its schema and code scanning ask of them."""

from __future__ import annotations

import json
import re

import pytest

from neuron_dra import __version__
from neuron_dra.diagnostics import Edit, Related, Severity
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.diagnostics.fingerprint import fingerprint_all
from neuron_dra.diagnostics.pages import load_page
from neuron_dra.diagnostics.render import render
from neuron_dra.source import Source, Span

CODES = load_codes()
BAD = CODES["ND2001"]
ODD = next(code for code in CODES.values() if code.severity is Severity.WARNING)
HINT = next(code for code in CODES.values() if code.severity is Severity.NOTE)
SOURCE = Source("specs/fleet.yaml", b"spec:\n  regoin: x\n")
SPAN = Span(SOURCE, 1, 2, 1, 8)
URI_REFERENCE = re.compile(r"(?:[A-Za-z0-9._~/!$&'()*+,;=@-]|%[0-9A-F]{2})+|file:///[^ ]*")


def run_of(*found):
    """Return the only run of a log, of which everything that can be asked at once is asked."""
    log = json.loads(render(found, "sarif"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    [run] = log["runs"]
    check_run(run)
    return run


def check_run(run):
    rules = run["tool"]["driver"]["rules"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        assert len(result["locations"]) == 1
        for place in [*result["locations"], *result.get("relatedLocations", [])]:
            check_place(place["physicalLocation"])
    assert {result["ruleId"] for result in run["results"]} == {rule["id"] for rule in rules}


def check_place(place):
    region = place["region"]
    assert URI_REFERENCE.fullmatch(place["artifactLocation"]["uri"])
    assert region["startLine"] >= 1
    assert region["startColumn"] >= 1
    start = (region["startLine"], region["startColumn"])
    assert (region["endLine"], region["endColumn"]) >= start


def test_result():
    """A diagnostic is a result of its rule, at its region, with its fingerprint."""
    found = BAD.at(SPAN, "unknown key `regoin`", label="here", help="did you mean `region`?")

    assert run_of(found)["results"] == [
        {
            "ruleId": "ND2001",
            "ruleIndex": 0,
            "level": "error",
            "message": {"text": "unknown key `regoin`\nhere\nhelp: did you mean `region`?"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "specs/fleet.yaml"},
                        "region": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 9},
                    }
                }
            ],
            "partialFingerprints": {"neuronDra/v1": fingerprint_all([found])[0][1]},
        }
    ]


def test_rules():
    """The rules are those that occur, sorted, each with its page."""
    driver = run_of(ODD.at(SPAN, "odd"), BAD.at(SPAN, "bad"), BAD.at(SPAN, "worse"))["tool"][
        "driver"
    ]

    assert driver["version"] == __version__
    assert [rule["id"] for rule in driver["rules"]] == sorted([BAD.id, ODD.id])
    assert driver["rules"][0] == {
        "id": "ND2001",
        "name": BAD.slug,
        "shortDescription": {"text": BAD.summary},
        "defaultConfiguration": {"level": "error"},
        "help": {"text": load_page("ND2001"), "markdown": load_page("ND2001")},
    }


def test_levels():
    """A level is the word of the severity."""
    found = [code.at(SPAN, "told") for code in (BAD, ODD, HINT)]

    assert [each["level"] for each in run_of(*found)["results"]] == ["error", "warning", "note"]


def test_related():
    """Related places have numbers and messages; an object is a logical place."""
    related = [Related(Span(SOURCE, 0, 0, 0, 4), "first"), Related(SPAN, "second")]
    [result] = run_of(BAD.at(SPAN, "bad", related=related, subject="Cluster prod"))["results"]

    assert [
        (each["id"], each["message"]["text"], each["physicalLocation"]["region"]["startLine"])
        for each in result["relatedLocations"]
    ] == [(0, "first", 1), (1, "second", 2)]
    assert result["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "Cluster prod"}]


def test_fixes():
    """All edits of a diagnostic are one fix, by file and in order."""
    other = Source("b.yaml", b"x: y\n")
    edits = [
        Edit(Span(other, 0, 0, 0, 1), "z"),
        Edit(SPAN, "region"),
        Edit(Span(SOURCE, 0, 0, 0, 4), ""),
    ]
    [result] = run_of(BAD.at(SPAN, "bad", edits=edits))["results"]
    [fix] = result["fixes"]

    assert [
        (
            change["artifactLocation"]["uri"],
            [each["insertedContent"]["text"] for each in change["replacements"]],
        )
        for change in fix["artifactChanges"]
    ] == [("b.yaml", ["z"]), ("specs/fleet.yaml", ["", "region"])]
    deleted = fix["artifactChanges"][1]["replacements"][1]["deletedRegion"]
    assert deleted == {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 9}


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("<stdin>", "%3Cstdin%3E"),
        ("a b/ü#?.yaml", "a%20b/%C3%BC%23%3F.yaml"),
        ("c:d.yaml", "c%3Ad.yaml"),
        ("100%.yaml", "100%25.yaml"),
        ("/srv/a b.yaml", "file:///srv/a%20b.yaml"),
        ("../a.yaml", "../a.yaml"),
        ("bad\udcff.yaml", "bad%FF.yaml"),
    ],
)
def test_paths(path, uri):
    """A path is a URI reference: what a URI cannot hold is percent-encoded."""
    run = run_of(BAD.at(Span.of_file(Source(path, b"x\n")), "bad"))
    place = run["results"][0]["locations"][0]["physicalLocation"]

    assert place["artifactLocation"] == {"uri": uri}


def test_columns():
    """Columns count code points, also beyond the basic plane."""
    source = Source("a.yaml", "😀😀: x\n".encode())
    [result] = run_of(BAD.at(Span(source, 0, 4, 0, 5), "bad"))["results"]

    assert result["locations"][0]["physicalLocation"]["region"]["startColumn"] == 5


def test_control_characters():
    """Nothing of the input is hidden in a message."""
    [result] = run_of(BAD.at(SPAN, "a\x1b[0m\udc80\nb"))["results"]

    assert result["message"]["text"] == "a␛[0m<U+DC80> b"


def test_no_diagnostics():
    """A log about nothing has a run without results and rules."""
    run = run_of()

    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []
