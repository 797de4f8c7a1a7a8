"""Codes of the syntax phase: text that is not YAML as the spec language reads it."""

from neuron_dra.diagnostics import Code, Severity

NOT_UTF8 = Code("ND1001", "not-utf8", Severity.ERROR, "The file is not UTF-8 text.")
INVALID_YAML = Code("ND1002", "invalid-yaml", Severity.ERROR, "The text is not valid YAML.")
TAB_INDENTATION = Code(
    "ND1003", "tab-indentation", Severity.ERROR, "A tab is used where YAML indents with spaces."
)
UNDEFINED_ALIAS = Code(
    "ND1004", "undefined-alias", Severity.ERROR, "An alias names an anchor that does not exist."
)
RECURSIVE_ALIAS = Code(
    "ND1005", "recursive-alias", Severity.ERROR, "An alias stands inside its own anchor."
)
ALIAS_BOMB = Code(
    "ND1006", "alias-bomb", Severity.ERROR, "The aliases of a document expand to too many nodes."
)
EXPLICIT_TAG = Code("ND1007", "explicit-tag", Severity.ERROR, "A value has an explicit YAML tag.")
DUPLICATE_KEY = Code("ND1008", "duplicate-key", Severity.ERROR, "A mapping has the same key twice.")
KEY_NOT_TEXT = Code("ND1009", "key-not-text", Severity.ERROR, "A mapping key is not a plain text.")
INVALID_MERGE = Code(
    "ND1010", "invalid-merge", Severity.ERROR, "A merge key does not name a mapping."
)
CONTROL_CHARACTER = Code(
    "ND1011", "control-character", Severity.ERROR, "The text holds a character YAML does not allow."
)
TOO_DEEP = Code("ND1012", "nesting-too-deep", Severity.ERROR, "The document is nested too deeply.")
