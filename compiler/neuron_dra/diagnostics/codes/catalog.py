"""Codes of the catalogue: files of facts that are not sound, or do not agree with each other."""

from neuron_dra.diagnostics import Code, Severity

UNKNOWN_NAME = Code(
    "ND6001",
    "unknown-catalogue-name",
    Severity.ERROR,
    "A file of the catalogue names a chip, device map or driver that is not there.",
)
MISSING_SOURCE = Code(
    "ND6002", "missing-source", Severity.ERROR, "A group of facts does not say where it is from."
)
NAME_DIFFERS = Code(
    "ND6003",
    "name-differs-from-file",
    Severity.ERROR,
    "The name in a file of the catalogue is not the name of the file.",
)
INCONSISTENT_NUMBERS = Code(
    "ND6004", "inconsistent-numbers", Severity.ERROR, "Two facts about hardware exclude each other."
)
UNKNOWN_ATTRIBUTE = Code(
    "ND6005",
    "unknown-published-attribute",
    Severity.ERROR,
    "An instance type publishes an attribute that its driver does not know.",
)
STRAY_FILE = Code(
    "ND6006",
    "stray-catalogue-file",
    Severity.ERROR,
    "A folder of facts holds a file that nothing would read.",
)
NOT_ONE_DOCUMENT = Code(
    "ND6007",
    "not-one-document",
    Severity.ERROR,
    "A file of the catalogue does not hold exactly one document.",
)
REDEFINED_TYPE = Code(
    "ND6008",
    "redefined-instance-type",
    Severity.ERROR,
    "A spec defines an instance type that the catalogue already has.",
)
NEEDED_ATTRIBUTE = Code(
    "ND6009",
    "needed-attribute-not-published",
    Severity.ERROR,
    "An instance type may publish devices without an attribute that every device class reads.",
)
UNUSED_TYPE = Code(
    "ND6010",
    "unused-instance-type",
    Severity.WARNING,
    "Nothing names an instance type that the specs define.",
)
