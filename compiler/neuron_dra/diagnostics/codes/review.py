"""Codes of reviews: an output tree that cannot be compared as it is."""

from neuron_dra.diagnostics import Code, Severity

NO_OBJECT = Code(
    "ND8010",
    "no-object",
    Severity.ERROR,
    "A file of an output tree does not say which object it is.",
)
DUPLICATE_OBJECT = Code(
    "ND8011",
    "duplicate-object",
    Severity.ERROR,
    "One object stands twice in an output tree.",
)
