"""Named formats."""

from __future__ import annotations

from unit.cel.outcomes import describe, judged

TRUE = [
    'format.byte().validate("").hasValue()',
    'format.dns1123Label().validate("A").hasValue()',
    'format.qualifiedName().validate("a/b/c").hasValue()',
    'format.uuid().validate("123").hasValue()',
    'format.date().validate("2024-13-01").hasValue()',
    'format.datetime().validate("2024-12-01").hasValue()',
    'format.byte().validate("YQ=").hasValue()',
    'format.uri().validate("a").hasValue()',
    'format.named("dns1123Label").hasValue()',
    'format.named("dns1035Label").value().validate("1a").hasValue()',
    "format.dns1123Label() == format.dns1123Label()",
    'format.dns1123Label().validate("a" + "b").orValue(["x"]) == ["x"]',
    'format.dns1123LabelPrefix().validate("-").hasValue()',
    'format.labelValue().validate("a b").hasValue()',
    'format.qualifiedName().validate("A/b").hasValue()',
    'format.datetime().validate("2024-12-01T25:00:00Z").hasValue()',
    "[format.uuid()] == [format.uuid()]",
]
FALSE = [
    'format.dns1123Label().validate("a-b").hasValue()',
    'format.dns1123LabelPrefix().validate("a-").hasValue()',
    'format.dns1123Subdomain().validate("a.b").hasValue()',
    'format.qualifiedName().validate("a.b/C_d").hasValue()',
    'format.labelValue().validate("").hasValue()',
    'format.uuid().validate("123e4567-e89b-12d3-a456-426614174000").hasValue()',
    'format.date().validate("2024-12-01").hasValue()',
    'format.datetime().validate("2024-12-01T00:00:00Z").hasValue()',
    'format.byte().validate("YQ==").hasValue()',
    'format.named("x").hasValue()',
    "format.dns1123Label() == format.dns1123Subdomain()",
    'format.uri().validate("http://a/b").hasValue()',
    'format.dns1035Label().validate("a-1").hasValue()',
    'format.dns1035LabelPrefix().validate("a-").hasValue()',
    'format.dns1123SubdomainPrefix().validate("a.b-").hasValue()',
    'format.labelValue().validate("a_b").hasValue()',
    'format.qualifiedName().validate("name").hasValue()',
]
FAILS = [
    "format.dns1123Label().validate(dyn(1)).hasValue()",
    'dyn(format.uuid()) == "x"',
]


@judged(TRUE, FALSE, FAILS)
def test_outcomes(expression, expected, outcome):
    """The device gets the outcome that it gets in the real API server."""
    assert describe(outcome(expression)) == expected
