"""Codes of a team's settings: `neuron-dra.toml` and the baseline."""

from neuron_dra.diagnostics import Code, Severity

INVALID_TOML = Code(
    "ND2073", "invalid-toml", Severity.ERROR, "The settings of a team are not valid TOML."
)
UNKNOWN_SETTING = Code(
    "ND2074", "unknown-setting", Severity.ERROR, "A key of the settings does not exist."
)
INVALID_SETTING = Code(
    "ND2075", "invalid-setting", Severity.ERROR, "A setting has a value that it cannot have."
)
LOWERED_ERROR = Code(
    "ND2076", "lowered-error", Severity.ERROR, "The settings would lower an error."
)
INVALID_BASELINE = Code(
    "ND2077", "invalid-baseline", Severity.ERROR, "A baseline is not what `check` has written."
)
STALE_BASELINE = Code(
    "ND2078",
    "stale-baseline-entry",
    Severity.WARNING,
    "A baseline knows a finding that is not there.",
)
