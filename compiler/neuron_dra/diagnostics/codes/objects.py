"""Codes of the objects phase that belong to no single kind."""

from neuron_dra.diagnostics import Code, Severity

EXTRA_WITHOUT_IDENTITY = Code(
    "ND4080",
    "extra-object-without-identity",
    Severity.ERROR,
    "An extra object lacks apiVersion, kind or metadata.name.",
)
SECRET_WITH_DATA = Code(
    "ND4081", "secret-with-data", Severity.ERROR, "An extra object is a Secret that holds data."
)
EXTRA_UNKNOWN_FIELD = Code(
    "ND4082",
    "extra-object-unknown-field",
    Severity.ERROR,
    "An extra object has a field that its kind does not have.",
)
EXTRA_WRONG_TYPE = Code(
    "ND4083",
    "extra-object-wrong-type",
    Severity.ERROR,
    "A field of an extra object has another type than its kind says.",
)
EXTRA_MISSING_FIELD = Code(
    "ND4084",
    "extra-object-missing-field",
    Severity.ERROR,
    "An extra object lacks a field that its kind requires.",
)
OBJECT_TWICE = Code(
    "ND4085", "object-twice", Severity.ERROR, "Two sources give one object of a cluster."
)
EXTRA_INVALID_TYPE = Code(
    "ND4086",
    "extra-object-invalid-type",
    Severity.ERROR,
    "An extra object has an apiVersion or a kind that no API can have.",
)
EXTRA_DOCUMENT = Code(
    "ND4087",
    "spec-as-extra-object",
    Severity.ERROR,
    "An extra object is a document of the spec language.",
)
EXTRA_VENDED = Code(
    "ND4088",
    "vended-extra-object",
    Severity.ERROR,
    "An extra object is one that the chart of a driver creates.",
)
