"""Codes of dumps: objects of a cluster that cannot be read, and claims that cannot be asked for."""

from neuron_dra.diagnostics import Code, Severity

UNREADABLE_FIELD = Code(
    "ND7001",
    "unreadable-field",
    Severity.ERROR,
    "A field of an object in a dump is missing or has another type.",
)
NO_OBJECT = Code(
    "ND7002",
    "not-an-object",
    Severity.ERROR,
    "A document of a dump is no Kubernetes object.",
)
IGNORED_OBJECTS = Code(
    "ND7003",
    "ignored-objects",
    Severity.NOTE,
    "A dump holds objects of kinds that decide nothing about devices.",
)
COPIES_DIFFER = Code(
    "ND7004",
    "copies-differ",
    Severity.ERROR,
    "One object stands twice in the dumps, with different content.",
)
NO_REQUESTS = Code(
    "ND7005",
    "claim-without-requests",
    Severity.WARNING,
    "A claim asks for nothing.",
)
UNKNOWN_CLAIM = Code(
    "ND7006",
    "unknown-claim",
    Severity.ERROR,
    "A pod names a claim or a template that is nowhere to be found.",
)
NOTHING_THERE = Code(
    "ND7007",
    "nothing-to-read",
    Severity.ERROR,
    "The files hold no object of the kinds that are needed.",
)
IMPOSSIBLE_CLAIM = Code(
    "ND7008",
    "impossible-claim",
    Severity.ERROR,
    "A claim that is asked for cannot exist: the API server refuses it.",
)
