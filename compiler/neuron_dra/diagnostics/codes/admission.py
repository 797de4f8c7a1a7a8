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
OBJECT_REFUSED = Code(
    "ND4073",
    "object-refused",
    Severity.ERROR,
    "The API server would refuse an object by a rule that its schema does not tell.",
)
FIELD_DROPPED = Code(
    "ND4074",
    "field-dropped",
    Severity.ERROR,
    "The API server would accept an object and not store one of its fields.",
)
NOT_SERVED = Code(
    "ND4075",
    "version-not-served",
    Severity.WARNING,
    "An object is of a version of the API that is off by default.",
)
PARAMETERS_REFUSED = Code(
    "ND4076",
    "parameters-refused",
    Severity.ERROR,
    "A driver would fail on the parameters in a claim or class, after scheduling.",
)
PARAMETERS_DOUBTFUL = Code(
    "ND4077",
    "parameters-of-older-driver",
    Severity.WARNING,
    "Parameters are of a form that only older drivers are known to take.",
)
