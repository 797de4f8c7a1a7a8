"""Codes of the spec phase: documents that are YAML but not the spec language."""

from neuron_dra.diagnostics import Code, Severity

UNKNOWN_KEY = Code("ND2001", "unknown-key", Severity.ERROR, "A key is not part of the language.")
MISSING_KEY = Code("ND2002", "missing-key", Severity.ERROR, "A required key is missing.")
WRONG_TYPE = Code("ND2003", "wrong-type", Severity.ERROR, "A value has another type than its key.")
INVALID_VALUE = Code("ND2004", "invalid-value", Severity.ERROR, "A value is outside its format.")
DUPLICATE_ITEM = Code("ND2005", "duplicate-item", Severity.ERROR, "A list has an item twice.")
UNKNOWN_KIND = Code("ND2006", "unknown-kind", Severity.ERROR, "A document has an unknown kind.")
UNKNOWN_API_VERSION = Code(
    "ND2007", "unknown-api-version", Severity.ERROR, "A document has an unknown apiVersion."
)
DUPLICATE_DOCUMENT = Code(
    "ND2008", "duplicate-document", Severity.ERROR, "Two documents have the same kind and name."
)
NOT_A_DOCUMENT = Code("ND2009", "not-a-document", Severity.ERROR, "A document is not a map.")
NO_DOCUMENTS = Code("ND2010", "no-documents", Severity.ERROR, "The input holds no documents.")
KEYS_EXCLUDE = Code(
    "ND2011", "keys-exclude-each-other", Severity.ERROR, "Two keys cannot stand together."
)
KEY_NEEDS_KEY = Code(
    "ND2012", "key-needs-another", Severity.ERROR, "A key has no meaning without another."
)
UNKNOWN_REFERENCE = Code(
    "ND2013", "unknown-reference", Severity.ERROR, "A name refers to a document that is not there."
)
REMOVES_NOTHING = Code(
    "ND2014", "removes-nothing", Severity.ERROR, "A `null` removes what the defaults do not give."
)
QUOTA_NOT_SHARED = Code(
    "ND2015",
    "quota-not-shared",
    Severity.WARNING,
    "Several namespaces may each claim the whole of a quota.",
)
RESERVED_KEY = Code(
    "ND2016",
    "reserved-key",
    Severity.ERROR,
    "A label or annotation is set by the compiler, Kubernetes or a GitOps engine.",
)
RESERVED_NAMESPACE = Code(
    "ND2017",
    "reserved-namespace",
    Severity.ERROR,
    "A tenant claims a namespace of Kubernetes, of a driver or of a GitOps engine.",
)
UNUSED_DEFAULTS = Code(
    "ND2018", "unused-defaults", Severity.WARNING, "No Cluster names a ClusterDefaults."
)
MALFORMED_SUPPRESSION = Code(
    "ND2070",
    "malformed-suppression",
    Severity.ERROR,
    "A comment that should suppress a finding cannot be read.",
)
SUPPRESSED_ERROR = Code(
    "ND2071", "suppressed-error", Severity.ERROR, "A comment would suppress an error."
)
UNUSED_SUPPRESSION = Code(
    "ND2072", "unused-suppression", Severity.WARNING, "A comment suppresses nothing."
)
