"""Codes of admission: what the API server would refuse in an object of the output."""

from neuron_dra.diagnostics import Code, Severity

SCHEMA_VIOLATION = Code(
    "ND4070",
    "schema-violation",
    Severity.ERROR,
    "An object does not have the shape that the target Kubernetes has for its kind.",
)
INVALID_METADATA = Code(
    "ND4071",
    "invalid-metadata",
    Severity.ERROR,
    "A name, namespace, label or annotation of an object is not valid.",
)
NOT_CHECKED = Code(
    "ND4072",
    "object-not-checked",
    Severity.NOTE,
    "An object has a kind that no schema is known of, so its fields are not checked.",
)
